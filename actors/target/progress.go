package target

import (
	"context"

	"github.com/troupe-browser/troupe/messages"
)

// Progress is the runner's side of the ticket that caller, page and runner
// share. It makes the certainty of an effect exact: what was not begun never
// started, and what is begun is unknown until it is ended.
type Progress interface {
	// Begin is called just before the first message that may change the page,
	// after every check has passed. The first Begin of an operation spends its
	// operation id (R154). A refusal proves that nothing was started: the
	// operation was given up, its id was spent before, or the ledger is full;
	// nothing may be sent then.
	Begin(ctx context.Context) *messages.Error
	// End is called when the effect that Begin opened has a known end. changed
	// false takes it back: proved not to have happened, as a blocked click.
	End(changed bool)
	// Live reports whether the operation is still wanted; cdp.Session.SendIf asks
	// it inside the connection's write lock.
	Live() bool
}
