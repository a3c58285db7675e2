package actors

import (
	"sync/atomic"

	"github.com/troupe-browser/troupe/messages"
)

// LateEnds counts the browsers that a shutdown reported as pending and that have
// ended since (R193). It keeps numbers and no history.
type LateEnds struct {
	// Removed ended completely, Failed could not be ended.
	Removed, Failed int
}

// lateEnds is where the ends that nobody waits for any more are counted.
type lateEnds struct{ removed, failed atomic.Int64 }

func (l *lateEnds) read() LateEnds {
	return LateEnds{Removed: int(l.removed.Load()), Failed: int(l.failed.Load())}
}

// The states of a cell's end. Exactly one of the root, when it reports, and the runner
// that ends the browser counts a late end.
const (
	endOpen uint32 = iota // not ended
	endOwed               // not ended, and reported as pending
	endDone               // ended
)

// noteEnd takes in that a browser has ended, or could not be ended. Only the first
// word counts. It is told to the root as well, which is gone when it comes too late.
func (e *environment) noteEnd(c *engineCell, failure *messages.Error) {
	if c.failure.CompareAndSwap(nil, &endFailure{failure}) && c.end.Swap(endDone) == endOwed {
		e.countLate(failure)
	}
}

// oweEnd notes that a browser is reported as pending. One that has ended meanwhile,
// whose word the root has not taken in, is late at once.
func (e *environment) oweEnd(c *engineCell) {
	if !c.end.CompareAndSwap(endOpen, endOwed) {
		e.countLate(c.failure.Load().err)
	}
}

func (e *environment) countLate(failure *messages.Error) {
	if failure == nil {
		e.late.removed.Add(1)
		return
	}
	e.late.failed.Add(1)
	e.config.Logger.Warn().Str("code", string(failure.Code)).Msg("a browser whose end was pending at the shutdown could not be ended")
}

// endFailure is how an end failed, nil inside when it did not.
type endFailure struct{ err *messages.Error }
