package engine

import (
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/messages"
)

// The states of a cell's end. Exactly one of the root, when it reports, and the runner
// that ends the browser counts a late end.
const (
	endOpen uint32 = iota // not ended
	endOwed               // not ended, and reported as pending
	endDone               // ended
)

// NoteEnd takes in that a browser has ended, or could not be ended. Only the first
// word counts. It is told to the root as well, which is gone when it comes too late.
func (c *Cell) NoteEnd(env *kernel.Environment, failure *messages.Error) {
	if c.failure.CompareAndSwap(nil, &endFailure{failure}) && c.end.Swap(endDone) == endOwed {
		env.CountLate(failure)
	}
}

// OweEnd notes that a browser is reported as pending. One that has ended meanwhile,
// whose word the root has not taken in, is late at once.
func (c *Cell) OweEnd(env *kernel.Environment) {
	if !c.end.CompareAndSwap(endOpen, endOwed) {
		env.CountLate(c.failure.Load().err)
	}
}

// endFailure is how an end failed, nil inside when it did not.
type endFailure struct{ err *messages.Error }
