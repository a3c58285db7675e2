package effect

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/internal/pagetest"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

const testWorld = "troupe-test"

// browser is the one browser of this package's tests; each test has a page of its own
// in it.
var browser pagetest.Browser

func TestMain(m *testing.M) { browser.Main(m) }

// rig is one page of the shared browser, driven as a page actor drives it.
type rig struct {
	*pagetest.Page
	t       *testing.T
	ctx     context.Context
	conn    *cdp.Conn
	session *cdp.Session
	origin  string

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
	server := pagetest.Serve(t, func(string) any { return http.HandlerFunc(handler.ServeHTTP) })
	return openAt(t, server.URL, "/")
}

func openAt(t *testing.T, origin, path string) *rig {
	t.Helper()
	r := &rig{t: t, origin: origin, dialogs: make(chan string, 16), records: map[string]*snapshot.Record{}}
	r.Page = browser.Open(t, pagetest.Setup{
		World: testWorld, Domains: []string{"Page", "Runtime", "Network", "DOM"}, Binding: target.GuardBinding,
		Lifecycle: r.lifecycle, Diagnostics: func([]cdp.Event, uint64) {},
	})
	r.ctx, r.conn, r.session = r.Ctx, r.Conn, r.Session
	r.visit(origin + path)
	return r
}

func (r *rig) visit(url string) {
	r.t.Helper()
	r.Visit(url)
	r.records = map[string]*snapshot.Record{}
	r.generation = 0
}

func (r *rig) lifecycle(e cdp.Event) {
	if e.Method != "Page.javascriptDialogOpening" {
		return
	}
	var d dialogOpening
	_ = e.Decode(&d)
	if r.auto {
		go func() {
			_ = r.session.Execute(r.ctx, "Page.handleJavaScriptDialog", map[string]any{"accept": false}, nil)
		}()
	}
	r.dialogs <- d.Type
}

func (r *rig) call(s *cdp.Session, method string, params, result any) {
	r.t.Helper()
	pagetest.Call(r.ctx, r.t, s, method, params, result)
}

func (r *rig) main() target.World { return r.Newest() }

// js runs a script in the page's own world and returns its value as JSON text, or
// the string that it is.
func (r *rig) js(expression string) string {
	r.t.Helper()
	return r.Text("", expression)
}

func (r *rig) run(expression string, in cdp.ContextID) string {
	r.t.Helper()
	return r.Text(in, expression)
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
		const i=troupe.register(at,%d); const c=troupe.core.readings.get(%d).records[i];
		return {i,role:c.lite.role,name:c.lite.name,tag:at.localName,type:at.localName==="input"?at.type:""}}))})()`, r.generation, list, r.generation, r.generation), r.main().Context)
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
			Index: f.I, Role: f.Role, Tag: f.Tag, InputType: f.Type,
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
