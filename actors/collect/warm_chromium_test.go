package collect_test

import (
	"strings"
	"testing"

	"github.com/troupe-browser/troupe/actors/collect"
	"github.com/troupe-browser/troupe/messages"
)

// A page that was cooled is warmed again by the next snapshot, which says the same.
func TestSnapshotR44AfterTheTreeWasGivenUp(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, map[string]string{"/inner": `<button>Inside</button>`})
	r.show(`<h1>Title</h1><button>Press</button><iframe src=/inner></iframe>`)
	before := r.snap(messages.TakeSnapshot{}).Snapshot
	for range 2 {
		collect.Cool(r.ctx, r.target())
		after := r.snap(messages.TakeSnapshot{}).Snapshot
		if after.Collector != "walker" || len(diff(lines(before), lines(after))) > 0 {
			t.Errorf("by %s, differing by\n%s", after.Collector, strings.Join(diff(lines(before), lines(after)), "\n"))
		}
	}
}
