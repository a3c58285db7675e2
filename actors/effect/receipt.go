package effect

import (
	"context"
	"errors"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// want says what of an element's state belongs into the receipt.
type want uint8

const (
	wantNothing want = iota
	// wantValue: the value, and whether it is what was asked.
	wantValue
	// wantState: checked, selected, expanded, pressed, and whether it is what a
	// click on such an element leads to.
	wantState
)

// elementState is what the page functions say of an element.
type elementState struct {
	target.Refusal
	Connected bool             `json:"connected"`
	Value     *string          `json:"value"`
	Withheld  bool             `json:"withheld"`
	Checked   messages.Checked `json:"checked"`
	Expanded  *bool            `json:"expanded"`
	Selected  *bool            `json:"selected"`
	Pressed   messages.Checked `json:"pressed"`
	// Judged is whether the page holds what was asked; How says of what kind it is.
	Judged *bool  `json:"judged"`
	How    string `json:"how"`
}

// observed is the receipt's part of the state, nil when it has nothing to tell.
func (s *elementState) observed(w want) *messages.Observed {
	if !s.OK || w == wantNothing {
		return nil
	}
	out := &messages.Observed{Withheld: s.Withheld, Checked: s.Checked, Expanded: s.Expanded, Selected: s.Selected, Pressed: s.Pressed}
	if w == wantValue {
		out.Value = s.Value
	} else {
		out.Withheld = false
	}
	switch s.How {
	case "value":
		out.ValueMatches = s.Judged
	case "state":
		out.StateMatches = s.Judged
	}
	if *out == (messages.Observed{}) {
		return nil
	}
	return out
}

// observeArgs is the argument of the page function observe.
type observeArgs struct {
	Generation messages.Generation `json:"g"`
	List       []int               `json:"list"`
}

// observe reads back elements, in the document that the operation began with.
// What cannot be read is left out of the receipt.
func (j *job) observe(ctx context.Context, records []*snapshot.Record) []elementState {
	if len(records) == 0 || j.watch.dialogOpen() || j.watch.lost() || j.watch.main.Context != j.world().Context {
		return nil
	}
	args := observeArgs{Generation: records[0].Generation}
	for _, r := range records {
		args.List = append(args.List, r.Index)
	}
	saved := j.ctx
	bound, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	j.ctx = bound
	defer func() { j.ctx = saved }()
	var answer struct {
		List []elementState `json:"list"`
	}
	if err := j.act("observe", args, &answer); err != nil || len(answer.List) != len(records) {
		return nil
	}
	return answer.List
}

// report assembles the receipt of one effect: it settles, reads back, and asks
// what the browser saw beside the page.
func (j *job) report(o outcome) *messages.Receipt {
	receipt := &messages.Receipt{ExecutionState: messages.Completed}
	if o.err != nil {
		receipt = messages.Refusal("", o.err)
	}
	if o.silent || (o.err != nil && !j.spent) {
		// Nothing was sent, so there is nothing to wait for.
		receipt.OperationID = j.env.Operation
		receipt.Document = messages.DocumentSame
		receipt.Observed = o.observed
		if o.err == nil {
			receipt.Observed = j.readBack(context.WithoutCancel(j.caller), o)
		}
		return receipt
	}
	ctx, cancel := j.afterwards()
	defer cancel()
	mutations := 0
	if skip := j.unsettled(o); skip != nil {
		receipt.Stability = skip
	} else {
		var s messages.Stability
		s, mutations = j.settle(ctx, o.careful || o.want == wantValue)
		receipt.Stability = &s
	}
	if o.err == nil {
		receipt.Message = o.note
	}
	if o.observed != nil {
		receipt.Observed = o.observed
	}
	if readable := receipt.Stability.Reason; readable != messages.ReasonPageBusy && readable != messages.ReasonPageGone {
		if seen := j.readBack(ctx, o); seen != nil {
			receipt.Observed = seen
		}
	}
	if o.load {
		receipt.LoadState = j.loadState()
	}
	j.complete(ctx, receipt, mutations)
	return receipt
}

// loadState is how far the document of a navigation has come.
func (j *job) loadState() messages.LoadState {
	switch w := j.watch; {
	case w.failed:
		return messages.LoadFailed
	case w.loaded || (w.moved && w.commits == 0):
		return messages.LoadComplete
	case w.commits == 0 && !w.leaving:
		return j.env.Page.LoadState
	}
	return messages.LoadLoading
}

func (j *job) readBack(ctx context.Context, o outcome) *messages.Observed {
	if o.record == nil {
		return nil
	}
	states := j.observe(ctx, []*snapshot.Record{o.record})
	if len(states) != 1 {
		return nil
	}
	return states[0].observed(o.want)
}

// afterwards is the context for what follows the dispatch: the caller's, but when
// that has ended a short one of its own, so that a true answer can be given.
func (j *job) afterwards() (context.Context, context.CancelFunc) {
	base := context.WithoutCancel(j.caller)
	if j.caller.Err() != nil {
		return context.WithTimeout(base, messages.CancelGrace/2)
	}
	ctx, cancel := context.WithTimeout(base, messages.SettleBudget+readTimeout)
	stop := context.AfterFunc(j.caller, cancel)
	return ctx, func() { stop(); cancel() }
}

// unsettled is the stability of a page for which settling is known to be no use.
func (j *job) unsettled(o outcome) *messages.Stability {
	j.watch.drain()
	if s, over := j.settledState(); over {
		return &s
	}
	if o.err == nil {
		return nil
	}
	var s messages.Stability
	switch o.err.Code {
	case messages.CodePageUnresponsive:
		s = unstable(messages.ReasonPageBusy)
	case messages.CodePageCrashed, messages.CodeStalePage, messages.CodeCDPClosed:
		s = unstable(messages.ReasonPageGone)
	case messages.CodeCancelled, messages.CodeCDPReceiveTimeout:
		s = unstable(messages.ReasonDocumentRecovering)
	default:
		return nil
	}
	return &s
}

// complete fills in what the events told.
func (j *job) complete(ctx context.Context, receipt *messages.Receipt, mutations int) {
	w := j.watch
	receipt.OperationID = j.env.Operation
	receipt.Document = w.change()
	if w.url != "" {
		receipt.URL = w.url
	}
	if w.dialog != nil {
		dialog := *w.dialog
		receipt.Dialog = &dialog
	}
	receipt.Requests = w.requests.digest()
	if j.env.Witness != nil && !errors.Is(ctx.Err(), context.Canceled) {
		bound, cancel := context.WithTimeout(context.WithoutCancel(ctx), witnessTimeout)
		seen := j.env.Witness(bound)
		cancel()
		receipt.OpenedPages = seen.Opened[:min(len(seen.Opened), messages.ReceiptPagesMax)]
		receipt.Downloads = seen.Downloads[:min(len(seen.Downloads), messages.ReceiptDownloadsMax)]
	}
	if receipt.Document != messages.DocumentSame || mutations+j.mutations > 0 || w.dialogOpen() || w.lost() {
		receipt.NeedsSnapshot = true
	}
}
