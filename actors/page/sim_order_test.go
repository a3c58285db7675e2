package page

import (
	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/messages"
)

// simTurns is the order in which the calls of one page have their turns: that in which
// its actor, whichever incarnation, took them in.
type simTurns struct {
	number map[*call.Call]int
	// begun is the turn of the operation that was begun last, acted that of the effect
	// furthest on that has happened.
	begun, acted int
}

func (t *simTurns) take(c *call.Call) {
	if t.number == nil {
		t.number = map[*call.Call]int{}
	}
	t.number[c] = len(t.number) + 1
}

// checkTurn demands that operations begin in the order in which their calls came (R78).
// A snapshot that is read again goes on with its own turn.
func (s *sim) checkTurn(p *simPage, c *call.Call) {
	turn := p.turns.number[c]
	if turn < p.turns.begun {
		s.breaks("turns_keep_their_order: %s of %s came as number %d and begins behind number %d", c.Command.Action(), p.id, turn, p.turns.begun)
	}
	p.turns.begun = turn
}

// checkEffectsTurn demands that an effect which happens behind one of a later turn is of
// a call that was told so: its outcome is unknown, since it was answered while its
// input was on its way. What runs beside the queue has no turn.
func (s *sim) checkEffectsTurn(p *simPage, c *call.Call) {
	if messages.Describe(c.Command).Beside {
		return
	}
	turn := p.turns.number[c]
	if turn >= p.turns.acted {
		p.turns.acted = turn
		return
	}
	receipt, ok := c.Answered().(*messages.Receipt)
	if !ok || receipt.ExecutionState != messages.OutcomeUnknown {
		s.breaks("effects_keep_the_order_of_their_turns: %s of %s happened behind number %d as number %d and was not told unknown",
			c.Command.Action(), p.id, p.turns.acted, turn)
	}
}
