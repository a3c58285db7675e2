package effect

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

// Kinds of widgets that libraries build, each on a page of ours.

// An entry whose text is put into it through a slot is pressed.
func TestR90_SlottedEntries(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := visitFixture(t, "/choice-slotted")
	r.take("#combo")
	r.want(r.do(&messages.SelectChoice{OnElement: on("#combo"), ChoicePath: []string{"Extra large"}}), messages.Completed, "")
	r.equal("what was chosen", r.effects("chosen"), "Extra large")
}

// An editor's body inside a frame takes values and text, and what does not keep the
// focus gets none, nor does anything else.
func TestR227_EditorsInFrames(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := visitFixture(t, "/editor-frame")
	letter, note, draft := "#written >>> body", "#given >>> body", "#thief >>> body"
	r.take(letter, note, draft)
	r.want(r.do(&messages.SetValue{OnElement: on(letter), Value: "Hello you"}), messages.Completed, "")
	r.equal("the letter", r.js("document.getElementById('written').contentDocument.body.innerText.trim()"), "Hello you")
	r.want(r.do(&messages.InputText{OnElement: on(note), Text: " and more"}), messages.Completed, "")
	r.equal("the note", r.js("document.getElementById('given').contentDocument.body.innerText.trim()"), "Old note and more")
	r.want(r.do(&messages.SetValue{OnElement: on(note), Value: "New"}), messages.Completed, "")
	r.equal("the note", r.js("document.getElementById('given').contentDocument.body.innerText.trim()"), "New")
	r.want(r.do(&messages.SetValue{OnElement: on(letter), Value: "Again"}), messages.Completed, "")
	r.equal("the letter", r.js("document.getElementById('written').contentDocument.body.innerText.trim()"), "Again")
	for _, command := range []messages.Effect{
		&messages.SetValue{OnElement: on(draft), Value: "New draft"}, &messages.InputText{OnElement: on(draft), Text: "more"},
	} {
		if receipt := r.do(command); receipt.ExecutionState == messages.Completed {
			t.Errorf("completed, and the field gave its focus away: %+v", receipt)
		}
	}
	r.equal("the draft", r.js("document.getElementById('thief').contentDocument.body.innerText.trim()"), "Old draft")
	r.equal("the field outside", r.js("document.getElementById('outer').value"), "outer")
}

// One more choice leaves what was chosen before, and where it did not, the receipt
// names what is not there any more, in whatever way the control shows what it holds.
func TestR93_ChoicesBesideOthers(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	for _, c := range []struct{ control, lost, want string }{
		{"sorts", "", "Mozzarella,Olives,Onion"},
		{"folds", "", "Ham,Onion,Mozzarella"},
		{"counts", "", "Ham,Onion,Mozzarella"},
		{"names", "", "Ham,Onion,Mozzarella"},
		{"late", "", "Ham,Onion,Mozzarella"},
		{"single", "", "Mozzarella"},
		{"replaces", `"Ham"`, "Mozzarella"},
		{"unmarked", `"Ham", "Onion"`, "Mozzarella"},
		{"bounded", `"Ham"`, "Onion,Mozzarella"},
		{"drops", `"Corn", "Onion"`, "Ham,Mozzarella"},
		{"leaves", `"Ham", "Onion"`, "Ham,Onion,Mozzarella|Mozzarella"},
	} {
		t.Run(c.control, func(t *testing.T) {
			r := visitFixture(t, "/choice-several")
			r.take("#" + c.control)
			receipt := r.do(&messages.SelectChoice{OnElement: on("#" + c.control), ChoicePath: []string{"Mozzarella"}})
			r.want(receipt, messages.Completed, "")
			r.equal("what is chosen", r.effects("chosen"), c.want)
			if c.lost == "" {
				r.equal("value_matches", matches(receipt.Observed.ValueMatches), "true")
				return
			}
			r.equal("value_matches", matches(receipt.Observed.ValueMatches), "false")
			if !strings.Contains(receipt.Message, "does not show "+c.lost+" any more") {
				t.Errorf("%q does not name what is gone", receipt.Message)
			}
		})
	}
}

// Custom controls inside a frame are worked on in the frame's own document.
func TestR94_ControlsInFrames(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := visitFixture(t, "/frame-widgets")
	inFrame := func(id, name string) string {
		return r.js("document.getElementById('" + id + "').contentWindow.__effects.filter(e=>e.name==='" + name + "').map(e=>e.detail).join('|')")
	}
	r.take("#choice >>> #combo", "#date >>> #field")
	r.want(r.do(&messages.SelectChoice{OnElement: on("#choice >>> #combo"), ChoicePath: []string{"Green"}}), messages.Completed, "")
	r.equal("what was chosen", inFrame("choice", "chosen"), "Green")
	r.want(r.do(&messages.SetDate{OnElement: on("#date >>> #field"), Value: "2026-03-17"}), messages.Completed, "")
	r.equal("the date", inFrame("date", "date"), "2026-03-17")
	r.want(r.do(&messages.SelectChoice{OnElement: on("#choice >>> #combo"), ChoicePath: []string{"Purple"}}), messages.OutcomeUnknown, messages.CodeOptionNotFound)
	r.equal("what was chosen", inFrame("choice", "chosen"), "Green")
}

// The first end of a range that shows nothing before it has both is set when the calendar
// marks it, and the caller is told to go on; the other end completes it, also where only
// the outer months lead on. What fails in between does not give the first end up.
func TestF43_EndsOfARange(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	for _, c := range []struct{ page, first, last string }{
		{"/date-ends", "2026-03-10", "2026-03-14"},
		{"/date-panes", "2026-11-10", "2027-02-14"},
		{"/date-panes", "2026-08-30", "2026-09-02"},
	} {
		r := visitFixture(t, c.page)
		r.take("#from", "#to")
		receipt := r.do(&messages.SetDate{OnElement: on("#from"), Value: c.first})
		r.want(receipt, messages.Completed, "")
		if !strings.Contains(receipt.Message, "other end is set") || receipt.Observed != nil {
			t.Errorf("%q does not say what to do", receipt.Message)
		}
		// The end that is set already is not pressed again.
		r.want(r.do(&messages.SetDate{OnElement: on("#from"), Value: c.first}), messages.Completed, "")
		r.want(r.do(&messages.SetDate{OnElement: on("#to"), Value: "2626-03-14"}), messages.NotStarted, messages.CodeDateNotFound)
		r.want(r.do(&messages.SetDate{OnElement: on("#to"), Value: c.last}), messages.Completed, "")
		r.equal("the range", r.effects("range"), c.first+" "+c.last)
		r.equal("what was begun", r.effects("begun"), c.first)
	}
}

// A drop zone that empties its input has taken the file, and the receipt says that.
func TestR134_DropZonesTakeFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := visitFixture(t, "/upload-zones")
	r.files = folder(dir)
	r.take(".zone input", "span input")
	for _, input := range []string{".zone input", "span input"} {
		receipt := r.do(&messages.UploadFile{OnElement: on(input), Path: "a.txt"})
		r.want(receipt, messages.Completed, "")
		if !strings.Contains(receipt.Message, "took the file") {
			t.Errorf("%q does not say what became of the file", receipt.Message)
		}
	}
	r.equal("what was taken", r.effects("taken"), "0 a.txt|1 a.txt")
}
