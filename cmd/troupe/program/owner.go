package program

import (
	"context"
	"errors"
	"os"
	"strconv"
	"syscall"
	"time"

	"github.com/troupe-browser/troupe/messages"
)

const (
	// OwnerVariable names the agent on whose behalf the command runs, where its manager says so (R23).
	OwnerVariable = "TROUPE_OWNER"
	// OwnerPIDVariable names the process whose end ends what the command started: the browser that open opens, or the
	// session of mcp, run, demo or serve with every browser of it (R23).
	OwnerPIDVariable = "TROUPE_OWNER_PID"
	// ownerLook is how often a process is looked at. The runtime looks as often at the owners of browsers.
	ownerLook = 2 * time.Second
)

func owner() messages.OwnerID { return messages.OwnerID(os.Getenv(OwnerVariable)) }

// ownerPID returns the process that the environment names, or 0.
func ownerPID() (int, error) {
	text := os.Getenv(OwnerPIDVariable)
	if text == "" {
		return 0, nil
	}
	pid, err := strconv.Atoi(text)
	if err != nil || pid < 1 {
		return 0, Usagef("%s is not the number of a process", OwnerPIDVariable)
	}
	return pid, nil
}

// WithOwner returns a context that also ends with the process; 0 is nobody. The end is that of an interrupt: calls in
// flight are answered and the browsers are closed. A process that has not been waited for by its parent counts as alive.
func WithOwner(ctx context.Context, pid int) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	if pid == 0 {
		return ctx, cancel
	}
	// On Linux the process is held by a descriptor, so that another that gets its number is not taken for it.
	process, err := os.FindProcess(pid)
	if err != nil {
		cancel()
		return ctx, cancel
	}
	// A process of another user may not be signalled, but it is there.
	gone := func() bool {
		err := process.Signal(syscall.Signal(0))
		return err != nil && !errors.Is(err, syscall.EPERM)
	}
	if gone() {
		cancel()
		return ctx, cancel
	}
	go func() {
		defer func() { _ = process.Release() }() // it holds nothing but the descriptor
		ticker := time.NewTicker(ownerLook)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			if gone() {
				cancel()
				return
			}
		}
	}()
	return ctx, cancel
}

// OwnedGateway makes the browsers of a session end with a process, whoever launches them there. The process is the
// operator's argument and not the caller's, whose plane could not name one.
type OwnedGateway struct {
	messages.Gateway
	PID int
}

// Do adds the process to a launch.
func (g OwnedGateway) Do(ctx context.Context, caller messages.Caller, command messages.Command) (messages.Reply, error) {
	if launch, ok := command.(*messages.Launch); ok && g.PID != 0 {
		owned := *launch
		owned.OwnerPID, caller.Plane = g.PID, messages.PlaneOperator
		command = &owned
	}
	return g.Gateway.Do(ctx, caller, command)
}
