package target

import (
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// SameDocument says what a same-document navigation does to element ids (C10).
type SameDocument string

// The policies.
const (
	SameDocumentStale SameDocument = "stale"
	SameDocumentKeep  SameDocument = "keep"
)

// Clickables says which elements beyond controls may gain click (R228).
type Clickables string

// The policies.
const (
	ClickablesStrict Clickables = "strict"
	ClickablesBroad  Clickables = "broad"
)

// Takeover says what a person's input does to ids and tokens (C16).
type Takeover string

// The policies.
const (
	TakeoverStrict  Takeover = "strict"  // input makes them stale
	TakeoverObserve Takeover = "observe" // input is counted only
	TakeoverOff     Takeover = "off"
)

// Typing says how input_text types (C18).
type Typing string

// The ways.
const (
	TypingInsert Typing = "insert"
	TypingKeys   Typing = "keys"
)

// Policy is the operator's choice of behaviour for one browser's pages.
type Policy struct {
	SameDocument SameDocument
	Clickables   Clickables
	Takeover     Takeover
	Typing       Typing
}

// World is our isolated world in one frame's current document.
type World struct {
	Frame cdp.FrameID
	// Context is the execution context's unique id, the exact identity of the
	// document (design section 4).
	Context cdp.ContextID
}

// Page is the runner's copy of a page target. All fields are read only.
type Page struct {
	BrowserID messages.BrowserID
	PageID    messages.PageID
	// Session is the page's own flat session, Browser the connection's root session.
	Session *cdp.Session
	Browser *cdp.Session
	Target  cdp.TargetID
	// Main is the world of the main frame's document; its Context is empty while
	// the page has none yet (a crashed or just created page).
	Main World
	// Worlds holds the worlds of the frames that the page's process holds, the main
	// frame's included.
	Worlds []World
	// WorldName is the name under which the worlds were made.
	WorldName string
	URL       string
	LoadState messages.LoadState
	Policy    Policy
	// Computed says that the engine was started with computed role and name, so
	// that the walker may be used.
	Computed bool
	// Viewport is the size of the viewport in CSS pixels.
	ViewportWidth, ViewportHeight int
	// FixedWidth and FixedHeight are the size that the viewport was given when the
	// page was prepared, 0 where its window decides.
	FixedWidth, FixedHeight int
	// Background are the keys of requests seen while no effect ran (CDP.md 9.6);
	// a request whose key is here is not counted as caused.
	Background map[string]struct{}
}

// WorldOf returns the world of a frame, and false when the process holds none.
func (p *Page) WorldOf(frame cdp.FrameID) (World, bool) {
	for _, w := range p.Worlds {
		if w.Frame == frame {
			return w, true
		}
	}
	return World{}, false
}
