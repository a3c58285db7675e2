package kernel

import "time"

// directive is what a supervisor does about a failed child.
type directive uint8

// The directives. Nothing is ever escalated: protoactor would end the process. The
// actors whose state must not be lost and who are trivial, root, ledger and journal,
// are resumed by a strategy of their own.
const (
	// Restart gives the child a new incarnation.
	Restart directive = iota
	// Stop ends the child.
	Stop
)

// budget is how many failures of a child are restarted within a window.
type budget struct {
	restarts int
	window   time.Duration
}

// The budgets (design section 2).
var (
	PageBudget    = budget{restarts: PageRestartsMax, window: PageRestartsWindow}
	BrowserBudget = budget{restarts: BrowserRestartsMax, window: BrowserRestartsWindow}
)

// Decide returns what to do about a failure at the time at, given the times of the
// failures that were restarted before, and the failures to remember. A child
// that is to end already is stopped: a restart would raise it from the dead.
func (b budget) Decide(earlier []time.Time, at time.Time, ending bool) (directive, []time.Time) {
	if ending {
		return Stop, nil
	}
	recent := make([]time.Time, 0, b.restarts+1)
	for _, t := range earlier {
		if at.Sub(t) < b.window {
			recent = append(recent, t)
		}
	}
	if len(recent) >= b.restarts {
		return Stop, recent
	}
	return Restart, append(recent, at)
}
