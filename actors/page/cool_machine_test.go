package page

import (
	"testing"

	"github.com/troupe-browser/troupe/actors/collect"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/machinetest"
	"github.com/troupe-browser/troupe/messages"
)

// A page that is observed keeps its accessibility tree; one that is not gives it up,
// and one timer at a time sees to it.
func TestPageMachine_CoolsWhenUnobserved(t *testing.T) {
	m := pageWith(t, nil)
	seen := func() []Effect {
		start := begin(t, m, look())
		reply := &messages.Snapshot{Generation: start.request.generation, Collector: collect.CollectorWalker}
		return m.step(&OperationDone{Operation: start.operation, reply: reply, snapshot: &snapshotResult{nextRef: 1}})
	}
	timer := machinetest.One[*sendLater](t, seen())
	if timer.after != kernel.CoolAfter {
		t.Errorf("it waits %v", timer.after)
	}
	for _, effect := range seen() {
		if _, second := effect.(*sendLater); second {
			t.Error("a second timer")
		}
	}
	again := machinetest.One[*sendLater](t, m.step(timer.message))
	running := begin(t, m, click("e1"))
	last := machinetest.One[*sendLater](t, m.step(again.message))
	m.step(&OperationDone{Operation: running.operation, reply: &messages.Receipt{ExecutionState: messages.Completed}})
	machinetest.WantKinds(t, m.step(last.message), "coolPage")

	timer = machinetest.One[*sendLater](t, seen())
	m.step(&targetCrashed{at: machinetest.Noon})
	machinetest.WantKinds(t, m.step(timer.message), "")
}
