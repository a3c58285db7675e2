package inspect

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/internal/pagetest"
	"github.com/troupe-browser/troupe/messages"
)

const testWorld = "troupe-inspect-test"

// browser is the one browser of this package's tests.
var browser pagetest.Browser

func TestMain(m *testing.M) { browser.Main(m) }

// rig is one page of the shared browser, driven as a page actor drives it.
type rig struct {
	*pagetest.Page
	t       testing.TB
	ctx     context.Context
	conn    *cdp.Conn
	session *cdp.Session
	target  cdp.TargetID
	origin  string

	mu     sync.Mutex
	state  messages.LoadState
	events func(batch []cdp.Event, dropped uint64)
}

// ticket counts what an operation says of its progress.
type ticket struct {
	begun, changed, takenBack atomic.Int32
	refuse                    *messages.Error
}

func (p *ticket) Begin(context.Context) *messages.Error {
	if p.refuse != nil {
		return p.refuse
	}
	p.begun.Add(1)
	return nil
}

func (p *ticket) End(changed bool) {
	if changed {
		p.changed.Add(1)
	} else {
		p.takenBack.Add(1)
	}
}

func (p *ticket) Live() bool { return true }

// newRig serves the pages, by path, and opens the one of "/". A handler may take
// the place of a page.
func newRig(t testing.TB, pages map[string]any) *rig {
	t.Helper()
	r := &rig{t: t, origin: pagetest.Serve(t, func(path string) any { return pages[path] }).URL}
	r.Page = browser.Open(t, pagetest.Setup{
		World: testWorld, Domains: []string{"Page", "Runtime", "Network", "Log"}, Lifecycle: r.lifecycle, Diagnostics: r.diagnostics,
	})
	r.ctx, r.conn, r.session, r.target = r.Ctx, r.Conn, r.Session, r.Session.Target()
	if pages["/"] != nil {
		r.visit("/")
	}
	return r
}

func (r *rig) diagnostics(batch []cdp.Event, dropped uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.events != nil {
		r.events(batch, dropped)
	}
}

func (r *rig) lifecycle(e cdp.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch e.Method {
	case "Page.frameStartedLoading":
		r.state = messages.LoadLoading
	case "Page.loadEventFired":
		r.state = messages.LoadComplete
	}
}

func (r *rig) call(s *cdp.Session, method string, params, result any) {
	r.t.Helper()
	pagetest.Call(r.ctx, r.t, s, method, params, result)
}

// visit opens a path of the rig's server, or a whole URL, and waits for its load.
func (r *rig) visit(path string) {
	r.t.Helper()
	r.Visit(pagetest.In(r.origin, path))
}

// js runs a script in the page's own world and returns its value as JSON.
func (r *rig) js(expression string) string {
	r.t.Helper()
	return r.JS(expression)
}

// page is the runner's copy as of now.
func (r *rig) page() target.Page {
	main := r.Newest()
	r.mu.Lock()
	defer r.mu.Unlock()
	return target.Page{
		BrowserID: "b", PageID: "p", Session: r.session, Browser: r.conn.Root(), Target: r.target,
		Main: main, Worlds: []target.World{main}, WorldName: testWorld, LoadState: r.state,
	}
}

// code returns the code of an error, empty for none.
func code(err error) messages.Code {
	if err == nil {
		return ""
	}
	return messages.AsError(err).Code
}
