package effect

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/troupe-browser/troupe/cdp/cdptest"
	"github.com/troupe-browser/troupe/messages"
)

// Waiting for a load is bounded, and running out is no error once the document is there: the page can be looked at while
// it loads (R113). A document that has not come by then may still come.
func TestNavigateRunsOutOfTime(t *testing.T) {
	for name, c := range map[string]struct {
		commits bool
		state   messages.ExecutionState
		code    messages.Code
	}{
		"the document is there":   {true, messages.Completed, ""},
		"the document is awaited": {false, messages.OutcomeUnknown, messages.CodeCDPReceiveTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newFakePage(t)
				p.fault = func(name string, call *cdptest.Call) bool {
					if name != "Page.navigate" {
						return false
					}
					frame := map[string]any{"id": string(fakeFrame), "loaderId": "L", "url": "http://site.test/slow"}
					p.browser.Emit(fakeSession, "Page.frameStartedNavigating", map[string]any{"frameId": string(fakeFrame), "loaderId": "L", "url": "http://site.test/slow"})
					if c.commits {
						p.browser.Emit(fakeSession, "Page.frameNavigated", map[string]any{"frame": frame, "type": "Navigation"})
					}
					call.Reply(map[string]any{"frameId": string(fakeFrame), "loaderId": "L"})
					return true
				}
				began := time.Now()
				receipt, _ := runFake(t, context.Background(), p, &messages.Navigate{URL: "http://site.test/slow"})
				if receipt.ExecutionState != c.state || receipt.Code != c.code || c.commits && receipt.LoadState != messages.LoadLoading {
					t.Errorf("it ends as %+v", receipt)
				}
				if took := time.Since(began); took < messages.NavigateTimeout/2 || took > messages.NavigateTimeout+messages.SettleBudget {
					t.Errorf("it took %v of at most %v", took, messages.NavigateTimeout)
				}
			})
		})
	}
}
