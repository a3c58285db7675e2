package root

import (
	"testing"
	"time"

	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/messages"
)

func TestShutdownReport_String(t *testing.T) {
	for want, report := range map[string]ShutdownReport{
		"shut down in 0s, 0 browsers ended":  {},
		"shut down in 12ms, 1 browser ended": {Removed: []messages.BrowserID{"a"}, Took: 12_000_001},
		"shut down in 10s, 2 browsers ended, 1 failed to end [c], 2 still ending [d e], 2 calls cut off (observing), 1 call cut off (outcome_unknown), failures: 3": {
			Removed: []messages.BrowserID{"a", "b"}, Failed: []messages.BrowserID{"c"}, Pending: []messages.BrowserID{"d", "e"},
			InFlight: map[messages.ExecutionState]int{messages.OutcomeUnknown: 1, "": 2}, Crashes: 3, Took: 10 * time.Second,
		},
		"shut down in 0s, 0 browsers ended, 3 still ending [a b c], 2 of them since, 1 of them failed since": {
			Pending: []messages.BrowserID{"a", "b", "c"}, Late: kernel.LateEnds{Removed: 2, Failed: 1},
		},
	} {
		if got := report.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
