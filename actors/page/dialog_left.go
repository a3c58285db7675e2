package page

import (
	"context"
	"time"

	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// nowhere is an address that no browser hands to anything: its scheme is one of
// those that Chromium never launches a program for. A navigation to it is given up
// before it does anything, except that the browser closes an open dialog first, as
// it does for every navigation.
const nowhere = "hcp:"

// leftDialog answers the dialog of a document that is being left. When the next
// document already waits for its place, the browser refuses to answer the old one's
// dialog ("Not attached to an active page"), the script that opened it waits on, and
// neither document ever goes on (measured with Chromium 156). What is left is to
// have the browser close the dialog, which is a dismissal; the navigation that waits
// is no longer cancelled by another one.
type leftDialog struct {
	link *engine.Link
	open *engine.OpenDialog
	// closed carries the end of the dialog.
	closed *cdp.Tap
}

// watchDialog notes what is open now. Call stop when the answer is known.
func watchDialog(link *engine.Link) *leftDialog {
	return &leftDialog{link: link, open: link.Dialog.Load(), closed: link.Session.Tap(1, func(method string) bool {
		return method == dialogWasClosed || method == rendererDied
	})}
}

func (d *leftDialog) stop() { d.closed.Close() }

// stands reports whether the dialog is still open after the browser refused to
// answer it. One that goes by itself, since its document went, is given a moment.
func (d *leftDialog) stands(ctx context.Context) bool {
	return d.open != nil && d.ends(ctx, kernel.DialogLeftWait) == "" && d.link.Dialog.Load() == d.open
}

// The ends of a dialog, by the browser's event: it was closed, or its renderer died.
const (
	dialogWasClosed = "Page.javascriptDialogClosed"
	rendererDied    = "Inspector.targetCrashed"
)

// ends waits for the end of the dialog and returns which it was, "" when none came
// in time.
func (d *leftDialog) ends(ctx context.Context, wait time.Duration) string {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case e := <-d.closed.C():
		return e.Method
	case <-timer.C:
	case <-ctx.Done():
	}
	return ""
}

// dismiss has the browser close the dialog.
func (d *leftDialog) dismiss(ctx context.Context, b *besideRunner) *messages.Receipt {
	receipt := b.effect(ctx, b.page.Session, "Page.navigate", map[string]any{"url": nowhere})
	if receipt.ExecutionState == messages.NotStarted {
		return receipt
	}
	if d.ends(ctx, kernel.DialogLeftEnd) != dialogWasClosed {
		return messages.Refusal("", messages.UnknownOutcome(messages.CodeDialogOpen,
			"The page is leaving its document, and did not let go of its dialog. Close the page if it stays so."))
	}
	return &messages.Receipt{
		ExecutionState: messages.Completed, NeedsSnapshot: true,
		Dialog: &messages.Dialog{Kind: d.open.Kind, Answered: dialogDismissed},
	}
}
