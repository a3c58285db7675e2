package effect

import (
	"errors"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// widgetInputsMax bounds the inputs of one choice or date; at the bound the
// control counts as larger than may be worked through.
const widgetInputsMax = 80

// instruction is what a procedure in the page asks for (page/procedure.js).
type instruction struct {
	answered
	Do     string        `json:"do"`
	Index  int           `json:"index"`
	Text   string        `json:"text"`
	Key    string        `json:"key"`
	Code   messages.Code `json:"code"`
	Detail string        `json:"detail"`
	Chosen bool          `json:"chosen"`
	// Lost names what a control of several choices held before and does not show any
	// more, as it is told to the caller.
	Lost string `json:"lost"`
	// Begun says that a calendar marks the first end of a range and waits for the other.
	Begun bool `json:"begun"`
}

// reply answers an instruction. Code says why an input was not carried out.
type reply struct {
	OK bool `json:"ok"`
	// Partial says that of a press the release did not arrive.
	Partial bool          `json:"partial,omitempty"`
	Code    messages.Code `json:"code,omitempty"`
	Detail  string        `json:"detail,omitempty"`
}

// choiceArgs is the argument of the page function choice.
type choiceArgs struct {
	fence
	Path []string `json:"path"`
}

// dateArgs is the argument of the page function date.
type dateArgs struct {
	fence
	Value string `json:"value"`
}

// selectChoice chooses in a custom control by an exact path of labels (R90-R98).
func (j *job) selectChoice(c *messages.SelectChoice, r *snapshot.Record) outcome {
	f := j.fence(r, "select_choice")
	return j.procedure("choice", choiceArgs{f, c.ChoicePath}, f, r)
}

// procedure runs a page function that asks for inputs and ends by itself. What it
// finds out it finds in the page; every input it asks for goes through the same
// guard as a click of its own.
func (j *job) procedure(function string, args any, f fence, r *snapshot.Record) outcome {
	var step instruction
	if err := j.act(function, args, &step); err != nil {
		return refused(j.before(err))
	}
	landed := false
	for range widgetInputsMax {
		if err := step.refusal(); err != nil {
			return widgetFailed(err, landed)
		}
		if step.Do == "end" {
			return j.widgetEnd(&step, landed)
		}
		o := j.instructed(&step, f)
		switch {
		case j.watch.dialogHeld():
			return refused(messages.UnknownOutcome(messages.CodeDialogOpen, "A dialog opened while the control was worked on."))
		case o.err != nil && o.err.State == messages.OutcomeUnknown:
			return o
		case o.err != nil && (o.err.Code == messages.CodeCancelled || o.err.Code == messages.CodeOperationIDSpent):
			return widgetFailed(o.err, landed)
		case o.err == nil:
			landed = true
		}
		answer := reply{OK: o.err == nil, Partial: o.partial}
		if o.err != nil {
			answer.Code, answer.Detail = o.err.Code, o.err.Detail
		}
		step = instruction{}
		if err := j.act("resume", answer, &step); err != nil {
			return j.widgetLost(err, landed)
		}
	}
	return widgetFailed(messages.NewError(messages.CodeWidgetBoundsExceeded, ""), landed)
}

// instructed carries one instruction out.
func (j *job) instructed(step *instruction, f fence) outcome {
	f.Index, f.Act = step.Index, "click"
	switch step.Do {
	case "begin":
		if err := j.begin(); err != nil {
			return refused(err)
		}
		return outcome{}
	case "press":
		o := j.pressElement(&messages.Click{}, f)
		if o.err != nil && o.err.Code == messages.CodePartialEffectOutcomeUnknown {
			// The press arrived, and what came up under it kept the release: that is
			// how some popups open. What it led to is for the procedure to see.
			return outcome{partial: true}
		}
		return o
	case "hover":
		return j.hoverElement(f)
	case "type":
		f.Act = "key"
		at, o := j.focusAgain(f.typing(step.Text), "all")
		if o != nil {
			return *o
		}
		return j.guarded(at, "", []*cdp.Pending{j.input(textMethod, map[string]string{"text": step.Text})})
	case "nudge":
		return j.looseKey(messages.Chord{Key: nudgeKey})
	case "key":
		c, ok := messages.LookupChord(step.Key, nil)
		if !ok {
			return refused(messages.NewError(messages.CodeInvalidKey, ""))
		}
		return j.looseKey(c)
	}
	return refused(messages.NewError(messages.CodeFormControlResultInvalid, ""))
}

// nudgeKey is a key that does nothing by itself: a search field that looks at its text
// only when a key comes up does so at this one.
var nudgeKey = messages.Key{Key: "Shift", Code: "ShiftLeft", VirtualKey: 16}

// widgetEnd turns the end of a procedure into the outcome.
func (j *job) widgetEnd(step *instruction, landed bool) outcome {
	if step.Code != "" {
		return widgetFailed(messages.NewError(step.Code, "%s", sentence(step.Detail)), landed)
	}
	matches := step.Lost == ""
	o := outcome{observed: &messages.Observed{ValueMatches: &matches}, silent: !j.began && !j.spent}
	if !matches {
		o.note = "The entry is chosen, and the control does not show " + step.Lost + " any more, which it held before."
	}
	if step.Begun {
		// The fields show nothing yet, and so there is nothing of theirs to compare.
		o.observed = nil
		o.note = "The calendar marks this end of the range and stays open; the fields show it when the other end is set. Set that one next."
	}
	if !step.Chosen {
		return widgetFailed(messages.NewError(messages.CodeFormControlResultInvalid, ""), landed)
	}
	return o
}

// widgetFailed is not_started only while no input has landed (R97).
func widgetFailed(err *messages.Error, landed bool) outcome {
	if landed {
		return refused(err.AsUnknown())
	}
	e := *err
	e.State = messages.NotStarted
	return refused(&e)
}

func (j *job) widgetLost(err error, landed bool) outcome {
	if errors.Is(err, call.ErrDialog) {
		return refused(messages.UnknownOutcome(messages.CodeDialogOpen, "A dialog opened while the control was worked on."))
	}
	return refused(j.after(err, !landed))
}

// sentence makes a detail of a page function a sentence.
func sentence(detail string) string {
	if detail == "" {
		return ""
	}
	return "The control was not set: " + detail + "."
}
