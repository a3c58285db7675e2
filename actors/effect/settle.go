package effect

import (
	"context"
	"time"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// settleKeyCapMs bounds waiting for a widget to show what a key did.
const settleKeyCapMs = 150

// settleArgs is the argument of the world's settle, in milliseconds.
type settleArgs struct {
	Frames  int   `json:"frames"`
	QuietMs int64 `json:"quietMs"`
	CapMs   int64 `json:"capMs"`
}

// settled is its answer.
type settled struct {
	target.Refusal
	Quiet     bool `json:"quiet"`
	Mutations int  `json:"mutations"`
	// left says that the document went away meanwhile, and another one is there.
	left bool
}

func stable(reason messages.StabilityReason) messages.Stability {
	return messages.Stability{Stable: true, Reason: reason}
}

func unstable(reason messages.StabilityReason) messages.Stability {
	return messages.Stability{Reason: reason}
}

// settle waits until the page is quiet, at most messages.SettleBudget (R76): the
// document that the effect may have led to is there and loaded, no frame changed
// the DOM, and no request that was seen since the dispatch is under way. It
// returns what it saw and the number of mutations.
//
// careful says that even the first look takes its time: a page rewrites a value a
// little later and no mutation tells of it.
func (j *job) settle(ctx context.Context, careful bool) (messages.Stability, int) {
	return j.settleFor(ctx, careful, laterQuiet)
}

// settleFor is settle with another time without a mutation that a careful look demands.
func (j *job) settleFor(ctx context.Context, careful bool, quiet time.Duration) (messages.Stability, int) {
	w := j.watch
	deadline := time.Now().Add(messages.SettleBudget)
	if end, ok := ctx.Deadline(); ok && end.Before(deadline) {
		deadline = end
	}
	mutations := 0
	first := !careful
	for {
		w.drain()
		if s, over := j.settledState(); over {
			return s, mutations
		}
		left := time.Until(deadline)
		if left <= 0 || ctx.Err() != nil {
			return j.late(), mutations
		}
		if w.leaving || w.main.Context == "" || (w.commits > 0 && !w.loaded) {
			w.until(ctx, left, func() bool {
				return w.dialogOpen() || w.lost() || !w.leaving && w.main.Context != "" && (w.commits == 0 || w.loaded)
			})
			first = false
			if time.Until(deadline) <= 0 {
				return unstable(messages.ReasonDocumentLoading), mutations
			}
			continue
		}
		args := settleArgs{Frames: firstFrames, CapMs: left.Milliseconds()}
		if !first {
			args.Frames, args.QuietMs = laterFrames, quiet.Milliseconds()
		}
		seen, reason := j.look(ctx, args, left)
		mutations += seen.Mutations
		switch {
		case reason != "":
			return unstable(reason), mutations
		case seen.left || w.leaving || w.main.Context == "" || w.dialogOpen() || w.lost():
			first = false
			continue
		case !seen.Quiet && seen.Mutations == 0 && w.commits > 0:
			// The new document used the time up; nothing was seen to change in it.
			return unstable(messages.ReasonDocumentLoading), mutations
		case !seen.Quiet:
			return unstable(messages.ReasonDOMChanged), mutations
		case w.requests.pending > 0:
			if s, over := j.awaitRequests(ctx, deadline); over {
				return s, mutations
			}
			first = false
			continue
		case first && (seen.Mutations > 0 || w.requests.count > 0):
			// Something is going on: look once more, for longer.
			first = false
			continue
		}
		if w.discarded() {
			return unstable(messages.ReasonEventsDiscarded), mutations
		}
		return stable(messages.ReasonQuiet), mutations
	}
}

// settledState is the end of settling that waiting cannot change.
func (j *job) settledState() (messages.Stability, bool) {
	switch w := j.watch; {
	case w.lost():
		return unstable(messages.ReasonPageGone), true
	case w.dialogOpen():
		return unstable(messages.ReasonDialogOpen), true
	}
	return messages.Stability{}, false
}

// late is the state of a page that did not come to rest in time.
func (j *job) late() messages.Stability {
	switch w := j.watch; {
	case w.leaving || (w.commits > 0 && !w.loaded):
		return unstable(messages.ReasonDocumentLoading)
	case w.main.Context == "":
		return unstable(messages.ReasonDocumentRecovering)
	case w.requests.pending > 0:
		return unstable(messages.ReasonNetworkChanged)
	}
	return unstable(messages.ReasonDOMChanged)
}

// look asks the page to report when it has been quiet. The reason is why there is
// no answer; a document that went away meanwhile is none.
func (j *job) look(ctx context.Context, args settleArgs, left time.Duration) (settled, messages.StabilityReason) {
	bound, cancel := context.WithTimeout(ctx, left+settleSlack)
	defer cancel()
	call := target.Start(bound, j.session(), j.watch.main, "settle", args, nil)
	for ended := false; !ended; {
		select {
		case <-call.Done():
			ended = true
		case e, ok := <-j.watch.events:
			j.watch.note(e, ok)
			if j.watch.dialogHeld() || j.watch.lost() {
				return settled{}, ""
			}
		}
	}
	j.watch.drain()
	var seen settled
	err := target.Finish(call, "settle", &seen)
	var failed *cdp.CallError
	switch {
	case err == nil:
		return seen, ""
	case target.DocumentLost(err):
		if j.watch.main.Context == "" || j.watch.leaving || j.watch.commits > 0 || j.watch.replaced {
			return settled{Mutations: 1, left: true}, j.recover(ctx, left)
		}
		return settled{}, messages.ReasonDocumentRecovering
	case asCall(err, &failed) && failed.Kind == cdp.KindTimeout:
		return settled{}, messages.ReasonPageBusy
	case asCall(err, &failed) && (failed.Kind == cdp.KindCrashed || failed.Kind == cdp.KindDetached || failed.Kind == cdp.KindLost):
		return settled{}, messages.ReasonPageGone
	}
	return settled{}, messages.ReasonDocumentRecovering
}

// settleSlack is what the page may take beyond its own cap to answer.
const settleSlack = 50 * time.Millisecond

// recover waits until the document that took the place of the one that went away
// has a world of ours.
func (j *job) recover(ctx context.Context, left time.Duration) messages.StabilityReason {
	w := j.watch
	gone := w.main.Context
	w.until(ctx, left, func() bool {
		return w.lost() || w.dialogOpen() || (w.main.Context != "" && w.main.Context != gone) || w.commits > 0
	})
	if w.main.Context == gone && w.commits == 0 {
		return messages.ReasonDocumentRecovering
	}
	return ""
}

// awaitRequests waits until no request is under way. One that stays open while
// nothing else happens for messages.SettleQuietLongLive counts as long-lived.
func (j *job) awaitRequests(ctx context.Context, deadline time.Time) (messages.Stability, bool) {
	w := j.watch
	for w.requests.pending > 0 {
		quiet := messages.SettleQuietLongLive - time.Since(w.requests.last)
		left := time.Until(deadline)
		if quiet <= 0 {
			return stable(messages.ReasonLongLivedNetwork), true
		}
		if left <= 0 {
			return unstable(messages.ReasonNetworkChanged), true
		}
		last := w.requests.last
		w.until(ctx, min(quiet, left), func() bool {
			return w.requests.pending == 0 || w.requests.last != last || w.dialogOpen() || w.lost() || w.leaving
		})
		if w.dialogOpen() || w.lost() || w.leaving || ctx.Err() != nil {
			return messages.Stability{}, false
		}
	}
	return messages.Stability{}, false
}
