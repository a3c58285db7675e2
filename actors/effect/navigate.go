package effect

import (
	"context"
	"errors"
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
		return j.aborted(answer.LoaderID)
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
	for !j.watch.await(call) {
		if !j.acceptUnload() {
			return heldUp()
		}
	}
	return nil
}

// acceptUnload accepts the question whether the page may be left, and reports whether
// it did. A reload or a step in the history is answered before the page asks, so the
// question comes while its document is waited for.
func (j *job) acceptUnload() bool {
	w := j.watch
	if !w.dialogOpen() || w.dialog.Kind != messages.DialogBeforeUnload {
		return false
	}
	// The page actor answers it as well; whoever is second is told that there
	// is no dialog, which is no harm.
	ctx, cancel := context.WithTimeout(j.ctx, dialogGrace)
	defer cancel()
	_ = j.session().Execute(ctx, "Page.handleJavaScriptDialog", map[string]bool{"accept": true}, nil)
	w.until(ctx, dialogGrace, func() bool { return !w.dialogOpen() || w.lost() })
	return !w.dialogOpen()
}

// heldUp is the end of a navigation that waits for a dialog of the document that is
// to be left. Whoever answers the dialog decides whether the new document comes.
func heldUp() *outcome {
	o := refused(messages.UnknownOutcome(messages.CodeDialogOpen,
		"The document that is being left shows a dialog, and the new one waits for it. Answer it with handle_dialog, then observe."))
	return &o
}

// aborted judges a navigation that the browser gave up, which alone proves nothing: the
// question whether the page may be left, a download and an answer without a document
// end like that, and so does a redirect to an address that no page may be sent to, a
// stop, and the end of the process that loads. A navigation without an id of its own
// was dropped for one to the same address that is still under way.
func (j *job) aborted(loader string) outcome {
	w := j.watch
	if d := w.dialog; d != nil && d.Kind == messages.DialogBeforeUnload && d.Answered == "dismissed" {
		return refused(messages.NewError(messages.CodeNavigationFailed, "The page asked whether it may be left, and the answer was to stay."))
	}
	if loader == "" {
		return j.joined()
	}
	w.until(j.ctx, min(abortGrace, j.remaining()), func() bool {
		return w.commits > 0 || w.downloaded || w.requests.over(loader) || w.dialogHeld() || w.lost()
	})
	switch {
	case w.commits > 0:
		return j.arrive(func() bool { return w.commits > 0 })
	case w.downloaded || w.requests.withoutContent(loader):
		return outcome{load: true}
	}
	return givenUp("The browser gave the navigation up, and the page stayed where it was: the server led to an address that a page can't be sent to, or the load was stopped.")
}

// joined waits for the navigation to the same address that runs already.
func (j *job) joined() outcome {
	w := j.watch
	w.leaving, w.loaded, j.joining = true, false, true
	o := j.arrive(func() bool { return w.commits > 0 || w.downloaded || !w.leaving })
	if o.err == nil && w.commits == 0 && !w.downloaded {
		return givenUp("The navigation to this address that was under way ended without a document.")
	}
	return o
}

// givenUp is a navigation with a known end that left the page where it was.
func givenUp(detail string) outcome {
	return outcome{load: true, err: &messages.Error{Code: messages.CodeNavigationFailed, State: messages.Completed, Detail: detail}}
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
	var failed *cdp.CallError
	switch {
	case !asCall(err, &failed):
	case failed.Kind == cdp.KindRefused && failed.Code != cdp.CodeSessionNotFound:
		// The browser refuses an address or an entry before it does anything.
		return messages.NewError(messages.CodeNavigationFailed, "")
	case failed.Kind == cdp.KindTimeout && failed.Sent():
		return j.notArrived().err
	}
	return j.after(err, true)
}

// arrive waits for the new document and its load. Running out of time is no
// error once the document is there (R113): it may be looked at while it loads. A
// document that has not come, because the page before it does not let go or the
// server does not answer, may still come: that is not known.
func (j *job) arrive(there func() bool) outcome {
	w := j.watch
	end := func() bool {
		return w.dialogOpen() && (unloads(w.dialog) || w.dialogHeld()) || w.lost() || w.discarded()
	}
	for {
		w.until(j.ctx, j.remaining(), func() bool {
			return end() || (there() && (w.loaded || w.restored || (w.moved && w.commits == 0)))
		})
		if w.lost() || !j.acceptUnload() {
			break
		}
	}
	switch {
	case w.crashed:
		return refused(messages.UnknownOutcome(messages.CodePageCrashed, ""))
	case w.gone:
		return refused(messages.UnknownOutcome(messages.CodeStalePage, "The page closed or was lost while it loaded."))
	case there():
		return outcome{load: true}
	case w.dialogOpen():
		return *heldUp()
	case w.leaving || j.caller.Err() != nil:
		return j.notArrived()
	}
	return outcome{load: true}
}

// unloads reports whether a dialog asks whether the page may be left.
func unloads(d *messages.Dialog) bool { return d.Kind == messages.DialogBeforeUnload }

// notArrived ends a navigation whose document has not come in its time. Who keeps it
// back is found out: the server, the page that is to be left, or the browser.
func (j *job) notArrived() outcome {
	switch {
	case errors.Is(j.caller.Err(), context.Canceled):
		return refused(messages.UnknownOutcome(messages.CodeCancelled, ""))
	case j.joining || j.watch.requests.awaited(j.watch.mainFrame()):
		return j.stopUnfinished()
	}
	switch j.page().Probe() {
	case call.ScriptBusy:
		return refused(messages.UnknownOutcome(messages.CodePageUnresponsive,
			"The page's script keeps its main thread busy, so the page was not left in time. Observe again later, or close the page."))
	case call.Silent:
		return refused(messages.UnknownOutcome(messages.CodeCDPReceiveTimeout, ""))
	}
	return refused(messages.UnknownOutcome(messages.CodeCDPReceiveTimeout, "The new document did not come in time. Observe before anything else."))
}

// stopUnfinished stops a load whose server does not answer. The browser tells a page
// nothing while its next document is awaited, so a load that went on would keep the
// page from being read.
func (j *job) stopUnfinished() outcome {
	w := j.watch
	ctx, cancel := context.WithTimeout(context.WithoutCancel(j.caller), stopTimeout)
	defer cancel()
	stop := j.session().SendIf(ctx, j.env.Progress.Live, "Page.stopLoading", nil)
	w.await(stop)
	switch {
	case w.commits > 0:
		return outcome{load: true}
	case stop.Wait(nil) != nil:
		return refused(messages.UnknownOutcome(messages.CodeCDPReceiveTimeout,
			"The load did not finish in time, and its document may still come. Observe before anything else."))
	}
	w.leaving = false
	return givenUp("The load did not finish in time: the server did not answer. It was stopped, and the page stayed where it was.")
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
