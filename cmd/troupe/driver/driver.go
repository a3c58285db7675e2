package driver

import (
	"context"
	"crypto/rand"
	"log/slog"
	"sync"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/troupe-browser/troupe/messages"
)

// Driver is the actor through which a caller of this process reaches the runtime: the runs of `troupe run`, the demo,
// and the people behind the command line, who come and go while their caller stays.
//
// Owns the caller's identity and the contexts of its calls in flight. Parent: none, it is spawned by its host. Accepts
// driveCall, driveEnded and driveLeave. It never waits: each call runs in a goroutine that reports its end. It is not
// restarted; what a stop loses is nothing but the means to cancel, since every call is answered by its own goroutine.
// Limits: the gateway's own bound on calls in flight.
type Driver struct {
	gateway messages.Gateway
	Caller  messages.Caller
	system  *actor.ActorSystem
	pid     *actor.PID
}

// driveCall asks for one command. It is sent by Do; answered gets exactly one answer, from the call's goroutine or, when
// the driver has left, from the driver.
type driveCall struct {
	ctx      context.Context
	caller   messages.Caller
	command  messages.Command
	answered chan<- driveAnswer
}

// driveAnswer is the gateway's answer.
type driveAnswer struct {
	reply messages.Reply
	err   error
}

// driveEnded says that the call of that number has been answered. It is sent by the call's goroutine.
type driveEnded struct{ number uint64 }

// driveLeave cancels what is in flight. It is sent by leave; done is closed once nothing is in flight and the gateway
// has heard that the caller left.
type driveLeave struct{ done chan<- struct{} }

// driverState is what the actor itself keeps.
type driverState struct {
	gateway  messages.Gateway
	caller   messages.Caller
	next     uint64
	inFlight map[uint64]context.CancelFunc
	// leaving refuses new calls, left says that the gateway has been told; waiting are those who asked for it.
	leaving, left bool
	waiting       []chan<- struct{}
}

// NewSystem returns an actor system whose own log is silent: what happens in it is said by the runtime's events.
func NewSystem() *actor.ActorSystem {
	return actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger { return slog.New(slog.DiscardHandler) }))
}

// Spawn starts a driver for one caller.
func Spawn(system *actor.ActorSystem, gateway messages.Gateway, caller messages.Caller) *Driver {
	if caller.ID == "" {
		caller.ID = messages.CallerID("driver-" + rand.Text())
	}
	state := func() actor.Actor {
		return &driverState{gateway: gateway, caller: caller, inFlight: make(map[uint64]context.CancelFunc)}
	}
	return &Driver{gateway: gateway, Caller: caller, system: system, pid: system.Root.Spawn(actor.PropsFromProducer(state))}
}

// Receive is the actor's one entry.
func (s *driverState) Receive(c actor.Context) {
	switch message := c.Message().(type) {
	case *driveCall:
		s.begin(c.ActorSystem(), c.Self(), message)
	case *driveEnded:
		if cancel, ok := s.inFlight[message.number]; ok {
			cancel()
			delete(s.inFlight, message.number)
		}
		s.finish()
	case *driveLeave:
		s.leaving, s.waiting = true, append(s.waiting, message.done)
		for _, cancel := range s.inFlight {
			cancel()
		}
		s.finish()
	}
}

func (s *driverState) begin(system *actor.ActorSystem, self *actor.PID, call *driveCall) {
	if s.leaving {
		err := messages.NewError(messages.CodeRunnerShuttingDown, "")
		var reply messages.Reply
		if effect, ok := call.command.(messages.Effect); ok {
			reply = messages.Refusal(effect.Operation(), err)
		}
		call.answered <- driveAnswer{reply, err}
		return
	}
	s.next++
	number := s.next
	ctx, cancel := context.WithCancel(call.ctx)
	s.inFlight[number] = cancel
	gateway := s.gateway
	go func() {
		defer system.Root.Send(self, &driveEnded{number})
		reply, err := gateway.Do(ctx, call.caller, call.command)
		call.answered <- driveAnswer{reply, err}
	}()
}

// finish tells the gateway that the caller left, once and only when nothing of it is in flight any more.
func (s *driverState) finish() {
	if !s.leaving || len(s.inFlight) > 0 {
		return
	}
	if !s.left {
		s.left = true
		s.gateway.Leave(s.caller.ID)
	}
	for _, done := range s.waiting {
		close(done)
	}
	s.waiting = nil
}

// Do sends one command through the actor. It makes the driver a messages.Gateway.
func (d *Driver) Do(ctx context.Context, caller messages.Caller, command messages.Command) (messages.Reply, error) {
	answered := make(chan driveAnswer, 1)
	d.system.Root.Send(d.pid, &driveCall{ctx, caller, command, answered})
	answer := <-answered
	return answer.reply, answer.err
}

// Leave is the end of the driver's own caller; other callers do not pass through it.
func (d *Driver) Leave(messages.CallerID) { d.End() }

// Subscribe hands out the gateway's own stream.
func (d *Driver) Subscribe(ctx context.Context) (<-chan messages.Event, error) {
	return d.gateway.Subscribe(ctx)
}

// End cancels the calls in flight, waits until each was answered, tells the gateway, and stops the actor. It may be
// called once.
func (d *Driver) End() {
	done := make(chan struct{})
	d.system.Root.Send(d.pid, &driveLeave{done})
	<-done
	d.system.Root.Stop(d.pid)
}

// Max bounds the callers of one daemon, one for each agent that ever used it. They stay, since a caller holds its
// dialogs between two verbs. One agent more is refused.
const Max = 256

// Drivers are the drivers of one host, each made once.
type Drivers struct {
	mu     sync.Mutex
	byID   map[messages.CallerID]*Driver
	System *actor.ActorSystem
	Host   messages.Gateway
}

// Of returns the driver of a caller, and makes it when the caller comes for the first time; nil when there are
// Max already.
func (d *Drivers) Of(caller messages.Caller) *Driver {
	d.mu.Lock()
	defer d.mu.Unlock()
	if known, ok := d.byID[caller.ID]; ok {
		return known
	}
	if len(d.byID) >= Max {
		return nil
	}
	made := Spawn(d.System, d.Host, caller)
	if d.byID == nil {
		d.byID = make(map[messages.CallerID]*Driver)
	}
	d.byID[caller.ID] = made
	return made
}

// End ends every driver.
func (d *Drivers) End() {
	d.mu.Lock()
	all := d.byID
	d.byID = nil
	d.mu.Unlock()
	for _, one := range all {
		one.End()
	}
}
