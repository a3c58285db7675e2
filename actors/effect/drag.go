package effect

import (
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// drag presses on the element, moves to the target element and releases there,
// both under one guard. Where the page starts a drag of the browser's own kind
// (draggable), the browser hands it over and it is brought to its end by drag
// events, because a native drag follows the real pointer.
func (j *job) drag(c *messages.Drag, r *snapshot.Record) outcome {
	// Something may be dropped on whatever admits anything.
	to, err := j.env.Resolve(c.TargetElementID, "")
	if err != nil {
		return refused(err)
	}
	var aim aimed
	if err := j.aim(aimArgs{fence: j.fence(r, "drag"), Kind: "drag", To: &to.Index}, &aim); err != nil {
		return refused(err)
	}
	if err := j.begin(); err != nil {
		return refused(err)
	}
	// Interception is the session's own setting; it is given back in any case.
	intercept := j.session().Send(j.ctx, "Input.setInterceptDrags", map[string]bool{"enabled": true})
	defer j.session().Send(j.ctx, "Input.setInterceptDrags", map[string]bool{"enabled": false})
	if !j.watch.await(intercept) {
		return outcome{}
	}
	calls := j.dragTo(&aim)
	if calls == nil {
		return outcome{}
	}
	v, o := j.verdict(sign{Token: aim.Token}, calls)
	if o != nil {
		return *o
	}
	out := j.judgeDrag(v, calls)
	out.record, out.want = r, wantState
	return out
}

// dragTo sends the whole movement. It returns nil when a dialog ended it.
func (j *job) dragTo(aim *aimed) []*cdp.Pending {
	m := mouse{x: aim.X, y: aim.Y}
	calls := []*cdp.Pending{
		j.input(mouseMethod, m.event("mouseMoved", "none", 0, 0)),
		j.input(mouseMethod, m.event("mousePressed", "left", 1, 1)),
	}
	if !j.watch.await(calls...) {
		return nil
	}
	for step := 1; step <= dragSteps; step++ {
		part := float64(step) / dragSteps
		m.x, m.y = aim.X+(aim.ToX-aim.X)*part, aim.Y+(aim.ToY-aim.Y)*part
		move := j.input(mouseMethod, m.event("mouseMoved", "left", 1, 0))
		calls = append(calls, move)
		if !j.watch.await(move) {
			return nil
		}
		if j.watch.dragData != nil {
			return j.dragNative(aim, calls)
		}
	}
	m.x, m.y = aim.ToX, aim.ToY
	release := j.input(mouseMethod, m.event("mouseReleased", "left", 0, 1))
	if !j.watch.await(release) {
		return nil
	}
	return append(calls, release)
}

// dragNative brings a drag of the browser's own kind to the target.
func (j *job) dragNative(aim *aimed, calls []*cdp.Pending) []*cdp.Pending {
	var intercepted struct {
		Data raw `json:"data"`
	}
	if (cdp.Event{Params: j.watch.dragData}).Decode(&intercepted) != nil {
		return calls
	}
	for _, kind := range []string{"dragEnter", "dragOver", "drop"} {
		calls = append(calls, j.input("Input.dispatchDragEvent", map[string]any{
			"type": kind, "x": aim.ToX, "y": aim.ToY, "data": intercepted.Data,
		}))
		if !j.watch.await(calls[len(calls)-1]) {
			return nil
		}
	}
	m := mouse{x: aim.ToX, y: aim.ToY}
	release := j.input(mouseMethod, m.event("mouseReleased", "left", 0, 1))
	if !j.watch.await(release) {
		return nil
	}
	return append(calls, release)
}

// judgeDrag turns the guard's record into the outcome: without the press nothing
// was started, and only the drop ends a drag that was.
func (j *job) judgeDrag(v *verdict, calls []*cdp.Pending) outcome {
	if stopped := v.stopped(); stopped != nil {
		return refused(stopped)
	}
	switch {
	case v.hit() && j.watch.dragData != nil && v.Dropped == 0:
		return partOf("The browser took the drag over, and the page dropped nothing: it does not take it there, or it saw no drop.")
	case v.hit() && v.Drops > 0:
		// The click that the browser makes of it, on what holds both ends, is
		// stopped by the guard and no part of a drag.
		return outcome{}
	case v.hit():
		return refused(messages.UnknownOutcome(messages.CodePartialEffectOutcomeUnknown,
			"The drag began, and its end did not arrive at the target."))
	}
	return refused(j.afterInput(errUnseen, calls))
}
