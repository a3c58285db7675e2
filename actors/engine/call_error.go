package engine

import (
	"context"
	"errors"

	"github.com/troupe-browser/troupe/actors/collect"
	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// CallError returns the error of a protocol call in the product's terms. Its state
// is not_started where the call proves it, else outcome_unknown. It never holds
// the browser's own text, which can quote a page.
func CallError(err error) *messages.Error {
	var known *messages.Error
	if errors.As(err, &known) {
		return known
	}
	var call *cdp.CallError
	switch {
	case errors.Is(err, target.ErrDocumentGone), errors.Is(err, collect.ErrDocumentChanged):
		return messages.NewError(messages.CodeSnapshotStale, "The page replaced its document meanwhile. Observe again.")
	case errors.Is(err, target.ErrDocumentLeft):
		return messages.UnknownOutcome(messages.CodeCDPReceiveUncertain, "")
	case !errors.As(err, &call):
		if errors.Is(err, context.DeadlineExceeded) {
			return messages.NewError(messages.CodeCDPTimeout, "")
		}
		return messages.AsError(err)
	}
	if !call.Sent() {
		switch {
		case errors.Is(call, cdp.ErrCrashed):
			return messages.NewError(messages.CodePageCrashed, "")
		case errors.Is(call, cdp.ErrDetached):
			return messages.NewError(messages.CodeStalePage, "")
		case errors.Is(call, cdp.ErrClosed):
			return messages.NewError(messages.CodeCDPClosed, "")
		case errors.Is(call, context.DeadlineExceeded):
			return messages.NewError(messages.CodeCDPTimeout, "")
		}
		return messages.NewError(messages.CodeCDPSendFailed, "")
	}
	switch call.Kind {
	case cdp.KindRefused:
		if !call.Reached() {
			return messages.NewError(messages.CodeStalePage, "")
		}
		return messages.NewError(messages.CodeCDPError, "")
	case cdp.KindCrashed:
		return messages.UnknownOutcome(messages.CodePageCrashed, "")
	case cdp.KindDetached:
		return messages.UnknownOutcome(messages.CodeStalePage, "The page went away after the call went out.")
	case cdp.KindTimeout, cdp.KindCancelled:
		return messages.UnknownOutcome(messages.CodeCDPReceiveTimeout, "")
	case cdp.KindLost:
		return messages.UnknownOutcome(messages.CodeCDPDeliveryUncertain, "")
	}
	return messages.UnknownOutcome(messages.CodeCDPReceiveUncertain, "")
}
