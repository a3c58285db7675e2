package effect

import (
	"context"
	"encoding/json"
	"time"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// job is one operation while it runs. One goroutine owns it.
type job struct {
	env Env
	// caller is the context of the call, ctx the same with the effect's own time.
	caller context.Context
	ctx    context.Context
	watch  *watch
	// began is set between Begin and End; spent once anything was begun.
	began, spent bool
	// changes counts the controls that page functions were to set.
	changes int
	// mutations are those that handlers made before a page function had answered. A
	// later operation of a batch begins to count anew in the page.
	mutations int
	// joining says that the navigation is one that somebody else began.
	joining bool
}

// outcome is how one act ended. Without err it is completed.
type outcome struct {
	err *messages.Error
	// record, when set, is read back after the page has settled.
	record *snapshot.Record
	// want says how the state read back is judged.
	want want
	// fresh says that observed was read in the same call that did it.
	fresh bool
	// observed is what is known already; reading back may replace it.
	observed *messages.Observed
	// load is set by the effects that wait for a document themselves.
	load bool
	// careful is set when the page may still take back what was done without any
	// mutation to be seen, as a value or a check state.
	careful bool
	// note is a sentence for the receipt of a completed effect.
	note string
	// partial is set when a press arrived and its release did not, since something had
	// come up, or moved, under the pointer.
	partial bool
	// silent is set when nothing was sent, so that there is nothing to settle.
	silent bool
}

func refused(err *messages.Error) outcome { return outcome{err: err} }

// world is where the page functions of this operation run: in the main frame's
// world, whose registry holds the elements of all reachable frames.
func (j *job) world() target.World { return j.env.Page.Main }

// session is the page's own.
func (j *job) session() *cdp.Session { return j.env.Page.Session }

// begin opens the effect: from here on a failure is unknown until it is proved
// otherwise. It is called again for each operation of a batch.
func (j *job) begin() *messages.Error {
	if j.began {
		return nil
	}
	if err := j.env.Progress.Begin(j.ctx); err != nil {
		return err
	}
	j.began, j.spent = true, true
	return nil
}

// end closes the effect with a known end.
func (j *job) end(changed bool) {
	if j.began {
		j.began = false
		j.env.Progress.End(changed)
	}
}

// conclude closes the effect according to its outcome and returns it. An unknown
// outcome leaves the effect open, which is what the ticket reports.
func (j *job) conclude(o outcome) outcome {
	switch {
	case o.err == nil:
		j.end(true)
	case o.err.State == messages.NotStarted:
		j.end(false)
	case o.err.State == messages.Completed:
		j.end(true)
	}
	return o
}

// fence is the part of a page function's argument by which the world finds the
// element and refuses a changed one.
type fence struct {
	Index      int                 `json:"i"`
	Generation messages.Generation `json:"g"`
	Act        messages.Action     `json:"act,omitempty"`
	Href       bool                `json:"href,omitempty"`
	Takeover   bool                `json:"takeover,omitempty"`
	// Expect is the time in milliseconds in which trusted input is our own (R159).
	Expect int64 `json:"expect,omitempty"`
}

func (j *job) fence(r *snapshot.Record, act messages.Action) fence {
	policy := j.env.Page.Policy
	return fence{
		Index: r.Index, Generation: r.Generation, Act: act,
		Href:     policy.SameDocument != target.SameDocumentKeep,
		Takeover: policy.Takeover == target.TakeoverStrict,
		Expect:   messages.TakeoverWindow.Milliseconds(),
	}
}

// typing widens the window of own input by what is typed (R159).
func (f fence) typing(text string) fence {
	f.Expect += int64(len([]rune(text))) * messages.TakeoverWindowPerCh.Milliseconds()
	return f
}

// start sends a call of a function of the world.
func (j *job) start(function string, argument any) *cdp.Pending {
	return target.Start(j.ctx, j.session(), j.world(), function, argument, nil)
}

// call runs a function of the world and waits for its answer or a dialog, which
// is reported as call.ErrDialog.
func (j *job) call(function string, argument, out any) error {
	return j.finish(j.start(function, argument), function, out)
}

func (j *job) finish(p *cdp.Pending, function string, out any) error {
	if !j.watch.await(p) {
		return call.ErrDialog
	}
	return target.Finish(p, function, out)
}

// input sends one input command unless the operation was given up meanwhile.
func (j *job) input(method string, params any) *cdp.Pending {
	return j.session().SendIf(j.ctx, j.env.Progress.Live, method, params)
}

// checked runs a page function that can only refuse or do harmless things, and
// returns its refusal or failure as a refusal that proves nothing was started.
func (j *job) checked(function string, argument any, out refuser) *messages.Error {
	if err := j.call(function, argument, out); err != nil {
		return j.before(err)
	}
	return out.refusal()
}

// refuser is the answer of a page function that may refuse.
type refuser interface{ refusal() *messages.Error }

// answered is the common part of the answers. Touched says that the page was
// changed before the refusal.
type answered struct {
	target.Refusal
	Touched bool `json:"touched"`
}

func (a *answered) refusal() *messages.Error {
	err := a.Err()
	if err != nil && a.Touched {
		return err.AsUnknown()
	}
	return err
}

// raw is JSON that is kept as it is.
type raw = json.RawMessage

// remaining is the effect's own time that is left.
func (j *job) remaining() time.Duration {
	deadline, ok := j.ctx.Deadline()
	if !ok {
		return messages.EffectTimeout
	}
	return time.Until(deadline)
}
