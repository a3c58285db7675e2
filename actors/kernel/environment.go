package kernel

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/troupe-browser/troupe/messages"
)

// Environment is what all actors of one runtime share. It is made before the root
// is spawned and not changed afterwards, except for counters.
type Environment struct {
	Config    Config
	System    *actor.ActorSystem
	Root      *actor.PID
	Ledger    *actor.PID
	Journal   *actor.PID
	Mint      *Mint
	Connector Connector
	// WorldName names our isolated worlds; no other runtime uses it (R41).
	WorldName string
	// Runners counts the goroutines that work for actors.
	Runners sync.WaitGroup
	// InFlight counts the calls inside the gateway, bounded by messages.QueuedTotalMax.
	// Only the gateway writes it, in the goroutines of its callers: the bound keeps the
	// root's mailbox short, so that it can't be a message to the root.
	InFlight atomic.Int64
	// Late counts the ends that came after the shutdown's report.
	Late lateEnds
	// EngineProduct is what the engine last said about itself. Only the runners that
	// connect write it; any of their words is as good.
	EngineProduct atomic.Pointer[string]
}

// Send sends a message to an actor from anywhere.
func (e *Environment) Send(pid *actor.PID, message any) { e.System.Root.Send(pid, message) }

// Publish hands an event to the journal.
func (e *Environment) Publish(event messages.Event) {
	if event.At.IsZero() {
		event.At = time.Now()
	}
	e.Send(e.Journal, &event)
}

// After sends a message once a time has passed. The timer is not stopped: whoever
// gets the message tells by its number whether it still matters. The function
// stops it early, for timers that outlive what they are for by long.
func (e *Environment) After(d time.Duration, pid *actor.PID, message any) (stop func()) {
	timer := time.AfterFunc(d, func() { e.Send(pid, message) })
	return func() { timer.Stop() }
}
