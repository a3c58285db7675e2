package page

import (
	"context"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/collect"
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
		Command: command, Generation: request.generation, Kept: request.kept, FirstRef: request.nextRef,
		Prefix: request.prefix, Token: kernel.NewDocumentToken(), Dialog: request.dialog,
	})
	switch {
	case err != nil:
		done.changed, done.err = target.DocumentLost(err), call.Observation(err)
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
		if record, refusal = r.fence.Load().resolve(r.operation.call.Caller.ID, command.ElementID, ""); refusal != nil {
			return nil, refusal
		}
	}
	shot, err := collect.Screenshot(ctx, r.page, command, record)
	if err != nil {
		return nil, call.Observation(err)
	}
	return shot, nil
}
