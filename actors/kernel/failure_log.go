package kernel

import (
	"github.com/asynkron/protoactor-go/actor"
	"github.com/rs/zerolog"
)

// LogFailure writes what the operator must know of a fault of ours: which actor,
// what kind of fault, and its stack. Values that are no errors are named by type
// only, since they can hold what a page said.
func LogFailure(logger zerolog.Logger, child *actor.PID, reason any) {
	line := logger.Error().Str("actor", child.Id)
	if info, ok := reason.(Fault); ok {
		line = line.Str("fault", info.String()).Bytes("stack", info.Stack)
	}
	line.Msg("an actor failed")
}
