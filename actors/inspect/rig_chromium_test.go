package inspect

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/cdp/chromiumtest"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

const testWorld = "troupe-inspect-test"

// browser is the one browser of this package's tests.
var browser chromiumtest.Browser

func TestMain(m *testing.M) { browser.Main(m) }

// rig is one page of the shared browser in a browser context of its own, driven as
// a page actor drives it.
type rig struct {
	t       testing.TB
	ctx     context.Context
	conn    *cdp.Conn
	session *cdp.Session
	target  cdp.TargetID
	origin  string

	mu     sync.Mutex
	world  target.World
	state  messages.LoadState
	loads  chan struct{}
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
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		switch page := pages[q.URL.Path].(type) {
		case string:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, "<!doctype html><meta charset=utf-8>", page)
		case func(http.ResponseWriter, *http.Request):
			page(w, q)
		default:
			http.NotFound(w, q)
		}
	}))
	t.Cleanup(server.Close)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	r := &rig{t: t, ctx: ctx, conn: browser.Conn(t), origin: server.URL, loads: make(chan struct{}, 64)}
	r.attach()
	if pages["/"] != nil {
		r.visit("/")
	}
	return r
}

func (r *rig) attach() {
	r.t.Helper()
	r.session = chromiumtest.Open(r.ctx, r.t, r.conn)
	r.target = r.session.Target()
	r.session.OnLifecycle(r.lifecycle)
	r.session.OnDiagnostics(func(batch []cdp.Event, dropped uint64) {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.events != nil {
			r.events(batch, dropped)
		}
	})
	chromiumtest.Enable(r.ctx, r.t, r.session, "Page", "Runtime", "Network", "Log")
	r.mu.Lock()
	r.world.Frame = cdp.FrameID(r.target)
	r.mu.Unlock()
	r.call(r.session, "Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": snapshot.BootSource(), "worldName": testWorld, "runImmediately": true}, nil)
}

func (r *rig) lifecycle(e cdp.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	var p struct {
		FrameID string `json:"frameId"`
		Context struct {
			UniqueID string `json:"uniqueId"`
			Name     string `json:"name"`
			Aux      struct {
				FrameID cdp.FrameID `json:"frameId"`
			} `json:"auxData"`
		} `json:"context"`
	}
	if e.Decode(&p) != nil {
		return
	}
	switch e.Method {
	case "Page.frameStartedLoading":
		r.state = messages.LoadLoading
	case "Page.loadEventFired":
		r.state = messages.LoadComplete
		select {
		case r.loads <- struct{}{}:
		default:
		}
	case "Runtime.executionContextCreated":
		if p.Context.Name == testWorld && p.Context.Aux.FrameID == r.world.Frame {
			r.world.Context = cdp.ContextID(p.Context.UniqueID)
		}
	}
}

func (r *rig) call(s *cdp.Session, method string, params, result any) {
	r.t.Helper()
	chromiumtest.Call(r.ctx, r.t, s, method, params, result)
}

// visit opens a path of the rig's server, or a whole URL, and waits for its load.
func (r *rig) visit(path string) {
	r.t.Helper()
	for len(r.loads) > 0 {
		<-r.loads
	}
	url := path
	if strings.HasPrefix(path, "/") {
		url = r.origin + path
	}
	r.call(r.session, "Page.navigate", map[string]any{"url": url}, nil)
	select {
	case <-r.loads:
	case <-r.ctx.Done():
		r.t.Fatal("the page did not load")
	}
}

// js runs a script in the page's own world and returns its value as JSON.
func (r *rig) js(expression string) string {
	r.t.Helper()
	return string(chromiumtest.Evaluate(r.ctx, r.t, r.session, "", expression))
}

// page is the runner's copy as of now.
func (r *rig) page() target.Page {
	r.mu.Lock()
	defer r.mu.Unlock()
	return target.Page{
		BrowserID: "b", PageID: "p", Session: r.session, Browser: r.conn.Root(), Target: r.target,
		Main: r.world, Worlds: []target.World{r.world}, WorldName: testWorld, LoadState: r.state,
	}
}

// code returns the code of an error, empty for none.
func code(err error) messages.Code {
	if err == nil {
		return ""
	}
	return messages.AsError(err).Code
}
