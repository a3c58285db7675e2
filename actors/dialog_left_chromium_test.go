package actors

import (
	"testing"
	"time"

	"github.com/troupe-browser/troupe/fixtures"
	"github.com/troupe-browser/troupe/messages"
)

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
			page := r.open(browser, site.URL("/dialog-while-left?kind="+string(kind)))
			receipt, err := r.caller.Effect(r.ctx, &messages.Navigate{PageAddress: page, URL: site.URL("/demo")})
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
			within(t, 5*time.Second, "answering", func() {
				answered := r.effect(answer)
				if answered.Dialog == nil || answered.Dialog.Answered != dialogDismissed {
					t.Errorf("handle_dialog: %+v", answered.Dialog)
				}
			})
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
	page := r.open(r.launch().BrowserID, site.URL("/dialog-while-left?kind=confirm"))
	receipt := r.effect(&messages.Navigate{PageAddress: page, URL: site.URL("/demo")})
	if receipt.Dialog == nil || receipt.Dialog.Answered != dialogDismissed {
		t.Errorf("navigate: %+v, dialog %+v", receipt, receipt.Dialog)
	}
	r.eventually("the next document is there", func() bool {
		s := r.summary(page)
		return s.URL == site.URL("/demo") && s.LoadState == messages.LoadComplete
	})
}
