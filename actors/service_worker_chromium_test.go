package actors

import (
	"testing"

	"github.com/troupe-browser/troupe/fixtures"
	"github.com/troupe-browser/troupe/messages"
)

// Attaching to pages leaves their service workers running (R124): one registers,
// takes the page over and answers its requests.
func TestChromium_R124ServiceWorkersAreNotPaused(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	site := fixtures.Serve(t)
	r := newRig(t, chromiumConfig(t))
	page := r.launch()
	r.effect(&messages.Navigate{PageAddress: page, URL: site.URL("/service-worker")})
	r.effect(&messages.Click{OnElement: on(page, r.element(r.snapshot(page), "button", "Register"))})
	if _, err := site.WaitEffects(r.ctx, "/service-worker", "ready", 1); err != nil {
		t.Fatal("the worker does not take the page over: ", err)
	}
	r.effect(&messages.Click{OnElement: on(page, r.element(r.snapshot(page), "button", "Ask"))})
	if _, err := site.WaitEffects(r.ctx, "/service-worker", "answer", 1); err != nil {
		t.Fatal("the worker does not answer: ", err)
	}
}
