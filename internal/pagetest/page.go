package pagetest

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/snapshot"
)

// Within bounds one test with a page unless its Setup says otherwise. It is long, since a loaded machine is slow.
const Within = 3 * time.Minute

// loadsMax is how many load events wait to be awaited; more are not counted.
const loadsMax = 64

// Setup is what a package's tests want of a page.
type Setup struct {
	// World names our isolated world in its documents.
	World string
	// Domains are enabled in its session.
	Domains []string
	// Binding is a binding of the isolated world, "" for none.
	Binding string
	// Within bounds the test, 0 for Within.
	Within time.Duration
	// Fresh asks for a page that no test had before.
	Fresh bool
	// Lifecycle and Diagnostics get the session's events. They are called in order, and must not wait for the page.
	Lifecycle   func(cdp.Event)
	Diagnostics func(batch []cdp.Event, dropped uint64)
}

// Page is a page for one test.
type Page struct {
	T       testing.TB
	Ctx     context.Context // ends with the test, or after the Setup's time
	Conn    *cdp.Conn
	Session *cdp.Session
	// Frame is its main frame.
	Frame cdp.FrameID

	setup Setup
	loads chan struct{}

	mu     sync.Mutex
	worlds map[cdp.FrameID]world // of the documents that are there
	newest map[cdp.FrameID]world // of the latest document, though it may be gone
}

// world is our world in one document.
type world struct {
	unique cdp.ContextID
	number int64
}

// Open gives the test a page, which shows nothing yet.
func (b *Browser) Open(t testing.TB, setup Setup) *Page {
	t.Helper()
	if setup.Within == 0 {
		setup.Within = Within
	}
	conn := b.Conn(t)
	ctx, cancel := context.WithTimeout(context.Background(), setup.Within)
	t.Cleanup(cancel)
	p := &Page{
		T: t, Ctx: ctx, Conn: conn, setup: setup, loads: make(chan struct{}, loadsMax),
		worlds: map[cdp.FrameID]world{}, newest: map[cdp.FrameID]world{},
	}
	own := b.take(ctx, t, setup.Fresh)
	var attached struct {
		Session cdp.SessionID `json:"sessionId"`
	}
	Call(ctx, t, conn.Root(), "Target.attachToTarget", map[string]any{"targetId": own.target, "flatten": true}, &attached)
	p.Session = conn.Session(attached.Session, own.target)
	p.Frame = cdp.FrameID(own.target) // a page's main frame has its target's id
	t.Cleanup(func() { b.give(own, p.Session, !t.Failed() && !setup.Fresh) })
	p.Session.OnLifecycle(p.lifecycle)
	if setup.Diagnostics != nil {
		p.Session.OnDiagnostics(setup.Diagnostics)
	}
	for _, domain := range setup.Domains {
		p.Call(domain+".enable", nil, nil)
	}
	// A page in the background runs no animation frame and slows its timers down.
	p.Call("Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}, nil)
	if setup.Binding != "" {
		p.Call("Runtime.addBinding", map[string]any{"name": setup.Binding, "executionContextName": setup.World}, nil)
	}
	p.Call("Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": snapshot.BootSource(), "worldName": setup.World, "runImmediately": true}, nil)
	return p
}

func (p *Page) lifecycle(event cdp.Event) {
	switch event.Method {
	case "Page.loadEventFired":
		select {
		case p.loads <- struct{}{}:
		default:
		}
	case "Runtime.executionContextCreated":
		p.created(event)
	case "Runtime.executionContextDestroyed":
		p.destroyed(event)
	}
	if p.setup.Lifecycle != nil {
		p.setup.Lifecycle(event)
	}
}

func (p *Page) created(event cdp.Event) {
	var made struct {
		Context struct {
			ID     int64         `json:"id"`
			Name   string        `json:"name"`
			Unique cdp.ContextID `json:"uniqueId"`
			Aux    struct {
				Frame cdp.FrameID `json:"frameId"`
			} `json:"auxData"`
		} `json:"context"`
	}
	if event.Decode(&made) != nil || made.Context.Name != p.setup.World {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	ours := world{made.Context.Unique, made.Context.ID}
	p.worlds[made.Context.Aux.Frame], p.newest[made.Context.Aux.Frame] = ours, ours
}

func (p *Page) destroyed(event cdp.Event) {
	var gone struct {
		ID int64 `json:"executionContextId"`
	}
	if event.Decode(&gone) != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for frame, w := range p.worlds {
		if w.number == gone.ID {
			delete(p.worlds, frame)
		}
	}
}

// Call makes a protocol call in the page's session that must succeed.
func (p *Page) Call(method string, params, result any) {
	p.T.Helper()
	Call(p.Ctx, p.T, p.Session, method, params, result)
}

// Visit leads the page to an address and waits for its load.
func (p *Page) Visit(address string) {
	p.T.Helper()
	for len(p.loads) > 0 {
		<-p.loads
	}
	p.Call("Page.navigate", map[string]any{"url": address}, nil)
	p.AwaitLoad()
}

// AwaitLoad waits for the next load event.
func (p *Page) AwaitLoad() {
	p.T.Helper()
	select {
	case <-p.loads:
	case <-p.Ctx.Done():
		p.T.Fatal("the page did not load")
	}
}

// JS runs a script in the page's own world and returns its value as JSON.
func (p *Page) JS(expression string) string {
	p.T.Helper()
	return string(Evaluate(p.Ctx, p.T, p.Session, "", expression))
}

// Text runs a script, in the execution context or with "" in the page's own world, and returns the string that it comes
// to, or another value as JSON.
func (p *Page) Text(in cdp.ContextID, expression string) string {
	p.T.Helper()
	value := Evaluate(p.Ctx, p.T, p.Session, in, expression)
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

// Newest is our world in the latest document of the main frame, which may be gone already.
func (p *Page) Newest() target.World {
	p.mu.Lock()
	defer p.mu.Unlock()
	return target.World{Frame: p.Frame, Context: p.newest[p.Frame].unique}
}

// NewestNumber is the number that the browser knows Newest by in calls that take no unique id.
func (p *Page) NewestNumber() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.newest[p.Frame].number
}

// Worlds returns our worlds in the documents that are there, and apart from them that of the main frame, which is empty
// while there is none.
func (p *Page) Worlds() (main target.World, all []target.World) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for frame, w := range p.worlds {
		all = append(all, target.World{Frame: frame, Context: w.unique})
	}
	if w, there := p.worlds[p.Frame]; there {
		main = target.World{Frame: p.Frame, Context: w.unique}
	}
	return main, all
}

// In returns the address of a path on a server, and any other address as it is.
func In(origin, path string) string {
	if strings.HasPrefix(path, "/") {
		return origin + path
	}
	return path
}
