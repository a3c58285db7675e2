package call

import (
	"context"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/messages"
)

// ledger is the actor that spends operation ids.
//
//	Owns     the ids that were spent
//	Parent   root
//	Accepts  SpendOperation, from runners
//	Emits    nothing
//	Restart  never: its failures are resumed, since a forgotten id could let an
//	         effect happen twice
//	Limits   messages.OperationIDsMax per browser, kernel.LedgerIDsMax in all
type ledger struct {
	machine *LedgerMachine
	mint    *kernel.Mint
}

// NewLedger returns the actor that spends operation ids.
func NewLedger(env *kernel.Environment) actor.Actor {
	return &ledger{machine: NewLedgerMachine(env.Config.RequireOperationID), mint: env.Mint}
}

// SpendOperation asks the ledger to use up the operation id of a call.
type SpendOperation struct {
	browser messages.BrowserID
	call    *Call
	Reply   chan<- SpendResult
}

// SpendResult carries the refusal, nil when the id is now spent.
type SpendResult struct{ refusal *messages.Error }

// Failed tells the runner that waits of a fault of ours.
func (m *SpendOperation) Failed(cause *messages.Error) { m.Reply <- SpendResult{refusal: cause} }

// Receive carries out one message.
func (l *ledger) Receive(c actor.Context) {
	if m, ok := c.Message().(*SpendOperation); ok {
		id := m.call.Operation
		m.Reply <- SpendResult{refusal: l.machine.Spend(m.browser, id, m.call.Minted, l.mint.Made(id))}
	}
}

// Progress is the runner's side of a ticket: it spends the operation id before the
// first effect and lets nothing out of a call that has ended. It is used by one
// goroutine; Live alone may be called by others.
type Progress struct {
	Env     *kernel.Environment
	Call    *Call
	Browser messages.BrowserID
	// Gate, where there is one, is asked before every effect for a reason that it
	// must not begin: a document token that has died since the call was made (R155).
	Gate  func() *messages.Error
	Spent bool
}

// Begin implements target.Progress.
func (p *Progress) Begin(ctx context.Context) *messages.Error {
	if !p.Call.Ticket.Live() {
		return messages.NewError(messages.CodeCancelled, "")
	}
	if p.Gate != nil {
		if refusal := p.Gate(); refusal != nil {
			return refusal
		}
	}
	if !p.Spent {
		result, err := kernel.Ask(ctx, p.Env.System, p.Env.Ledger, func(reply chan<- SpendResult) any {
			return &SpendOperation{browser: p.Browser, call: p.Call, Reply: reply}
		})
		switch {
		case ctx.Err() != nil:
			return CallerGone(ctx)
		case err != nil:
			return messages.NewError(messages.CodeRunnerShuttingDown, "")
		case result.refusal != nil:
			return result.refusal
		}
		p.Spent = true
	}
	if !p.Call.Ticket.Begin() {
		return messages.NewError(messages.CodeCancelled, "")
	}
	return nil
}

// End implements target.Progress.
func (p *Progress) End(changed bool) { p.Call.Ticket.End(changed) }

// Live implements target.Progress.
func (p *Progress) Live() bool { return p.Call.Ticket.Live() }
