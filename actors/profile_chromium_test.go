package actors

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/machinetest"
	"github.com/troupe-browser/troupe/fixtures"
	"github.com/troupe-browser/troupe/messages"
)

// work launches the managed profile of the tests and opens a page that has an origin.
func (r *rig) work(site *fixtures.Server) messages.PageAddress {
	r.t.Helper()
	receipt := r.effect(&messages.Launch{Mode: messages.LaunchManaged, Profile: "work"})
	page := messages.PageAddress{BrowserID: receipt.BrowserID, PageID: receipt.PageID}
	r.effect(&messages.Navigate{PageAddress: page, URL: site.URL("/demo")})
	return page
}

// leave puts something into both kinds of store, and kept demands that it is there.
func (r *rig) leave(page messages.PageAddress, url string) {
	r.t.Helper()
	boss := r.runtime.As(machinetest.Operator)
	cookie := messages.Cookie{Name: "kept", Value: "yes", Expires: time.Now().Add(time.Hour)}
	for _, command := range []messages.Effect{
		&messages.MutateCookies{PageAddress: page, Change: messages.CookieSet, Cookie: cookie, URL: url},
		&messages.MutateStorage{PageAddress: page, Area: messages.AreaLocal, Key: "kept", Value: "yes"},
	} {
		if _, err := boss.Effect(r.ctx, command); err != nil {
			r.t.Fatal(err)
		}
	}
}

func (r *rig) kept(page messages.PageAddress) {
	r.t.Helper()
	boss := r.runtime.As(machinetest.Operator)
	cookies, err := boss.Observe(r.ctx, &messages.GetCookies{PageAddress: page})
	if err != nil {
		r.t.Fatal(err)
	}
	if list := cookies.(*messages.CookieList).Cookies; len(list) != 1 || list[0].Name != "kept" || list[0].Value != "yes" {
		r.t.Errorf("the cookies are %+v", list)
	}
	storage, err := boss.Observe(r.ctx, &messages.GetStorage{PageAddress: page, Area: messages.AreaLocal})
	if err != nil {
		r.t.Fatal(err)
	}
	if list := storage.(*messages.StorageEntries).Entries; len(list) != 1 || list[0].Value != "yes" {
		r.t.Errorf("the storage is %+v", list)
	}
}

// A managed profile keeps what was left in it, is driven by one browser at a time
// wherever that was launched, and survives a browser that was killed (R6, R178, R179).
func TestChromium_ManagedProfile(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	site := fixtures.Serve(t)
	config := chromiumConfig(t)
	config.Hidden = true
	r := newRig(t, config)
	first := r.work(site)
	r.leave(first, site.URL("/demo"))

	busy := func(r *rig) {
		t.Helper()
		within(t, 2*time.Second, "the refusal", func() {
			receipt, err := r.caller.Effect(r.ctx, &messages.Launch{Mode: messages.LaunchManaged, Profile: "work"})
			wantCode(t, err, messages.CodeProfileBusy)
			if receipt.ExecutionState != messages.NotStarted {
				t.Errorf("receipt: %+v", receipt)
			}
		})
	}
	busy(r)
	other := newRig(t, config)
	busy(other)
	r.kept(first)
	list, err := r.caller.Observe(r.ctx, &messages.ListBrowsers{})
	if err != nil || len(list.(*messages.BrowserList).Browsers) != 1 {
		t.Errorf("after the refusals: %+v, %v", list, err)
	}

	r.effect(&messages.CloseBrowser{BrowserID: first.BrowserID})
	second := other.work(site)
	if second.BrowserID == first.BrowserID || second.PageID == first.PageID {
		t.Errorf("identities are used again: %+v", second)
	}
	other.kept(second)
	busy(r)

	// A killed browser leaves its own lock, which no longer stands for anything.
	data := filepath.Join(config.StateDir, kernel.BrowserDirName, kernel.ProfilesDirName, "work", kernel.ProfileDataName)
	lock, err := os.Readlink(filepath.Join(data, "SingletonLock"))
	if err != nil {
		t.Fatal(err)
	}
	_ = syscall.Kill(browserProcess(other), syscall.SIGKILL)
	other.eventually("the browser is gone", func() bool {
		list, err := other.caller.Observe(other.ctx, &messages.ListBrowsers{})
		return err == nil && len(list.(*messages.BrowserList).Browsers) == 0
	})
	_ = os.Remove(filepath.Join(data, "SingletonLock")) // it is swept when the end was seen
	if err := os.Symlink(lock, filepath.Join(data, "SingletonLock")); err != nil {
		t.Fatal(err)
	}
	third := r.work(site)
	r.kept(third)
	r.runtime.Shutdown(context.Background())

	// A lock that stands for a process that lives is not taken.
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(host+"-"+strconv.Itoa(os.Getpid()), filepath.Join(data, "SingletonLock")); err != nil {
		t.Fatal(err)
	}
	busy(other)
}
