package collect_test

import (
	"flag"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/internal/soak"
	"github.com/troupe-browser/troupe/messages"
)

var growthSnapshots = flag.Int("growth.snapshots", 0, "snapshots that TestSnapshotsDoNotGrow takes with each collector, 0 for what package soak says")

// growthBytes is how much the page's heap may hold more at the end than after the
// first quarter. What a page keeps of one snapshot, at most 4,352 records, takes more
// than that only if that of several is kept.
const growthBytes = 512 << 10

// A snapshot takes the place of the one before: nothing of it stays in the page.
func TestSnapshotsDoNotGrow(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	snapshots := *growthSnapshots
	if snapshots == 0 {
		snapshots = soak.Rounds(t, 16, 400)
	}
	bothOf(t, newFreshRig, func(t *testing.T, r *rig) {
		r.show(`<h1>List</h1><script>for (let i = 0; i < 120; i++) document.write("<label>Field " + i + " <input></label><button>Press " + i + "</button>")</script>`)
		r.call(r.page, "HeapProfiler.enable", nil, nil)
		held := func() int {
			r.call(r.page, "HeapProfiler.collectGarbage", nil, nil)
			var usage struct {
				Used int `json:"usedSize"`
			}
			r.call(r.page, "Runtime.getHeapUsage", nil, &usage)
			return usage.Used
		}
		var early int
		var times []time.Duration
		for n := range snapshots {
			times = append(times, timed(func() { r.snap(full) }))
			if n == snapshots/4 {
				early = held()
			}
		}
		late := held()
		quarter := len(times) / 4
		t.Logf("page heap %d KiB after a quarter and %d KiB at the end; median %v in the first quarter and %v in the last",
			early>>10, late>>10, median(times[:quarter]), median(times[len(times)-quarter:]))
		if late > early+growthBytes {
			t.Errorf("the page's heap grows: %d KiB, then %d KiB", early>>10, late>>10)
		}
		if len(r.snap(messages.TakeSnapshot{}).Snapshot.Nodes) == 0 {
			t.Error("the last snapshot has no nodes")
		}
	})
}
