package engine

import (
	"sync/atomic"
	"time"

	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// PageTarget is what a browser's machine knows of a page target: values, as the browser
// process told them when the target was attached.
type PageTarget struct {
	Session cdp.SessionID
	Target  cdp.TargetID
	Opener  cdp.TargetID
	// Context is the browser context that the target is in.
	Context    string
	URL, Title string
	AttachedAt time.Time
}

// Link is the connection's side of one page. It outlives the incarnations of the
// page's actor and of the browser's, and is not changed after it was made, except for
// the dialog and for what memory and ledgers point to.
type Link struct {
	PageTarget
	Engine  *engine
	Session *cdp.Session
	Root    *cdp.Session
	// Waiting says that the target was attached before it ran anything and goes on
	// only when told to.
	Waiting bool

	// Dialog is the open dialog. Only the session's handler writes it. No message can
	// carry it: a dialog may open while the page has no actor, between two
	// incarnations of its browser, and no protocol call asks for it afterwards.
	Dialog atomic.Pointer[OpenDialog]
	// Memory is handed from one incarnation of the page to the next. Only the page's
	// actor touches it, on its own turn, and an incarnation begins after the one before
	// has ended.
	Memory *pageMemory
	// Ledgers is the same for the page's diagnostics.
	Ledgers *ledgerMemory
}

// pageMemory is where an incarnation of a page goes on, so that no number is used
// twice (R31, R33).
type pageMemory struct {
	Epoch      messages.Epoch
	Generation messages.Generation
	NextRef    uint64
	// Booted says that our script is installed on the session.
	Booted bool
}

// ledgerMemory is where an incarnation of a page's diagnostics goes on.
type ledgerMemory struct {
	// Began says that the page had diagnostics before.
	Began            bool
	Network, Console uint64 // the cursors
	// Headers says that header values may be stored (C3).
	Headers bool
}

// OpenDialog is a dialog that a page shows.
type OpenDialog struct {
	Kind    messages.DialogKind
	Message string
}

// Shown is the dialog as callers see it, nil when there is none.
func (d *OpenDialog) Shown() *messages.Dialog {
	if d == nil {
		return nil
	}
	return &messages.Dialog{Kind: d.Kind, Message: d.Message, Open: true}
}

func newLink(e *engine, session *cdp.Session, info TargetInfo, waiting bool) *Link {
	return &Link{
		PageTarget: PageTarget{
			Session: session.ID(), Target: info.TargetID, Opener: info.OpenerID, Context: info.BrowserContext,
			URL: info.URL, Title: info.Title, AttachedAt: time.Now(),
		},
		Engine: e, Session: session, Root: e.Conn.Root(), Waiting: waiting,
		Memory: &pageMemory{NextRef: 1}, Ledgers: &ledgerMemory{},
	}
}
