package effect

import (
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// setDate sets a month or a day in a custom date control (R91, R96).
func (j *job) setDate(c *messages.SetDate, r *snapshot.Record) outcome {
	f := j.fence(r, "set_date")
	return j.procedure("date", dateArgs{f, c.Value}, f, r)
}
