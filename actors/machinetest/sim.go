package machinetest

import (
	"flag"
	"fmt"
	"testing"

	"github.com/troupe-browser/troupe/internal/soak"
)

// The flags of the simulations.
var (
	simSeeds = flag.Int("sim.seeds", 0, "number of seeds that a simulation runs, 0 for what package soak says")
	SimSeed  = flag.Uint64("sim.seed", 0, "run only this seed")
	SimSteps = flag.Int("sim.steps", 1200, "steps with faults of each run")
)

// Seeds is how many seeds a simulation runs.
func Seeds(t *testing.T) uint64 {
	if *simSeeds > 0 {
		return uint64(*simSeeds)
	}
	return uint64(soak.Rounds(t, 100, 2000))
}

// SimTraceMax bounds the steps that a simulation keeps to show with what went wrong.
const SimTraceMax = 40

// Transition is the line of a trace about a message that led from one state to another,
// "" when it moved nothing.
func Transition(from, to string, message any) string {
	if from == to {
		return ""
	}
	return fmt.Sprintf("transition: %s → %s by %s", from, to, kind(message))
}
