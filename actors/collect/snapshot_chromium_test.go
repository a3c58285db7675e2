package collect_test

import (
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

const formPage = `<title>Form</title><h1>Sign in</h1>
<form><label for=e>Email</label><input id=e name=e placeholder="you@x" required>
<label>Password <input type=password id=p value="sekret123"></label>
<label>Bio <textarea>hello</textarea></label>
<label>Country <select id=c><option>France<option selected>Peru</select></label>
<label>Age <input type=number value=3></label>
<label>Born <input type=date value="2001-02-03"></label>
<label>Start <input type=time></label><label>Month <input type=month></label><label>Week <input type=week></label>
<label>When <input type=datetime-local></label><label>Tint <input type=color value="#ff0000"></label>
<label>Volume <input type=range min=0 max=10 value=4></label>
<label>Photo <input type=file></label>
<label><input type=checkbox checked> Agree</label>
<label><input type=radio name=r> One</label>
<button>Save</button><button disabled>Gone</button>
<input value="fixed" readonly aria-label=Fixed>
<a href="/x">Link</a>
<div contenteditable aria-label=Editor>text</div>
<div role=slider tabindex=0 aria-valuenow=3 aria-valuemin=0 aria-valuemax=9 aria-label=Loud></div>
<div role=slider aria-label=Bare></div><div role=spinbutton tabindex=0 aria-label=Spin></div>
<div role=combobox tabindex=0 aria-label=Custom aria-haspopup=listbox>Pick</div>
<div role=button tabindex=0>Fake</div><p>Some <b>bold</b> text</p>
</form>`

func TestSnapshotR60ActionsFollowTheElement(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, nil)
	r.show(formPage)
	s := r.snap(messages.TakeSnapshot{Mode: messages.ModeFull}).Snapshot
	t.Log("\n" + show(s))
	r.snap(messages.TakeSnapshot{Projection: messages.ProjectionTree})
	t.Log("\n" + r.snap(messages.TakeSnapshot{Projection: messages.ProjectionTree}).Snapshot.Text)
	for _, c := range []struct{ name, actions string }{
		{"Email", "click input_text set_value hover scroll drag"},
		{"Password", "click input_text set_value hover scroll drag"},
		{"Bio", "click input_text set_value hover scroll drag"},
		{"Country", "select_option"}, {"Age", "set_value"}, {"Born", "set_value"}, {"Start", "set_value"}, {"Month", "set_value"},
		{"Week", "set_value"}, {"When", "set_value"}, {"Tint", "set_value"}, {"Volume", "set_value"}, {"Photo", "upload_file"},
		{"Agree", "click hover scroll drag"}, {"One", "click hover scroll drag"}, {"Save", "click hover scroll drag"}, {"Gone", ""},
		{"Fixed", "click hover scroll drag"}, {"Link", "click hover scroll drag"},
		{"Editor", "click input_text set_value hover scroll drag"}, {"Loud", "set_value"}, {"Bare", ""}, {"Spin", ""},
		{"Custom", "click select_choice hover scroll drag"}, {"Fake", "click hover scroll drag"},
	} {
		if got := actions(find(t, s, "", c.name)); got != c.actions {
			t.Errorf("%s admits %q, want %q", c.name, got, c.actions)
		}
	}
}
