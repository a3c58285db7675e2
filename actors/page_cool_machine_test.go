package actors

import (
	"testing"

	"github.com/troupe-browser/troupe/actors/collect"
	"github.com/troupe-browser/troupe/messages"
)

// A page that is observed keeps its accessibility tree; one that is not gives it up,
// and one timer at a time sees to it.
func TestPageMachine_CoolsWhenUnobserved(t *testing.T) {
	m := pageWith(t, nil)
	seen := func() []pageEffect {
		start := begin(t, m, look())
		reply := &messages.Snapshot{Generation: start.request.generation, Collector: collect.CollectorWalker}
		return m.step(&operationDone{operation: start.operation, reply: reply, snapshot: &snapshotResult{nextRef: 1}})
	}
	timer := one[*pageTimer](t, seen())
	if timer.after != coolAfter {
		t.Errorf("it waits %v", timer.after)
	}
	for _, effect := range seen() {
		if _, second := effect.(*pageTimer); second {
			t.Error("a second timer")
		}
	}
	again := one[*pageTimer](t, m.step(timer.message))
	running := begin(t, m, click("e1"))
	last := one[*pageTimer](t, m.step(again.message))
	m.step(&operationDone{operation: running.operation, reply: &messages.Receipt{ExecutionState: messages.Completed}})
	wantKinds(t, m.step(last.message), "coolPage")

	timer = one[*pageTimer](t, seen())
	m.step(&targetCrashed{at: noon})
	wantKinds(t, m.step(timer.message), "")
}
