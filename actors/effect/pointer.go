package effect

import (
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// hover moves the pointer onto the element.
func (j *job) hover(r *snapshot.Record) outcome {
	o := j.hoverElement(j.fence(r, "hover"))
	if o.err == nil || o.err.State != messages.NotStarted {
		o.record, o.want = r, wantState
	}
	return o
}

func (j *job) hoverElement(f fence) outcome {
	f.Act = "hover"
	var last *messages.Error
	for range aimAttempts {
		var aim aimed
		if err := j.aim(aimArgs{fence: f, Kind: "hover"}, &aim); err != nil {
			return refused(first(last, err))
		}
		if err := j.begin(); err != nil {
			return refused(err)
		}
		// A pointer that is there already makes no event: come from next to it.
		m := mouse{x: aim.X, y: aim.Y}
		beside := mouse{x: aim.X + 1, y: aim.Y}
		arrive := j.input(mouseMethod, beside.event("mouseMoved", "none", 0, 0))
		if !j.watch.await(arrive) {
			return outcome{}
		}
		o := j.pointed(aim.Token, []*cdp.Pending{arrive, j.input(mouseMethod, m.event("mouseMoved", "none", 0, 0))})
		if o.err == nil || o.err.State != messages.NotStarted {
			return o
		}
		last = o.err
	}
	return refused(last)
}

// pointed waits for pointer inputs and judges them by the guard.
func (j *job) pointed(token int, calls []*cdp.Pending) outcome {
	v, o := j.verdict(sign{Token: token}, calls)
	if o != nil {
		return *o
	}
	if stopped := v.stopped(); stopped != nil {
		return refused(stopped)
	}
	if v.hit() {
		return outcome{}
	}
	return refused(j.afterInput(errUnseen, calls))
}

// scroll turns the wheel over the element, or over the middle of the viewport.
func (j *job) scroll(c *messages.Scroll, r *snapshot.Record) outcome {
	page := &j.env.Page
	width, height := float64(page.ViewportWidth), float64(page.ViewportHeight)
	if width <= 0 || height <= 0 {
		width, height = messages.ViewportWidthDefault, messages.ViewportHeightDefault
	}
	m := mouse{x: width / 2, y: height / 2}
	var aim aimed
	if r != nil {
		if err := j.aim(aimArgs{fence: j.fence(r, "scroll"), Kind: "scroll"}, &aim); err != nil {
			return refused(err)
		}
		m.x, m.y = aim.X, aim.Y
	} else {
		var answer answered
		if err := j.checked("expect", messages.TakeoverWindow.Milliseconds(), &answer); err != nil {
			return refused(err)
		}
	}
	dx, dy := wheel(c, width, height)
	if err := j.begin(); err != nil {
		return refused(err)
	}
	e := m.event("mouseWheel", "none", 0, 0)
	e.DeltaX, e.DeltaY = &dx, &dy
	turn := j.input(mouseMethod, e)
	o := outcome{}
	if r != nil {
		o = j.pointed(aim.Token, []*cdp.Pending{turn})
	} else if j.watch.await(turn) {
		if err := turn.Wait(nil); err != nil {
			return refused(j.after(err, true))
		}
	}
	if o.err == nil && !j.watch.dialogOpen() {
		j.awaitScroll()
	}
	return o
}

// wheel is the turn of the wheel in CSS pixels.
func wheel(c *messages.Scroll, width, height float64) (dx, dy float64) {
	amount := float64(c.Amount)
	switch c.Direction {
	case messages.ScrollLeft, messages.ScrollRight:
		if amount == 0 {
			amount = width * scrollPart
		}
		dx = amount
	default:
		if amount == 0 {
			amount = height * scrollPart
		}
		dy = amount
	}
	if c.Direction == messages.ScrollLeft || c.Direction == messages.ScrollUp {
		return -dx, -dy
	}
	return dx, dy
}

// awaitScroll waits until a smooth scroll has come to its end, in bounds of its
// own. It changes nothing about the outcome.
func (j *job) awaitScroll() {
	var answer answered
	_ = j.act("scrolled", struct{}{}, &answer)
}
