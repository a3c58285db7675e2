package page

import (
	"time"

	"github.com/troupe-browser/troupe/messages"
)

// documentWait bounds how long a reading waits for the world of a document that is
// just coming: between the end of one document's world and the beginning of the
// next the page cannot be read. The browser tells of both within milliseconds.
// After it the reading runs, and says that there is no document.
const documentWait = 2 * time.Second

// readsDocument reports whether a command is answered by the document that the page
// shows, and can wait for it without a meaning of its own being lost.
func readsDocument(command messages.Command) bool {
	switch command.(type) {
	case *messages.TakeSnapshot, *messages.ReadField, *messages.GetStorage:
		return true
	}
	return false
}

// start begins the operation in flight, at once or when there is a document.
func (m *machine) start(o *operation, start *startOperation) Effect {
	if m.view().main != "" || !readsDocument(o.command) {
		return start
	}
	o.held = start
	return &sendLater{documentWait, &documentAwaited{operation: o.number}}
}

// release begins the reading that has waited for a document.
func (m *machine) release() []Effect {
	if m.current == nil || m.current.held == nil {
		return nil
	}
	start := m.current.held
	m.current.held = nil
	return []Effect{start}
}

// onDocumentAwaited ends the wait of a reading whose document has not come.
func (m *machine) onDocumentAwaited(msg *documentAwaited) []Effect {
	if m.current == nil || m.current.number != msg.operation {
		return nil
	}
	return m.release()
}
