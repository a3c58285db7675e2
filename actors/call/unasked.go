package call

import (
	"context"

	"github.com/troupe-browser/troupe/messages"
)

// Unasked is the progress of what no caller asked for: it has no ticket, and no
// operation id to spend. Its methods implement target.Progress and refuse nothing.
type Unasked struct{}

// Begin implements target.Progress.
func (Unasked) Begin(context.Context) *messages.Error { return nil }

// End implements target.Progress.
func (Unasked) End(bool) {}

// Live implements target.Progress.
func (Unasked) Live() bool { return true }
