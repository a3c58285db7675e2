package browser

import (
	"fmt"
	"strings"
)

// String is the state in one line, as a trace shows it: whether the browser is up, its
// pages, and what is being made. It holds ids and no text of a page.
func (m *Machine) String() string {
	parts := []string{map[engineState]string{
		engineConnecting: "connecting", enginePreparing: "preparing", engineUp: "up", engineClosing: "closing"}[m.state]}
	for _, p := range m.Pages {
		page := string(p.ID)
		switch {
		case p.hidden:
			page += " hidden"
		case p.creator != nil:
			page += " awaited"
		case !p.prepared:
			page += " preparing"
		}
		parts = append(parts, page)
	}
	if n := len(m.creations.open) + m.making; n > 0 {
		parts = append(parts, fmt.Sprintf("%d being made", n))
	}
	if m.creations.uncertain() {
		parts = append(parts, "a creation in doubt")
	}
	return "(" + strings.Join(parts, ", ") + ")"
}
