package actors

import (
	"sync/atomic"
	"time"

	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// pageLink is the connection's side of one page: its session, and the few facts
// that only the stream of events knows and no protocol call can ask for again. It
// outlives the incarnations of the page's actor.
type pageLink struct {
	engine  *engine
	session *cdp.Session
	root    *cdp.Session
	target  cdp.TargetID
	opener  cdp.TargetID
	context string
	// waiting says that the target was attached before it ran anything and goes on
	// only when told to.
	waiting bool
	url     string
	title   string
	// attachedAt is when the target was attached.
	attachedAt time.Time
	// owner is the caller that the page belongs to, written by the browser's actor
	// only. It is here because a restart of that actor must not change owners (C27).
	owner messages.CallerID

	// dialog is the open dialog, written by the session's handler only. A page that
	// restarts reads it here, since a page with a dialog answers no question.
	dialog atomic.Pointer[openDialog]
	// booted says that our script is installed on the session.
	booted atomic.Bool
	// generation and nextRef go on where the incarnation before stopped, so that no
	// number is used twice (R31, R33). Written by the page's actor only.
	generation atomic.Uint64
	nextRef    atomic.Uint64
	epoch      atomic.Uint64
	// inspect says that the page was opened under browser:inspect, so that header
	// values may be stored (C3). Written by the browser's actor only.
	inspect atomic.Bool
	// diagnosed says that the page had diagnostics before; the cursors are where they
	// were. Written by the page's diagnostics only.
	diagnosed                    atomic.Bool
	networkCursor, consoleCursor atomic.Uint64
}

// openDialog is a dialog that a page shows.
type openDialog struct {
	kind    messages.DialogKind
	message string
}

func (d *openDialog) shown() *messages.Dialog {
	if d == nil {
		return nil
	}
	return &messages.Dialog{Kind: d.kind, Message: d.message, Open: true}
}

func newPageLink(e *engine, session *cdp.Session, info targetInfo, waiting bool) *pageLink {
	l := &pageLink{
		engine: e, session: session, root: e.conn.Root(), target: info.TargetID, opener: info.OpenerID,
		context: info.BrowserContext, waiting: waiting, url: info.URL, title: info.Title,
		attachedAt: time.Now(),
	}
	l.nextRef.Store(1)
	return l
}
