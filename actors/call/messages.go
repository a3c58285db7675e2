package call

import (
	"github.com/troupe-browser/troupe/messages"
)

// Withdraw says that the caller of a call gave it up and has its answer; it frees the
// call's place.
type Withdraw struct{ Call *Call }

// CallerLeft comes from the gateway when a caller's connection ended (R119). It is
// passed on unchanged to browsers and pages.
type CallerLeft struct{ Caller messages.CallerID }

func (*Withdraw) ToBrowser() {}
func (*Withdraw) ToPage()    {}

// ToRoot marks a message that the root takes.
func (*CallerLeft) ToRoot()    {}
func (*CallerLeft) ToBrowser() {}
func (*CallerLeft) ToPage()    {}
