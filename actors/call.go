package actors

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/troupe-browser/troupe/messages"
)

// call is one command on its way through the actors. Its fields are set before it
// is sent and not changed afterwards; what changes is in the ticket.
type call struct {
	caller    messages.Caller
	command   messages.Command
	operation messages.OperationID
	// minted says that the runtime made the operation id.
	minted  bool
	entered time.Time
	ticket  *Ticket
	// ctx ends when the caller gives up. It carries no deadline: how long a call may
	// run is counted from its turn.
	ctx    context.Context
	cancel context.CancelCauseFunc
	// waited is how many calls waited for the page when this one came to it. Only
	// the page's actor writes it; the gateway reads it whoever has answered the call.
	waited atomic.Int32
}

// newCall prepares a command. Its context is cut loose from the caller's, so that
// the gateway alone decides when the caller has given up.
func newCall(ctx context.Context, caller messages.Caller, command messages.Command, m *mint, now time.Time) *call {
	c := &call{caller: caller, command: command, entered: now, ticket: newTicket()}
	c.ctx, c.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	if effect, ok := command.(messages.Effect); ok {
		c.operation = effect.Operation()
		if c.operation == "" {
			c.operation, c.minted = m.next(), true
		}
	}
	return c
}

// finish ends the call with its real result. A receipt gets the operation id. It
// reports false when the call had ended before.
func (c *call) finish(reply messages.Reply, err *messages.Error) bool {
	return c.ticket.settle(func(verdict) answer {
		if _, isEffect := c.command.(messages.Effect); !isEffect {
			return answer{reply: reply, err: err}
		}
		receipt, ok := reply.(*messages.Receipt)
		if !ok || receipt == nil {
			if err == nil {
				err = messages.NewError(messages.CodeInternalError, "")
			}
			receipt = messages.Refusal(c.operation, err)
		}
		receipt.OperationID = c.operation
		return answer{reply: receipt}
	})
}

// answered returns the reply of a call that has ended, nil before that and for one
// that ended in an error alone.
func (c *call) answered() messages.Reply {
	if !c.ticket.ended() {
		return nil
	}
	<-c.ticket.Done() // whoever ended it is writing the answer
	return c.ticket.answer.reply
}

// fail ends the call with what the ticket proves: an effect that was not begun
// is not_started, one with a known end completed, any other outcome_unknown. It
// reports false when the call had ended before.
func (c *call) fail(cause *messages.Error) bool {
	return c.ticket.settle(func(v verdict) answer { return c.judge(v, cause) })
}

// giveUp ends the call if nobody has taken it up; true proves that nothing
// happened.
func (c *call) giveUp(cause *messages.Error) bool {
	return c.ticket.abandon(c.judge(verdict{}, cause))
}

func (c *call) judge(v verdict, cause *messages.Error) answer {
	if _, isEffect := c.command.(messages.Effect); !isEffect {
		return answer{err: cause}
	}
	return answer{reply: judged(c.command, c.operation, v, cause)}
}

// judged makes the receipt of an effect that something else than its runner ended.
func judged(command messages.Command, operation messages.OperationID, v verdict, cause *messages.Error) *messages.Receipt {
	refusal := *cause
	switch {
	case v.inEffect:
		refusal.State = messages.OutcomeUnknown
	case v.completed > 0:
		refusal.State = messages.Completed
	default:
		refusal.State = messages.NotStarted
	}
	if refusal.State != messages.NotStarted && refusal.Recovery == nil {
		refusal.Recovery = observeFirst(command)
	}
	receipt := messages.Refusal(operation, &refusal)
	if refusal.State != messages.NotStarted {
		receipt.NeedsSnapshot = true
		receipt.Stability = &messages.Stability{Reason: messages.ReasonPageGone}
	}
	if batch, ok := command.(*messages.Batch); ok {
		receipt.Batch = interrupted(len(batch.Operations), v)
	}
	return receipt
}

// interrupted is how far a batch of count operations came when it was ended from
// outside (R88). Results hold what is proved, without what was observed.
func interrupted(count int, v verdict) *messages.BatchProgress {
	done := min(v.completed, count)
	progress := &messages.BatchProgress{CompletedCount: done, Results: make([]messages.BatchResult, 0, done+1)}
	for range done {
		progress.Results = append(progress.Results, messages.BatchResult{ExecutionState: messages.Completed})
	}
	if done == count {
		return progress
	}
	progress.StoppedAtIndex = &done
	progress.RemainingCount = count - done
	progress.StoppedExecutionState = messages.NotStarted
	if v.inEffect {
		progress.StoppedExecutionState = messages.OutcomeUnknown
		progress.RemainingCount--
		progress.Results = append(progress.Results, messages.BatchResult{ExecutionState: messages.OutcomeUnknown})
	}
	return progress
}

// observeFirst is the recovery of an uncertain effect: look, never repeat (R73).
func observeFirst(command messages.Command) *messages.Recovery {
	if page, ok := command.(messages.PageCommand); ok {
		address := page.Page()
		return &messages.Recovery{Tool: "observe_browser", Arguments: map[string]any{
			"action": "snapshot", "browser_id": string(address.BrowserID), "page_id": string(address.PageID)}}
	}
	if id := browserOf(command); id != "" {
		return &messages.Recovery{Tool: "observe_browser", Arguments: map[string]any{"action": "pages", "browser_id": string(id)}}
	}
	return &messages.Recovery{Tool: "observe_browser", Arguments: map[string]any{"action": "browsers"}}
}

// browserOf returns the browser that a command names, or "".
func browserOf(command messages.Command) messages.BrowserID {
	if page, ok := command.(messages.PageCommand); ok {
		return page.Page().BrowserID
	}
	switch c := command.(type) {
	case *messages.ListPages:
		return c.BrowserID
	case *messages.ListDownloads:
		return c.BrowserID
	case *messages.GetSurface:
		return c.BrowserID
	case *messages.NewPage:
		return c.BrowserID
	case *messages.CloseBrowser:
		return c.BrowserID
	case *messages.CancelDownload:
		return c.BrowserID
	case *messages.ClearDownloads:
		return c.BrowserID
	case *messages.Heartbeat:
		return c.BrowserID
	}
	return ""
}

// callerGone is the error of a call whose caller gave up.
func callerGone(ctx context.Context) *messages.Error {
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) || errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return messages.NewError(messages.CodeDeadlineExceeded, "The caller's own deadline passed before the call had ended.")
	}
	return messages.NewError(messages.CodeCancelled, "")
}

// runTimeout is how long a command may run, counted from its turn (C25).
func runTimeout(command messages.Command) time.Duration {
	switch c := command.(type) {
	case *messages.Navigate, *messages.Reload, *messages.Back, *messages.Forward:
		return messages.NavigateTimeout
	case *messages.Launch, *messages.Attach:
		return messages.LaunchTimeout
	case *messages.NewPage:
		return messages.NavigateTimeout + prepareTimeout
	case *messages.Batch:
		return messages.BatchDispatchBudget + messages.EffectTimeout + messages.SettleBudget
	case *messages.CloseBrowser, *messages.EndOwner:
		return closeBudget + messages.GracefulTimeout
	case *messages.TakeScreenshot:
		return messages.ScreenshotTimeout
	case *messages.WaitFor:
		if c.Timeout > 0 {
			return c.Timeout
		}
		return messages.WaitDefault
	case *messages.ListDownloads:
		return messages.ObserveTimeout + c.Wait
	case *messages.Evaluate:
		if c.Timeout > 0 {
			return c.Timeout
		}
		return messages.WaitDefault
	case messages.Observation:
		return messages.ObserveTimeout
	}
	return messages.EffectTimeout
}

// callList is what an actor has taken in and not seen answered. When the actor
// ends, all of it is answered at once. Answered calls are dropped when the list
// has doubled, so its size stays within twice the open calls.
type callList struct {
	calls []*call
	prune int
}

// callListSlack is the length below which a list is not looked through.
const callListSlack = 64

func (l *callList) add(c *call) {
	if len(l.calls) >= max(l.prune, callListSlack) {
		l.open()
		l.prune = 2 * len(l.calls)
	}
	l.calls = append(l.calls, c)
}

// open drops the answered calls and returns how many are left.
func (l *callList) open() int {
	kept := l.calls[:0]
	for _, c := range l.calls {
		if !c.ticket.ended() {
			kept = append(kept, c)
		}
	}
	clear(l.calls[len(kept):])
	l.calls = kept
	return len(kept)
}

// failAll answers every open call from what its ticket proves.
func (l *callList) failAll(cause *messages.Error) {
	for _, c := range l.calls {
		c.fail(cause) // first, since its runner, once it is cancelled, would answer for itself
		c.cancel(cause)
	}
	l.calls = nil
}

// result is the answer in the form of the gateway.
func (c *call) result() (messages.Reply, error) {
	if receipt, ok := c.ticket.answer.reply.(*messages.Receipt); ok {
		return receipt, receipt.Err()
	}
	if err := c.ticket.answer.err; err != nil {
		return nil, err
	}
	return c.ticket.answer.reply, nil
}
