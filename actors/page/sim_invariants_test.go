package page

import (
	"fmt"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/messages"
)

// simAnswer is an answer together with what could be edited in it.
type simAnswer struct {
	answer call.Answer
	state  messages.ExecutionState
}

// simHandlesChecked bounds how many of the ids given out last are tried at each step.
const simHandlesChecked = 8

// check returns the name of a broken invariant and what broke it, or "".
func (s *sim) check() string {
	if s.broken != "" {
		return s.broken
	}
	open := s.open[:0]
	for _, c := range s.open {
		if !c.Ticket.Ended() {
			open = append(open, c)
		} else if broken := s.checkCall(c); broken != "" {
			return broken
		}
	}
	s.open = open
	// An effect that happens behind its answer is held against the answer too.
	for _, c := range s.touched {
		if broken := s.checkCall(c); broken != "" {
			return broken
		}
	}
	s.touched = s.touched[:0]
	for _, p := range s.changed {
		if broken := s.checkPage(p); broken != "" {
			return broken
		}
	}
	s.changed = s.changed[:0]
	return ""
}

// happened counts what the page's own record holds of a call.
func (s *sim) happened(c *call.Call) int { return s.counts[c] }

// checkCall holds an answer against the page's own record.
func (s *sim) checkCall(c *call.Call) string {
	if !c.Ticket.Ended() {
		return ""
	}
	receipt, isReceipt := c.Ticket.Answer.Reply.(*messages.Receipt)
	given := simAnswer{answer: c.Ticket.Answer}
	if isReceipt {
		given.state = receipt.ExecutionState
	}
	if before, ok := s.answers[c]; ok && before != given {
		return fmt.Sprintf("one_reply_per_command: %s was %+v and is %+v", c.Command.Action(), before, given)
	}
	s.answers[c] = given
	if !isReceipt {
		return ""
	}
	n := s.happened(c)
	switch receipt.ExecutionState {
	case messages.NotStarted:
		if n != 0 {
			return fmt.Sprintf("not_started_means_no_effect: %s (%s) happened %d times", c.Command.Action(), receipt.Code, n)
		}
	case messages.Completed:
		if n == 0 {
			return fmt.Sprintf("completed_means_effect: %s never happened", c.Command.Action())
		}
	}
	if broken := s.checkDialog(c, receipt); broken != "" {
		return broken
	}
	if batch, ok := c.Command.(*messages.Batch); ok && receipt.Batch != nil {
		done := receipt.Batch.CompletedCount
		if done > n {
			return fmt.Sprintf("completed_count_never_above_effects: %d claimed, %d happened", done, n)
		}
		if receipt.ExecutionState != messages.OutcomeUnknown && done != n {
			return fmt.Sprintf("no_effect_behind_a_known_end: %d claimed as all, %d happened", done, n)
		}
		if n > len(batch.Operations) {
			return fmt.Sprintf("no_effect_twice: %d of %d operations happened", n, len(batch.Operations))
		}
	} else if n > 1 {
		return fmt.Sprintf("no_effect_twice: %s happened %d times", c.Command.Action(), n)
	}
	return ""
}

// checkPage holds a page's machine against the rules of order and identity.
func (s *sim) checkPage(p *simPage) string {
	live := 0
	for _, r := range p.runners {
		if r.start.call.Ticket.Live() {
			live++
		}
	}
	if live > 1 {
		return fmt.Sprintf("one_operation_in_flight: %s has %d", p.id, live)
	}
	recent := p.restarts[max(0, len(p.restarts)-kernel.PageRestartsMax-1):]
	if len(recent) > kernel.PageRestartsMax && recent[kernel.PageRestartsMax].Sub(recent[0]) < kernel.PageRestartsWindow {
		return fmt.Sprintf("restarts_have_a_budget: %s was restarted %d times in %v", p.id, len(recent), recent[kernel.PageRestartsMax].Sub(recent[0]))
	}
	for _, h := range p.given[max(0, len(p.given)-simHandlesChecked):] {
		if broken := s.checkHandle(p, h, messages.ElementHandle(h.id)); broken != "" {
			return broken
		}
		if broken := s.checkHandle(p, h, messages.ElementHandle(h.ref)); broken != "" {
			return broken
		}
	}
	if len(p.machine.queue) > messages.PageQueueMax {
		return "the_queue_is_bounded: " + string(p.id)
	}
	return ""
}

// checkHandle demands that an id or a ref names nothing, or the element that it was
// given out for.
func (s *sim) checkHandle(p *simPage, h simHandle, handle messages.ElementHandle) string {
	record, refusal := p.machine.fence.resolve(h.reader, handle, "")
	if refusal != nil {
		return ""
	}
	switch {
	case record.World != h.world || record.Generation != h.generation || record.ElementID != h.id:
		return fmt.Sprintf("an_id_names_one_element: %s of %s names %s of %s", handle, h.world, record.ElementID, record.World)
	case h.epoch != p.epoch:
		return fmt.Sprintf("an_id_dies_with_its_epoch: %s of incarnation %d lives in %d", handle, h.epoch, p.epoch)
	case h.generation != p.machine.fence.generationOf(h.reader):
		return fmt.Sprintf("an_id_dies_with_its_generation: %s", handle)
	}
	return ""
}
