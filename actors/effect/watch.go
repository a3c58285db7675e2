package effect

import (
	"context"
	"time"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// watch is what the page said during one operation. It is owned by the
// operation's goroutine, which reads the tap whenever it waits for anything.
type watch struct {
	page *target.Page
	tap  *cdp.Tap
	// events is nil once the session has ended.
	events <-chan cdp.Event

	requests requests

	// dialog is the last dialog; it is open until it was answered. opened counts.
	dialog *messages.Dialog
	// auto says that the page actor answers dialogs, opened when the last one opened.
	auto   bool
	opened time.Time
	// main is our world in the main frame's newest document, empty between two.
	main target.World

	// navigated, replaced and moved tell what became of the main document: another
	// one by navigation, another one in its place, another address for it.
	navigated, replaced, moved bool
	// restored is set when the navigation brought a document back from the cache.
	restored bool
	// commits counts the documents that the main frame got.
	commits int
	// leaving is set between the sign of a navigation of the main frame and its end.
	leaving bool
	// loaded is set when the newest document's load event was seen or its loading
	// ended, loading when neither was since a navigation began.
	loaded bool
	// url is the main frame's newest address, empty while it is that of page.
	url string
	// loader is the id of the newest document's load.
	loader string
	// failed is set when the newest document is the browser's own error page.
	failed bool
	// downloaded is set when the page began a download.
	downloaded bool
	// crashed and gone tell that the renderer or the whole page was lost.
	crashed, gone bool
	// told is what the guard said of input at the moment of its arrival, by token.
	told map[int]*verdict
	// dragData is what the page put into a drag that the browser handed to us.
	dragData []byte
}

// newWatch opens the tap. Close it with stop. auto says that dialogs are answered
// at once by somebody else.
func newWatch(page *target.Page, auto bool) *watch {
	w := &watch{page: page, main: page.Main, auto: auto}
	w.requests.init(page.Background)
	w.tap = page.Session.Tap(tapEventsMax, watched)
	w.events = w.tap.C()
	return w
}

func (w *watch) stop() { w.tap.Close() }

// watched are the events that the operation wants. It runs in the reader.
func watched(method string) bool {
	switch method {
	case "Page.javascriptDialogOpening", "Page.javascriptDialogClosed",
		"Page.frameNavigated", "Page.navigatedWithinDocument", "Page.documentOpened",
		"Page.frameRequestedNavigation", "Page.frameScheduledNavigation", "Page.frameClearedScheduledNavigation",
		"Page.frameStartedNavigating", "Page.frameStoppedLoading", "Page.loadEventFired", "Page.downloadWillBegin",
		"Runtime.executionContextCreated", "Runtime.executionContextsCleared",
		"Inspector.targetCrashed", "Input.dragIntercepted", "Runtime.bindingCalled",
		"Network.requestWillBeSent", "Network.responseReceived", "Network.loadingFinished", "Network.loadingFailed",
		"Network.requestServedFromCache":
		return true
	}
	return false
}

// drain reads what has arrived.
func (w *watch) drain() {
	for w.events != nil {
		select {
		case e, ok := <-w.events:
			w.note(e, ok)
		default:
			return
		}
	}
}

// await waits until the calls have ended, in any order, or a dialog has opened
// that somebody else has to answer; then it returns false, and the calls end by
// themselves later.
func (w *watch) await(calls ...*cdp.Pending) bool {
	for _, call := range calls {
		for ended := false; !ended; {
			select {
			case <-call.Done():
				ended = true
			case e, ok := <-w.events:
				w.note(e, ok)
			case <-w.grace():
			}
			if !ended && w.dialogHeld() {
				return false
			}
		}
	}
	w.drain()
	return true
}

// awaitEither waits until one call has ended or all the others have, or a dialog
// has opened, and then returns false.
func (w *watch) awaitEither(one *cdp.Pending, others []*cdp.Pending) bool {
	for _, call := range others {
		for {
			select {
			case <-one.Done():
				w.drain()
				return true
			case <-call.Done():
			case e, ok := <-w.events:
				w.note(e, ok)
				if !w.dialogHeld() {
					continue
				}
				return false
			case <-w.grace():
				if !w.dialogHeld() {
					continue
				}
				return false
			}
			break
		}
	}
	w.drain()
	return !w.dialogHeld()
}

// until waits until cond holds, the time is over, or the page is lost. It
// reports whether cond holds.
func (w *watch) until(ctx context.Context, limit time.Duration, cond func() bool) bool {
	w.drain()
	if cond() {
		return true
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for w.events != nil {
		var grace <-chan time.Time
		if !w.dialogHeld() {
			grace = w.grace()
		}
		select {
		case e, ok := <-w.events:
			w.note(e, ok)
		case <-grace:
		case <-timer.C:
			return false
		case <-ctx.Done():
			return false
		}
		if cond() {
			return true
		}
	}
	return cond()
}

func (w *watch) dialogOpen() bool { return w.dialog != nil && w.dialog.Open }

// dialogHeld reports whether a dialog is open that nobody is about to answer.
func (w *watch) dialogHeld() bool {
	return w.dialogOpen() && (!w.auto || time.Since(w.opened) >= dialogGrace)
}

// grace fires when a dialog that should be answered has been open for too long.
func (w *watch) grace() <-chan time.Time {
	if !w.auto || !w.dialogOpen() {
		return nil
	}
	return time.After(dialogGrace - time.Since(w.opened))
}

// lost reports whether nothing more can come from the page.
func (w *watch) lost() bool { return w.crashed || w.gone }

// discarded reports whether events were lost to this operation.
func (w *watch) discarded() bool { return w.tap.Dropped() > 0 }

// change is what the operation did to the document.
func (w *watch) change() messages.DocumentChange {
	switch {
	case w.navigated || w.moved:
		return messages.DocumentNavigated
	case w.replaced:
		return messages.DocumentReplaced
	}
	return messages.DocumentSame
}
