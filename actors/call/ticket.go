package call

import (
	"sync/atomic"

	"github.com/troupe-browser/troupe/messages"
)

// phase is how far a call has come.
type phase uint64

// The phases. A ticket only moves forward, except that every known end of an
// effect leads back from phaseEffect to phaseStarted.
const (
	// phaseQueued: nobody has begun. Giving up proves that nothing happened.
	phaseQueued phase = iota
	// phaseStarted: a runner works on it, and every effect so far has a known end.
	phaseStarted
	// phaseEffect: a message that may change the page may be on the wire.
	phaseEffect
	// phaseDone: answered.
	phaseDone
)

// The word holds the phase in its lowest bits and the completed count above.
const (
	phaseBits = 2
	phaseMask = 1<<phaseBits - 1
)

// Ticket is what caller, actors and runner of one call share, and the only memory
// that they do. Its state is one atomic word, so a death and the dispatch of an
// effect can't both win: what the word says when it becomes done is the truth about
// the call (R71, R72).
type Ticket struct {
	word   atomic.Uint64
	done   chan struct{}
	Answer Answer // written before done is closed, by whoever moved the word to phaseDone
}

// Answer is how a call ended: a reply, an error, or for effects a receipt.
type Answer struct {
	Reply messages.Reply
	Err   *messages.Error
}

// verdict is what a ticket proves about a call at the moment of its end.
type verdict struct {
	// inEffect: an effect was under way, and its end is not known.
	inEffect bool
	// completed counts the effects with a known end that changed something.
	completed int
}

func newTicket() *Ticket { return &Ticket{done: make(chan struct{})} }

func pack(p phase, completed int) uint64 { return uint64(completed)<<phaseBits | uint64(p) }

func unpack(word uint64) (phase, int) { return phase(word & phaseMask), int(word >> phaseBits) }

// Done is closed when the call has been answered.
func (t *Ticket) Done() <-chan struct{} { return t.done }

// Live reports whether a runner still works on the call. The connection asks it
// right before a message goes out, so an abandoned call can't reach the browser.
func (t *Ticket) Live() bool {
	p, _ := unpack(t.word.Load())
	return p == phaseStarted || p == phaseEffect
}

// Ended reports whether the call has been answered.
func (t *Ticket) Ended() bool {
	p, _ := unpack(t.word.Load())
	return p == phaseDone
}

// Start takes the call up. It reports false when the caller has given up before.
func (t *Ticket) Start() bool {
	return t.word.CompareAndSwap(pack(phaseQueued, 0), pack(phaseStarted, 0))
}

// Begin opens an effect. It reports false when the call was ended before, and
// then nothing may be sent.
func (t *Ticket) Begin() bool {
	for {
		word := t.word.Load()
		p, completed := unpack(word)
		if p != phaseStarted {
			return p == phaseEffect
		}
		if t.word.CompareAndSwap(word, pack(phaseEffect, completed)) {
			return true
		}
	}
}

// End closes the effect that begin opened: it has a known end, and changed says
// whether it happened. After the call has ended it does nothing.
func (t *Ticket) End(changed bool) {
	for {
		word := t.word.Load()
		p, completed := unpack(word)
		if p != phaseEffect {
			return
		}
		if changed {
			completed++
		}
		if t.word.CompareAndSwap(word, pack(phaseStarted, completed)) {
			return
		}
	}
}

// abandon gives up a call that nobody has taken up. True proves that nothing
// happened and nothing will.
func (t *Ticket) abandon(a Answer) bool {
	if !t.word.CompareAndSwap(pack(phaseQueued, 0), pack(phaseDone, 0)) {
		return false
	}
	t.publish(a)
	return true
}

// settle ends the call, once. judge makes the answer out of what the word proved
// at that moment. It reports whether this call of settle ended it.
func (t *Ticket) settle(judge func(verdict) Answer) bool {
	for {
		word := t.word.Load()
		p, completed := unpack(word)
		if p == phaseDone {
			return false
		}
		if t.word.CompareAndSwap(word, pack(phaseDone, completed)) {
			t.publish(judge(verdict{inEffect: p == phaseEffect, completed: completed}))
			return true
		}
	}
}

func (t *Ticket) publish(a Answer) {
	t.Answer = a
	close(t.done)
}
