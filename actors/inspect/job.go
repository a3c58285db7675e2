package inspect

import (
	"context"

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

// effect opens the effect and makes its one call. A call that proves that nothing
// was started is taken back; after any other failure the effect stays open, which
// means unknown. On success the caller ends it.
func (j *Job) effect(ctx context.Context, method string, params, result any) *messages.Error {
	if err := j.Progress.Begin(ctx); err != nil {
		return err
	}
	if err := j.Page.Session.SendIf(ctx, j.Progress.Live, method, params).Wait(result); err != nil {
		failure := effectError(err)
		if failure.State == messages.NotStarted {
			j.Progress.End(false)
		}
		return failure
	}
	return nil
}

// failed is the receipt of an effect whose only call failed.
func (j *Job) failed(err *messages.Error) *messages.Receipt {
	if err.State == messages.NotStarted {
		j.Progress.End(false)
	}
	return j.refuse(err)
}

func (j *Job) refuse(err *messages.Error) *messages.Receipt {
	return messages.Refusal(j.Operation, err)
}

func (j *Job) completed() *messages.Receipt {
	return &messages.Receipt{ExecutionState: messages.Completed, OperationID: j.Operation}
}
