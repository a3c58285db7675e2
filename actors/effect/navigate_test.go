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

// A navigation is carried out by the browser process: it goes on when the renderer of the document that it leaves ends,
// at whatever moment, and not when that of the new document does.
func TestNavigationOutlivesTheOldRenderer(t *testing.T) {
	const crash = "Inspector.targetCrashed"
	for name, c := range map[string]struct {
		events []string // in their order; "reply" is that of the command
		state  messages.ExecutionState
		code   messages.Code
	}{
		"before the answer":        {[]string{crash, "reply", "Page.frameNavigated", "Page.loadEventFired"}, messages.Completed, ""},
		"before the commit":        {[]string{"reply", crash, "Page.frameNavigated", "Page.loadEventFired"}, messages.Completed, ""},
		"of the new document":      {[]string{"reply", "Page.frameNavigated", crash}, messages.OutcomeUnknown, messages.CodePageCrashed},
		"of both":                  {[]string{crash, "reply", "Page.frameNavigated", crash}, messages.OutcomeUnknown, messages.CodePageCrashed},
		"and it was given up then": {[]string{crash, "aborted"}, messages.OutcomeUnknown, messages.CodePageCrashed},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newFakePage(t)
				p.fault = func(name string, call *cdptest.Call) bool {
					if name != "Page.navigate" {
						return false
					}
					frame := map[string]any{"id": string(fakeFrame), "loaderId": "L", "url": "http://site.test/"}
					p.browser.Emit(fakeSession, "Page.frameStartedNavigating", map[string]any{"frameId": string(fakeFrame), "loaderId": "L", "url": "http://site.test/"})
					for _, event := range c.events {
						switch event {
						case "reply":
							call.Reply(map[string]any{"frameId": string(fakeFrame), "loaderId": "L"})
						case "aborted":
							call.Reply(map[string]any{"frameId": string(fakeFrame), "loaderId": "L", "errorText": errAborted})
						case "Page.frameNavigated":
							p.browser.Revive(fakeSession)
							p.browser.Emit(fakeSession, event, map[string]any{"frame": frame, "type": "Navigation"})
						default:
							p.browser.Emit(fakeSession, event, map[string]any{})
						}
					}
					return true
				}
				receipt, _ := runFake(t, context.Background(), p, &messages.Navigate{URL: "http://site.test/"})
				if receipt.ExecutionState != c.state || receipt.Code != c.code {
					t.Errorf("it ends as %+v", receipt)
				}
			})
		})
	}
}
