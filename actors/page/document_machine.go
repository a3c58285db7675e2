package page

import (
	"slices"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// blankURL is where a page begins.
const blankURL = "about:blank"

// documentState is what is known of the document that the page shows.
type documentState struct {
	frame  cdp.FrameID // the main frame
	url    string      // committed
	wanted string      // requested and not committed yet (R116)
	title  string
	load   messages.LoadState
	failed bool // the commit is the browser's own error page
	worlds []target.World
	opened cdp.ContextID // the world that was opened last
	// moves counts what made ids stale, so that a reader can tell that something did.
	moves uint64
	// busy says that the page did not answer when it was last asked.
	busy bool
}

// shownURL is the requested URL until the commit replaces it (R116).
func (d *documentState) shownURL() string {
	if d.wanted != "" {
		return d.wanted
	}
	return d.url
}

// forget drops what belonged to a document that is gone.
func (d *documentState) forget() { d.worlds = nil }

// navigating notes a navigation by command.
func (d *documentState) navigating(command messages.Command) {
	d.load = messages.LoadLoading
	if c, ok := command.(*messages.Navigate); ok {
		d.wanted = c.URL
	}
}

// navigated ends a navigation by command. One that brought no new document, as a
// download or an answer without content, leaves the load state what it was.
func (d *documentState) navigated(o *operation, receipt *messages.Receipt) {
	d.wanted = ""
	switch {
	case receipt != nil && receipt.LoadState != "":
		d.load = receipt.LoadState
	case receipt != nil && receipt.Code == messages.CodeNavigationFailed:
		d.load = messages.LoadFailed
	case !o.committed:
		d.load = o.loadBefore
	}
}

// onDocument takes the events of the page's own session (R36).
func (m *machine) onDocument(message Message) []Effect {
	d := &m.document
	switch msg := message.(type) {
	case *frameNavigated:
		return m.onFrameNavigated(msg)
	case *navigatedWithin:
		if d.frame != "" && msg.frame != d.frame {
			return nil
		}
		d.url, d.wanted = msg.url, ""
		if m.policy.sameDocument == target.SameDocumentKeep {
			return nil
		}
		return m.dropFence(m.moveReason("The page changed its address without loading (a route of its own)."))
	case *documentOpened:
		if msg.frame == d.frame {
			return m.dropFence(m.moveReason("The page wrote its document anew."))
		}
		return m.innerFrameMoved()
	case *worldMade:
		if msg.name == m.world {
			d.worlds = slices.DeleteFunc(d.worlds, func(w target.World) bool { return w.Frame == msg.frame })
			d.worlds = append(d.worlds, target.World{Frame: msg.frame, Context: msg.context})
			effects := m.openMain()
			if m.view().main != "" {
				effects = append(effects, m.release()...)
			}
			return effects
		}
	case *worldGone:
		return m.worldLost(msg.context)
	case *worldsCleared:
		d.forget()
		return m.dropFence(m.moveReason("The page replaced its document."))
	case *frameDetached:
		d.worlds = slices.DeleteFunc(d.worlds, func(w target.World) bool { return w.Frame == msg.frame })
		return m.innerFrameMoved()
	case *loadFired:
		if d.load == messages.LoadLoading && !d.failed {
			d.load = messages.LoadComplete
		}
	case *loadingChanged:
		m.onLoading(msg)
	case *InfoChanged:
		d.title = msg.Title
		if d.wanted == "" && msg.URL != "" && !d.failed {
			d.url = msg.URL
		}
	case *targetRevived:
		m.crashed = false
	}
	return nil
}

// openMain opens the main document to a person's input, unless input of ours may be
// on its way: then it is opened when the operation has ended.
func (m *machine) openMain() []Effect {
	main := m.view().main
	if !m.policy.people || main == "" || main == m.document.opened {
		return nil
	}
	if m.current != nil {
		if _, isEffect := m.current.command.(messages.Effect); isEffect {
			return nil
		}
	}
	m.document.opened = main
	return []Effect{&openWorld{main}}
}

// onFrameNavigated moves the generation when the main frame shows another document,
// and renews what is known of the main frame.
func (m *machine) onFrameNavigated(msg *frameNavigated) []Effect {
	d := &m.document
	if msg.frame.ParentID != "" {
		return m.innerFrameMoved()
	}
	d.frame, d.wanted = msg.frame.ID, ""
	d.url, d.failed = msg.frame.URL+msg.frame.Fragment, msg.frame.UnreachableURL != ""
	d.load = messages.LoadLoading
	if d.failed {
		d.url, d.load = msg.frame.UnreachableURL, messages.LoadFailed
	}
	m.crashed = false
	if m.current != nil {
		m.current.committed = true
	}
	effects := m.dropFence(m.moveReason("The page navigated."))
	return append(effects, &publishEvent{messages.Event{Kind: messages.EventPageNavigated, BrowserID: m.browser, PageID: m.id, At: msg.at}})
}

// onLoading follows the main frame's own loading, for documents that load without a
// load event.
func (m *machine) onLoading(msg *loadingChanged) {
	d := &m.document
	if msg.frame != d.frame || d.failed {
		return
	}
	switch {
	case msg.loading && d.load != messages.LoadLoading:
		d.load = messages.LoadLoading
	case !msg.loading && d.load == messages.LoadLoading && (m.current == nil || !m.current.navigates || m.current.committed):
		d.load = messages.LoadComplete
	}
}

// worldLost drops a world, and the fence when it was the main document's.
func (m *machine) worldLost(context cdp.ContextID) []Effect {
	d := &m.document
	main := false
	d.worlds = slices.DeleteFunc(d.worlds, func(w target.World) bool {
		if w.Context == context {
			main = w.Frame == d.frame
			return true
		}
		return false
	})
	if !main {
		return m.innerFrameMoved()
	}
	return m.dropFence(m.moveReason("The page replaced its document."))
}

// innerFrameMoved kills the ids of snapshots that gave some to elements of inner
// frames; otherwise what frames do changes nothing (R107, R109, C11).
func (m *machine) innerFrameMoved() []Effect {
	if !slices.ContainsFunc(m.fence.readings, framedReading) {
		return nil
	}
	return m.dropReadings(m.moveReason("A frame of the page navigated, went away or was replaced."), framedReading)
}

// moveReason says what moved the generation: the effect in flight, where there is
// one, else the page itself.
func (m *machine) moveReason(otherwise string) string {
	if m.current != nil {
		if _, isEffect := m.current.command.(messages.Effect); isEffect {
			return operationReason(m.current.command.Action(), m.current.call.Operation)
		}
	}
	return otherwise
}

// dropFence kills the ids of every reader.
func (m *machine) dropFence(by string) []Effect {
	return m.dropReadings(by, anyReading)
}

// dropReadings kills the generations that match and counts the move.
func (m *machine) dropReadings(by string, match func(*reading) bool) []Effect {
	m.document.moves++
	next := m.fence.dropped(by, match)
	if next == m.fence {
		return nil
	}
	m.fence = next
	return []Effect{&publishFence{next}}
}
