package actors

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/fixtures"
	"github.com/troupe-browser/troupe/messages"
)

// rig is a runtime with a real browser, for one test.
type rig struct {
	t       *testing.T
	runtime *Runtime
	caller  Caller
	ctx     context.Context
}

// agent is the caller of most tests.
var agent = messages.Caller{ID: "agent", Plane: messages.PlaneModel, Grants: messages.DefaultGrants()}

// chromiumConfig is the configuration of a test with a real browser.
func chromiumConfig(t *testing.T) Config {
	return Config{NoSandbox: os.Geteuid() == 0, StateDir: t.TempDir()}
}

func newRig(t *testing.T, config Config) *rig {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	runtime, err := Start(ctx, config)
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, runtime: runtime, caller: runtime.As(agent), ctx: ctx}
	t.Cleanup(func() { runtime.Shutdown(context.Background()) })
	return r
}

// effect carries out an effect that must complete.
func (r *rig) effect(command messages.Effect) *messages.Receipt {
	r.t.Helper()
	receipt, err := r.caller.Effect(r.ctx, command)
	if err != nil {
		r.t.Fatalf("%s: %v %s", command.Action(), err, receipt.Operator)
	}
	return receipt
}

// launch starts a browser and returns its first page.
func (r *rig) launch() messages.PageAddress {
	r.t.Helper()
	receipt := r.effect(&messages.Launch{})
	return messages.PageAddress{BrowserID: receipt.BrowserID, PageID: receipt.PageID}
}

func (r *rig) pages(browser messages.BrowserID) []messages.PageSummary {
	r.t.Helper()
	reply, err := r.caller.Observe(r.ctx, &messages.ListPages{BrowserID: browser})
	if err != nil {
		r.t.Fatal(err)
	}
	return reply.(*messages.PageList).Pages
}

func TestChromium_FromLaunchToShutdown(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	site := fixtures.Serve(t)
	r := newRig(t, chromiumConfig(t))
	begun := time.Now()
	first := r.launch()
	t.Log(time.Since(begun))
	receipt := r.effect(&messages.Navigate{PageAddress: first, URL: site.URL("/form-twenty")})
	t.Logf("%v %+v", time.Since(begun), receipt)
	second := r.effect(&messages.NewPage{BrowserID: first.BrowserID, URL: site.URL("/form-twenty"), Temporary: true})
	t.Logf("%+v", second)
	pages := r.pages(first.BrowserID)
	t.Logf("%+v", pages)
	if len(pages) != 2 {
		t.Fatalf("%d pages, want 2", len(pages))
	}
	r.effect(&messages.ClosePage{PageAddress: messages.PageAddress{BrowserID: first.BrowserID, PageID: second.PageID}})
	if pages := r.pages(first.BrowserID); len(pages) != 1 {
		t.Errorf("%d pages after closing one of two", len(pages))
	}
	r.effect(&messages.CloseBrowser{BrowserID: first.BrowserID})
	report := r.runtime.Shutdown(context.Background())
	t.Logf("%+v", report)
}
