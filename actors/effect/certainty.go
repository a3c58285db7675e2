package effect

import (
	"context"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/messages"
)

// page is what the failure of a call of this page is judged with.
func (j *job) page() call.Page { return call.Page{Caller: j.caller, Session: j.session()} }

// before judges the failure of a call that could not change the page: nothing was
// started, whatever the cause (R74).
func (j *job) before(err error) *messages.Error { return j.page().Failure(err, call.Before) }

// after judges the failure of a call that may have changed the page. first says
// that nothing else of the effect went out before it, so that a call which the
// browser never got proves that nothing was started.
func (j *job) after(err error, first bool) *messages.Error {
	if first {
		return j.page().Failure(err, call.First)
	}
	return j.page().Failure(err, call.Later)
}

// jobProgress is the ticket of a job as an effect of one call uses it.
type jobProgress struct{ *job }

// Begin implements target.Progress.
func (p jobProgress) Begin(context.Context) *messages.Error { return p.begin() }

// End implements target.Progress.
func (p jobProgress) End(changed bool) { p.end(changed) }

// Live implements target.Progress.
func (p jobProgress) Live() bool { return p.env.Progress.Live() }
