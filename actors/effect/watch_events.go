package effect

import (
	"strings"
	"time"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/internal/cut"
	"github.com/troupe-browser/troupe/messages"
)

// The parts of the events that are read.
type (
	dialogOpening struct {
		Type    string `json:"type"`
		Message string `json:"message"`
	}
	dialogClosed struct {
		Result bool `json:"result"`
	}
	frameNavigated struct {
		Frame struct {
			ID             string `json:"id"`
			ParentID       string `json:"parentId"`
			LoaderID       string `json:"loaderId"`
			URL            string `json:"url"`
			URLFragment    string `json:"urlFragment"`
			UnreachableURL string `json:"unreachableUrl"`
		} `json:"frame"`
		Type string `json:"type"`
	}
	frameEvent struct {
		FrameID        string `json:"frameId"`
		URL            string `json:"url"`
		NavigationType string `json:"navigationType"`
		Disposition    string `json:"disposition"`
	}
	contextCreated struct {
		Context struct {
			Name     string `json:"name"`
			UniqueID string `json:"uniqueId"`
			AuxData  struct {
				FrameID string `json:"frameId"`
			} `json:"auxData"`
		} `json:"context"`
	}
)

// note takes one event in. ok is false when the session has ended.
func (w *watch) note(e cdp.Event, ok bool) {
	if !ok {
		w.events, w.gone = nil, true
		return
	}
	if strings.HasPrefix(e.Method, "Network.") {
		w.requests.note(e)
		return
	}
	switch e.Method {
	case "Page.javascriptDialogOpening":
		var d dialogOpening
		if e.Decode(&d) == nil {
			message, _ := cut.Chars(d.Message, messages.DialogTextCharsMax)
			w.dialog = &messages.Dialog{Kind: messages.DialogKind(d.Type), Message: message, Open: true}
			w.opened = time.Now()
		}
	case "Page.javascriptDialogClosed":
		var d dialogClosed
		if e.Decode(&d) == nil && w.dialog != nil {
			w.dialog.Open, w.dialog.Answered = false, answer(d.Result)
		}
	case "Page.frameNavigated":
		w.noteNavigated(e)
	case "Runtime.executionContextCreated":
		w.noteContext(e)
	case "Runtime.executionContextsCleared":
		w.main.Context = ""
	case "Inspector.targetCrashed":
		w.crashed = true
	case "Runtime.bindingCalled":
		w.noteTold(e)
	case "Input.dragIntercepted":
		w.dragData = e.Params
	case "Page.loadEventFired":
		w.loaded, w.leaving = true, false
	case "Page.downloadWillBegin":
		w.leaving, w.downloaded = false, true
	default:
		w.noteFrame(e)
	}
}

func answer(accepted bool) string {
	if accepted {
		return "accepted"
	}
	return "dismissed"
}

// mainFrame is the id of the page's main frame.
func (w *watch) mainFrame() string { return string(w.page.Main.Frame) }

func (w *watch) noteNavigated(e cdp.Event) {
	var n frameNavigated
	if e.Decode(&n) != nil || n.Frame.ParentID != "" {
		return
	}
	w.navigated, w.leaving = true, false
	w.commits++
	w.loader, w.url = n.Frame.LoaderID, n.Frame.URL+n.Frame.URLFragment
	w.failed = n.Frame.UnreachableURL != ""
	if w.failed {
		w.url = n.Frame.UnreachableURL
	}
	w.restored = n.Type == "BackForwardCacheRestore"
	w.loaded = w.restored
	w.main.Frame = cdp.FrameID(n.Frame.ID)
}

// noteContext learns the worlds of the main frame. A new one without a
// navigation is a document that was put in the old one's place, as by a
// javascript: URL (CDP.md 0.1).
func (w *watch) noteContext(e cdp.Event) {
	var c contextCreated
	if e.Decode(&c) != nil || c.Context.Name != w.page.WorldName || c.Context.AuxData.FrameID != w.mainFrame() {
		return
	}
	world := target.World{Frame: w.page.Main.Frame, Context: cdp.ContextID(c.Context.UniqueID)}
	if !w.navigated && world.Context != w.page.Main.Context {
		w.replaced = true
	}
	w.main = world
}

// noteFrame takes in the events that name a frame, of which only the main one's
// count.
func (w *watch) noteFrame(e cdp.Event) {
	var f frameEvent
	if e.Method == "Page.documentOpened" {
		var n frameNavigated
		if e.Decode(&n) == nil && n.Frame.ParentID == "" {
			w.replaced = true
		}
		return
	}
	if e.Decode(&f) != nil || f.FrameID != w.mainFrame() {
		return
	}
	switch e.Method {
	case "Page.navigatedWithinDocument":
		w.moved, w.leaving = true, false
		w.url = f.URL
	case "Page.frameRequestedNavigation":
		// Only a navigation of this very tab takes its document away.
		w.leaving = f.Disposition == "" || f.Disposition == "currentTab"
		w.loaded = false
	case "Page.frameStartedNavigating":
		if f.NavigationType == "sameDocument" || f.NavigationType == "historySameDocument" {
			return
		}
		w.leaving, w.loaded = true, false
	case "Page.frameScheduledNavigation":
		w.leaving, w.loaded = true, false
	case "Page.frameClearedScheduledNavigation":
		w.leaving = false
	case "Page.frameStoppedLoading":
		w.loaded, w.leaving = true, false
	}
}
