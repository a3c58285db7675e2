package actors

import (
	"context"
	"log/slog"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/messages"
)

// SpawnRoot spawns a runtime in an actor system of the host, as a child of parent,
// or at the top when parent is nil. The host sends [Request] to the returned PID and
// may use the runtime as well. It ends the runtime with Shutdown; stopping the root
// instead ends the browsers without grace. A panic in the root is the host's
// supervisor's to decide, who should resume it; at the top it is resumed.
//
// Messages of the root are never logged by this package; the host's own logger of
// the actor system may log them, so it should log types only.
func SpawnRoot(ctx context.Context, system *actor.ActorSystem, parent actor.SpawnerContext, name string, config Config) (*Runtime, *actor.PID, error) {
	runtime, err := spawnRoot(ctx, system, parent, name, config)
	if err != nil {
		return nil, nil, err
	}
	return runtime, runtime.env.Root, nil
}

// serve returns what answers a request of a sender: a goroutine that does what any
// caller of the gateway does, so that both ways make the same promises.
func serve(env *kernel.Environment) func(*Request, *actor.PID) {
	return func(m *Request, sender *actor.PID) {
		ctx := m.Context
		if ctx == nil {
			ctx = context.Background()
		}
		gateway := &Runtime{env: env}
		env.Runners.Go(func() {
			dead, release := kernel.Watch(env.System, env.Root)
			defer release()
			gateway.rootDead = dead
			reply, err := gateway.Do(ctx, m.Caller, m.Command)
			answer := Answer{Reply: reply, Err: err}
			handOver(m.Reply, answer)
			if sender != nil {
				env.System.Root.Send(sender, answer)
			}
		})
	}
}

// handOver gives the answer to the channel of a request, if it has one. A host that closed
// the channel wants no answer; that must not end its process.
func handOver(to chan<- Answer, answer Answer) {
	defer func() { _ = recover() }()
	select {
	case to <- answer:
	default:
	}
}

// Caller is a gateway bound to one caller.
type Caller struct {
	gateway messages.Gateway
	caller  messages.Caller
}

// As binds the runtime to a caller.
func (r *Runtime) As(caller messages.Caller) Caller { return Caller{gateway: r, caller: caller} }

// Effect carries out an effect. The receipt is never nil; the error is its refusal.
func (c Caller) Effect(ctx context.Context, command messages.Effect) (*messages.Receipt, error) {
	reply, err := c.gateway.Do(ctx, c.caller, command)
	receipt, _ := reply.(*messages.Receipt)
	if receipt == nil {
		receipt = messages.Refusal("", messages.AsError(err))
	}
	return receipt, err
}

// Observe carries out an observation, whose reply type its command names.
func (c Caller) Observe(ctx context.Context, command messages.Observation) (messages.Reply, error) {
	return c.gateway.Do(ctx, c.caller, command)
}

// Snapshot takes a snapshot.
func (c Caller) Snapshot(ctx context.Context, command *messages.TakeSnapshot) (*messages.Snapshot, error) {
	reply, err := c.gateway.Do(ctx, c.caller, command)
	snapshot, _ := reply.(*messages.Snapshot)
	return snapshot, err
}

func loggerFactory(logger *slog.Logger) func(*actor.ActorSystem) *slog.Logger {
	return func(*actor.ActorSystem) *slog.Logger { return logger }
}
