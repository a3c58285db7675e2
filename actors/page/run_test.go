package page

import (
	"context"
	"testing"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/messages"
)

// A collector that panics on what one page holds ends that snapshot as a fault of the
// runner, which is answered and never takes the program down.
func TestRunner_CollectorPanics(t *testing.T) {
	r := &runner{
		page:      target.Page{Main: target.World{Frame: "F", Context: "C"}}, // no session: the collector's first call panics
		operation: &startOperation{operation: 7, command: &messages.TakeSnapshot{}, request: &snapshotRequest{}},
	}
	done := r.run(context.Background())
	if done.Fault == nil || done.Operation != 7 || done.reply != nil {
		t.Errorf("the runner reports %+v", done)
	}
}
