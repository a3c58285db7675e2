package kernel

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

func (l *lateEnds) Read() LateEnds {
	return LateEnds{Removed: int(l.removed.Load()), Failed: int(l.failed.Load())}
}

// CountLate counts the end of a browser that was reported as pending.
func (e *Environment) CountLate(failure *messages.Error) {
	if failure == nil {
		e.Late.removed.Add(1)
		return
	}
	e.Late.failed.Add(1)
	e.Config.Logger.Warn().Str("code", string(failure.Code)).Msg("a browser whose end was pending at the shutdown could not be ended")
}
