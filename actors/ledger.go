package actors

import (
	"context"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/troupe-browser/troupe/messages"
)

// ledger is the actor that spends operation ids.
//
//	Owns     the ids that were spent
//	Parent   root
//	Accepts  spendOperation, from runners
//	Emits    nothing
//	Restart  never: its failures are resumed, since a forgotten id could let an
//	         effect happen twice
//	Limits   messages.OperationIDsMax per browser, ledgerIDsMax in all
type ledger struct {
	machine *ledgerMachine
	mint    *mint
}

func newLedger(env *environment) actor.Actor {
	return &ledger{machine: newLedgerMachine(env.config.RequireOperationID), mint: env.mint}
}

// spendOperation asks the ledger to use up the operation id of a call.
type spendOperation struct {
	browser messages.BrowserID
	call    *call
	reply   chan<- spendResult
}

// spendResult carries the refusal, nil when the id is now spent.
type spendResult struct{ refusal *messages.Error }

func (m *spendOperation) failed(cause *messages.Error) { m.reply <- spendResult{refusal: cause} }

// Receive carries out one message.
func (l *ledger) Receive(c actor.Context) {
	if m, ok := c.Message().(*spendOperation); ok {
		id := m.call.operation
		m.reply <- spendResult{refusal: l.machine.spend(m.browser, id, m.call.minted, l.mint.made(id))}
	}
}

// progress is the runner's side of a ticket: it spends the operation id before the
// first effect and lets nothing out of a call that has ended. It is used by one
// goroutine; Live alone may be called by others.
type progress struct {
	env     *environment
	call    *call
	browser messages.BrowserID
	// gate, where there is one, is asked before every effect for a reason that it
	// must not begin: a document token that has died since the call was made (R155).
	gate  func() *messages.Error
	spent bool
}

// Begin implements target.Progress.
func (p *progress) Begin(ctx context.Context) *messages.Error {
	if !p.call.ticket.Live() {
		return messages.NewError(messages.CodeCancelled, "")
	}
	if p.gate != nil {
		if refusal := p.gate(); refusal != nil {
			return refusal
		}
	}
	if !p.spent {
		result, err := ask(ctx, p.env.system, p.env.ledger, func(reply chan<- spendResult) any {
			return &spendOperation{browser: p.browser, call: p.call, reply: reply}
		})
		switch {
		case ctx.Err() != nil:
			return callerGone(ctx)
		case err != nil:
			return messages.NewError(messages.CodeRunnerShuttingDown, "")
		case result.refusal != nil:
			return result.refusal
		}
		p.spent = true
	}
	if !p.call.ticket.begin() {
		return messages.NewError(messages.CodeCancelled, "")
	}
	return nil
}

// End implements target.Progress.
func (p *progress) End(changed bool) { p.call.ticket.end(changed) }

// Live implements target.Progress.
func (p *progress) Live() bool { return p.call.ticket.Live() }
