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

// countLate counts the end of a browser that was reported as pending.
func (e *environment) countLate(failure *messages.Error) {
	if failure == nil {
		e.late.removed.Add(1)
		return
	}
	e.late.failed.Add(1)
	e.config.Logger.Warn().Str("code", string(failure.Code)).Msg("a browser whose end was pending at the shutdown could not be ended")
}
