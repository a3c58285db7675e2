package snapshot

import (
	"strings"

	"golang.org/x/text/cases"

	"github.com/troupe-browser/troupe/messages"
)

// A matcher is a query with its terms folded once.
type matcher struct {
	text, role, group, section string
	fieldsOnly                 bool
}

// folder folds case in the way of Unicode. It is not safe for two goroutines, so
// each query makes its own.
func newMatcher(q messages.Query) *matcher {
	fold := cases.Fold()
	return &matcher{
		text: fold.String(joinSpace(q.Text)), role: fold.String(strings.TrimSpace(q.Role)),
		group: fold.String(joinSpace(q.Group)), section: fold.String(joinSpace(q.Section)), fieldsOnly: q.FieldsOnly,
	}
}

// matches reports whether a node passes every given filter (R47).
func (m *matcher) matches(n *Node) bool {
	if m.fieldsOnly && !isField(n) {
		return false
	}
	fold := cases.Fold()
	within := func(term string, texts ...string) bool {
		if term == "" {
			return true
		}
		for _, text := range texts {
			if text != "" && strings.Contains(fold.String(text), term) {
				return true
			}
		}
		return false
	}
	if m.role != "" && fold.String(n.Role) != m.role {
		return false
	}
	return within(m.text, n.Name, n.Description, n.Label, n.Placeholder) && within(m.group, n.Group) && within(m.section, n.Section)
}
