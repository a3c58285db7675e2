package root

import (
	"context"

	"github.com/troupe-browser/troupe/messages"
)

// Request is a command as a message, for hosts that are actors themselves. It is
// sent to the PID of SpawnRoot, by pointer or by value, and answered exactly once: on
// Reply if it has one, and to the sender, as RequestFuture has one, as an Answer.
type Request struct {
	// Context can only shorten the command's own deadline; nil means none.
	Context context.Context
	Caller  messages.Caller
	Command messages.Command
	// Reply gets the answer. It must have room for it: an answer that finds the
	// channel full is dropped.
	Reply chan<- Answer
}

// Answer is what messages.Gateway.Do returns, as a message.
type Answer struct {
	Reply messages.Reply
	Err   error
}
