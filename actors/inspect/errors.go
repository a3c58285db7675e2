package inspect

import (
	"context"
	"errors"
	"strings"

	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// gone are the browser's words for a document that was left before or while a
// function ran in it (Chromium 156).
var gone = []string{
	"uniqueContextId not found", "Cannot find context with specified id", "Inspected target navigated or closed",
	"Execution context was destroyed", "Promise was collected", "Argument should belong to the same JavaScript world",
	"No frame for given id found", "Frame with the given id was not found", "Frame with the given id is not found",
}

// documentLeft reports whether the error says that the document went away.
func documentLeft(err error) bool {
	var call *cdp.CallError
	if !errors.As(err, &call) || call.Kind != cdp.KindRefused {
		return false
	}
	for _, words := range gone {
		if strings.Contains(call.Message, words) {
			return true
		}
	}
	return false
}

// neverRan reports whether the error proves that a function did not run: the call
// did not reach the target, or the document was gone before.
func neverRan(err error) bool {
	var call *cdp.CallError
	if !errors.As(err, &call) {
		return false
	}
	return !call.Reached() || call.Kind == cdp.KindRefused &&
		(strings.Contains(call.Message, gone[0]) || strings.Contains(call.Message, gone[1]))
}

// observeError returns the error of a call that could change nothing. Its text is
// never the browser's, which can quote the page.
func observeError(err error) *messages.Error {
	var known *messages.Error
	var call *cdp.CallError
	switch {
	case errors.As(err, &known):
		return known
	case documentLeft(err):
		return messages.NewError(messages.CodeSnapshotStale, "The page replaced its document meanwhile. Try again.")
	case !errors.As(err, &call):
		return messages.AsError(err)
	case errors.Is(call, cdp.ErrCrashed) || call.Kind == cdp.KindCrashed:
		return messages.NewError(messages.CodePageCrashed, "")
	case errors.Is(call, cdp.ErrDetached) || call.Kind == cdp.KindDetached || !call.Reached() && call.Sent():
		return messages.NewError(messages.CodeStalePage, "")
	case errors.Is(call, cdp.ErrClosed) || call.Kind == cdp.KindLost:
		return messages.NewError(messages.CodeCDPClosed, "")
	case errors.Is(call, context.Canceled) || call.Kind == cdp.KindCancelled:
		return messages.NewError(messages.CodeCancelled, "")
	case errors.Is(call, context.DeadlineExceeded) || call.Kind == cdp.KindTimeout:
		return messages.NewError(messages.CodeCDPTimeout, "The page did not answer in time: its script is busy, or a dialog is open.")
	}
	return messages.NewError(messages.CodeCDPError, "")
}

// effectError returns the error of a call that may have changed something: not
// started where that is proved, else unknown (R74).
func effectError(err error) *messages.Error {
	known := observeError(err)
	var call *cdp.CallError
	switch {
	case neverRan(err):
		return known
	case documentLeft(err):
		return messages.UnknownOutcome(messages.CodePartialEffectOutcomeUnknown, "The document was left while the effect ran.")
	case errors.As(err, &call) && call.Kind == cdp.KindRefused:
		return messages.UnknownOutcome(messages.CodeCDPEffectError, "")
	case errors.As(err, &call) && call.Kind == cdp.KindTimeout:
		return messages.UnknownOutcome(messages.CodeCDPReceiveTimeout, "")
	case errors.As(err, &call) && call.Kind == cdp.KindLost:
		return messages.UnknownOutcome(messages.CodeCDPDeliveryUncertain, "")
	}
	return known.AsUnknown()
}
