package effect

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

const testWorld = "troupe-test"

// sharedBrowser is the one browser of this package's tests; each test has a page
// of its own in it. TestMain ends it.
var sharedBrowser struct {
	once    sync.Once
	process *cdp.Process
	conn    *cdp.Conn
	dir     string
	err     error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if p := sharedBrowser.process; p != nil {
		_ = sharedBrowser.conn.Close()
		_ = p.Close(context.Background(), false)
	}
	if dir := sharedBrowser.dir; dir != "" {
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

func startBrowser(t *testing.T) *cdp.Conn {
	t.Helper()
	b := &sharedBrowser
	b.once.Do(func() {
		engine, err := cdp.Discover(cdp.DiscoverOptions{})
		if err != nil {
			b.err = fmt.Errorf("no Chromium: %w. Install it (apt-get install chromium) or name it in %s", err, cdp.EnvBrowser)
			return
		}
		dir, err := os.MkdirTemp("", "troupe-effect-")
		if err != nil {
			b.err = err
			return
		}
		b.dir = dir
		b.process, b.err = cdp.Launch(context.Background(), cdp.LaunchConfig{
			Engine: engine, ThrowawayParent: dir, Headless: true, NoSandbox: os.Geteuid() == 0,
			Args: []string{"--disable-gpu", "--disable-quic"}, WindowWidth: 1000, WindowHeight: 800,
		})
		if b.err == nil {
			b.conn = cdp.NewConn(b.process.Transport(), cdp.Options{})
		}
	})
	if b.err != nil {
		t.Fatal(b.err)
	}
	return b.conn
}

// rig is one page of the shared browser, driven as a page actor drives it.
type rig struct {
	t       *testing.T
	ctx     context.Context
	conn    *cdp.Conn
	session *cdp.Session
	origin  string

	mu      sync.Mutex
	world   target.World
	loads   chan struct{}
	dialogs chan string

	generation messages.Generation
	records    map[string]*snapshot.Record
	policy     target.Policy
	files      FileRoots
	auto       bool
	background map[string]struct{}
	lastTicket *ticket
}

// ticket counts what an operation says of its progress.
type ticket struct {
	begun, changed, takenBack atomic.Int32
	dead                      atomic.Bool
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

func (p *ticket) Live() bool { return !p.dead.Load() }

// open makes a page that shows the given body.
func open(t *testing.T, body string) *rig {
	t.Helper()
	return openWith(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, "<!doctype html><meta charset=utf-8><title>t</title>", body)
		case "/other":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, "<!doctype html><title>other</title><p>other")
		case "/save":
			w.WriteHeader(http.StatusCreated)
		case "/empty":
			w.WriteHeader(http.StatusNoContent)
		case "/file":
			w.Header().Set("Content-Disposition", "attachment; filename=a.txt")
			fmt.Fprint(w, "text")
		default:
			http.NotFound(w, r)
		}
	}))
}

func openWith(t *testing.T, handler http.Handler) *rig {
	t.Helper()
	conn := startBrowser(t)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return openAt(t, conn, server.URL, "/")
}

func openAt(t *testing.T, conn *cdp.Conn, origin, path string) *rig {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	r := &rig{t: t, ctx: ctx, conn: conn, origin: origin, loads: make(chan struct{}, 64), dialogs: make(chan string, 16), records: map[string]*snapshot.Record{}}
	var made struct {
		TargetID string `json:"targetId"`
	}
	r.call(conn.Root(), "Target.createTarget", map[string]any{"url": "about:blank"}, &made)
	t.Cleanup(func() {
		_ = conn.Root().Execute(context.Background(), "Target.closeTarget", map[string]any{"targetId": made.TargetID}, nil)
	})
	var attached struct {
		SessionID string `json:"sessionId"`
	}
	r.call(conn.Root(), "Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &attached)
	r.session = conn.Session(cdp.SessionID(attached.SessionID), cdp.TargetID(made.TargetID))
	r.session.OnLifecycle(r.lifecycle)
	r.session.OnDiagnostics(func([]cdp.Event, uint64) {})
	for _, method := range []string{"Page.enable", "Runtime.enable", "Network.enable", "DOM.enable"} {
		r.call(r.session, method, nil, nil)
	}
	r.call(r.session, "Runtime.addBinding", map[string]any{"name": target.GuardBinding, "executionContextName": testWorld}, nil)
	r.call(r.session, "Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}, nil)
	var tree struct {
		FrameTree struct {
			Frame struct {
				ID string `json:"id"`
			} `json:"frame"`
		} `json:"frameTree"`
	}
	r.call(r.session, "Page.getFrameTree", nil, &tree)
	r.mu.Lock()
	r.world.Frame = cdp.FrameID(tree.FrameTree.Frame.ID)
	r.mu.Unlock()
	r.call(r.session, "Page.addScriptToEvaluateOnNewDocument", map[string]any{"source": snapshot.BootSource(), "worldName": testWorld, "runImmediately": true}, nil)
	r.visit(origin + path)
	return r
}

func (r *rig) visit(url string) {
	r.t.Helper()
	for len(r.loads) > 0 {
		<-r.loads
	}
	r.call(r.session, "Page.navigate", map[string]any{"url": url}, nil)
	select {
	case <-r.loads:
	case <-r.ctx.Done():
		r.t.Fatal("the page did not load")
	}
	r.records = map[string]*snapshot.Record{}
	r.generation = 0
}

func (r *rig) lifecycle(e cdp.Event) {
	switch e.Method {
	case "Page.loadEventFired":
		select {
		case r.loads <- struct{}{}:
		default:
		}
	case "Page.javascriptDialogOpening":
		var d dialogOpening
		_ = e.Decode(&d)
		if r.auto {
			go func() {
				_ = r.session.Execute(r.ctx, "Page.handleJavaScriptDialog", map[string]any{"accept": false}, nil)
			}()
		}
		r.dialogs <- d.Type
	case "Runtime.executionContextCreated":
		var c contextCreated
		if e.Decode(&c) == nil && c.Context.Name == testWorld {
			r.mu.Lock()
			if c.Context.AuxData.FrameID == string(r.world.Frame) {
				r.world.Context = cdp.ContextID(c.Context.UniqueID)
			}
			r.mu.Unlock()
		}
	}
}

func (r *rig) call(s *cdp.Session, method string, params, result any) {
	r.t.Helper()
	if err := s.Execute(r.ctx, method, params, result); err != nil {
		r.t.Fatalf("%s: %v", method, err)
	}
}

func (r *rig) main() target.World {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.world
}

// js runs a script in the page's own world and returns its value as JSON text, or
// the string that it is.
func (r *rig) js(expression string) string {
	r.t.Helper()
	return r.run(expression, "")
}

func (r *rig) run(expression, context string) string {
	r.t.Helper()
	var out struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		Exception *struct {
			Exception struct {
				Description string `json:"description"`
			} `json:"exception"`
		} `json:"exceptionDetails"`
	}
	params := map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}
	if context != "" {
		params["uniqueContextId"] = context
	}
	r.call(r.session, "Runtime.evaluate", params, &out)
	if out.Exception != nil {
		r.t.Fatalf("%s: %s", expression, out.Exception.Exception.Description)
	}
	var text string
	if json.Unmarshal(out.Result.Value, &text) == nil {
		return text
	}
	return string(out.Result.Value)
}

// take makes a new generation in which the elements of the selectors have ids,
// which are the selectors themselves. A selector may reach into open shadow roots
// and frames by " >>> ".
func (r *rig) take(selectors ...string) {
	r.t.Helper()
	r.generation++
	list, _ := json.Marshal(selectors)
	answer := r.run(fmt.Sprintf(`(()=>{troupe.begin(%d);return JSON.stringify(%s.map((s)=>{
		let at=document;
		for(const part of s.split(" >>> ")) at=(at.shadowRoot||at.contentDocument||at).querySelector(part);
		const i=troupe.register(at,%d); const c=troupe.core.records[i];
		return {i,role:c.lite.role,name:c.lite.name,tag:at.localName,type:at.localName==="input"?at.type:""}}))})()`, r.generation, list, r.generation), string(r.main().Context))
	var found []struct {
		I                     int
		Role, Name, Tag, Type string
	}
	if err := json.Unmarshal([]byte(answer), &found); err != nil {
		r.t.Fatal(err)
	}
	r.records = map[string]*snapshot.Record{}
	for i, s := range selectors {
		f := found[i]
		r.records[s] = &snapshot.Record{
			Generation: r.generation, Frame: string(r.main().Frame), World: string(r.main().Context),
			Index: f.I, Role: f.Role, Name: f.Name, Tag: f.Tag, InputType: f.Type,
		}
	}
}

func (r *rig) env(p *ticket) Env {
	return Env{
		Page: target.Page{
			Session: r.session, Browser: r.conn.Root(), Main: r.main(), WorldName: testWorld,
			LoadState: messages.LoadComplete, Policy: r.policy, ViewportWidth: 1000, ViewportHeight: 800, Background: r.background,
		},
		Progress: p,
		Resolve: func(h messages.ElementHandle, _ messages.Action) (*snapshot.Record, *messages.Error) {
			if found := r.records[string(h)]; found != nil {
				return found, nil
			}
			return nil, messages.NewError(messages.CodeRefDetached, "")
		},
		Files: r.files, Operation: "op", AutoDialogs: r.auto,
	}
}

// do runs one command and returns its receipt.
func (r *rig) do(command messages.Effect) *messages.Receipt {
	r.t.Helper()
	p := &ticket{}
	r.lastTicket = p
	return Run(r.ctx, r.env(p), command)
}

func on(selector string) messages.OnElement {
	return messages.OnElement{ElementID: messages.ElementHandle(selector)}
}

// want fails the test when the receipt has another state or code; several codes
// may be given, with "|" between them.
func (r *rig) want(receipt *messages.Receipt, state messages.ExecutionState, code messages.Code) {
	r.t.Helper()
	if receipt.ExecutionState != state || (receipt.Code != code && (code == "" || !strings.Contains(string(code), string(receipt.Code)))) {
		text, _ := json.Marshal(receipt)
		r.t.Fatalf("got %s %q, want %s %q\n%s", receipt.ExecutionState, receipt.Code, state, code, text)
	}
}

func (r *rig) equal(what, got, want string) {
	r.t.Helper()
	if got != want {
		r.t.Fatalf("%s is %q, want %q", what, got, want)
	}
}

func matches(b *bool) string {
	if b == nil {
		return "unknown"
	}
	return fmt.Sprint(*b)
}

func text(s *string) string {
	if s == nil {
		return "none"
	}
	return *s
}
