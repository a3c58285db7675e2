package soak

import (
	"os"
	"testing"
	"time"
)

// Variable is the environment variable that asks for the full repetitions: any value but the empty one.
const Variable = "TROUPE_TEST_SOAK"

// Prefix begins the line in a test's log that says how often it repeated what it repeats. `make test` lists these lines.
const Prefix = "repeated: "

// Enabled reports whether this run is a soak.
func Enabled() bool { return os.Getenv(Variable) != "" }

// Rounds returns how often the test repeats something: few times in `make test`, full times in `make soak`. The log of
// the test says both.
func Rounds(t testing.TB, few, full int) int {
	t.Helper()
	rounds := few
	if Enabled() {
		rounds = full
	}
	t.Logf(Prefix+"%d of %d", rounds, full)
	return rounds
}

// Duration returns how long the test keeps something up: short in `make test`, long in `make soak`. The log of the test
// says both.
func Duration(t testing.TB, short, long time.Duration) time.Duration {
	t.Helper()
	lasts := short
	if Enabled() {
		lasts = long
	}
	t.Logf(Prefix+"%v of %v", lasts, long)
	return lasts
}
