package effect

import (
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

func (j *job) selectChoice(_ *messages.SelectChoice, _ *snapshot.Record) outcome {
	return refused(messages.NewError(messages.CodeWidgetNotSupported, ""))
}

func (j *job) setDate(_ *messages.SetDate, _ *snapshot.Record) outcome {
	return refused(messages.NewError(messages.CodeWidgetNotSupported, ""))
}
