package actors

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"github.com/troupe-browser/troupe/actors/machinetest"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/cdp/cdptest"
	"github.com/troupe-browser/troupe/messages"
)

// fakeBrowser is a browser of the scripted kind that has tabs: it attaches them,
// closes them and answers what a page is asked while it is prepared. It serves as
// the connection of one launch.
type fakeBrowser struct {
	*cdptest.Browser
	tabs atomic.Int64
	// ending, when not nil, holds Close until it is closed.
	ending chan struct{}
	closed atomic.Int64
	// failing, when not nil, is what Close returns.
	failing error
}

func newFakeBrowser(t *testing.T) *fakeBrowser {
	f := &fakeBrowser{Browser: cdptest.New(t)}
	f.HandleRest(func(c *cdptest.Call) { c.Reply(nil) })
	f.Handle("Target.setAutoAttach", func(c *cdptest.Call) {
		f.openTab("")
		c.Reply(nil)
	})
	f.Handle("Target.createTarget", func(c *cdptest.Call) { c.Reply(map[string]any{"targetId": f.openTab("")}) })
	f.Handle("Target.closeTarget", func(c *cdptest.Call) {
		var p struct {
			TargetID string `json:"targetId"`
		}
		c.Decode(&p)
		c.Reply(nil)
		f.Detach(cdp.SessionID("S" + p.TargetID))
	})
	f.Handle("Page.getFrameTree", func(c *cdptest.Call) {
		c.Reply(map[string]any{"frameTree": map[string]any{"frame": map[string]any{"id": "F", "url": "http://a/"}}})
	})
	f.Handle("Runtime.evaluate", func(c *cdptest.Call) {
		c.Reply(map[string]any{"result": map[string]any{"type": "string", "value": "complete"}})
	})
	f.Handle("Page.handleJavaScriptDialog", func(c *cdptest.Call) {
		var p struct {
			Accept bool `json:"accept"`
		}
		c.Decode(&p)
		c.Reply(nil)
		f.Emit(c.Session, "Page.javascriptDialogClosed", map[string]any{"result": p.Accept})
	})
	f.Handle("Page.navigate", func(*cdptest.Call) {}) // never answered
	return f
}

// openTab attaches a new tab and returns its target.
func (f *fakeBrowser) openTab(opener string) string {
	target := fmt.Sprintf("T%d", f.tabs.Add(1))
	f.Emit("", "Target.attachedToTarget", map[string]any{
		"sessionId": "S" + target, "waitingForDebugger": true,
		"targetInfo": map[string]any{"targetId": target, "type": "page", "title": "", "url": "about:blank", "attached": true, "openerId": opener}})
	return target
}

// Ownership implements Connection.
func (f *fakeBrowser) Ownership() messages.Ownership { return messages.OwnedEphemeral }

// Done implements Connection.
func (f *fakeBrowser) Done() <-chan struct{} { return nil }

// Close implements Connection.
func (f *fakeBrowser) Close(context.Context, bool) error {
	if f.ending != nil {
		<-f.ending
	}
	if f.closed.Add(1) == 1 {
		f.Browser.Close()
	}
	return f.failing
}

// Connect implements Connector.
func (f *fakeBrowser) Connect(context.Context, ConnectPlan) (Connection, error) { return f, nil }

// violations is a log that fails the test when an actor broke an invariant: its
// supervisor would restart it, and nobody would see.
type violations struct{ t *testing.T }

// Write implements io.Writer.
func (v *violations) Write(line []byte) (int, error) {
	if strings.Contains(string(line), "invariant broken") {
		v.t.Errorf("%s", line)
	}
	return len(line), nil
}

// stage runs a test in a bubble of virtual time with a runtime on a fake browser.
func stage(t *testing.T, change func(*Config), test func(*testing.T, *fakeBrowser, *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		f := newFakeBrowser(t)
		config := Config{StateDir: t.TempDir(), Connector: f, Logger: zerolog.New(&violations{t})}
		if change != nil {
			change(&config)
		}
		runtime, err := Start(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			runtime.Shutdown(context.Background())
			time.Sleep(10 * messages.ReapTick) // every timer of the runtime and the actor system ran out long ago
		})
		test(t, f, &rig{t: t, runtime: runtime, caller: runtime.As(machinetest.Agent), ctx: t.Context()})
	})
}

// pending starts a navigation that the browser never answers.
func (r *rig) pending(ctx context.Context, page messages.PageAddress) <-chan *messages.Receipt {
	answers := make(chan *messages.Receipt, 1)
	go func() {
		receipt, _ := r.caller.Effect(ctx, &messages.Navigate{PageAddress: page, URL: "http://b/"})
		answers <- receipt
	}()
	synctest.Wait()
	return answers
}

func wantReceipt(t *testing.T, receipt *messages.Receipt, state messages.ExecutionState, code messages.Code) {
	t.Helper()
	if receipt.ExecutionState != state || receipt.Code != code {
		t.Errorf("%s %s (%s), want %s %s", receipt.ExecutionState, receipt.Code, receipt.Message, state, code)
	}
}

// immediately demands that no virtual time passes.
func immediately(t *testing.T, what string, call func()) {
	t.Helper()
	begun := time.Now()
	call()
	if took := time.Since(begun); took > 0 {
		t.Errorf("%s took %v", what, took)
	}
}

func count(methods []string, method string) int {
	return strings.Count(" "+strings.Join(methods, " ")+" ", " "+method+" ")
}
