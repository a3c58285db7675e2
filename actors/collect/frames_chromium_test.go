package collect_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/troupe-browser/troupe/actors/collect"
	"github.com/troupe-browser/troupe/messages"
)

// A frame that is replaced, or goes, while the page is read gives no authority: at
// whatever call that happens, nothing of it is published. Of the walker there is no
// such place: it reads and registers in one evaluation (R106).
func TestSnapshotR106AFrameReplacedInBetween(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, map[string]string{
		"/outer": `<button>Outside</button><iframe id=f src=/a></iframe>`,
		"/a":     `<title>A</title><button>First</button><p>of a</p>`,
	})
	r.computed = false
	inner := func(result collect.Result) (ids int) {
		for _, record := range result.Records {
			if record.Frame != string(r.Frame) {
				ids++
			}
		}
		return ids
	}
	r.open("/outer")
	if result := r.snap(full); !result.Framed || inner(result) != 1 || len(result.Records) != 2 {
		t.Fatalf("a frame that stands still gives out %d of %d ids", inner(result), len(result.Records))
	}
	for kind, script := range map[string]string{
		"replaced": `(() => { const all = f.parentNode, frame = f; frame.remove(); all.append(frame) })()`,
		"gone":     `f.remove()`,
	} {
		for _, c := range []struct {
			method string
			caught bool // by an error; else what is published is the page without that frame
		}{{"Accessibility.getFullAXTree", false}, {"Page.createIsolatedWorld", true}, {"DOM.resolveNode", true}, {"Runtime.callFunctionOn", true}} {
			r.open("/outer")
			end := r.before(c.method, script)
			result, err := r.trySnap(full)
			if !end() {
				t.Errorf("%s is not called, so the test shows nothing", c.method)
			}
			if c.caught && !errors.Is(err, collect.ErrDocumentChanged) {
				t.Errorf("%s before %s: it ended with %v", kind, c.method, err)
			}
			if err == nil && (inner(result) > 0 || strings.Contains(show(result.Snapshot), "First")) {
				t.Errorf("%s before %s: what is gone is published\n%s", kind, c.method, show(result.Snapshot))
			}
			if err != nil && !errors.Is(err, collect.ErrDocumentChanged) {
				t.Errorf("%s before %s: %v", kind, c.method, err)
			}
		}
	}
}

// Of a frame that never rests, what is published is one state of the whole page (R106).
func TestSnapshotR106FramesStandWhileTheyAreRead(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	both(t, func(t *testing.T, r *rig) {
		r.pages = map[string]string{
			"/outer": `<iframe id=f src=/a></iframe><script>let n = 0; f.onload = () => setTimeout(() => { f.src = ["/a", "/b"][++n % 2] }, 20)</script>`,
			"/a":     `<title>A</title><button>First</button><p>of a</p>`,
			"/b":     `<title>B</title><button>Second</button><p>of b</p>`,
		}
		r.open("/outer")
		seen := 0
		for seen < 3 && r.ctx.Err() == nil {
			result, err := r.trySnap(full)
			if err != nil {
				if !errors.Is(err, collect.ErrDocumentChanged) {
					t.Fatal(err)
				}
				continue
			}
			text := show(result.Snapshot)
			if strings.Contains(text, "First") && strings.Contains(text, "of b") || strings.Contains(text, "Second") && strings.Contains(text, "of a") {
				t.Errorf("two documents in one snapshot:\n%s", text)
			}
			if strings.Contains(text, "First") || strings.Contains(text, "Second") {
				seen++
			}
		}
		if seen < 3 {
			t.Errorf("only %d snapshots show the frame, so the test shows nothing", seen)
		}
	})
}

// Once a frame has given out ids, its navigation kills all ids of the page, those
// of the outer document too; a changed value kills none (R107).
func TestSnapshotR107AFrameThatNavigatesKillsItsIDs(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	p := openProduct(t, `<title>Outer</title><button onclick="document.title += ' outer'">Outside</button><iframe id=f src=/inner></iframe>`)
	p.run(`new Promise(done => f.contentDocument.readyState === "complete" && f.contentDocument.title ? done() : f.onload = done)`)
	outside := p.node("button", "Outside")
	if receipt, err := p.click(outside); err != nil {
		t.Fatalf("before: %+v %v", receipt, err)
	}
	inside := p.node("button", "Inside")
	p.run(`f.contentDocument.title = "Changed"`)
	if receipt, err := p.click(inside); err != nil {
		t.Errorf("a value that changed: %+v %v", receipt, err)
	}
	outside = p.node("button", "Outside")
	p.run(`new Promise(done => { f.onload = done; f.contentWindow.location.reload() })`)
	if receipt, err := p.click(outside); err == nil || receipt.Code != messages.CodeSnapshotStale || receipt.ExecutionState != messages.NotStarted {
		t.Errorf("after the frame was reloaded: %+v", receipt)
	}
	if title := p.snapshot().Title; title != "Outer outer inner" {
		t.Errorf("the page counted %q", title)
	}
}

// A frame that gave out no id may do what it likes (R109).
func TestSnapshotR109AFrameWithoutIDsKillsNone(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	p := openProduct(t, `<title>Outer</title><button onclick="document.title += ' outer'">Outside</button><iframe id=f sandbox="allow-scripts" src=/inner></iframe>`)
	outside := p.node("button", "Outside")
	p.run(`new Promise(done => { f.onload = done; f.src = "/inner?again" })`)
	if receipt, err := p.click(outside); err != nil {
		t.Errorf("after a frame out of reach navigated: %+v %v", receipt, err)
	}
	if title := p.snapshot().Title; title != "Outer outer" {
		t.Errorf("the page counted %q", title)
	}
}

func TestSnapshotR56CheckedOnlyOfWhatCanBeChecked(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	both(t, func(t *testing.T, r *rig) {
		r.show(`<input aria-label=Text value=x><textarea aria-label=Area></textarea><button>Button</button><a href=#>Link</a>
<select aria-label=List><option>one</select><input type=range aria-label=Range><div contenteditable aria-label=Host>x</div>
<input type=checkbox aria-label=Off><input type=checkbox checked aria-label=On><input type=checkbox aria-label=Half id=h><input type=radio aria-label=Dot>
<div role=switch tabindex=0 aria-label=Switch aria-checked=true></div><div role=menuitemcheckbox tabindex=0 aria-label=Item></div>
<script>h.indeterminate = true</script>`)
		s := r.snap(full).Snapshot
		want := map[string]messages.Checked{"Off": "false", "On": "true", "Half": "mixed", "Dot": "false", "Switch": "true", "Item": "false"}
		for _, n := range s.Nodes {
			if n.Checked != want[n.Name] {
				t.Errorf("%s %q: checked %q, want %q", n.Role, n.Name, n.Checked, want[n.Name])
			}
		}
	})
}

// Each native picker stands in a snapshot once, as itself, whatever parts the engine
// builds it of; no part can be acted on (R62, R64).
func TestSnapshotR64PickersStandForTheirParts(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	both(t, func(t *testing.T, r *rig) {
		var page strings.Builder
		kinds := []string{"date", "time", "month", "week", "datetime-local", "number", "color", "range"}
		for _, kind := range kinds {
			page.WriteString(`<label>The ` + kind + ` <input type=` + kind + `></label>`)
			page.WriteString(`<input type=` + kind + ` role=presentation aria-label="Bare ` + kind + `">`)
		}
		r.show(page.String())
		s := r.snap(full).Snapshot
		count := map[string]int{}
		for _, n := range s.Nodes {
			if len(n.Actions) == 0 {
				continue
			}
			if actions(n) != "set_value" {
				t.Errorf("%s %q admits %v", n.Role, n.Name, n.Actions)
			}
			count[n.InputType]++
		}
		for _, kind := range kinds {
			if count[kind] != 2 {
				t.Errorf("%d controls of type %s admit an action, want 2:\n%s", count[kind], kind, show(s))
			}
		}
	})
}
