package page

import (
	"testing"

	"github.com/troupe-browser/troupe/actors/machinetest"
	"github.com/troupe-browser/troupe/messages"
)

// A reading that comes between two documents waits for the next one (R38).
func TestPageMachine_ReadingBetweenDocuments(t *testing.T) {
	m := pageWith(t, nil)
	m.step(&frameNavigated{frame: frame{ID: "F", URL: "http://b/"}, at: machinetest.Noon})
	m.step(&worldsCleared{})
	reading, waiting := look(), look()
	timer := machinetest.One[*sendLater](t, m.step(&Call{Call: reading}))
	m.step(&Call{Call: waiting})
	machinetest.WantKinds(t, m.step(&worldMade{name: "troupe-w", frame: "inner", context: "w2"}), "")
	if start := machinetest.One[*startOperation](t, m.step(&worldMade{name: "troupe-w", frame: "F", context: "w3"})); start.call != reading || start.resumed {
		t.Errorf("began %+v", start)
	}
	machinetest.WantKinds(t, m.step(timer.message), "")
	if next := machinetest.One[*startOperation](t, m.step(&OperationDone{Operation: m.current.number, err: messages.NewError(messages.CodeInternalError, "")})); next.call != waiting {
		t.Error("the next call did not follow")
	}
}

// One whose document changed under it, and whose next document is not there yet,
// waits as well.
func TestPageMachine_ReadingWhoseDocumentWent(t *testing.T) {
	m := pageWith(t, nil)
	reading := look()
	start := begin(t, m, reading)
	m.step(&frameNavigated{frame: frame{ID: "F", URL: "http://b/"}, at: machinetest.Noon})
	m.step(&worldsCleared{})
	machinetest.WantKinds(t, m.step(&OperationDone{Operation: start.operation, changed: true}), "sendLater")
	again := machinetest.One[*startOperation](t, m.step(&worldMade{name: "troupe-w", frame: "F", context: "w3"}))
	if again.call != reading || !again.resumed || again.operation == start.operation {
		t.Errorf("began %+v", again)
	}
}

// A document that does not come is said, and what does not read it never waits.
func TestPageMachine_NoDocumentComes(t *testing.T) {
	m := pageWith(t, nil)
	m.step(&worldsCleared{})
	timer := machinetest.One[*sendLater](t, m.step(&Call{Call: look()}))
	if timer.after != documentWait {
		t.Errorf("waits %v", timer.after)
	}
	machinetest.One[*startOperation](t, m.step(timer.message))
	machinetest.WantKinds(t, m.step(timer.message), "")

	m = pageWith(t, nil)
	m.step(&worldsCleared{})
	begin(t, m, machinetest.CallOf(&messages.Reload{PageAddress: address}))
}

// A reading that waits is answered when its page crashes.
func TestPageMachine_CrashWhileReadingWaits(t *testing.T) {
	m := pageWith(t, nil)
	m.step(&worldsCleared{})
	reading := look()
	timer := machinetest.One[*sendLater](t, m.step(&Call{Call: reading}))
	failed := machinetest.One[*failCall](t, m.step(&targetCrashed{at: machinetest.Noon}))
	if failed.call != reading || failed.err.Code != messages.CodePageCrashed {
		t.Errorf("answered %+v", failed)
	}
	machinetest.WantKinds(t, m.step(timer.message), "")
}
