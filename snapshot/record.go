package snapshot

import "github.com/troupe-browser/troupe/messages"

// Record is what the page keeps of one admitted node of its current
// generation (C9): enough to find the node again in the registry of its frame's
// isolated world and to refuse it when anything about it has changed. Records
// never leave the runtime (R4).
type Record struct {
	ElementID messages.ElementID
	Ref       messages.Ref
	// Generation is the snapshot that made the record.
	Generation messages.Generation
	// Frame and World name the frame that holds the node and the unique id of our
	// isolated world in that frame's document: the exact identity of the document.
	Frame string
	World string
	// Index is the node's place in that world's registry.
	Index int
	// Backend is the browser's backend node id where the collector knows it, else 0.
	Backend int64
	// Role and Name are the identity that the guard compares (R33, R35).
	Role string
	Name string
	// Tag and InputType are lower case; InputType is empty for what is no input.
	Tag       string
	InputType string
	// Actions is the canonical admission (R52).
	Actions []messages.Action
	// Password says that the field was of type password at any time (R57).
	Password bool
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
