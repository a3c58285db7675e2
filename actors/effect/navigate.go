package effect

import (
	"context"
	"strings"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// navigated is the answer of Page.navigate.
type navigated struct {
	FrameID    string `json:"frameId"`
	LoaderID   string `json:"loaderId"`
	ErrorText  string `json:"errorText"`
	IsDownload bool   `json:"isDownload"`
}

// errAborted is how the browser reports a navigation that it gave up: for a
// download, an answer without a document, a stop, or a person who stayed.
const errAborted = "net::ERR_ABORTED"

// navigate loads a URL and waits for the load, a dialog, a download, an answer
// without a document, or the bound (R110-R116).
func (j *job) navigate(c *messages.Navigate) outcome {
	if err := messages.CheckURL(c.URL); err != nil {
		return refused(err)
	}
	if err := j.begin(); err != nil {
		return refused(err)
	}
	call := j.input("Page.navigate", map[string]string{"url": c.URL})
	if o := j.awaitUnload(call); o != nil {
		return *o
	}
	var answer navigated
	if err := call.Wait(&answer); err != nil {
		return refused(j.navigationLost(err))
	}
	switch {
	case answer.IsDownload:
		return outcome{load: true}
	case answer.ErrorText == errAborted:
		return j.aborted()
	case answer.ErrorText != "":
		o := j.arrive(func() bool { return j.watch.commits > 0 })
		return failedLoad(o, answer.ErrorText)
	case answer.LoaderID == "": // within the document
		return j.arrive(func() bool { return j.watch.moved || j.watch.commits > 0 })
	}
	return j.arrive(func() bool { return j.watch.commits > 0 && (j.watch.loader == answer.LoaderID || j.watch.loaded) })
}

// awaitUnload waits for the reply to a navigation. The page may ask first whether
// it may be left; that dialog is accepted, since leaving was asked for (R121), and
// nil returned. Any other dialog ends the wait and the effect.
func (j *job) awaitUnload(call *cdp.Pending) *outcome {
	w := j.watch
	for !w.await(call) {
		if w.dialog.Kind != messages.DialogBeforeUnload {
			return heldUp()
		}
		// The page actor answers it as well; whoever is second is told that there
		// is no dialog, which is no harm.
		ctx, cancel := context.WithTimeout(j.ctx, dialogGrace)
		_ = j.session().Execute(ctx, "Page.handleJavaScriptDialog", map[string]bool{"accept": true}, nil)
		w.until(ctx, dialogGrace, func() bool { return !w.dialogOpen() || w.lost() })
		cancel()
		if w.dialogOpen() {
			return heldUp()
		}
	}
	return nil
}

// heldUp is the end of a navigation that waits for a dialog of the document that is
// to be left. Whoever answers the dialog decides whether the new document comes.
func heldUp() *outcome {
	o := refused(messages.UnknownOutcome(messages.CodeDialogOpen,
		"The document that is being left shows a dialog, and the new one waits for it. Answer it with handle_dialog, then observe."))
	return &o
}

// aborted judges a navigation that the browser gave up.
func (j *job) aborted() outcome {
	if d := j.watch.dialog; d != nil && d.Kind == messages.DialogBeforeUnload && d.Answered == "dismissed" {
		return refused(messages.NewError(messages.CodeNavigationFailed, "The page asked whether it may be left, and the answer was to stay."))
	}
	return outcome{load: true}
}

// failedLoad is completed: the navigation has a known end, which is an error page
// (R114, R115). The browser's error name holds nothing of the address.
func failedLoad(o outcome, text string) outcome {
	if o.err == nil {
		name := strings.TrimPrefix(text, "net::")
		o.err = &messages.Error{Code: messages.CodeNavigationFailed, State: messages.Completed, Detail: "The browser reports " + name + "; it shows its error page."}
	}
	return o
}

// navigationLost judges a navigation command without an answer.
func (j *job) navigationLost(err error) *messages.Error {
	var call *cdp.CallError
	if asCall(err, &call) && call.Kind == cdp.KindRefused && call.Code != cdp.CodeSessionNotFound {
		// The browser refuses an address or an entry before it does anything.
		return messages.NewError(messages.CodeNavigationFailed, "")
	}
	return j.after(err, true)
}

// arrive waits for the new document and its load. Running out of time is no
// error once the document is there (R113): it may be looked at while it loads. A
// document that has not come, because the page before it does not let go or the
// server does not answer, may still come: that is not known.
func (j *job) arrive(there func() bool) outcome {
	w := j.watch
	end := func() bool { return w.dialogHeld() || w.lost() || w.discarded() }
	w.until(j.ctx, j.remaining(), func() bool {
		return end() || (there() && (w.loaded || w.restored || (w.moved && w.commits == 0)))
	})
	switch {
	case w.crashed:
		return refused(messages.UnknownOutcome(messages.CodePageCrashed, ""))
	case w.gone:
		return refused(messages.UnknownOutcome(messages.CodeStalePage, "The page closed or was lost while it loaded."))
	case there():
		return outcome{load: true}
	case w.dialogOpen():
		return *heldUp()
	case j.caller.Err() != nil:
		return refused(messages.UnknownOutcome(messages.CodeCancelled, ""))
	case w.leaving && j.page().Busy():
		return refused(messages.UnknownOutcome(messages.CodePageUnresponsive,
			"The page's script keeps its main thread busy, so the page was not left in time. Observe again later, or close the page."))
	case w.leaving:
		return refused(messages.UnknownOutcome(messages.CodeCDPReceiveTimeout, "The new document did not come in time. Observe before anything else."))
	}
	return outcome{load: true}
}

// reload loads the document anew.
func (j *job) reload() outcome {
	if err := j.begin(); err != nil {
		return refused(err)
	}
	call := j.input("Page.reload", nil)
	if o := j.awaitUnload(call); o != nil {
		return *o
	}
	if err := call.Wait(nil); err != nil {
		return refused(j.navigationLost(err))
	}
	return j.arrive(func() bool { return j.watch.commits > 0 })
}

// historyEntries is the answer of Page.getNavigationHistory.
type historyEntries struct {
	CurrentIndex int `json:"currentIndex"`
	Entries      []struct {
		ID int64 `json:"id"`
	} `json:"entries"`
}

// history goes one entry back or forward (R112).
func (j *job) history(by int) outcome {
	var list historyEntries
	err := target.AwaitCommit(j.ctx, func() error {
		call := j.session().Send(j.ctx, "Page.getNavigationHistory", nil)
		j.watch.await(call)
		return call.Wait(&list)
	})
	if err != nil {
		return refused(j.before(err))
	}
	at := list.CurrentIndex + by
	if at < 0 || at >= len(list.Entries) {
		return refused(messages.NewError(messages.CodeHistoryEntryMissing, ""))
	}
	if err := j.begin(); err != nil {
		return refused(err)
	}
	move := j.input("Page.navigateToHistoryEntry", map[string]int64{"entryId": list.Entries[at].ID})
	if o := j.awaitUnload(move); o != nil {
		return *o
	}
	if err := move.Wait(nil); err != nil {
		return refused(j.navigationLost(err))
	}
	return j.arrive(func() bool { return j.watch.commits > 0 || j.watch.moved })
}

// stopLoading stops the loading of the page.
func (j *job) stopLoading() outcome {
	return j.simple("Page.stopLoading", nil)
}

// simple is an effect of one command whose answer is its end.
func (j *job) simple(method string, params any) outcome {
	single := call.Single{Progress: jobProgress{j}, Page: j.page()}
	return outcome{err: single.Do(j.ctx, func(func() bool) error {
		sent := j.input(method, params)
		if !j.watch.await(sent) {
			return nil // a dialog came of it (R121)
		}
		return sent.Wait(nil)
	})}
}

// deviceMetrics are the parameters of Emulation.setDeviceMetricsOverride. A scale
// of zero leaves the device's own.
type deviceMetrics struct {
	Width  int     `json:"width"`
	Height int     `json:"height"`
	Scale  float64 `json:"deviceScaleFactor"`
	Mobile bool    `json:"mobile"`
}

// setViewport sets the size of the viewport; both sides zero give it back the size
// that it began with, or leave it to its window (R186).
func (j *job) setViewport(c *messages.SetViewport) outcome {
	size := deviceMetrics{Width: c.Width, Height: c.Height}
	if size.Width == 0 && size.Height == 0 {
		size.Width, size.Height = j.env.Page.FixedWidth, j.env.Page.FixedHeight
	}
	if size.Width == 0 {
		return j.simple("Emulation.clearDeviceMetricsOverride", nil)
	}
	return j.simple("Emulation.setDeviceMetricsOverride", size)
}
