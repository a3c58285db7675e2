package effect

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/troupe-browser/troupe/cdp/cdptest"
	"github.com/troupe-browser/troupe/messages"
)

// A navigation that runs out of time ends with what kept it, and never as cancelled when nobody cancelled it.
func TestNavigateSaysWhoKeepsTheDocumentBack(t *testing.T) {
	silent := func(names ...string) func(string, *cdptest.Call) bool {
		return func(name string, _ *cdptest.Call) bool { return slices.Contains(names, name) }
	}
	for name, c := range map[string]struct {
		fault func(string, *cdptest.Call) bool
		code  messages.Code
		says  string
	}{
		"nobody":      {silent("Page.navigate"), messages.CodeCDPReceiveTimeout, "did not come in time"},
		"the script":  {silent("Page.navigate", "idle"), messages.CodePageUnresponsive, "keeps its main thread busy"},
		"the browser": {silent("Page.navigate", "idle", "Performance.getMetrics"), messages.CodeCDPReceiveTimeout, "The browser did not answer"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newFakePage(t)
				p.fault = c.fault
				// The caller's context ends with the whole time, as that of a page's runner does.
				ctx, cancel := context.WithTimeout(context.Background(), messages.NavigateTimeout)
				defer cancel()
				began := time.Now()
				receipt, _ := runFake(t, ctx, p, &messages.Navigate{URL: "http://site.test/slow"})
				if receipt.ExecutionState != messages.OutcomeUnknown || receipt.Code != c.code || !strings.Contains(receipt.Message, c.says) {
					t.Errorf("it ends as %s %s %q", receipt.ExecutionState, receipt.Code, receipt.Message)
				}
				if took := time.Since(began); took > messages.NavigateTimeout {
					t.Errorf("it took %v", took)
				}
			})
		})
	}
}

// A load whose server does not answer is stopped, since the browser tells the page nothing meanwhile: one answer, each time.
func TestNavigateStopsALoadThatDoesNotFinish(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newFakePage(t)
		stopped := 0
		p.fault = func(name string, call *cdptest.Call) bool {
			switch name {
			case "Page.navigate":
				p.browser.Emit(fakeSession, "Network.requestWillBeSent", map[string]any{"requestId": "L", "type": "Document", "frameId": string(fakeFrame),
					"request": map[string]any{"url": "http://site.test/never", "method": "GET"}})
				return true
			case "Page.stopLoading":
				stopped++
			case "idle": // the browser keeps it back until the document has come
				return stopped == 0
			}
			return false
		}
		ctx, cancel := context.WithTimeout(context.Background(), messages.NavigateTimeout)
		defer cancel()
		receipt, _ := runFake(t, ctx, p, &messages.Navigate{URL: "http://site.test/never"})
		if receipt.ExecutionState != messages.Completed || receipt.Code != messages.CodeNavigationFailed || !strings.Contains(receipt.Message, "The load did not finish in time") {
			t.Errorf("it ends as %s %s %q", receipt.ExecutionState, receipt.Code, receipt.Message)
		}
		if stopped != 1 {
			t.Errorf("%d loads were stopped", stopped)
		}
	})
}

// That the browser gave a navigation up proves nothing by itself.
func TestNavigateThatWasGivenUp(t *testing.T) {
	frame := map[string]any{"frame": map[string]any{"id": string(fakeFrame), "loaderId": "M", "url": "http://site.test/late"}, "type": "Navigation"}
	sent := map[string]any{"requestId": "L", "type": "Document", "request": map[string]any{"url": "http://site.test/late", "method": "GET"}}
	answered := func(status int) map[string]any {
		return map[string]any{"requestId": "L", "type": "Document", "response": map[string]any{"status": status}}
	}
	failed := map[string]any{"requestId": "L", "canceled": true}
	for name, c := range map[string]struct {
		loader string
		events []any
		code   messages.Code
		url    string
	}{
		"a running one to the address comes": {"", []any{"Page.frameNavigated", frame, "Page.loadEventFired", nil}, "", "http://site.test/late"},
		"a running one ends for nothing":     {"", []any{"Page.frameStoppedLoading", map[string]any{"frameId": string(fakeFrame)}}, messages.CodeNavigationFailed, ""},
		"an answer without content":          {"L", []any{"Network.requestWillBeSent", sent, "Network.responseReceived", answered(204), "Network.loadingFailed", failed}, "", ""},
		"a download":                         {"L", []any{"Network.requestWillBeSent", sent, "Page.downloadWillBegin", map[string]any{"frameId": string(fakeFrame)}}, "", ""},
		"a redirect to nowhere":              {"L", []any{"Network.requestWillBeSent", sent, "Network.loadingFailed", failed}, messages.CodeNavigationFailed, ""},
		"no word at all":                     {"L", nil, messages.CodeNavigationFailed, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newFakePage(t)
				p.fault = func(name string, call *cdptest.Call) bool {
					if name != "Page.navigate" {
						return false
					}
					call.Reply(map[string]any{"frameId": string(fakeFrame), "loaderId": c.loader, "errorText": errAborted})
					time.AfterFunc(10*time.Millisecond, func() {
						for i := 0; i < len(c.events); i += 2 {
							p.browser.Emit(fakeSession, c.events[i].(string), c.events[i+1])
						}
					})
					return true
				}
				receipt, _ := runFake(t, context.Background(), p, &messages.Navigate{URL: "http://site.test/late"})
				if receipt.ExecutionState != messages.Completed || receipt.Code != c.code || receipt.URL != c.url {
					t.Errorf("it ends as %s %q %s, at %q", receipt.ExecutionState, receipt.Code, receipt.Message, receipt.URL)
				}
			})
		})
	}
}

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
