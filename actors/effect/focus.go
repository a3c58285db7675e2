package effect

import (
	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/snapshot"
)

// takeFocus puts the focus on the element, as Tab or a press would, and does nothing
// else. The page says at once whether the element has it, its own handlers
// included, so a page that moves it on is told as not actionable. The guard that
// focusing arms for keys is ended, since none follow.
func (j *job) takeFocus(r *snapshot.Record) outcome {
	at, o := j.focus(j.fence(r, "key"), "keep", r)
	if o != nil {
		return *o
	}
	var ended verdict
	if err := j.call("verdict", at.Token, &ended); err != nil && err != call.ErrDialog {
		return refused(j.after(err, false))
	}
	return outcome{record: r, want: wantState}
}
