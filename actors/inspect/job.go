package inspect

import (
	"context"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/messages"
)

// Job is what the runner of one effect of this package may use: Evaluate,
// MutateCookies or MutateStorage. It is made when the operation's turn comes.
type Job struct {
	Page      target.Page
	Progress  target.Progress
	Operation messages.OperationID
}

// effect carries out an effect of one call. read judges its answer, which is in
// result by then: a refusal of it that proves that nothing was started takes the
// effect back.
func (j *Job) effect(ctx context.Context, method string, params, result any, read func() *messages.Error) *messages.Error {
	single := call.Single{Progress: j.Progress, Page: call.Page{Caller: ctx, Session: j.Page.Session}}
	return single.Do(ctx, func(live func() bool) error {
		if err := j.Page.Session.SendIf(ctx, live, method, params).Wait(result); err != nil {
			return err
		}
		if refusal := read(); refusal != nil {
			return refusal
		}
		return nil
	})
}

// anyAnswer takes every answer for the end of the effect.
func anyAnswer() *messages.Error { return nil }

// done is the receipt of an effect that ended with an error or none.
func (j *Job) done(err *messages.Error) *messages.Receipt {
	if err != nil {
		return j.refuse(err)
	}
	return j.completed()
}

func (j *Job) refuse(err *messages.Error) *messages.Receipt {
	return messages.Refusal(j.Operation, err)
}

func (j *Job) completed() *messages.Receipt {
	return &messages.Receipt{ExecutionState: messages.Completed, OperationID: j.Operation}
}
