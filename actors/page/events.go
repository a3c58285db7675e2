package page

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/internal/cut"
	"github.com/troupe-browser/troupe/messages"
)

// listen hands the session's lifecycle to the page's actor from now on.
func listen(l *engine.Link, env *kernel.Environment, page *actor.PID) {
	l.Session.OnLifecycle(func(event cdp.Event) {
		if message := translate(l, event); message != nil {
			env.Send(page, message)
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
func translate(l *engine.Link, event cdp.Event) Message {
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
		return &navigatedWithin{frame: p.FrameID, url: p.URL, seq: event.Seq, at: time.Now()}
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
		message, _ := cut.Chars(p.Message, messages.DialogTextCharsMax)
		d := &engine.OpenDialog{Kind: p.Kind, Message: message}
		l.Dialog.Store(d)
		return &dialogOpened{dialog: d, at: time.Now()}
	case "Page.javascriptDialogClosed":
		l.Dialog.Store(nil)
		return &dialogClosed{accepted: p.Result}
	case "Page.downloadWillBegin":
		return &downloadBegan{guid: p.GUID}
	case "Inspector.targetCrashed":
		l.Dialog.Store(nil)
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
