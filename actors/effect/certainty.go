package effect

import (
	"context"
	"errors"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// errDialog ends a wait because a dialog keeps the page from answering.
var errDialog = errors.New("a dialog is open")

// before turns the failure of a call that could not change the page into a
// refusal: nothing was started, whatever the cause (R74).
func (j *job) before(err error) *messages.Error {
	var call *cdp.CallError
	switch {
	case errors.Is(err, errDialog):
		return messages.NewError(messages.CodeDialogOpen, "")
	case errors.Is(err, target.ErrDocumentGone), errors.Is(err, target.ErrDocumentLeft):
		return messages.NewError(messages.CodeSnapshotStale, "The document was replaced since the snapshot. Take a snapshot and use its ids.")
	case errors.As(err, &call):
		return j.callBefore(call)
	}
	return scriptFault(err)
}

// scriptFault is an exception of a page function, which is a fault of ours.
func scriptFault(err error) *messages.Error {
	var script *target.ScriptError
	if errors.As(err, &script) {
		return messages.NewError(messages.CodeInternalError, "A page function of Troupe failed: %s.", script.Function)
	}
	return messages.AsError(err)
}

func (j *job) callBefore(call *cdp.CallError) *messages.Error {
	switch call.Kind {
	case cdp.KindNotSent:
		return notSent(call)
	case cdp.KindTimeout:
		if j.caller.Err() == nil && j.busy() {
			return messages.NewError(messages.CodePageUnresponsive, "")
		}
		return messages.NewError(messages.CodeCDPTimeout, "")
	case cdp.KindCancelled:
		return messages.NewError(messages.CodeCancelled, "")
	case cdp.KindCrashed:
		return messages.NewError(messages.CodePageCrashed, "")
	case cdp.KindDetached:
		return messages.NewError(messages.CodeStalePage, "")
	case cdp.KindLost:
		return messages.NewError(messages.CodeCDPClosed, "")
	case cdp.KindRefused:
		if call.Code == cdp.CodeSessionNotFound {
			return messages.NewError(messages.CodeStalePage, "")
		}
	}
	return messages.NewError(messages.CodeCDPError, "")
}

// notSent is the refusal for a call that the browser never got.
func notSent(call *cdp.CallError) *messages.Error {
	switch {
	case errors.Is(call, cdp.ErrFenced), errors.Is(call, context.Canceled):
		return messages.NewError(messages.CodeCancelled, "")
	case errors.Is(call, context.DeadlineExceeded):
		return messages.NewError(messages.CodeDeadlineExceeded, "")
	case errors.Is(call, cdp.ErrCrashed):
		return messages.NewError(messages.CodePageCrashed, "")
	case errors.Is(call, cdp.ErrDetached):
		return messages.NewError(messages.CodeStalePage, "")
	case errors.Is(call, cdp.ErrClosed):
		return messages.NewError(messages.CodeCDPClosed, "")
	}
	return messages.NewError(messages.CodeCDPSendFailed, "")
}

// after judges the failure of a call that may have changed the page. first says
// that nothing else of the effect went out before it, so that a call which the
// browser never got proves that nothing was started.
func (j *job) after(err error, first bool) *messages.Error {
	var call *cdp.CallError
	switch {
	case errors.Is(err, target.ErrDocumentGone):
		if first {
			return messages.NewError(messages.CodeSnapshotStale, "The document was replaced since the snapshot. Take a snapshot and use its ids.")
		}
		return messages.UnknownOutcome(messages.CodePartialEffectOutcomeUnknown, "The document was replaced while the input was on its way.")
	case errors.Is(err, target.ErrDocumentLeft):
		return messages.UnknownOutcome(messages.CodePartialEffectOutcomeUnknown, "The document was left while the effect ran.")
	case errors.As(err, &call):
		return j.callAfter(call, first)
	}
	return scriptFault(err).AsUnknown()
}

func (j *job) callAfter(call *cdp.CallError, first bool) *messages.Error {
	if first && !call.Reached() {
		return j.callBefore(call)
	}
	switch call.Kind {
	case cdp.KindTimeout:
		if j.caller.Err() == nil && j.busy() {
			return messages.UnknownOutcome(messages.CodePageUnresponsive, "")
		}
		return messages.UnknownOutcome(messages.CodeCDPReceiveTimeout, "")
	case cdp.KindCancelled:
		return messages.UnknownOutcome(messages.CodeCancelled, "")
	case cdp.KindCrashed:
		return messages.UnknownOutcome(messages.CodePageCrashed, "")
	case cdp.KindDetached:
		return messages.UnknownOutcome(messages.CodeStalePage, "The page closed or was lost while the effect ran.")
	case cdp.KindLost, cdp.KindNotSent:
		return messages.UnknownOutcome(messages.CodeCDPDeliveryUncertain, "")
	case cdp.KindUndecodable:
		return messages.UnknownOutcome(messages.CodeCDPReceiveUncertain, "")
	}
	return messages.UnknownOutcome(messages.CodeCDPEffectError, "")
}

// busy asks whether the page's script keeps the main thread: an evaluation does
// not answer, while Performance.getMetrics, which interrupts scripts, does
// (CDP.md 9.7). It has its own short time, since the effect's is used up.
func (j *job) busy() bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(j.caller), probeTimeout)
	defer cancel()
	idle := j.session().Send(ctx, "Runtime.evaluate", target.Evaluation{Expression: "1", ReturnByValue: true})
	metrics := j.session().Send(ctx, "Performance.getMetrics", nil)
	for {
		select {
		case <-idle.Done():
			return idle.Wait(nil) != nil && metrics.Wait(nil) == nil
		case <-metrics.Done():
			// The answer of an idle page comes before that of the metrics.
			if metrics.Wait(nil) != nil {
				return false
			}
			select {
			case <-idle.Done():
				return idle.Wait(nil) != nil
			case <-ctx.Done():
				return true
			}
		}
	}
}
