package effect

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// bindingCalled is the part of Runtime.bindingCalled that is read.
type bindingCalled struct {
	Name    string `json:"name"`
	Payload string `json:"payload"`
}

// toldEventsMax bounds the events that are kept of one input; more than a triple
// click and its modifiers never come.
const toldEventsMax = 32

// noteTold keeps what the guard says of input as it arrives.
func (w *watch) noteTold(e cdp.Event) {
	var b bindingCalled
	var said struct {
		verdict
		Token int    `json:"token"`
		Event string `json:"event"`
	}
	if e.Decode(&b) != nil || b.Name != target.GuardBinding || json.Unmarshal([]byte(b.Payload), &said) != nil {
		return
	}
	if w.told == nil {
		w.told = make(map[int]*verdict)
	}
	v := w.told[said.Token]
	if v == nil {
		hit := true
		v = &verdict{Armed: true, Hit: &hit}
		w.told[said.Token] = v
	}
	v.Presses, v.Clicks, v.Gestures = said.Presses, said.Clicks, said.Gestures
	v.Inputs, v.Drops, v.Dropped = said.Inputs, said.Drops, said.Dropped
	if len(v.Events) < toldEventsMax {
		v.Events = append(v.Events, said.Event)
	}
}

// began reports whether the guard has told that the input of a token began at its
// element, with nothing of it stopped.
func (w *watch) began(token int) bool {
	w.drain()
	v := w.told[token]
	return v != nil && v.Presses > 0 && !v.stoppedSome()
}

// stoppedSome reports whether an inner scope stopped an event after all.
func (v *verdict) stoppedSome() bool {
	return slices.ContainsFunc(v.Events, func(event string) bool { return strings.HasPrefix(event, "-") })
}

// dialogged is how an input ends whose page shows a dialog: completed when it was
// told to have begun (R121). A dialog of something else, a timer's say, may have
// come first; then the input waits behind it, and what it will do is not known.
func (j *job) dialogged(token int) *outcome {
	if j.watch.began(token) {
		return &outcome{}
	}
	return &outcome{err: messages.UnknownOutcome(messages.CodeDialogOpen,
		"A dialog opened while the input was on its way, before it was seen to arrive. Answer the dialog, then observe.")}
}

// saw is the guard's record of an input whose document was left before it could
// be read: what was told as the input arrived, when it holds the whole of the
// sign and nothing of it was stopped further in. A page that only does not answer
// is no such case: what its handlers did is not known.
func (w *watch) saw(s sign, lost error) *verdict {
	if !target.DocumentLost(lost) {
		return nil
	}
	w.drain()
	v := w.told[s.Token]
	if v == nil || v.stoppedSome() {
		return nil
	}
	whole := slices.Contains(v.Events, "+contextmenu")
	switch {
	case s.Clicks > 0:
		whole = v.Gestures >= s.Clicks
	case s.Event != "":
		whole = slices.Contains(v.Events, s.Event)
	}
	if !whole {
		return nil
	}
	return v
}
