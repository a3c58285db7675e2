package kernel

import (
	"context"

	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// Connector gives the runtime a browser to drive.
type Connector interface {
	// Connect starts or finds the browser of a launch. The context bounds it; a
	// failed or cancelled connect must leave nothing behind (R196). The error is
	// best a *messages.Error.
	Connect(ctx context.Context, plan ConnectPlan) (Connection, error)
}

// ConnectPlan says what kind of browser a launch wants.
type ConnectPlan struct {
	Mode          messages.LaunchMode
	Profile       string
	Width, Height int
	// Graceful is true for a browser whose data outlives it.
	Graceful bool
}

// Connection is a browser that answers, with what ends it.
type Connection interface {
	// Transport carries the protocol; it is used by one connection only.
	Transport() cdp.Transport
	// Ownership decides how the browser is driven and ended (R6, R7).
	Ownership() messages.Ownership
	// Done is closed when the browser has ended by itself; nil when that can't be seen.
	Done() <-chan struct{}
	// Close ends what this runtime owns of the browser and waits for it; graceful
	// asks the browser to end by itself first. It may be called more than once.
	Close(ctx context.Context, graceful bool) error
}
