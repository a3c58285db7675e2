package inspect

import (
	"context"
	"errors"
	"time"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// Wait blocks until the condition of the command holds, or for its time (R58).
//
// It is driven by events of the browser and by a watcher in the page's isolated
// world, armed anew whenever the document is replaced; only the operator's function
// is asked for again and again, every 100 ms. A look that fails because the page is
// navigating counts as "not yet".
//
// The error is browser_wait_timeout, browser_invalid_request for a selector or
// function that cannot be read, or that of a page that is gone.
func Wait(ctx context.Context, page target.Page, command *messages.WaitFor) (*messages.WaitMet, error) {
	limit := command.Timeout
	if limit <= 0 {
		limit = messages.WaitDefault
	}
	began := time.Now()
	caller := ctx
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	w := &waiter{ctx: ctx, page: &page, command: command, loading: page.LoadState == messages.LoadLoading}
	w.tap = page.Session.Tap(waitTapEvents, func(method string) bool { return waitEvents[method] })
	defer w.tap.Close()
	err := w.run()
	switch {
	case err == nil:
		return w.met(caller, began), nil
	case caller.Err() != nil && !errors.Is(caller.Err(), context.DeadlineExceeded):
		return nil, messages.NewError(messages.CodeCancelled, "")
	case ctx.Err() != nil:
		return nil, w.timeout()
	}
	return nil, scriptError(err)
}

// waitEvents are the events that a wait follows.
var waitEvents = map[string]bool{
	"Page.frameNavigated": true, "Page.navigatedWithinDocument": true, "Page.frameStartedLoading": true, "Page.frameStoppedLoading": true,
	"Page.javascriptDialogOpening": true, "Page.javascriptDialogClosed": true, "Inspector.targetCrashed": true,
}

// waiter is one wait.
type waiter struct {
	ctx     context.Context
	page    *target.Page
	command *messages.WaitFor
	tap     *cdp.Tap
	dropped uint64

	url      string // of the main frame, where the wait is for a URL
	loading  bool   // a navigation of the main frame is under way
	dialog   bool
	answered bool // the page answered at least once
}

func (w *waiter) run() error {
	switch c := w.command; {
	case c.URLContains != "":
		return w.forURL()
	case c.Function != "":
		return w.forFunction()
	case c.Text != "":
		return w.inPage("text", c.Text)
	case c.TextGone != "":
		return w.inPage("gone", c.TextGone)
	case c.Selector != "":
		return w.inPage("selector", c.Selector)
	case c.LoadState == messages.LoadLoading && w.loading:
		return nil
	}
	return w.inPage(string(w.command.LoadState), "")
}

// met is the answer of a condition that holds.
func (w *waiter) met(ctx context.Context, began time.Time) *messages.WaitMet {
	waited := int(time.Since(began).Milliseconds())
	url, _, _, err := addressOf(ctx, w.page)
	if err != nil {
		url = w.page.URL
	}
	return &messages.WaitMet{Met: true, Waited: waited, URL: url, Matched: w.condition()}
}

// condition returns the name of the condition as the tool's schema has it.
func (w *waiter) condition() string {
	switch c := w.command; {
	case c.URLContains != "":
		return "url_contains"
	case c.Function != "":
		return "function"
	case c.Text != "":
		return "text"
	case c.TextGone != "":
		return "text_gone"
	case c.Selector != "":
		return "selector"
	}
	return "load_state"
}

func (w *waiter) timeout() *messages.Error {
	switch {
	case w.dialog:
		return messages.NewError(messages.CodeWaitTimeout, "The condition was not met in time, and a dialog is open on the page. Answer it with handle_dialog.")
	case !w.answered && w.command.URLContains == "":
		return messages.NewError(messages.CodeWaitTimeout, "The page did not answer in time: its script is busy, or a dialog is open.")
	}
	return messages.NewError(messages.CodeWaitTimeout, "")
}

// note takes in an event. It returns an error when the page is gone, and whether
// the main frame shows another document.
func (w *waiter) note(e cdp.Event, open bool) (navigated bool, err error) {
	if !open {
		if w.page.Session.Conn().Err() != nil {
			return false, messages.NewError(messages.CodeCDPClosed, "")
		}
		return false, messages.NewError(messages.CodeStalePage, "")
	}
	var p struct {
		FrameID cdp.FrameID `json:"frameId"`
		URL     string      `json:"url"`
		Frame   struct {
			ID       cdp.FrameID `json:"id"`
			URL      string      `json:"url"`
			Fragment string      `json:"urlFragment"`
		} `json:"frame"`
	}
	if e.Decode(&p) != nil {
		return false, nil
	}
	main := mainFrame(w.page)
	switch e.Method {
	case "Inspector.targetCrashed":
		return false, messages.NewError(messages.CodePageCrashed, "")
	case "Page.javascriptDialogOpening":
		w.dialog = true
	case "Page.javascriptDialogClosed":
		w.dialog = false
	case "Page.frameNavigated":
		if p.Frame.ID == main {
			w.url = p.Frame.URL + p.Frame.Fragment
			return true, nil
		}
	case "Page.navigatedWithinDocument":
		if p.FrameID == main {
			w.url = p.URL
		}
	case "Page.frameStartedLoading":
		w.loading = w.loading || p.FrameID == main
	case "Page.frameStoppedLoading":
		w.loading = w.loading && p.FrameID != main
	}
	return false, nil
}

// missed reports whether events were lost since it was last asked.
func (w *waiter) missed() bool {
	dropped := w.tap.Dropped()
	missed := dropped != w.dropped
	w.dropped = dropped
	return missed
}
