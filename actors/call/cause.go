package call

import (
	"context"
	"errors"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
)

// ErrDialog ends a wait because a dialog keeps the page from answering.
var ErrDialog = errors.New("a dialog is open")

// errUnresponsive says that the page did not answer because its script keeps the
// main thread busy.
var errUnresponsive = errors.New("the page's script is busy")

// cause says why a call gave no usable answer.
type cause uint8

// The causes. Those named unsent prove that the browser never got the call.
const (
	causeOther cause = iota // an error of no kind that is known here
	unsentFenced
	unsentCancelled
	unsentExpired
	unsentClosed
	unsentCrashed
	unsentDetached
	unsentTooMany
	unsentOther
	noSession    // the browser knows no such session: no target got the call
	refused      // the browser answered with an error
	refusedWhole // the same, of a command that does all or nothing
	documentGone // nothing ran
	documentLeft // something may have run
	connectionLost
	timedOut
	unresponsive
	targetCrashed
	sessionDetached
	callCancelled
	undecodable
	scriptFailed
	dialogOpen
	causes // how many there are
)

// unsent gives the cause of a call that never went out by what stopped it.
var unsent = []struct {
	err   error
	cause cause
}{
	{cdp.ErrFenced, unsentFenced},
	{cdp.ErrCrashed, unsentCrashed},
	{cdp.ErrDetached, unsentDetached},
	{cdp.ErrClosed, unsentClosed},
	{cdp.ErrTooManyCalls, unsentTooMany},
	{context.Canceled, unsentCancelled},
	{context.DeadlineExceeded, unsentExpired},
}

// kinds gives the cause of a call that went out.
var kinds = map[cdp.Kind]cause{
	cdp.KindRefused:     refused,
	cdp.KindLost:        connectionLost,
	cdp.KindTimeout:     timedOut,
	cdp.KindCrashed:     targetCrashed,
	cdp.KindDetached:    sessionDetached,
	cdp.KindCancelled:   callCancelled,
	cdp.KindUndecodable: undecodable,
}

// plain gives the cause of errors that are not those of one protocol call.
var plain = []struct {
	err   error
	cause cause
}{
	{ErrDialog, dialogOpen},
	{errUnresponsive, unresponsive},
	{target.ErrDocumentGone, documentGone},
	{target.ErrDocumentLeft, documentLeft},
}

// causeOf returns why a call failed. whole says that a refusal of its command proves
// that nothing was done.
func causeOf(err error, whole bool) cause {
	err = target.DocumentError(err)
	for _, p := range plain {
		if errors.Is(err, p.err) {
			return p.cause
		}
	}
	var call *cdp.CallError
	var script *target.ScriptError
	switch {
	case errors.As(err, &script):
		return scriptFailed
	case errors.As(err, &call):
		return causeOfCall(call, whole)
	case errors.Is(err, context.Canceled):
		return callCancelled
	case errors.Is(err, context.DeadlineExceeded):
		return timedOut
	}
	return causeOther
}

func causeOfCall(call *cdp.CallError, whole bool) cause {
	switch {
	case !call.Sent():
		for _, u := range unsent {
			if errors.Is(call, u.err) {
				return u.cause
			}
		}
		return unsentOther
	case !call.Reached():
		return noSession
	case whole && call.Kind == cdp.KindRefused:
		return refusedWhole
	}
	return kinds[call.Kind]
}
