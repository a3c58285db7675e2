package effect

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

func TestTextFieldsOfFixtures(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	type field struct{ id, text, value, matches string }
	for page, fields := range map[string][]field{
		"/field-caret": {
			{"#caret", "X", "beginXend", "true"}, {"#selection", "swap", "keep swap keep", "true"}, {"#area", "new ", "first\nnew last", "true"},
		},
		"/field-code":   {{"[aria-label='Digit 1']", "4", "4", "true"}, {"[aria-label='Digit 2']", "2", "2", "true"}},
		"/field-vetoes": {{"#keys", "abc", "abc", "true"}, {"#back", "x", "old", "false"}},
		"/field-rewrites": {
			{"#short", "abcdefg", "abcde", "false"}, {"#upper", "abc", "ABC", "false"}, {"#phone", "1234567890", "123-456-7890", "false"},
			{"#cleared", "abc", "", "false"}, {"#later", "ABC", "abc", "false"},
		},
		"/field-password":   {{"#new", "hunter2", "none", "true"}},
		"/swallowed-events": {{"#field", "abc", "abc", "true"}},
	} {
		t.Run(page, func(t *testing.T) {
			r := visitFixture(t, page)
			for _, f := range fields {
				if r.js("document.querySelector("+`"`+f.id+`"`+")===null") == "true" {
					f.id = "input"
				}
				r.take(f.id)
				receipt := r.do(&messages.InputText{OnElement: on(f.id), Text: f.text})
				r.want(receipt, messages.Completed, "")
				if o := receipt.Observed; o == nil || text(o.Value) != f.value || matches(o.ValueMatches) != f.matches {
					t.Errorf("%s: %q %+v, want %q %s", f.id, text(o.Value), o, f.value, f.matches)
				}
			}
		})
	}
}

func TestSetValueOfFixtures(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := visitFixture(t, "/field-rewrites")
	r.take("#short", "#upper", "#phone", "#trimmed", "#cleared", "#later")
	for id, want := range map[string]string{"#short": "abcde", "#upper": "ABCDEFG", "#phone": "123-456-7890", "#trimmed": "a b", "#cleared": "", "#later": "abc"} {
		value := map[string]string{"#short": "abcdefg", "#upper": "abcdefg", "#phone": "1234567890", "#trimmed": " a b ", "#cleared": "x", "#later": "ABC"}[id]
		receipt := r.do(&messages.SetValue{OnElement: on(id), Value: value})
		r.want(receipt, messages.Completed, "")
		if o := receipt.Observed; o == nil || text(o.Value) != want || matches(o.ValueMatches) != "false" {
			t.Errorf("%s: %q %+v, want %q", id, text(o.Value), o, want)
		}
	}
}

// A field that counts when it is left is left.
func TestSetValueLeaves(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := visitFixture(t, "/field-leaving")
	r.take("#quantity")
	r.want(r.do(&messages.SetValue{OnElement: on("#quantity"), Value: "12"}), messages.Completed, "")
	r.equal("what the application took over", r.effects("left"), "12")
}

// A missing entry is answered with what there is (R97).
func TestSelectChoiceNamesWhatIsOffered(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := visitFixture(t, "/choice-own-words")
	r.take("#sort")
	receipt := r.do(&messages.SelectChoice{OnElement: on("#sort"), ChoicePath: []string{"Rank"}})
	r.want(receipt, messages.OutcomeUnknown, messages.CodeOptionNotFound)
	for _, part := range []string{`"name", "date", "rank"`, "use one of these labels exactly"} {
		if !strings.Contains(receipt.Message, part) {
			t.Errorf("%q does not say %s", receipt.Message, part)
		}
	}
}

func TestPointerOfFixtures(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := visitFixture(t, "/odd-targets")
	ids := []string{"#lines", "#block", "#area", "#turned", "#round", "#tiny", "#contents", "#boxed", "#clipped", "#drawn"}
	for _, id := range ids {
		r.take(id)
		r.want(r.do(&messages.Click{OnElement: on(id)}), messages.Completed, "")
	}
	if n := r.js("__effects.filter(e=>e.name==='click').length"); n != "10" {
		t.Errorf("%s clicks on %d targets: %s", n, len(ids), r.effects("click"))
	}
	r = visitFixture(t, "/covered-partly")
	r.take("#centre", "#strip", "#whole", "#below")
	for _, id := range []string{"#centre", "#below", "#centre", "#strip"} {
		if receipt := r.do(&messages.Click{OnElement: on(id)}); receipt.ExecutionState != messages.Completed {
			t.Errorf("%s: %s %s", id, receipt.Code, receipt.Message)
		}
	}
	r.want(r.do(&messages.Click{OnElement: on("#whole")}), messages.NotStarted, messages.CodeElementCovered)
	r = visitFixture(t, "/swallowed-events")
	r.take("#button")
	r.want(r.do(&messages.Click{OnElement: on("#button")}), messages.Completed, "")
	r = visitFixture(t, "/checkbox-refuses")
	r.take("#later")
	if o := r.do(&messages.Click{OnElement: on("#later")}).Observed; o == nil || matches(o.StateMatches) != "false" {
		t.Errorf("a state that is taken back later: %+v", o)
	}
}

func TestDragsOfFixtures(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := visitFixture(t, "/drag-mouse")
	r.take("#todo .card", "#done")
	r.want(r.do(&messages.Drag{OnElement: on("#todo .card"), TargetElementID: "#done"}), messages.Completed, "")
	if got := r.effects("drop"); !strings.Contains(got, `"column":"done"`) || !strings.Contains(got, `"trusted":true`) {
		t.Error(got)
	}
	r = visitFixture(t, "/drag-slider")
	r.take("#handle", "#mark")
	r.want(r.do(&messages.Drag{OnElement: on("#handle"), TargetElementID: "#mark"}), messages.Completed, "")
	r.equal("value", r.js("document.getElementById('value').value"), "75")
	r.equal("captures", r.effects("value"), "75")
}

func TestUploadsOfFixtures(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"a.txt": "12345", "big.txt": "123456789012345"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := visitFixture(t, "/upload-kinds")
	r.files = folder(dir)
	r.take("#one", "#picture", "#disabled")
	r.want(r.do(&messages.UploadFile{OnElement: on("#one"), Path: "a.txt"}), messages.Completed, "")
	receipt := r.do(&messages.UploadFile{OnElement: on("#picture"), Path: "a.txt"})
	r.want(receipt, messages.Completed, "")
	if !strings.Contains(receipt.Message, "image/*") {
		t.Errorf("the kind is not told: %q", receipt.Message)
	}
	r.want(r.do(&messages.UploadFile{OnElement: on("#disabled"), Path: "a.txt"}), messages.NotStarted, messages.CodeControlDisabled)
	r = visitFixture(t, "/upload-refuses")
	r.files = folder(dir)
	r.take("#small", "[aria-label=Renewed]")
	receipt = r.do(&messages.UploadFile{OnElement: on("#small"), Path: "big.txt"})
	r.want(receipt, messages.Completed, "")
	if o := receipt.Observed; o == nil || matches(o.ValueMatches) != "false" || !strings.Contains(receipt.Message, "look at the page") {
		t.Errorf("%+v %q", o, receipt.Message)
	}
	r.want(r.do(&messages.UploadFile{OnElement: on("[aria-label=Renewed]"), Path: "a.txt"}), messages.Completed, "")
	r.equal("taken", r.effects("taken"), "a.txt")
}
