package page

import (
	"context"
	"errors"

	"github.com/troupe-browser/troupe/actors/collect"
	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// snapshot reads the page. A snapshot that ran while the document changed is not
// published (R38).
func (r *runner) snapshot(ctx context.Context, command *messages.TakeSnapshot, done *OperationDone) {
	request := r.operation.request
	result, err := collect.Snapshot(ctx, r.page, collect.Request{
		Command: command, Generation: request.generation, FirstRef: request.nextRef,
		Prefix: request.prefix, Token: kernel.NewDocumentToken(), Dialog: request.dialog,
	})
	switch {
	case errors.Is(err, collect.ErrDocumentChanged), errors.Is(err, target.ErrDocumentGone), errors.Is(err, target.ErrDocumentLeft):
		done.changed, done.err = true, engine.CallError(err)
	case err != nil:
		done.err = observationError(ctx, err)
	default:
		done.reply = result.Snapshot
		done.snapshot = &snapshotResult{records: result.Records, nextRef: result.NextRef, framed: result.Framed}
	}
}

// screenshot takes a picture of the page, or of one element of its last snapshot.
func (r *runner) screenshot(ctx context.Context, command *messages.TakeScreenshot) (messages.Reply, *messages.Error) {
	var record *snapshot.Record
	if command.ElementID != "" {
		var refusal *messages.Error
		if record, refusal = r.fence.Load().resolve(command.ElementID, ""); refusal != nil {
			return nil, refusal
		}
	}
	shot, err := collect.Screenshot(ctx, r.page, command, record)
	if err != nil {
		return nil, observationError(ctx, err)
	}
	return shot, nil
}

// observationError is the error of an observation that failed. It changed nothing,
// so its state is not_started whatever the call says.
func observationError(ctx context.Context, err error) *messages.Error {
	e := *engine.CallError(err)
	e.State = messages.NotStarted
	if ctx.Err() != nil || e.Code == messages.CodeCDPReceiveTimeout || e.Code == messages.CodeCDPTimeout {
		return messages.NewError(messages.CodePageUnresponsive, "")
	}
	return &e
}
