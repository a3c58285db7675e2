package effect

import (
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// nativeDate are the types of input whose value is a date or begins with one.
var nativeDate = map[string]bool{"date": true, "month": true, "week": true, "datetime-local": true}

// setDate sets a month or a day in a custom date control (R91, R96). A native
// date or month input takes the same text as its value (R93); what that input
// cannot hold is refused with the format that it takes.
func (j *job) setDate(c *messages.SetDate, r *snapshot.Record) outcome {
	if nativeDate[r.InputType] {
		return j.setValue(&messages.SetValue{OnElement: c.OnElement, Value: c.Value}, r)
	}
	f := j.fence(r, "set_date")
	return j.procedure("date", dateArgs{f, c.Value}, f, r)
}
