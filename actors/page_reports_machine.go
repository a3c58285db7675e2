package actors

import (
	"github.com/troupe-browser/troupe/messages"
)

// What a page and its runners tell the browser that the page belongs to.

// pagePrepared comes from a page that can be used, or that could not be prepared
// in time and can at least be navigated and closed.
type pagePrepared struct{ page messages.PageID }

// pageReport comes from a page whose summary changed.
type pageReport struct{ summary messages.PageSummary }

// downloadSourced comes from a page: a download of its own has begun.
type downloadSourced struct {
	guid      string
	page      messages.PageID
	operation messages.OperationID
}

// witnessed is what the browser saw beside a page.
type witnessed struct {
	opened    []messages.OpenedPage
	downloads []messages.Download
}

func (*pagePrepared) browserMessage()    {}
func (*pageReport) browserMessage()      {}
func (*downloadSourced) browserMessage() {}
