package page

import (
	"fmt"
	"strings"
	"testing"
)

// stateOf is the state of a page as its machine has it, for the trace of a simulation.
func stateOf(m *machine) string {
	parts := []string{"preparing"}
	switch {
	case m.gone != nil:
		parts[0] = "gone"
	case m.crashed:
		parts[0] = "crashed"
	case m.current != nil && m.current.held != nil:
		parts[0] = fmt.Sprintf("operation %d awaits a document", m.current.number)
	case m.current != nil:
		parts[0] = fmt.Sprintf("operation %d", m.current.number)
	case m.ready:
		parts[0] = "idle"
	}
	if n := len(m.queue); n > 0 {
		parts = append(parts, fmt.Sprintf("%d waiting", n))
	}
	if n := len(m.beside); n > 0 {
		parts = append(parts, fmt.Sprintf("%d beside", n))
	}
	if d := m.dialog; d != nil {
		parts = append(parts, fmt.Sprintf("dialog %d", d.number))
	}
	for _, r := range m.fence.readings {
		generation := fmt.Sprintf("generation %d of %s", r.generation, r.reader)
		if r.stale != "" {
			generation += " stale"
		}
		parts = append(parts, generation)
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// A trace is read when a seed breaks something: it must say where the machines stood.
func TestSimTraceShowsTransitions(t *testing.T) {
	s := newSim(1, 3)
	s.run(300)
	if lines := strings.Join(s.trace, "\n"); !strings.Contains(lines, ": transition: (") || !strings.Contains(lines, ") → (") {
		t.Errorf("no transition in\n%s", lines)
	}
}
