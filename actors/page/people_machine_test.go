package page

import (
	"testing"

	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/machinetest"
	"github.com/troupe-browser/troupe/messages"
)

// A new document takes no trusted input until it is opened, so that a press in
// flight can't hit it. Where a person may use the page it is opened at once, but not
// while input of ours may be on its way.
func TestPageMachine_NewDocumentsAreOpenedForPeople(t *testing.T) {
	m := pageWith(t, func(c *kernel.Config) { c.Visible = true })
	if opened := machinetest.One[*openWorld](t, m.step(&worldMade{name: "troupe-w", frame: "F", context: "w2"})); opened.context != "w2" {
		t.Errorf("opened %s", opened.context)
	}
	publish(t, m)
	start := begin(t, m, click("e1"))
	machinetest.WantKinds(t, m.step(&worldMade{name: "troupe-w", frame: "F", context: "w3"}), "")
	effects := m.step(&OperationDone{Operation: start.operation, reply: &messages.Receipt{ExecutionState: messages.Completed}})
	if opened := machinetest.One[*openWorld](t, effects); opened.context != "w3" {
		t.Errorf("opened %s", opened.context)
	}
	machinetest.WantKinds(t, m.step(&worldMade{name: "troupe-w", frame: "inner", context: "w4"}), "")
}

// Where no person can be, there is nobody to take over from: the default follows the kind of browser (C16).
func TestPageMachine_NobodyOpensDocumentsThatNobodySees(t *testing.T) {
	m := pageWith(t, nil)
	machinetest.WantKinds(t, m.step(&worldMade{name: "troupe-w", frame: "F", context: "w2"}), "")
}
