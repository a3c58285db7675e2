package messages

import "context"

// Gateway is the only door to the runtime. Surfaces hold it and nothing else of
// the runtime, so that which host answers never shows (R25).
type Gateway interface {
	// Do carries out one command for a caller. The context can only shorten the
	// command's own deadline (C25). An effect answers with a *Receipt, never
	// nil, and with Receipt.Err(); an observation with its reply type, or nil
	// and an *Error. Do never hangs: the death of any part answers it.
	Do(ctx context.Context, caller Caller, command Command) (Reply, error)

	// Leave says that a caller's connection has ended: its waiting calls give up
	// their places and its open dialogs are answered by the rule of R119.
	Leave(caller CallerID)

	// Subscribe streams journal events from now on. A subscriber that falls more
	// than JournalSubscriberBacklog events behind gets an EventGap. The channel
	// is closed when the context ends or the runtime stops.
	Subscribe(ctx context.Context) (<-chan Event, error)
}
