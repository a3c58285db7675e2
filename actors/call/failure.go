package call

import (
	"errors"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/messages"
)

// Phase says what the call that failed could have changed.
type Phase uint8

// The phases of a ticket, as a failure sees them.
const (
	// Before: no effect was begun, so the call could change nothing.
	Before Phase = iota
	// First: it is the first call of an effect that may change something.
	First
	// Later: an earlier call of the same effect went out.
	Later
	phases
)

// row is the judgement of one cause: its code in each phase. sure is the last phase
// in which it proves that nothing was started.
type row struct {
	codes [phases]messages.Code
	sure  Phase
	// left is the sentence where the outcome is unknown and the code's own sentence
	// does not tell how.
	left string
	// refusal is the sentence where nothing was started; empty, the code's own.
	refusal string
}

// same is a row with one code in every phase.
func same(code messages.Code, sure Phase) row {
	return row{codes: [phases]messages.Code{code, code, code}, sure: sure}
}

// Sentences that several rows share.
const (
	staleDocument = "The document was replaced since the snapshot. Take a snapshot and use its ids."
	busyScript    = "The page's script keeps its main thread busy, so the page did not answer in time. Observe again later."
	lostPage      = "The page closed or was lost while the effect ran."
	restUnsent    = "A part of the effect went out, and the rest was not sent. Observe before anything else."
)

// table judges every cause in every phase (R71, R74, R209).
var table = [causes]row{
	causeOther:      same(messages.CodeProtocolError, Before),
	unsentFenced:    same(messages.CodeCancelled, First),
	unsentCancelled: same(messages.CodeCancelled, First),
	unsentExpired: {codes: [phases]messages.Code{messages.CodeDeadlineExceeded, messages.CodeDeadlineExceeded, messages.CodePartialEffectOutcomeUnknown},
		sure: First, left: restUnsent},
	unsentClosed:   {codes: [phases]messages.Code{messages.CodeCDPClosed, messages.CodeCDPClosed, messages.CodeCDPDeliveryUncertain}, sure: First},
	unsentCrashed:  same(messages.CodePageCrashed, First),
	unsentDetached: {codes: [phases]messages.Code{messages.CodeStalePage, messages.CodeStalePage, messages.CodeStalePage}, sure: First, left: lostPage},
	unsentTooMany: {codes: [phases]messages.Code{messages.CodeCDPSendFailed, messages.CodeCDPSendFailed, messages.CodePartialEffectOutcomeUnknown},
		sure: First, left: restUnsent},
	unsentOther: {codes: [phases]messages.Code{messages.CodeCDPSendFailed, messages.CodeCDPSendFailed, messages.CodePartialEffectOutcomeUnknown},
		sure: First, left: restUnsent},
	noSession:    {codes: [phases]messages.Code{messages.CodeStalePage, messages.CodeStalePage, messages.CodeStalePage}, sure: First, left: lostPage},
	refused:      {codes: [phases]messages.Code{messages.CodeCDPError, messages.CodeCDPEffectError, messages.CodeCDPEffectError}, sure: Before},
	refusedWhole: {codes: [phases]messages.Code{messages.CodeCDPError, messages.CodeCDPError, messages.CodeCDPEffectError}, sure: First},
	documentGone: {codes: [phases]messages.Code{messages.CodeSnapshotStale, messages.CodeSnapshotStale, messages.CodePartialEffectOutcomeUnknown},
		sure: First, refusal: staleDocument, left: "The document was left while the effect ran."},
	documentLeft: {codes: [phases]messages.Code{messages.CodeSnapshotStale, messages.CodePartialEffectOutcomeUnknown, messages.CodePartialEffectOutcomeUnknown},
		sure: Before, refusal: staleDocument, left: "The document was left while the effect ran."},
	connectionLost: {codes: [phases]messages.Code{messages.CodeCDPClosed, messages.CodeCDPDeliveryUncertain, messages.CodeCDPDeliveryUncertain}, sure: Before},
	timedOut:       {codes: [phases]messages.Code{messages.CodeCDPTimeout, messages.CodeCDPReceiveTimeout, messages.CodeCDPReceiveTimeout}, sure: Before},
	unresponsive: {codes: [phases]messages.Code{messages.CodePageUnresponsive, messages.CodePageUnresponsive, messages.CodePageUnresponsive},
		sure: Before, refusal: busyScript, left: busyScript},
	targetCrashed:   same(messages.CodePageCrashed, Before),
	sessionDetached: {codes: [phases]messages.Code{messages.CodeStalePage, messages.CodeStalePage, messages.CodeStalePage}, sure: Before, left: lostPage},
	callCancelled:   same(messages.CodeCancelled, Before),
	undecodable:     same(messages.CodeCDPReceiveUncertain, Before),
	scriptFailed:    same(messages.CodeInternalError, Before),
	dialogOpen:      same(messages.CodeDialogOpen, Before),
}

// judge reads the table.
func judge(c cause, phase Phase) *messages.Error {
	r := &table[c]
	if phase <= r.sure {
		return messages.NewError(r.codes[phase], r.refusal)
	}
	return messages.UnknownOutcome(r.codes[phase], r.left)
}

// Failure returns the error of a protocol call that failed in a phase: its state
// is not_started where that is proved, else outcome_unknown. Its text is never the
// browser's own, which can quote a page. An error that has a code already keeps it.
func Failure(err error, phase Phase) *messages.Error {
	var known *messages.Error
	if errors.As(err, &known) {
		if phase == Before || known.State == messages.OutcomeUnknown {
			return known
		}
		return known.AsUnknown()
	}
	judged := judge(causeOf(err, false), phase)
	var script *target.ScriptError
	if errors.As(err, &script) {
		judged.Detail = "A page function of Troupe failed: " + script.Function + "."
	}
	return judged
}

// Observation returns the error of an observation that failed. It changed nothing,
// so its state is always not_started. A page that left it without an answer for all
// of its time counts as unresponsive: no time is left to ask why.
func Observation(err error) *messages.Error {
	switch causeOf(err, false) {
	case timedOut, unsentExpired:
		return messages.NewError(messages.CodePageUnresponsive, "The page did not answer in time: its script is busy, or a dialog is open.")
	case documentGone, documentLeft:
		return messages.NewError(messages.CodeSnapshotStale, "The page replaced its document meanwhile. Observe again.")
	}
	judged := *Failure(err, Before)
	judged.State = messages.NotStarted
	return &judged
}
