package browser

import (
	"time"

	"github.com/troupe-browser/troupe/messages"
)

// What a browser tells the root.

// Up comes from a browser that is ready; it completes its launch.
type Up struct {
	Browser   messages.BrowserID
	Ownership messages.Ownership
	Receipt   *messages.Receipt
	At        time.Time
}

// PagesChanged comes from a browser whose number of pages changed.
type PagesChanged struct {
	Browser messages.BrowserID
	Pages   int
}

// Down comes from a browser that could not start or was lost. Its cleanup
// goes on; Ended follows.
type Down struct {
	Browser messages.BrowserID
	Err     *messages.Error
	At      time.Time
}

// Ended comes once everything of a browser is gone, or could not be ended.
type Ended struct {
	Browser messages.BrowserID
	Failure *messages.Error
	At      time.Time
}

func (*Up) ToRoot()           {}
func (*PagesChanged) ToRoot() {}
func (*Down) ToRoot()         {}
func (*Ended) ToRoot()        {}
