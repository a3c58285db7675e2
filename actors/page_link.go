package actors

import (
	"sync/atomic"
	"time"

	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// pageTarget is what a browser's machine knows of a page target: values, as the browser
// process told them when the target was attached.
type pageTarget struct {
	session cdp.SessionID
	target  cdp.TargetID
	opener  cdp.TargetID
	// context is the browser context that the target is in.
	context    string
	url, title string
	attachedAt time.Time
}

// pageLink is the connection's side of one page. It outlives the incarnations of the
// page's actor and of the browser's, and is not changed after it was made, except for
// the dialog and for what memory and ledgers point to.
type pageLink struct {
	pageTarget
	engine  *engine
	session *cdp.Session
	root    *cdp.Session
	// waiting says that the target was attached before it ran anything and goes on
	// only when told to.
	waiting bool

	// dialog is the open dialog. Only the session's handler writes it. No message can
	// carry it: a dialog may open while the page has no actor, between two
	// incarnations of its browser, and no protocol call asks for it afterwards.
	dialog atomic.Pointer[openDialog]
	// memory is handed from one incarnation of the page to the next. Only the page's
	// actor touches it, on its own turn, and an incarnation begins after the one before
	// has ended.
	memory *pageMemory
	// ledgers is the same for the page's diagnostics.
	ledgers *ledgerMemory
}

// pageMemory is where an incarnation of a page goes on, so that no number is used
// twice (R31, R33).
type pageMemory struct {
	epoch      messages.Epoch
	generation messages.Generation
	nextRef    uint64
	// booted says that our script is installed on the session.
	booted bool
}

// ledgerMemory is where an incarnation of a page's diagnostics goes on.
type ledgerMemory struct {
	// began says that the page had diagnostics before.
	began            bool
	network, console uint64 // the cursors
	// headers says that header values may be stored (C3).
	headers bool
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
	return &pageLink{
		pageTarget: pageTarget{
			session: session.ID(), target: info.TargetID, opener: info.OpenerID, context: info.BrowserContext,
			url: info.URL, title: info.Title, attachedAt: time.Now(),
		},
		engine: e, session: session, root: e.conn.Root(), waiting: waiting,
		memory: &pageMemory{nextRef: 1}, ledgers: &ledgerMemory{},
	}
}
