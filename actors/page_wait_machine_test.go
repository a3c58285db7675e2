package actors

import (
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

// A reading that comes between two documents waits for the next one (R38).
func TestPageMachine_ReadingBetweenDocuments(t *testing.T) {
	m := pageWith(t, nil)
	m.step(&frameNavigated{frame: frame{ID: "F", URL: "http://b/"}, at: noon})
	m.step(&worldsCleared{})
	reading, waiting := look(), look()
	timer := one[*pageTimer](t, m.step(&pageCall{call: reading, at: noon}))
	m.step(&pageCall{call: waiting, at: noon})
	wantKinds(t, m.step(&worldMade{name: "troupe-w", frame: "inner", context: "w2"}), "")
	if start := one[*startOperation](t, m.step(&worldMade{name: "troupe-w", frame: "F", context: "w3"})); start.call != reading || start.resumed {
		t.Errorf("began %+v", start)
	}
	wantKinds(t, m.step(timer.message), "")
	if next := one[*startOperation](t, m.step(&operationDone{operation: m.current.number, err: messages.NewError(messages.CodeInternalError, "")})); next.call != waiting {
		t.Error("the next call did not follow")
	}
}

// One whose document changed under it, and whose next document is not there yet,
// waits as well.
func TestPageMachine_ReadingWhoseDocumentWent(t *testing.T) {
	m := pageWith(t, nil)
	reading := look()
	start := begin(t, m, reading)
	m.step(&frameNavigated{frame: frame{ID: "F", URL: "http://b/"}, at: noon})
	m.step(&worldsCleared{})
	wantKinds(t, m.step(&operationDone{operation: start.operation, changed: true}), "pageTimer")
	again := one[*startOperation](t, m.step(&worldMade{name: "troupe-w", frame: "F", context: "w3"}))
	if again.call != reading || !again.resumed || again.operation == start.operation {
		t.Errorf("began %+v", again)
	}
}

// A document that does not come is said, and what does not read it never waits.
func TestPageMachine_NoDocumentComes(t *testing.T) {
	m := pageWith(t, nil)
	m.step(&worldsCleared{})
	timer := one[*pageTimer](t, m.step(&pageCall{call: look(), at: noon}))
	if timer.after != documentWait {
		t.Errorf("waits %v", timer.after)
	}
	one[*startOperation](t, m.step(timer.message))
	wantKinds(t, m.step(timer.message), "")

	m = pageWith(t, nil)
	m.step(&worldsCleared{})
	begin(t, m, callOf(&messages.Reload{PageAddress: address}))
}

// A reading that waits is answered when its page crashes.
func TestPageMachine_CrashWhileReadingWaits(t *testing.T) {
	m := pageWith(t, nil)
	m.step(&worldsCleared{})
	reading := look()
	timer := one[*pageTimer](t, m.step(&pageCall{call: reading, at: noon}))
	failed := one[*pageFail](t, m.step(&targetCrashed{at: noon}))
	if failed.call != reading || failed.err.Code != messages.CodePageCrashed {
		t.Errorf("answered %+v", failed)
	}
	wantKinds(t, m.step(timer.message), "")
}
