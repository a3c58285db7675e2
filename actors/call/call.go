package call

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/messages"
)

// Call is one command on its way through the actors. Its fields are set before it
// is sent and not changed afterwards; what changes is in the ticket.
type Call struct {
	Caller    messages.Caller
	Command   messages.Command
	Operation messages.OperationID
	// Minted says that the runtime made the operation id.
	Minted  bool
	Entered time.Time
	Ticket  *Ticket
	// Context ends when the caller gives up. It carries no deadline: how long a call may
	// run is counted from its turn.
	Context context.Context
	Cancel  context.CancelCauseFunc
	// Waited is how many calls waited for the page when this one came to it. Only
	// the page's actor writes it; the gateway reads it whoever has answered the call.
	Waited atomic.Int32
}

// New prepares a command. Its context is cut loose from the caller's, so that
// the gateway alone decides when the caller has given up.
func New(ctx context.Context, caller messages.Caller, command messages.Command, m *kernel.Mint, now time.Time) *Call {
	c := &Call{Caller: caller, Command: command, Entered: now, Ticket: newTicket()}
	c.Context, c.Cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	if effect, ok := command.(messages.Effect); ok {
		c.Operation = effect.Operation()
		if c.Operation == "" {
			c.Operation, c.Minted = m.Next(), true
		}
	}
	return c
}

// Finish ends the call with its real result. A receipt gets the operation id, and one
// whose outcome is unknown the call that looks first, whoever made it (R73). It
// reports false when the call had ended before.
func (c *Call) Finish(reply messages.Reply, err *messages.Error) bool {
	return c.Ticket.settle(func(verdict) Answer {
		if _, isEffect := c.Command.(messages.Effect); !isEffect {
			return Answer{Reply: reply, Err: err}
		}
		receipt, ok := reply.(*messages.Receipt)
		if !ok || receipt == nil {
			if err == nil {
				err = messages.NewError(messages.CodeInternalError, "")
			}
			receipt = messages.Refusal(c.Operation, err)
		}
		receipt.OperationID = c.Operation
		if receipt.ExecutionState == messages.OutcomeUnknown && receipt.Recovery == nil {
			receipt.Recovery = observeFirst(c.Command)
		}
		return Answer{Reply: receipt}
	})
}

// Answered returns the reply of a call that has ended, nil before that and for one
// that ended in an error alone.
func (c *Call) Answered() messages.Reply {
	if !c.Ticket.Ended() {
		return nil
	}
	<-c.Ticket.Done() // whoever ended it is writing the answer
	return c.Ticket.Answer.Reply
}

// Fail ends the call with what the ticket proves: an effect that was not begun
// is not_started, one with a known end completed, any other outcome_unknown. It
// reports false when the call had ended before.
func (c *Call) Fail(cause *messages.Error) bool {
	return c.Ticket.settle(func(v verdict) Answer { return c.judge(v, cause) })
}

// GiveUp ends the call if nobody has taken it up; true proves that nothing
// happened.
func (c *Call) GiveUp(cause *messages.Error) bool {
	return c.Ticket.abandon(c.judge(verdict{}, cause))
}

func (c *Call) judge(v verdict, cause *messages.Error) Answer {
	if _, isEffect := c.Command.(messages.Effect); !isEffect {
		return Answer{Err: cause}
	}
	return Answer{Reply: judged(c.Command, c.Operation, v, cause)}
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
	if id := messages.AddressOf(command).BrowserID; id != "" {
		return &messages.Recovery{Tool: "observe_browser", Arguments: map[string]any{"action": "pages", "browser_id": string(id)}}
	}
	return &messages.Recovery{Tool: "observe_browser", Arguments: map[string]any{"action": "browsers"}}
}

// CallerGone is the error of a call whose caller gave up.
func CallerGone(ctx context.Context) *messages.Error {
	if errors.Is(context.Cause(ctx), context.DeadlineExceeded) || errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return messages.NewError(messages.CodeDeadlineExceeded, "The caller's own deadline passed before the call had ended.")
	}
	return messages.NewError(messages.CodeCancelled, "")
}

// List is what an actor has taken in and not seen answered. When the actor
// ends, all of it is answered at once. Answered calls are dropped when the list
// has doubled, so its size stays within twice the open calls.
type List struct {
	Calls []*Call
	prune int
}

// callListSlack is the length below which a list is not looked through.
const callListSlack = 64

// Add takes a call in.
func (l *List) Add(c *Call) {
	if len(l.Calls) >= max(l.prune, callListSlack) {
		l.Open()
		l.prune = 2 * len(l.Calls)
	}
	l.Calls = append(l.Calls, c)
}

// Open drops the answered calls and returns how many are left.
func (l *List) Open() int {
	kept := l.Calls[:0]
	for _, c := range l.Calls {
		if !c.Ticket.Ended() {
			kept = append(kept, c)
		}
	}
	clear(l.Calls[len(kept):])
	l.Calls = kept
	return len(kept)
}

// FailAll answers every open call from what its ticket proves.
func (l *List) FailAll(cause *messages.Error) {
	for _, c := range l.Calls {
		c.Fail(cause) // first, since its runner, once it is cancelled, would answer for itself
		c.Cancel(cause)
	}
	l.Calls = nil
}

// Result is the answer in the form of the gateway.
func (c *Call) Result() (messages.Reply, error) {
	if receipt, ok := c.Ticket.Answer.Reply.(*messages.Receipt); ok {
		return receipt, receipt.Err()
	}
	if err := c.Ticket.Answer.Err; err != nil {
		return nil, err
	}
	return c.Ticket.Answer.Reply, nil
}
