package call

import (
	"context"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/messages"
)

// ticketModel is what a ticket promises, written without atomics.
type ticketModel struct {
	phase     phase
	completed int
	began     int // effects that were let out
	verdict   *verdict
}

// Every interleaving of the actor, the runner, the caller and a killer leaves the
// ticket where the model says, and the verdict is the truth about the effects.
func TestTicketFollowsItsModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ticket, model := newTicket(), &ticketModel{}
		settle := func(v verdict) Answer {
			model.verdict = &v
			return Answer{}
		}
		t.Repeat(map[string]func(*rapid.T){
			"start": func(t *rapid.T) {
				want := model.phase == phaseQueued
				if got := ticket.Start(); got != want {
					t.Fatalf("start is %v, want %v", got, want)
				}
				if want {
					model.phase = phaseStarted
				}
			},
			"begin": func(t *rapid.T) {
				want := model.phase == phaseStarted || model.phase == phaseEffect
				if got := ticket.Begin(); got != want {
					t.Fatalf("begin is %v, want %v", got, want)
				}
				if want && model.phase == phaseStarted {
					model.phase = phaseEffect
					model.began++
				}
			},
			"end": func(t *rapid.T) {
				changed := rapid.Bool().Draw(t, "changed")
				ticket.End(changed)
				if model.phase == phaseEffect {
					model.phase = phaseStarted
					if changed {
						model.completed++
					}
				}
			},
			"abandon": func(t *rapid.T) {
				want := model.phase == phaseQueued
				if got := ticket.abandon(Answer{}); got != want {
					t.Fatalf("abandon is %v, want %v", got, want)
				}
				if want {
					model.phase, model.verdict = phaseDone, &verdict{}
				}
			},
			"settle": func(t *rapid.T) {
				before := model.phase
				if got, want := ticket.settle(settle), before != phaseDone; got != want {
					t.Fatalf("settle is %v, want %v", got, want)
				}
				if before == phaseDone {
					return
				}
				want := verdict{inEffect: before == phaseEffect, completed: model.completed}
				if *model.verdict != want {
					t.Fatalf("verdict is %+v, want %+v", *model.verdict, want)
				}
				model.phase = phaseDone
			},
			"": func(t *rapid.T) {
				p, completed := unpack(ticket.word.Load())
				if p != model.phase || completed != model.completed {
					t.Fatalf("ticket is at %d with %d, model at %d with %d", p, completed, model.phase, model.completed)
				}
				if live := p == phaseStarted || p == phaseEffect; ticket.Live() != live {
					t.Fatalf("Live is %v in phase %d", ticket.Live(), p)
				}
				select {
				case <-ticket.Done():
					if p != phaseDone {
						t.Fatal("done without an answer")
					}
				default:
					if p == phaseDone {
						t.Fatal("answered and not done")
					}
				}
			},
		})
	})
}

// Runner, killer and caller race for real; whatever wins, an effect that was let
// out is never called not_started.
func TestTicketRacesTellTheTruth(t *testing.T) {
	for range 2000 {
		c := New(context.Background(), messages.Caller{}, &messages.Batch{Operations: make([]messages.ElementEffect, 3)}, kernel.NewMint(), time.Time{})
		var out int
		var race sync.WaitGroup
		race.Go(func() {
			if !c.Ticket.Start() {
				return
			}
			for range 3 {
				if !c.Ticket.Begin() {
					return
				}
				out++
				c.Ticket.End(true)
			}
		})
		race.Go(func() { c.Fail(messages.NewError(messages.CodePageCrashed, "")) })
		race.Go(func() { c.GiveUp(messages.NewError(messages.CodeCancelled, "")) })
		race.Wait()
		receipt := c.Ticket.Answer.Reply.(*messages.Receipt)
		switch done := receipt.Batch.CompletedCount; {
		case receipt.ExecutionState == messages.NotStarted && out > 0:
			t.Fatalf("not_started after %d effects", out)
		case receipt.ExecutionState == messages.Completed && done != out:
			t.Fatalf("completed %d, but %d went out", done, out)
		case receipt.ExecutionState == messages.OutcomeUnknown && done != out-1:
			t.Fatalf("unknown after %d, but %d went out", done, out)
		}
	}
}

// A death between, before and inside the effects of a batch is told apart (R88).
func TestBatchProgressOfADeath(t *testing.T) {
	cause := messages.NewError(messages.CodeBrowserCrashed, "")
	index := func(i int) *int { return &i }
	for name, c := range map[string]struct {
		steps     func(*Ticket)
		state     messages.ExecutionState
		code      messages.Code
		completed int
		stopped   *int
		stoppedAs messages.ExecutionState
		remaining int
	}{
		"queued":        {func(*Ticket) {}, messages.NotStarted, cause.Code, 0, index(0), messages.NotStarted, 3},
		"before any":    {func(t *Ticket) { t.Start() }, messages.NotStarted, cause.Code, 0, index(0), messages.NotStarted, 3},
		"inside first":  {func(t *Ticket) { t.Start(); t.Begin() }, messages.OutcomeUnknown, cause.Code, 0, index(0), messages.OutcomeUnknown, 2},
		"taken back":    {func(t *Ticket) { t.Start(); t.Begin(); t.End(false) }, messages.NotStarted, cause.Code, 0, index(0), messages.NotStarted, 3},
		"between":       {func(t *Ticket) { t.Start(); t.Begin(); t.End(true) }, messages.Completed, cause.Code, 1, index(1), messages.NotStarted, 2},
		"inside second": {func(t *Ticket) { t.Start(); t.Begin(); t.End(true); t.Begin() }, messages.OutcomeUnknown, cause.Code, 1, index(1), messages.OutcomeUnknown, 1},
		"after the third": {func(t *Ticket) {
			t.Start()
			for range 3 {
				t.Begin()
				t.End(true)
			}
		}, messages.Completed, cause.Code, 3, nil, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			batch := &messages.Batch{Operations: make([]messages.ElementEffect, 3)}
			call := New(context.Background(), messages.Caller{}, batch, kernel.NewMint(), time.Time{})
			c.steps(call.Ticket)
			if !call.Fail(cause) || call.Fail(cause) {
				t.Fatal("the call did not end exactly once")
			}
			receipt := call.Ticket.Answer.Reply.(*messages.Receipt)
			p := receipt.Batch
			if receipt.ExecutionState != c.state || receipt.Code != c.code || p.CompletedCount != c.completed || p.RemainingCount != c.remaining || p.StoppedExecutionState != c.stoppedAs {
				t.Errorf("receipt is %+v with %+v", receipt, p)
			}
			if (p.StoppedAtIndex == nil) != (c.stopped == nil) || c.stopped != nil && *p.StoppedAtIndex != *c.stopped {
				t.Errorf("stopped at %v, want %v", p.StoppedAtIndex, c.stopped)
			}
			if c.state != messages.NotStarted && (!receipt.NeedsSnapshot || receipt.Recovery == nil) {
				t.Errorf("a stopped batch must ask for an observation: %+v", receipt)
			}
		})
	}
}
