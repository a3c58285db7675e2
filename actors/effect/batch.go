package effect

import (
	"context"
	"time"

	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// batch carries out operations in order and stops at the first that is refused,
// unclear, or after which the document is not the one that the batch began with
// (R82-R89). The page settles once, at the end.
func (j *job) batch(c *messages.Batch) *messages.Receipt {
	files, err := j.batchFiles(c)
	if err != nil {
		return j.report(refused(err))
	}
	progress := &messages.BatchProgress{Results: []messages.BatchResult{}}
	var stop *messages.Error
	records := make(map[int]*snapshot.Record)
	started := time.Now()
	for i, op := range c.Operations {
		if time.Since(started) >= messages.BatchDispatchBudget {
			stop = messages.NewError(messages.CodeBatchDeadline, "")
			j.stopBatch(progress, i, len(c.Operations), stop)
			break
		}
		o := j.batched(op, files[i])
		progress.Results = append(progress.Results, j.batchResult(o))
		if o.err != nil && o.err.State != messages.Completed {
			stop = o.err
			j.stopBatch(progress, i, len(c.Operations), stop)
			break
		}
		progress.CompletedCount++
		if o.record != nil && o.want != wantNothing {
			records[i] = o.record
		}
		last := i == len(c.Operations)-1
		if why := j.reconcile(); why != nil && !last {
			stop = why
			at := i
			progress.StoppedAtIndex, progress.StoppedExecutionState = &at, messages.Completed
			progress.RemainingCount = len(c.Operations) - i - 1
			break
		}
	}
	return j.batchReceipt(c, progress, stop, records)
}

// batchFiles resolves every file before the first effect (R84).
func (j *job) batchFiles(c *messages.Batch) (map[int]string, *messages.Error) {
	files := make(map[int]string)
	for i, op := range c.Operations {
		upload, ok := op.(*messages.UploadFile)
		if !ok {
			continue
		}
		path, err := j.resolveFile(upload)
		if err != nil {
			return nil, messages.NewError(err.Code, "Operation %d: %s", i, err.Detail)
		}
		files[i] = path
	}
	return files, nil
}

// batched carries out one operation in the time of a single effect, and inside
// what is left of the batch's own.
func (j *job) batched(op messages.ElementEffect, file string) outcome {
	whole := j.ctx
	bound, cancel := context.WithTimeout(whole, messages.EffectTimeout-reserveOf(op))
	defer cancel()
	j.ctx = bound
	defer func() { j.ctx = whole }()
	if upload, ok := op.(*messages.UploadFile); ok {
		r, err := j.env.Resolve(upload.Target(), upload.Action())
		if err != nil {
			return refused(err)
		}
		return j.conclude(j.giveFile(file, r))
	}
	return j.conclude(j.onElement(op))
}

// batchResult reads an operation back right after it.
func (j *job) batchResult(o outcome) messages.BatchResult {
	result := messages.BatchResult{ExecutionState: messages.Completed, Observed: o.observed}
	if o.err != nil {
		result.ExecutionState, result.Code = o.err.State, o.err.Code
		if o.err.State == messages.NotStarted {
			return result
		}
	}
	if o.fresh {
		return result
	}
	if seen := j.readBack(context.WithoutCancel(j.caller), o); seen != nil {
		result.Observed = seen
	}
	return result
}

// stopBatch notes where a batch stopped. remaining_count is how many surely did
// not start: it counts a refused one and not an unclear one (R88).
func (j *job) stopBatch(p *messages.BatchProgress, at, total int, err *messages.Error) {
	p.StoppedAtIndex, p.StoppedExecutionState = &at, err.State
	p.RemainingCount = total - at
	if err.State == messages.OutcomeUnknown {
		p.RemainingCount--
	}
}

// reconcile reports why the page is not the one any more that the batch was
// planned on, or nil. A navigation that the page has asked for is waited for.
func (j *job) reconcile() *messages.Error {
	w := j.watch
	w.drain()
	if w.leaving {
		w.until(j.ctx, commitGrace, func() bool { return !w.leaving || w.commits > 0 || w.dialogOpen() || w.lost() })
	}
	switch {
	case w.crashed:
		return messages.NewError(messages.CodePageCrashed, "")
	case w.gone:
		return messages.NewError(messages.CodeStalePage, "")
	case w.dialogOpen():
		return messages.NewError(messages.CodeDialogOpen, "")
	case w.leaving || w.main.Context != j.world().Context || w.navigated || w.replaced || (w.moved && j.fence(&snapshot.Record{}, "").Href):
		return messages.NewError(messages.CodeSnapshotStale, "The operation changed the document, so the rest of the batch was not started. Take a snapshot.")
	}
	return nil
}

// batchReceipt settles once and assembles the receipt of the whole batch.
func (j *job) batchReceipt(c *messages.Batch, p *messages.BatchProgress, stop *messages.Error, records map[int]*snapshot.Record) *messages.Receipt {
	state := messages.Completed
	if stop != nil && p.StoppedExecutionState != messages.Completed && (stop.State == messages.OutcomeUnknown || p.CompletedCount == 0) {
		state = stop.State
	}
	o := outcome{careful: len(records) > 0}
	if stop != nil {
		err := *stop
		err.State = state
		o.err = &err
	}
	receipt := j.report(o)
	receipt.Batch = p
	if stop != nil {
		receipt.NeedsSnapshot = true
	}
	j.rereadBatch(p, records)
	return receipt
}

// rereadBatch replaces what was observed right after each operation by what the
// page holds now that it has settled, since a page may rewrite a field later.
func (j *job) rereadBatch(p *messages.BatchProgress, records map[int]*snapshot.Record) {
	var order []int
	var list []*snapshot.Record
	for i := range p.Results {
		if r := records[i]; r != nil {
			order = append(order, i)
			list = append(list, r)
		}
	}
	for at, state := range j.observe(context.WithoutCancel(j.caller), list) {
		i := order[at]
		w := wantValue
		if p.Results[i].Observed == nil || p.Results[i].Observed.ValueMatches == nil {
			w = wantState
		}
		if seen := state.observed(w); seen != nil && state.Connected {
			p.Results[i].Observed = seen
		}
	}
}
