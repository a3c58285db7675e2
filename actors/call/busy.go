package call

import (
	"context"
	"time"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// probeTimeout bounds the question whether the page's script is busy.
const probeTimeout = 350 * time.Millisecond

// Page is what the failure of a page's call is judged with.
type Page struct {
	// Caller is the context of the whole call. One that has ended leaves no time to
	// ask the page anything.
	Caller  context.Context
	Session *cdp.Session
}

// Failure is Failure for a call of the page: when it had no answer in time, the
// page is asked whether its script is busy.
func (p Page) Failure(err error, phase Phase) *messages.Error {
	if p.Session != nil && causeOf(err, false) == timedOut && p.Caller.Err() == nil && p.Busy() {
		err = errUnresponsive
	}
	return Failure(err, phase)
}

// Response is how a page meets a question that any idle page answers.
type Response uint8

// The responses.
const (
	// Answers: its main thread is free.
	Answers Response = iota
	// ScriptBusy: a script keeps its main thread.
	ScriptBusy
	// Silent: nothing of it answers, so the browser itself does not either, or its
	// process stands still.
	Silent
)

// Busy reports whether the page's script keeps the main thread.
func (p Page) Busy() bool { return p.Probe() == ScriptBusy }

// Probe asks whether the page's script keeps the main thread: an evaluation does
// not answer, while Performance.getMetrics, which interrupts scripts, does
// (CDP.md 9.7). It has its own time of 350 ms, since that of the call is used up.
func (p Page) Probe() Response {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(p.Caller), probeTimeout)
	defer cancel()
	idle := p.Session.Send(ctx, "Runtime.evaluate", target.Evaluation{Expression: "1", ReturnByValue: true})
	metrics := p.Session.Send(ctx, "Performance.getMetrics", nil)
	switch {
	case idle.Wait(nil) == nil:
		return Answers
	case metrics.Wait(nil) == nil:
		return ScriptBusy
	}
	return Silent
}
