package actors

import (
	"time"

	"github.com/troupe-browser/troupe/messages"
)

// What a browser tells the root.

// browserUp comes from a browser that is ready; it completes its launch.
type browserUp struct {
	browser   messages.BrowserID
	ownership messages.Ownership
	receipt   *messages.Receipt
	at        time.Time
}

// browserPages comes from a browser whose number of pages changed.
type browserPages struct {
	browser messages.BrowserID
	pages   int
}

// browserDown comes from a browser that could not start or was lost. Its cleanup
// goes on; browserEnded follows.
type browserDown struct {
	browser messages.BrowserID
	err     *messages.Error
	at      time.Time
}

// browserEnded comes once everything of a browser is gone, or could not be ended.
type browserEnded struct {
	browser messages.BrowserID
	failure *messages.Error
	at      time.Time
}

func (*browserUp) rootMessage()    {}
func (*browserPages) rootMessage() {}
func (*browserDown) rootMessage()  {}
func (*browserEnded) rootMessage() {}
