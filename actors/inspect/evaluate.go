package inspect

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/internal/cut"
	"github.com/troupe-browser/troupe/messages"
)

// Evaluate runs the operator's script in the page's main world, as if it stood in
// the page, and waits for its promise until the context's deadline (C1). The
// receipt's observed value is the result as JSON, cut at resultBytesMax; undefined
// gives none.
//
// A script that is no JavaScript is script_failed and not started. One that throws,
// or that runs out of its time and is ended, is script_failed with outcome unknown:
// what it did before stays. What it said is for the operator only.
func Evaluate(ctx context.Context, job Job, command *messages.Evaluate) *messages.Receipt {
	limit := command.Timeout
	if limit <= 0 {
		limit = messages.WaitDefault
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	failed, err := compile(ctx, job.Page.Session, command.Script)
	if err != nil {
		return job.refuse(call.Observation(err))
	}
	if failed != nil {
		return job.refuse(messages.NewError(messages.CodeScriptFailed, "The script is no valid JavaScript, so nothing was run.").WithOperator(failed.text()))
	}
	run := evaluation{Expression: expression(evaluateFunction, command.Script, resultBytesMax), UserGesture: true}
	if deadline, ok := ctx.Deadline(); ok {
		left := time.Until(deadline)
		run.Timeout = max(1, (left - min(left/answerShare, answerMarginMax)).Milliseconds())
	}
	var answer evaluated
	receipt := job.completed()
	refusal := job.effect(ctx, "Runtime.evaluate", run, &answer, func() *messages.Error {
		if answer.Exception == nil {
			var err error
			if answer, err = job.settle(ctx, answer.Result.ObjectID); err != nil {
				return unsettled(err)
			}
		}
		return answer.into(receipt)
	})
	switch {
	case refusal == nil:
		return receipt
	case refusal.Code == messages.CodeCDPEffectError:
		refusal = messages.UnknownOutcome(messages.CodeScriptFailed, "The script ran out of its time and was ended; what it did before stays.")
	}
	return job.refuse(refusal)
}

// settle waits for the promise of the script, in slices that a call may last.
func (j *Job) settle(ctx context.Context, promise string) (evaluated, error) {
	s := j.Page.Session
	defer s.Send(context.WithoutCancel(ctx), "Runtime.releaseObject", map[string]any{"objectId": promise})
	for {
		var answer evaluated
		slice, cancel := context.WithTimeout(ctx, awaitSlice)
		err := s.Execute(slice, "Runtime.awaitPromise", map[string]any{"promiseObjectId": promise, "returnByValue": true}, &answer)
		cancel()
		var failed *cdp.CallError
		if errors.As(err, &failed) && failed.Kind == cdp.KindTimeout && ctx.Err() == nil {
			continue // waiting again repeats nothing
		}
		return answer, err
	}
}

// unsettled is the error of a script that was started and whose end is not known.
func unsettled(err error) *messages.Error {
	var failed *cdp.CallError
	if errors.As(err, &failed) && (failed.Kind == cdp.KindTimeout || errors.Is(failed, context.DeadlineExceeded)) {
		return messages.UnknownOutcome(messages.CodeCDPReceiveTimeout, "The script's promise was not settled in time, and the script may still run.")
	}
	return call.Failure(err, call.Later)
}

// into puts the result of a script that ended into its receipt, or returns why there
// is none.
func (a *evaluated) into(receipt *messages.Receipt) *messages.Error {
	if a.Exception != nil {
		return messages.UnknownOutcome(messages.CodeScriptFailed, "The script threw an error; what it did before stays.").
			WithOperator(a.Exception.text())
	}
	var result struct {
		None  bool   `json:"none"`
		Value string `json:"value"`
		Size  int    `json:"size"`
	}
	var text string
	if json.Unmarshal(a.Result.Value, &text) != nil || json.Unmarshal([]byte(text), &result) != nil {
		return messages.UnknownOutcome(messages.CodeScriptFailed, "The script ran, and its result could not be read.")
	}
	receipt.NeedsSnapshot = true // nobody knows what a script does
	if !result.None {
		value, shortened := cut.Bytes(strings.ToValidUTF8(result.Value, "\uFFFD"), resultBytesMax)
		receipt.Observed = &messages.Observed{Value: &value}
		if shortened || result.Size > resultBytesMax {
			receipt.Message = "The result is longer than 65,536 bytes and was cut."
		}
	}
	return nil
}
