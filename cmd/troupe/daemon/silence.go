package daemon

import (
	"context"
	"errors"
	"time"

	"github.com/troupe-browser/troupe/messages"
)

// AliveInterval is the pause between two questions whether the daemon still answers. With helloTimeout it bounds how long
// a verb waits for a daemon that is stopped.
const AliveInterval = 5 * time.Second

// ErrDaemonSilent says that somebody holds the daemon's socket and does not answer.
var ErrDaemonSilent = messages.NewError(messages.CodeStateUnavailable,
	"The daemon does not answer: its process is stopped or hangs. Find it with: pgrep -af 'troupe serve', let it go on with kill -CONT or end it with kill -KILL, and try again.")

// Watched returns a context that ends with errDaemonSilent as its cause when the daemon stops answering while somebody
// waits for it. A daemon that answers slowly, since what it was asked for takes long, answers greetings in time. The
// returned function ends the watch.
func (c *Client) Watched(ctx context.Context) (context.Context, func()) {
	watched, cancel := context.WithCancelCause(ctx)
	if c.alive != nil {
		go func() {
			ticker := time.NewTicker(AliveInterval)
			defer ticker.Stop()
			for {
				select {
				case <-watched.Done():
					return
				case <-ticker.C:
				}
				if err := c.alive(watched); errors.Is(err, ErrDaemonSilent) {
					cancel(ErrDaemonSilent)
					return
				}
			}
		}()
	}
	return watched, func() { cancel(nil) }
}
