package page

import (
	"fmt"
	"slices"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/messages"
)

// The invariants of single messages: they are checked where one is handled, since
// nothing of them may be left to be seen afterwards. What breaks one is noted.

func (s *sim) breaks(format string, args ...any) {
	if s.broken == "" {
		s.broken = fmt.Sprintf(format, args...)
	}
}

// checkMessage holds what the machine did about a message against what the message
// was about.
func (s *sim) checkMessage(p *simPage, message Message, effects []Effect) {
	switch m := message.(type) {
	case *call.Withdraw:
		if slices.ContainsFunc(p.machine.queue, func(q *queued) bool { return q.call == m.Call }) {
			s.breaks("a_caller_that_gives_up_frees_its_place: %s", p.id)
		}
	case *call.CallerLeft:
		if slices.ContainsFunc(p.machine.queue, func(q *queued) bool { return q.call.Caller.ID == m.Caller }) {
			s.breaks("a_caller_that_left_frees_its_places: %s of %s", m.Caller, p.id)
		}
		if d := p.machine.dialog; d != nil && d.holder == m.Caller && !d.byRule && d.answering == nil {
			s.breaks("nobody_holds_a_dialog_who_left: %s of %s", m.Caller, p.id)
		}
	case *Call:
		if len(effects) == 0 && len(p.machine.queue) == 0 {
			s.breaks("a_call_is_answered_or_waits: %s on %s", m.Call.Command.Action(), p.id)
		}
	}
	if s.isPast(p, message) && acts(effects) {
		s.breaks("nothing_of_the_past_acts: %T of an older operation, dialog or incarnation on %s did %T", message, p.id, effects[0])
	}
	if s.delivered.message == message && s.delivered.epoch != 0 && s.delivered.epoch != p.epoch && isTimed(message) && acts(effects) {
		s.breaks("no_timer_of_an_old_generation_acts: %T of incarnation %d acted on %d of %s", message, s.delivered.epoch, p.epoch, p.id)
	}
}

// isPast reports whether a message is about something that is not current. It is
// asked after the machine's step, so what the step ended counts as past too when the
// message did not name it: the number is compared with the one that was noted before.
func (s *sim) isPast(p *simPage, message Message) bool {
	switch m := message.(type) {
	case *operationOverdue:
		return s.before.operation != m.operation
	case *operationSkipped:
		return s.before.operation != m.operation
	case *OperationDone:
		// A fault of a runner is the supervisor's to hear, whenever it comes.
		return m.Fault == nil && s.before.operation != m.Operation
	case *dialogHoldElapsed:
		return s.before.dialog != m.number
	case *dialogPatienceElapsed:
		return s.before.dialog != m.dialog || s.before.operation != m.operation
	}
	return false
}

// isTimed reports whether a message is one of those that name what they are about.
func isTimed(message Message) bool {
	switch m := message.(type) {
	case *operationOverdue, *operationSkipped, *dialogHoldElapsed, *dialogPatienceElapsed, *documentAwaited:
		return true
	case *OperationDone:
		return m.Fault == nil
	}
	return false
}

// acts reports whether effects do anything but tell what the page looks like.
func acts(effects []Effect) bool {
	return slices.ContainsFunc(effects, func(e Effect) bool {
		_, report := e.(*reportSummary)
		return !report
	})
}

// simCurrent is what a machine had in hand before a step.
type simCurrent struct{ operation, dialog uint64 }

func (p *simPage) current() simCurrent {
	var c simCurrent
	if p.machine.current != nil {
		c.operation = p.machine.current.number
	}
	if p.machine.dialog != nil {
		c.dialog = p.machine.dialog.number
	}
	return c
}

// checkFinish demands that the receipt of an effect whose page shows a dialog says so
// (R121).
func (s *sim) checkFinish(p *simPage, e *finishCall) {
	receipt, ok := e.reply.(*messages.Receipt)
	if !ok || p.machine.dialog == nil || receipt == nil || messages.Describe(e.call.Command).Beside {
		return
	}
	if receipt.Dialog == nil {
		s.breaks("a_receipt_shows_the_dialog: %s of %s", e.call.Command.Action(), p.id)
	}
}

// checkBegin demands that no effect is opened for a call that was answered.
func (s *sim) checkBegin(c *call.Call) {
	if c.Ticket.Ended() {
		s.breaks("no_effect_begins_after_its_end: %s", c.Command.Action())
	}
}

// checkDispatch demands that what goes out belongs to a call that is still waited
// for, and that the fence has fallen before a navigation (R43).
func (s *sim) checkDispatch(p *simPage, r *simRunner) {
	if r.start.call.Ticket.Ended() {
		s.breaks("no_effect_after_stop: %s of %s went out when its call had been answered", r.start.command.Action(), p.id)
	}
	if f := p.machine.fence; navigates(r.start.command) && r.epoch == p.epoch && len(f.kept("")) > 0 {
		s.breaks("the_fence_falls_before_a_navigation: %s", p.id)
	}
}

// checkDialog holds what a handle_dialog was told against what it did.
func (s *sim) checkDialog(c *call.Call, receipt *messages.Receipt) string {
	command, ok := c.Command.(*messages.HandleDialog)
	if !ok || receipt.ExecutionState != messages.Completed {
		return ""
	}
	accepted, did := s.words[c]
	switch {
	case !did:
		return "a_dialog_is_answered_once: " + string(c.Operation) + " answered none"
	case accepted != command.Accept:
		return "a_dialog_is_answered_as_asked"
	case receipt.Dialog != nil && (receipt.Dialog.Answered == dialogAccepted) != accepted:
		return "a_dialog_is_told_as_it_was: " + receipt.Dialog.Answered
	}
	return ""
}
