package actors

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/troupe-browser/troupe/messages"
)

// environment is what all actors of one runtime share. It is made before the root
// is spawned and not changed afterwards, except for counters.
type environment struct {
	config    Config
	system    *actor.ActorSystem
	root      *actor.PID
	ledger    *actor.PID
	journal   *actor.PID
	mint      *mint
	connector Connector
	// worldName names our isolated worlds; no other runtime uses it (R41).
	worldName string
	// runners counts the goroutines that work for actors.
	runners sync.WaitGroup
	// inFlight counts the calls inside the gateway, bounded by messages.QueuedTotalMax.
	inFlight atomic.Int64
	// late counts the ends that came after the shutdown's report.
	late lateEnds
	// engineProduct is what the engine last said about itself.
	engineProduct atomic.Pointer[string]
}

// send sends a message to an actor from anywhere.
func (e *environment) send(pid *actor.PID, message any) { e.system.Root.Send(pid, message) }

// publish hands an event to the journal.
func (e *environment) publish(event messages.Event) {
	if event.At.IsZero() {
		event.At = time.Now()
	}
	e.send(e.journal, &event)
}

// after sends a message once a time has passed. The timer is not stopped: whoever
// gets the message tells by its number whether it still matters. The function
// stops it early, for timers that outlive what they are for by long.
func (e *environment) after(d time.Duration, pid *actor.PID, message any) (stop func()) {
	timer := time.AfterFunc(d, func() { e.send(pid, message) })
	return func() { timer.Stop() }
}
