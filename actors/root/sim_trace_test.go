package root

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

// stateOf is the state of the registry as the root's machine has it, for the trace of a simulation.
func stateOf(m *machine) string {
	var parts []string
	for _, id := range slices.SortedFunc(maps.Keys(m.browsers), func(a, b messages.BrowserID) int { return strings.Compare(string(a), string(b)) }) {
		parts = append(parts, string(id)+" "+string(m.browsers[id].state))
	}
	if m.stopping != nil {
		parts = append(parts, map[bool]string{false: "stopping", true: "stopped"}[m.stopping.done])
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// A trace is read when a seed breaks something: it must say where the machines stood.
func TestSimTraceShowsTransitions(t *testing.T) {
	s := newRegSim(1)
	s.run(300)
	if lines := strings.Join(s.trace, "\n"); !strings.Contains(lines, ": transition: (") || !strings.Contains(lines, ") → (") {
		t.Errorf("no transition in\n%s", lines)
	}
}
