package kernel

import (
	"context"
	"errors"
	"sync"

	"github.com/asynkron/protoactor-go/actor"
)

// errActorGone is returned by ask when the actor stopped without an answer.
var errActorGone = errors.New("actors: the actor has stopped")

// deathWatch is a process that only waits for the end of one actor. It lets a
// goroutine that is no actor learn of a death.
type deathWatch struct {
	once sync.Once
	dead chan struct{}
}

// SendUserMessage ignores what was sent to the watch.
func (d *deathWatch) SendUserMessage(*actor.PID, any) {}

// SendSystemMessage closes the channel when the watched actor has ended.
func (d *deathWatch) SendSystemMessage(_ *actor.PID, message any) {
	if _, ok := message.(*actor.Terminated); ok {
		d.once.Do(func() { close(d.dead) })
	}
}

// Stop does nothing: a watch is removed, not stopped.
func (d *deathWatch) Stop(*actor.PID) {}

// Watch returns a channel that is closed when the actor has ended, or at once when
// it has ended already, and a function that takes the watch away.
func Watch(system *actor.ActorSystem, pid *actor.PID) (dead <-chan struct{}, release func()) {
	d := &deathWatch{dead: make(chan struct{})}
	process, ok := system.ProcessRegistry.Get(pid)
	if !ok {
		close(d.dead)
		return d.dead, func() {}
	}
	self, _ := system.ProcessRegistry.Add(d, "watch"+system.ProcessRegistry.NextId())
	process.SendSystemMessage(pid, &actor.Watch{Watcher: self})
	return d.dead, func() {
		// Another process may have the name by now, as after a restart. One that is just
		// being spawned has no dispatcher yet, and a message to it would panic here.
		if current, ok := system.ProcessRegistry.Get(pid); ok && current == process {
			process.SendSystemMessage(pid, &actor.Unwatch{Watcher: self})
		}
		system.ProcessRegistry.Remove(self)
	}
}

// Ask sends a message that carries its own reply channel and waits for the reply,
// the end of the actor, or the context. It is used by runners and at the edge and
// never by an actor.
func Ask[R any](ctx context.Context, system *actor.ActorSystem, pid *actor.PID, message func(chan<- R) any) (R, error) {
	var none R
	reply := make(chan R, 1)
	dead, release := Watch(system, pid)
	defer release()
	system.Root.Send(pid, message(reply))
	select {
	case r := <-reply:
		return r, nil
	case <-ctx.Done():
		return none, context.Cause(ctx)
	case <-dead:
	}
	select {
	case r := <-reply: // it answered and then stopped
		return r, nil
	default:
		return none, errActorGone
	}
}
