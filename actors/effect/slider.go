package effect

import (
	"math"
	"strconv"

	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// sliderKeysMax bounds the keys that move a slider; at the bound it stops where
// it is, and the outcome says that the value was not reached.
const sliderKeysMax = 400

// sliderChunk is the number of equal keys that are sent before the value is read.
const sliderChunk = 40

// slidNumber is the answer of the page function number.
type slidNumber struct {
	answered
	Now float64 `json:"now"`
}

// slide moves an ARIA slider by keys and reads it after each stretch (R227). The
// first key tells the size of a step and which way it goes.
func (j *job) slide(f fence, value string, now float64, r *snapshot.Record) outcome {
	want, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return refused(messages.NewError(messages.CodeInvalidControlValue, "The slider takes a plain number."))
	}
	if now == want {
		return outcome{silent: true}
	}
	up, down := "ArrowRight", "ArrowLeft"
	step := 0.0
	for sent := 0; sent < sliderKeysMax; {
		key, count := up, 1
		if now > want {
			key = down
		}
		if step > 0 {
			left := math.Abs(want-now) / step
			if left < 1-1e-9 {
				return refused(messages.UnknownOutcome(messages.CodeInvalidControlValue, "The slider's steps do not lead to this value; it stands next to it."))
			}
			count = min(int(math.Round(left)), sliderChunk, sliderKeysMax-sent)
		}
		before := now
		var o *outcome
		if now, o = j.slideKeys(f, key, count, r); o != nil {
			return *o
		}
		sent += count
		if now == want {
			return outcome{}
		}
		moved := (now - before) / float64(count)
		switch {
		case moved == 0 && step == 0 && up == "ArrowRight":
			up, down = "ArrowUp", "ArrowDown" // a slider that stands upright
		case moved == 0:
			return refused(messages.UnknownOutcome(messages.CodeFormControlRejected, "The slider does not move to this value."))
		case (moved > 0) != (want > before):
			up, down = down, up // the page runs from right to left
			step = math.Abs(moved)
		case step == 0:
			step = math.Abs(moved)
		}
	}
	return refused(messages.UnknownOutcome(messages.CodeWidgetBoundsExceeded, "The slider is too many steps away from this value."))
}

// slideKeys presses one key some times and reads the value.
func (j *job) slideKeys(f fence, key string, count int, r *snapshot.Record) (float64, *outcome) {
	f.Act = "key"
	at, o := j.focus(f, "keep", r)
	if o != nil {
		return 0, o
	}
	calls := j.named(key)
	for range count - 1 {
		calls = append(calls, j.named(key)...)
	}
	if pressed := j.guarded(at, "", calls); pressed.err != nil || j.watch.dialogOpen() {
		return 0, &pressed
	}
	// A framework renders after the key; two frames are enough for it.
	if err := j.call("settle", settleArgs{Frames: 1, CapMs: settleKeyCapMs}, nil); err != nil {
		return 0, &outcome{err: j.after(err, false)}
	}
	var seen slidNumber
	if err := j.act("number", f, &seen); err != nil {
		return 0, &outcome{err: j.after(err, false)}
	}
	if err := seen.refusal(); err != nil {
		return 0, &outcome{err: err.AsUnknown()}
	}
	return seen.Now, nil
}
