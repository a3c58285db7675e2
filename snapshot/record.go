package snapshot

import "github.com/troupe-browser/troupe/messages"

// Record is what the page keeps of one admitted node of its current
// generation (C9): enough to find the node again in the page's registry, which
// refuses it when anything about it has changed, and to judge what it admits.
// Records never leave the runtime (R4).
type Record struct {
	ElementID messages.ElementID
	Ref       messages.Ref
	// Generation is the snapshot that made the record.
	Generation messages.Generation
	// Frame and World name the frame that holds the node and the unique id of our
	// isolated world in that frame's document: the exact identity of the document, by
	// which the simulation checks that no id names an element of another one.
	Frame string
	World string
	// Index is the node's place in the registry of the main frame's world, which holds
	// the role and the name that the guard compares (R33, R35).
	Index int
	// Role is that of the snapshot.
	Role string
	// Tag and InputType are lower case; InputType is empty for what is no input.
	Tag       string
	InputType string
	// Actions is the canonical admission (R52).
	Actions []messages.Action
}

// Admits reports whether the record names the action (R67).
func (r *Record) Admits(action messages.Action) bool {
	for _, a := range r.Actions {
		if a == action {
			return true
		}
	}
	return false
}
