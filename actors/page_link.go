package actors

import (
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"

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

// dialogMessageMax bounds the text of a dialog that is kept, in characters.
const dialogMessageMax = 512

func newPageLink(e *engine, session *cdp.Session, info targetInfo, waiting bool) *pageLink {
	l := &pageLink{
		engine: e, session: session, root: e.conn.Root(), target: info.TargetID, opener: info.OpenerID,
		context: info.BrowserContext, waiting: waiting, url: info.URL, title: info.Title,
		attachedAt: time.Now(),
	}
	l.nextRef.Store(1)
	return l
}

// listen hands the session's lifecycle to the page's actor from now on.
func (l *pageLink) listen(env *environment, page *actor.PID) {
	l.session.OnLifecycle(func(event cdp.Event) {
		if message := l.translate(event); message != nil {
			env.send(page, message)
		}
	})
}

// frame is the part of the protocol's description of a frame that is used.
type frame struct {
	ID             cdp.FrameID `json:"id"`
	ParentID       cdp.FrameID `json:"parentId"`
	LoaderID       string      `json:"loaderId"`
	URL            string      `json:"url"`
	Fragment       string      `json:"urlFragment"`
	UnreachableURL string      `json:"unreachableUrl"`
}

// translate decodes an event that the page's machine acts on; every other event
// gives nil. It runs in the session's goroutine, off every actor.
func (l *pageLink) translate(event cdp.Event) pageMessage {
	var p struct {
		Frame     frame       `json:"frame"`
		FrameID   cdp.FrameID `json:"frameId"`
		URL       string      `json:"url"`
		ContextID string      `json:"executionContextUniqueId"`
		Context   struct {
			UniqueID string `json:"uniqueId"`
			Name     string `json:"name"`
			Aux      struct {
				FrameID   cdp.FrameID `json:"frameId"`
				IsDefault bool        `json:"isDefault"`
			} `json:"auxData"`
		} `json:"context"`
		Kind    messages.DialogKind `json:"type"`
		Message string              `json:"message"`
		Result  bool                `json:"result"`
		GUID    string              `json:"guid"`
	}
	if !translated[event.Method] || event.Decode(&p) != nil {
		return nil
	}
	switch event.Method {
	case "Page.frameNavigated":
		return &frameNavigated{frame: p.Frame, seq: event.Seq, at: time.Now()}
	case "Page.navigatedWithinDocument":
		return &navigatedWithin{frame: p.FrameID, url: p.URL}
	case "Page.documentOpened":
		return &documentOpened{frame: p.Frame.ID}
	case "Page.loadEventFired":
		return &loadFired{}
	case "Page.frameStartedLoading":
		return &loadingChanged{frame: p.FrameID, loading: true}
	case "Page.frameStoppedLoading":
		return &loadingChanged{frame: p.FrameID}
	case "Page.frameDetached":
		return &frameDetached{frame: p.FrameID}
	case "Runtime.executionContextCreated":
		return &worldMade{name: p.Context.Name, frame: p.Context.Aux.FrameID, context: cdp.ContextID(p.Context.UniqueID)}
	case "Runtime.executionContextDestroyed":
		return &worldGone{context: cdp.ContextID(p.ContextID)}
	case "Runtime.executionContextsCleared":
		return &worldsCleared{}
	case "Page.javascriptDialogOpening":
		d := &openDialog{kind: p.Kind, message: clampRunes(p.Message, dialogMessageMax)}
		l.dialog.Store(d)
		return &dialogOpened{dialog: d, at: time.Now()}
	case "Page.javascriptDialogClosed":
		l.dialog.Store(nil)
		return &dialogClosed{accepted: p.Result}
	case "Page.downloadWillBegin":
		return &downloadBegan{guid: p.GUID}
	case "Inspector.targetCrashed":
		l.dialog.Store(nil)
		return &targetCrashed{at: time.Now()}
	case "Inspector.targetReloadedAfterCrash":
		return &targetRevived{}
	}
	return nil
}

// translated are the events of a page's session that translate knows. It is asked
// first, so that the flood of others is not decoded.
var translated = map[string]bool{
	"Page.frameNavigated": true, "Page.navigatedWithinDocument": true, "Page.documentOpened": true,
	"Page.loadEventFired": true, "Page.frameStartedLoading": true, "Page.frameStoppedLoading": true, "Page.frameDetached": true,
	"Runtime.executionContextCreated": true, "Runtime.executionContextDestroyed": true, "Runtime.executionContextsCleared": true,
	"Page.javascriptDialogOpening": true, "Page.javascriptDialogClosed": true, "Page.downloadWillBegin": true,
	"Inspector.targetCrashed": true, "Inspector.targetReloadedAfterCrash": true,
}

// clampRunes cuts a text after a number of characters.
func clampRunes(text string, runesMax int) string {
	count := 0
	for i := range text {
		if count == runesMax {
			return text[:i]
		}
		count++
	}
	return text
}
