package effect

import (
	"fmt"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// aimArgs is the argument of the world's aim.
type aimArgs struct {
	fence
	Kind string `json:"kind"`
	// To is the index of the element at the other end of a drag.
	To *int `json:"to,omitempty"`
}

// aimed is the answer of aim and reaim.
type aimed struct {
	answered
	Token  int     `json:"token"`
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	ToX    float64 `json:"to_x"`
	ToY    float64 `json:"to_y"`
	Via    string  `json:"via"`
	Moving bool    `json:"moving"`
	Moved  bool    `json:"moved"`
}

// verdict is what the guard saw.
type verdict struct {
	target.Refusal
	Armed   bool  `json:"armed"`
	Expired bool  `json:"expired"`
	Hit     *bool `json:"hit"`
	Presses int   `json:"presses"`
	Clicks  int   `json:"clicks"`
	// Gestures are the presses that were followed by their release and their click,
	// each on the element or on what belongs to it (C39).
	Gestures int `json:"gestures"`
	Inputs   int `json:"inputs"`
	// Drops are the releases and drop events at the other end of a drag, Dropped the
	// drop events among them.
	Drops     int             `json:"drops"`
	Dropped   int             `json:"dropped"`
	Blocked   *target.Refusal `json:"blocked"`
	Mutations int             `json:"mutations"`
	// Events are those that the guard judged, in order, each with "+" or "-".
	Events []string `json:"events"`
}

func (v *verdict) hit() bool { return v.Hit != nil && *v.Hit }

// stopped is the refusal of a guard that let nothing through, nil otherwise.
func (v *verdict) stopped() *messages.Error {
	if v.Blocked == nil || v.hit() {
		return nil
	}
	return v.Blocked.Err()
}

// click presses and releases a button on the element under the armed guard.
func (j *job) click(c *messages.Click, r *snapshot.Record) outcome {
	f := j.fence(r, "click")
	checks, err := j.prepareClick(f, r)
	if err != nil {
		return refused(err)
	}
	o := j.pressElement(c, f)
	o.careful = checks
	if o.err == nil || o.err.State != messages.NotStarted {
		o.record, o.want = r, wantState
	}
	return o
}

// pressElement aims, presses and judges, and aims once more when the guard proved
// that the press did not arrive.
func (j *job) pressElement(c *messages.Click, f fence) outcome {
	var last *messages.Error
	for attempt := range aimAttempts {
		var aim aimed
		if err := j.aim(aimArgs{fence: f, Kind: "click"}, &aim); err != nil {
			return refused(first(last, err))
		}
		if err := j.begin(); err != nil {
			return refused(err)
		}
		o, again := j.press(c, &aim, attempt > 0 || aim.Moving)
		if !again {
			return o
		}
		last = o.err
	}
	return refused(last)
}

// aim arms the guard for the element and finds the point, and sees to it in the
// same round trip that the page functions are there.
func (j *job) aim(args aimArgs, out *aimed) *messages.Error {
	ready := j.startAct("ready", struct{}{})
	if err := j.checked("aim", args, out); err != nil {
		return err
	}
	return j.ensureActs(ready)
}

// first keeps the refusal that was proved by the guard over the one of a second
// aim, which only says that there was nothing left to aim at.
func first(earlier, later *messages.Error) *messages.Error {
	if earlier != nil {
		return earlier
	}
	return later
}

// clickArgs is the argument of prepare for a click.
type clickArgs struct{ fence }

// checkRoles are the recorded roles and tags whose state a click is meant to
// change, which is noted before.
var checkRoles = map[string]bool{
	"checkbox": true, "radio": true, "switch": true, "menuitemcheckbox": true, "menuitemradio": true, "LabelText": true,
}

// prepareClick notes the state of a check box, switch, radio or label before the
// click, and reports whether there is one. Other elements have no state that a click
// is known to change.
func (j *job) prepareClick(f fence, r *snapshot.Record) (checks bool, err *messages.Error) {
	if !checkRoles[r.Role] && r.Tag != "label" && r.InputType != "checkbox" && r.InputType != "radio" {
		return false, nil
	}
	var answer answered
	return true, j.checkedAct("prepare", clickArgs{f}, &answer)
}

// press sends the input of one aim. again says that the guard stopped it and
// that nothing was started.
func (j *job) press(c *messages.Click, aim *aimed, wait bool) (o outcome, again bool) {
	m := mouse{x: aim.X, y: aim.Y, modifiers: modifierBits(c.Modifiers)}
	move := j.input(mouseMethod, m.event("mouseMoved", "none", 0, 0))
	if wait {
		if !j.watch.await(move) {
			return outcome{}, false
		}
		if err := move.Wait(nil); err != nil {
			return refused(j.after(err, true)), false
		}
		if err := j.checked("reaim", aim.Token, aim); err != nil {
			return refused(err), true
		}
		m.x, m.y = aim.X, aim.Y
	}
	calls := []*cdp.Pending{move}
	button, bit := buttonOf(c.Button)
	for n := 1; n <= max(c.Count, 1); n++ {
		calls = append(calls,
			j.input(mouseMethod, m.event("mousePressed", button, bit, n)),
			j.input(mouseMethod, m.event("mouseReleased", button, 0, n)))
	}
	sign := sign{Token: aim.Token, Clicks: max(c.Count, 1)}
	if button == "right" {
		sign.Clicks = 0 // its menu event comes with the press already
	}
	v, ended := j.verdict(sign, calls)
	if ended != nil {
		return *ended, false
	}
	return j.judgeClick(v, max(c.Count, 1), calls)
}

// judgeClick turns the guard's record into the outcome (C39, CDP.md 3 and 9). Only
// gestures that arrived whole complete a click; the table stands in ARCHITECTURE.
func (j *job) judgeClick(v *verdict, count int, calls []*cdp.Pending) (o outcome, again bool) {
	if stopped := v.stopped(); stopped != nil {
		return refused(stopped), true
	}
	switch {
	case v.hit() && v.Blocked != nil:
		return partOf("The press arrived, and the rest of the click was stopped, since it would have reached another element."), false
	case v.hit() && v.Gestures >= count:
		return outcome{}, false
	case v.hit() && v.Gestures > 0:
		return partOf(fmt.Sprintf("%d of %d clicks arrived.", v.Gestures, count)), false
	case v.hit() && v.Clicks > 0:
		return partOf("The press and a click arrived, and the release did not: the page moved or changed the element in between."), false
	case v.hit():
		return partOf("The press arrived and no click followed: the page moved, covered or replaced the element when it was pressed."), false
	}
	return refused(j.afterInput(errUnseen, calls)), false
}

// partOf is the outcome of an input of which a part arrived.
func partOf(detail string) outcome {
	return refused(messages.UnknownOutcome(messages.CodePartialEffectOutcomeUnknown, "%s Observe before anything else.", detail))
}
