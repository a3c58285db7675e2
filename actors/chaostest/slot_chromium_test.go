package chaostest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	"github.com/troupe-browser/troupe/actors"
	"github.com/troupe-browser/troupe/messages"
)

// slot is one browser of the run, whichever it is at the moment.
type slot struct {
	chaos *chaos
	index int
	tabs  []*tab
	live  atomic.Pointer[driven]
	// killed is when something of the browser was taken away last, in nanoseconds.
	killed atomic.Int64

	mu      sync.Mutex   // held by whoever starts one
	browser atomic.Value // messages.BrowserID; empty while there is none
}

// tab is one page of a slot, whichever it is at the moment.
type tab struct {
	slot  *slot
	index int
	// completed counts the effects that were completed on it; refused are the refusals
	// by what was said, for a page on which nothing was.
	completed atomic.Int64
	refused   map[string]int

	mu      sync.Mutex   // held by whoever prepares the page
	current atomic.Value // messages.PageAddress; zero while there is none
	shown   view         // of the last snapshot; without elements while there is none
}

// view is what a snapshot showed.
type view struct {
	elements map[string]messages.ElementHandle // by name
	document string                            // the page's own name for its document
	// older are the ids of the snapshot before it, which are good for nothing now.
	older map[string]messages.ElementHandle
}

// stale drops the elements, and keeps them as those of an older snapshot.
func (v *view) stale() {
	if v.elements != nil {
		v.older, v.elements = v.elements, nil
	}
}

// path is the address of the tab's page on the site.
func (t *tab) path() string { return fmt.Sprintf("/tab/%d-%d", t.slot.index, t.index) }

// caller is who drives the browsers; operator who does what callers may not.
var (
	caller   = messages.Caller{ID: "agent", Plane: messages.PlaneModel, Grants: messages.DefaultGrants()}
	operator = messages.Caller{ID: "operator", Plane: messages.PlaneOperator, Grants: messages.NewGrantSet(messages.AllGrants()...)}
)

// current returns the browser, and starts one when there is none.
func (s *slot) current(ctx context.Context) (messages.BrowserID, *messages.Error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if browser := s.peek(); browser != "" || ctx.Err() != nil {
		return browser, messages.AsError(ctx.Err())
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), messages.LaunchTimeout)
	defer cancel()
	reply, err := s.chaos.do(ctx, s, caller, &messages.Launch{Width: widthBase + s.index, Height: 800})
	if err != nil {
		if messages.AsError(err).Code == messages.CodeBrowserLimit {
			s.chaos.closeUnknown(ctx, s)
		}
		return "", messages.AsError(err)
	}
	s.browser.Store(reply.(*messages.Receipt).BrowserID)
	return s.peek(), nil
}

// closeUnknown closes the browsers that no slot knows: those whose launch was given up
// when they were about to be up.
func (c *chaos) closeUnknown(ctx context.Context, s *slot) {
	reply, err := c.do(ctx, s, caller, &messages.ListBrowsers{})
	if err != nil {
		return
	}
	for _, b := range reply.(*messages.BrowserList).Browsers {
		known := b.State != "ready"
		for _, other := range c.slots {
			known = known || other.peek() == b.BrowserID
		}
		if !known {
			_, _ = c.do(ctx, s, caller, &messages.CloseBrowser{BrowserID: b.BrowserID})
		}
	}
}

// forget drops a browser that is gone.
func (s *slot) forget(browser messages.BrowserID) {
	s.browser.CompareAndSwap(browser, messages.BrowserID(""))
}

// peek returns the browser, which may be "".
func (s *slot) peek() messages.BrowserID {
	browser, _ := s.browser.Load().(messages.BrowserID)
	return browser
}

// tidy closes the pages that belong to no tab: those that a restart of the browser's
// actor gave new ids. Listing them reconciles an uncertain creation too.
func (s *slot) tidy(ctx context.Context, browser messages.BrowserID) {
	reply, err := s.chaos.do(ctx, s, caller, &messages.ListPages{BrowserID: browser})
	if err != nil {
		return
	}
	known := map[messages.PageID]bool{}
	for _, t := range s.tabs {
		known[t.peek().PageID] = true
	}
	for _, p := range reply.(*messages.PageList).Pages {
		if !known[p.PageID] {
			_, _ = s.chaos.do(ctx, s, caller, &messages.ClosePage{PageAddress: messages.PageAddress{BrowserID: browser, PageID: p.PageID}})
		}
	}
}

// peek returns the page, which may be the zero one.
func (t *tab) peek() messages.PageAddress {
	page, _ := t.current.Load().(messages.PageAddress)
	return page
}

// ready returns the page with the elements of its last snapshot. It opens, loads and
// observes what is missing for that; a caller comes back when it failed.
func (t *tab) ready(ctx context.Context) (messages.PageAddress, view, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	url := t.slot.chaos.site.URL + t.path()
	page := t.peek()
	if page.PageID == "" {
		browser, refusal := t.slot.current(ctx)
		if refusal != nil {
			return page, view{}, false
		}
		reply, err := t.slot.chaos.do(ctx, t.slot, caller, &messages.NewPage{BrowserID: browser, URL: url})
		if err != nil {
			if refusal := messages.AsError(err); refusal.Code == messages.CodePageLimit || refusal.State == messages.OutcomeUnknown {
				t.slot.tidy(ctx, browser)
			}
			t.judge(messages.PageAddress{BrowserID: browser}, messages.AsError(err))
			return page, view{}, false
		}
		page = messages.PageAddress{BrowserID: browser, PageID: reply.(*messages.Receipt).PageID}
		t.current.Store(page)
		t.shown.stale()
	}
	if t.shown.elements == nil && !t.observe(ctx, page, url) {
		return page, view{}, false
	}
	return page, t.shown, true
}

// observe takes a snapshot, and loads the page anew when it shows another one.
func (t *tab) observe(ctx context.Context, page messages.PageAddress, url string) bool {
	reply, err := t.slot.chaos.do(ctx, t.slot, caller, &messages.TakeSnapshot{PageAddress: page})
	if err != nil {
		t.judge(page, messages.AsError(err))
		return false
	}
	shot := reply.(*messages.Snapshot)
	if shot.Dialog != nil && shot.Dialog.Open {
		_, _ = t.slot.chaos.do(ctx, t.slot, caller, &messages.HandleDialog{PageAddress: page, Accept: true})
		return false
	}
	elements, document := map[string]messages.ElementHandle{}, ""
	for _, n := range shot.Nodes {
		elements[n.Name] = messages.ElementHandle(n.ElementID)
		if name, ok := strings.CutPrefix(n.Name, mark); ok {
			document = name
		}
	}
	if elements["Save"] == "" {
		_, err := t.slot.chaos.do(ctx, t.slot, caller, &messages.Navigate{PageAddress: page, URL: url})
		if err != nil {
			t.judge(page, messages.AsError(err))
		}
		return false
	}
	if document == "" {
		return false // it has not run its script yet
	}
	t.shown.elements, t.shown.document = elements, document
	return true
}

// outcome takes in how a call on the page ended.
func (t *tab) outcome(address messages.PageAddress, err *messages.Error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.peek() == address {
		t.judge(address, err)
	}
}

// judge forgets what an error says is gone. The lock is held.
func (t *tab) judge(address messages.PageAddress, err *messages.Error) {
	t.shown.stale()
	if t.refused == nil {
		t.refused = map[string]int{}
	}
	t.refused[string(err.Code)+" "+err.Detail]++
	switch err.Code {
	case messages.CodeBrowserNotFound, messages.CodeBrowserCrashed:
		t.current.Store(messages.PageAddress{})
		t.slot.forget(address.BrowserID)
	case messages.CodeStalePage, messages.CodeBrowserUnavailable: // the latter is said while its actor restarts, too
		t.current.Store(messages.PageAddress{})
	case messages.CodePageCrashed:
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		_, _ = t.slot.chaos.do(ctx, t.slot, caller, &messages.Navigate{PageAddress: address, URL: t.slot.chaos.site.URL + t.path()})
	case messages.CodeDialogOpen:
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_, _ = t.slot.chaos.do(ctx, t.slot, caller, &messages.HandleDialog{PageAddress: address})
	}
}

// faultLog is the runtime's log. Every fault of the killer's panics with a text; any
// other is a fault of the program, which the supervisors would hide.
type faultLog struct{ chaos *chaos }

// Write implements io.Writer.
func (l *faultLog) Write(line []byte) (int, error) {
	var said struct{ Actor, Fault, Stack string }
	if json.Unmarshal(line, &said) == nil && said.Fault != "" && said.Fault != "string" {
		l.chaos.fail("an actor failed by itself: %s: %s\n%s", said.Actor, said.Fault, said.Stack)
	}
	return len(line), nil
}

// settings returns the configuration of the run's runtime.
func (c *chaos) settings(connector actors.Connector) actors.Config {
	return actors.Config{
		NoSandbox: true, StateDir: c.dir, Connector: connector, Logger: zerolog.New(&faultLog{c}),
		ReapInterval: time.Second, // nothing is idle for long enough, and the tick must do no harm
	}
}
