package effect

import (
	"context"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// Env is everything that the runner of one effect may use. It is made by the
// page actor when the operation's turn comes.
type Env struct {
	Page     target.Page
	Progress target.Progress
	// Resolve judges an element handle when its turn comes: shape, existence,
	// staleness, membership, then admission of the action (R34, R67, R84). It
	// touches nothing but the page's own copy of its records. An empty action
	// demands no particular one.
	Resolve func(handle messages.ElementHandle, action messages.Action) (*snapshot.Record, *messages.Error)
	// Witness asks the browser which pages opened and which downloads started
	// since the operation began. It is asked once, when the page has settled.
	Witness func(ctx context.Context) Witnessed
	// Files opens files of the configured upload roots.
	Files FileRoots
	// Operation is the effect's operation id, minted by the runtime where the
	// caller gave none.
	Operation messages.OperationID
	// AutoDialogs says that the page actor answers every dialog at once (R121,
	// dialogs = auto), so that a short one does not end the operation.
	AutoDialogs bool
}

// Witnessed is what the browser saw beside the page during an operation.
type Witnessed struct {
	Opened    []messages.OpenedPage
	Downloads []messages.Download
}

// FileRoots resolves an upload to a file that the browser may read (R134, C24).
type FileRoots interface {
	// Resolve checks the root's name and the relative path and returns the
	// file's absolute path, free of links. An empty root is the only one.
	Resolve(root, path string) (string, *messages.Error)
}
