package actors

import (
	"testing"
	"time"

	"github.com/troupe-browser/troupe/fixtures"
	"github.com/troupe-browser/troupe/messages"
)

// nextIsReady is how long the answer for the next document may take from the site to
// the old document's renderer, which nothing tells. On a machine that needs longer the
// dialog opens too early, and is one that can be answered.
const nextIsReady = time.Second

// leaveHeldUp navigates a page whose script is held up, and lets the script open its
// dialog when the next document waits to take the page's place.
func leaveHeldUp(r *rig, site *fixtures.Server, browser messages.BrowserID, kind messages.DialogKind) (messages.PageAddress, *messages.Receipt, error) {
	r.t.Helper()
	gate := "left-" + string(kind)
	page := r.open(browser, site.URL("/dialog-while-left?record=sync&kind="+string(kind)+"&after="+gate))
	before := len(site.Effects("/dialog-while-left"))
	site.Release(gate)
	if _, err := site.WaitEffects(r.ctx, "/dialog-while-left", "held", before+1); err != nil {
		r.t.Fatal(err)
	}
	asked := len(site.Requests("/demo"))
	go func() {
		if _, err := site.WaitRequests(r.ctx, "/demo", asked+1); err == nil {
			time.Sleep(nextIsReady)
		}
		site.Release(gate + "-held")
	}()
	receipt, err := r.caller.Effect(r.ctx, &messages.Navigate{PageAddress: page, URL: site.URL("/demo")})
	return page, receipt, err
}

// A dialog of a document whose place the next one already waits for keeps both in
// suspense, and the browser answers it by no protocol command (R119, R120).
func TestChromium_DialogsOfADocumentThatIsLeft(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	site := fixtures.Serve(t)
	shared := newRig(t, chromiumConfig(t))
	browser := shared.launch().BrowserID
	for kind, accept := range map[messages.DialogKind]bool{messages.DialogAlert: true, messages.DialogConfirm: false, messages.DialogPrompt: true} {
		t.Run(string(kind), func(t *testing.T) {
			r := *shared
			r.t = t
			page, receipt, err := leaveHeldUp(&r, site, browser, kind)
			wantCode(t, err, messages.CodeDialogOpen)
			if receipt.ExecutionState != messages.OutcomeUnknown || receipt.Dialog == nil || !receipt.Dialog.Open || receipt.Dialog.Kind != kind {
				t.Fatalf("navigate: %+v, dialog %+v", receipt, receipt.Dialog)
			}
			answer := &messages.HandleDialog{PageAddress: page, Accept: accept}
			if kind == messages.DialogPrompt {
				_, err := r.caller.Effect(r.ctx, answer)
				wantCode(t, err, messages.CodeDialogOpen)
				answer.Accept = false
			}
			answered := r.effect(answer)
			if answered.Dialog == nil || answered.Dialog.Answered != "dismissed" {
				t.Errorf("handle_dialog: %+v", answered.Dialog)
			}
			r.eventually("the next document is there", func() bool {
				s := r.summary(page)
				return s.URL == site.URL("/demo") && s.LoadState == messages.LoadComplete
			})
			if seen := r.snapshot(page); seen.Dialog != nil || len(seen.Nodes) == 0 {
				t.Errorf("snapshot after the answer: %+v", seen)
			}
			r.effect(&messages.ClosePage{PageAddress: page})
		})
	}
}

// With nobody to ask, the rule dismisses it and the navigation goes on.
func TestChromium_ADialogOfADocumentThatIsLeftGoesByTheRule(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	site := fixtures.Serve(t)
	config := chromiumConfig(t)
	config.Dialogs = DialogsAuto
	r := newRig(t, config)
	page, receipt, err := leaveHeldUp(r, site, r.launch().BrowserID, messages.DialogConfirm)
	if err != nil || receipt.Dialog == nil || receipt.Dialog.Answered != "dismissed" {
		t.Errorf("navigate: %v %+v, dialog %+v", err, receipt, receipt.Dialog)
	}
	r.eventually("the next document is there", func() bool {
		s := r.summary(page)
		return s.URL == site.URL("/demo") && s.LoadState == messages.LoadComplete
	})
}
