package actors

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/fixtures"
	"github.com/troupe-browser/troupe/messages"
)

// helper returns a process of the browser that this test started, by a part of its
// command line.
func (r *rig) helper(text string) int {
	var found int
	var walk func(int)
	walk = func(parent int) {
		for _, pid := range children(parent) {
			if strings.Contains(commandLine(pid), text) {
				found = pid
			}
			walk(pid)
		}
	}
	walk(browserProcess(r))
	return found
}

// The processes that a browser keeps beside its renderers may die: it starts them
// anew, and nothing of ours needs to notice.
func TestChromium_HelperProcessesDie(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	site := fixtures.Serve(t)
	r := newRig(t, chromiumConfig(t))
	page := r.open(r.launch().BrowserID, site.URL("/form-twenty"))
	for name, text := range map[string]string{"the GPU process": "--type=gpu-process", "the network process": "network.mojom.NetworkService"} {
		t.Run(name, func(t *testing.T) {
			r.t = t
			r.eventually("it runs", func() bool { return r.helper(text) != 0 })
			first := r.helper(text)
			if err := syscall.Kill(first, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			within(t, 5*time.Second, "a snapshot", func() { r.snapshot(page) })
			r.eventually("the page loads again", func() bool {
				_, err := r.caller.Effect(r.ctx, &messages.Navigate{PageAddress: page, URL: site.URL("/form-twenty")})
				return err == nil
			})
			for _, n := range r.snapshot(page).Nodes {
				if n.Role == "textbox" {
					r.effect(&messages.SetValue{OnElement: on(page, messages.ElementHandle(n.ElementID)), Value: "x"})
					break
				}
			}
			if second := r.helper(text); second == first {
				t.Errorf("%s was not killed", name)
			}
		})
	}
}

// A browser that can't write its profile, as on a full disk, is up or is refused with
// a reason, in its time; either way nothing is left of it.
func TestChromium_ProfileCannotBeWritten(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	found, err := cdp.Discover(cdp.DiscoverOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Run("no directory", func(t *testing.T) {
		config := chromiumConfig(t)
		if err := os.WriteFile(filepath.Join(config.StateDir, kernel.ThrowawayDirName), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		r := newRig(t, config)
		receipt, err := r.caller.Effect(r.ctx, &messages.Launch{})
		wantCode(t, err, messages.CodeProfileCreateFailed)
		if receipt.ExecutionState == messages.Completed || strings.Contains(receipt.Message, config.StateDir) {
			t.Errorf("receipt: %+v", receipt)
		}
		reply, err := r.caller.Observe(r.ctx, &messages.ListBrowsers{})
		if err != nil || len(reply.(*messages.BrowserList).Browsers) != 0 {
			t.Errorf("browsers are %+v, %v", reply, err)
		}
	})
	// A limit on the size of files makes every write beyond it fail, as a full disk
	// does; the shared memory of a browser is made of files too, so some is left.
	for _, blocks := range []int{0, 64} {
		t.Run(fmt.Sprintf("files of %d blocks", blocks), func(t *testing.T) {
			config := chromiumConfig(t)
			config.Engine = filepath.Join(t.TempDir(), "browser")
			script := fmt.Sprintf("#!/bin/sh\ntrap '' XFSZ\nulimit -f %d\nexec '%s' \"$@\"\n", blocks, found.Path)
			if err := os.WriteFile(config.Engine, []byte(script), 0o700); err != nil {
				t.Fatal(err)
			}
			r := newRig(t, config)
			within(t, messages.LaunchTimeout+kernel.CloseBudget, "the launch", func() {
				receipt, err := r.caller.Effect(r.ctx, &messages.Launch{})
				if err != nil {
					t.Logf("refused: %v", err)
					return
				}
				t.Log("up; closing it")
				r.effect(&messages.CloseBrowser{BrowserID: receipt.BrowserID})
			})
			if left := children(os.Getpid()); len(left) > 0 {
				t.Errorf("processes are left: %v", left)
			}
			if entries, _ := os.ReadDir(filepath.Join(config.StateDir, kernel.ThrowawayDirName)); len(entries) > 0 {
				t.Errorf("%d directories are left", len(entries))
			}
		})
	}
}
