package effect

import (
	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// valueArgs is the argument of prepare and change.
type valueArgs struct {
	fence
	Value  string `json:"value"`
	Option string `json:"option,omitempty"`
	// Told is the token under which the page says that the control is set. It is below
	// zero, since the guard counts its own upwards.
	Told int `json:"told,omitempty"`
}

// prepared is the answer of prepare.
type prepared struct {
	answered
	// Kind is how the value gets into the element: text, exact, editable, slider, select.
	Kind  string  `json:"kind"`
	Empty bool    `json:"empty"`
	Now   float64 `json:"now"`
	// Section says that the element is one section of a larger field, such as the
	// month of a date, which takes its characters one by one.
	Section bool `json:"section"`
	// Keep says that typed text goes where the caret is, else behind what is there.
	Keep bool `json:"keep"`
	// Note is what the caller should know although it stops nothing.
	Note string `json:"note"`
}

// inputText types at the caret (R60): where somebody put it into the text, else
// after what is there.
func (j *job) inputText(c *messages.InputText, r *snapshot.Record) outcome {
	f := j.fence(r, "input_text").typing(c.Text)
	var plan prepared
	if err := j.checkedAct("prepare", valueArgs{fence: f, Value: c.Text}, &plan); err != nil {
		return refused(err)
	}
	caret := "end"
	if plan.Keep {
		caret = "keep"
	}
	at, o := j.focus(f, caret, r)
	if o != nil {
		return *o
	}
	out := j.guarded(at, "", j.typeText(c.Text))
	out.record, out.want = r, wantValue
	if out.err != nil || !c.Submit || j.watch.dialogOpen() {
		return out
	}
	return j.submit(f, out)
}

// typeText sends text as one insertion, or key by key where the policy says so.
func (j *job) typeText(text string) []*cdp.Pending {
	if j.env.Page.Policy.Typing != target.TypingKeys {
		return []*cdp.Pending{j.input(textMethod, map[string]string{"text": text})}
	}
	var calls []*cdp.Pending
	for _, c := range text {
		calls = append(calls, j.tap(messages.Chord{Key: typed(c)})...)
	}
	return calls
}

// submit presses Enter behind typed text. The text has arrived by now, so that
// nothing that fails here can be a refusal.
func (j *job) submit(f fence, done outcome) outcome {
	f.Act = "key"
	var answer focused
	if err := j.call("focus", focusArgs{f, "keep"}, &answer); err != nil {
		return unknown(done, j.after(err, false))
	}
	if err := answer.refusal(); err != nil {
		return unknown(done, err.AsUnknown())
	}
	pressed := j.guarded(answer, "+keypress", j.named("Enter"))
	if pressed.err != nil {
		return unknown(done, pressed.err.AsUnknown())
	}
	return done
}

// unknown is an outcome of which a first part is done.
func unknown(done outcome, err *messages.Error) outcome {
	done.err = err.AsUnknown()
	return done
}

// changed is the answer of change: what prepare answers, and either the state that
// was read back or that only input can do it.
type changed struct {
	prepared
	Deferred bool `json:"deferred"`
	// Mutations are the changes that the page made while it was told of the value.
	Mutations int           `json:"mutations"`
	State     *elementState `json:"state"`
}

// setValue replaces the value of a control exactly (R60, R79, C18). The plan is
// asked for before the operation id is spent; in a batch that has spent it already
// one call plans and does it.
func (j *job) setValue(c *messages.SetValue, r *snapshot.Record) outcome {
	f := j.fence(r, "set_value").typing(c.Value)
	args := valueArgs{fence: f, Value: c.Value}
	var plan changed
	if !j.spent {
		if err := j.checkedAct("prepare", args, &plan.prepared); err != nil {
			return refused(err)
		}
		plan.Deferred = plan.Kind == "editable" || plan.Kind == "slider"
	}
	out := outcome{}
	if !plan.Deferred {
		out = j.change(args, &plan)
	}
	if plan.Deferred && out.err == nil {
		if plan.Kind == "slider" {
			out = j.slide(f, c.Value, plan.Now, r)
		} else {
			out = j.replaceText(f, c.Value, &plan.prepared, r)
		}
	}
	out.record, out.want = r, wantValue
	return out
}

// change runs the page function that sets a native control.
func (j *job) change(args valueArgs, answer *changed) outcome {
	if err := j.begin(); err != nil {
		return refused(err)
	}
	j.changes++
	args.Told = -j.changes
	if err := j.act("change", args, answer); err != nil {
		if err == call.ErrDialog && j.watch.told[args.Told] != nil {
			return outcome{} // the control is set; its handler asks something
		}
		if err == call.ErrDialog {
			return refused(messages.UnknownOutcome(messages.CodeDialogOpen, "A dialog of something else opened while the control was to be set."))
		}
		return refused(j.after(err, true))
	}
	j.mutations += answer.Mutations
	o := outcome{err: answer.refusal()}
	if answer.State != nil {
		o.observed, o.fresh = answer.State.observed(wantValue), true
	}
	return o
}

// replaceText selects everything in an editing host as a person would, so that
// every editor takes it for its own selection, and types over it. In a section
// that chord would select the whole field.
func (j *job) replaceText(f fence, value string, plan *prepared, r *snapshot.Record) outcome {
	if plan.Empty && value == "" {
		return outcome{silent: true}
	}
	at, o := j.focus(f, "all", r)
	if o != nil {
		return *o
	}
	var calls []*cdp.Pending
	if !plan.Empty && !plan.Section {
		if !j.watch.await(j.named("a", messages.ModifierCtrl)...) {
			return outcome{}
		}
	}
	switch {
	case value == "":
		calls = j.named("Backspace")
	case plan.Section:
		for _, c := range value {
			calls = append(calls, j.tap(messages.Chord{Key: typed(c)})...)
		}
	default:
		calls = []*cdp.Pending{j.input(textMethod, map[string]string{"text": value})}
	}
	return j.guarded(at, "", calls)
}

// selectOption selects in a native select (FACTS 2.2).
func (j *job) selectOption(c *messages.SelectOption, r *snapshot.Record) outcome {
	args := valueArgs{fence: j.fence(r, "select_option"), Option: c.Option}
	var plan changed
	if !j.spent {
		if err := j.checkedAct("prepare", args, &plan.prepared); err != nil {
			return refused(err)
		}
	}
	out := j.change(args, &plan)
	out.record, out.want = r, wantValue
	return out
}
