package kernel

import (
	"fmt"
	"runtime/debug"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/troupe-browser/troupe/messages"
)

// Fault is what a fault of ours carries to the supervisor: protoactor passes
// the value on and not the stack.
type Fault struct {
	Value any
	Stack []byte
}

// String returns the value's type and the stack's first use: the value itself can
// quote what a page said and belongs in no log, unless it is one of ours.
func (p Fault) String() string {
	switch value := p.Value.(type) {
	case fmt.Stringer, error:
		return fmt.Sprintf("%T: %v", value, value)
	}
	return fmt.Sprintf("%T", p.Value)
}

// answerable is a message whose sender waits: it can be told that the actor failed
// while it handled the message.
type answerable interface{ Failed(cause *messages.Error) }

// guard is the receiver middleware of every actor. It keeps the stack of a panic,
// answers whoever waits for the message in hand, and swallows panics in the
// messages of the life cycle, where protoactor would make a zombie of the actor or
// raise it from the dead. Every other panic goes on to the supervisor.
func guard(next actor.ReceiverFunc) actor.ReceiverFunc {
	return func(c actor.ReceiverContext, envelope *actor.MessageEnvelope) {
		defer func() {
			value := recover()
			if value == nil {
				return
			}
			if waiting, ok := envelope.Message.(answerable); ok {
				waiting.Failed(messages.NewError(messages.CodeInternalError, ""))
			}
			switch envelope.Message.(type) {
			case *actor.Stopping, *actor.Stopped, *actor.Restarting, *actor.Terminated:
				return
			}
			if info, ok := value.(Fault); ok {
				panic(info)
			}
			panic(Fault{Value: value, Stack: debug.Stack()})
		}()
		next(c, envelope)
	}
}

// Props returns the properties of an actor of this runtime.
func Props(producer func() actor.Actor, options ...actor.PropsOption) *actor.Props {
	options = append(options, actor.WithReceiverMiddleware(guard))
	return actor.PropsFromProducer(producer, options...)
}
