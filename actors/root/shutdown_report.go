package root

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/troupe-browser/troupe/messages"
)

// String says the report in one line. Browsers whose end failed or is not complete are
// named by their ids; counts that are 0 are left out, but for the browsers that ended.
func (r ShutdownReport) String() string {
	parts := []string{fmt.Sprintf("shut down in %s", r.Took.Round(time.Millisecond)), tally(len(r.Removed), "browser") + " ended"}
	if len(r.Failed) > 0 {
		parts = append(parts, fmt.Sprintf("%d failed to end %v", len(r.Failed), r.Failed))
	}
	if len(r.Pending) > 0 {
		parts = append(parts, fmt.Sprintf("%d still ending %v", len(r.Pending), r.Pending))
	}
	if n := r.Late.Removed; n > 0 {
		parts = append(parts, fmt.Sprintf("%d of them since", n))
	}
	if n := r.Late.Failed; n > 0 {
		parts = append(parts, fmt.Sprintf("%d of them failed since", n))
	}
	var states []messages.ExecutionState
	for state := range r.InFlight {
		states = append(states, state)
	}
	slices.Sort(states)
	for _, state := range states {
		name := string(state)
		if name == "" {
			name = "observing"
		}
		if n := r.InFlight[state]; n > 0 {
			parts = append(parts, tally(n, "call")+" cut off ("+name+")")
		}
	}
	if r.Crashes > 0 {
		parts = append(parts, fmt.Sprintf("failures: %d", r.Crashes))
	}
	return strings.Join(parts, ", ")
}

// tally says a number of things.
func tally(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
