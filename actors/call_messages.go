package actors

import (
	"github.com/troupe-browser/troupe/messages"
)

// withdraw says that the caller of a call gave it up and has its answer; it frees the
// call's place.
type withdraw struct{ call *call }

// callerLeft comes from the gateway when a caller's connection ended (R119). It is
// passed on unchanged to browsers and pages.
type callerLeft struct{ caller messages.CallerID }

func (*withdraw) browserMessage() {}
func (*withdraw) pageMessage()    {}

func (*callerLeft) rootMessage()    {}
func (*callerLeft) browserMessage() {}
func (*callerLeft) pageMessage()    {}
