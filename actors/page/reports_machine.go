package page

import (
	"github.com/troupe-browser/troupe/messages"
)

// What a page and its runners tell the browser that the page belongs to.

// Prepared comes from a page that can be used, or that could not be prepared
// in time and can at least be navigated and closed.
type Prepared struct{ Page messages.PageID }

// Report comes from a page whose summary changed.
type Report struct{ Summary messages.PageSummary }

// DownloadSourced comes from a page: a download of its own has begun.
type DownloadSourced struct {
	GUID      string
	Page      messages.PageID
	Operation messages.OperationID
}

// Witnessed is what the browser saw beside a page.
type Witnessed struct {
	Opened    []messages.OpenedPage
	Downloads []messages.Download
}

func (*Prepared) ToBrowser()        {}
func (*Report) ToBrowser()          {}
func (*DownloadSourced) ToBrowser() {}
