package collect_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/troupe-browser/troupe/actors/collect"
	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/internal/pagetest"
	"github.com/troupe-browser/troupe/messages"
)

const worldName = "troupe-collect-test"

// rig is one page of the shared browser, set up as the page actor does it.
type rig struct {
	*pagetest.Page
	t    testing.TB
	ctx  context.Context
	page *cdp.Session

	server *httptest.Server
	other  *httptest.Server // another origin
	mu     sync.Mutex
	pages  map[string]string
	dialog chan messages.Dialog

	policy     target.Policy
	computed   bool
	generation messages.Generation
	nextRef    uint64
}

// browser is the one browser of this package's tests.
var (
	browser = pagetest.Browser{
		Wrap: func(t cdp.Transport) cdp.Transport {
			pipe.Transport = t
			return &pipe
		},
	}
	pipe between
)

func TestMain(m *testing.M) { browser.Main(m) }

// between lets a test put a message of its own in front of one of ours, so that
// something happens in the page at exactly that place of a collection.
type between struct {
	cdp.Transport
	ahead atomic.Pointer[func(message []byte) []byte]
}

// Write sends what the test wants to go ahead, and then the message.
func (b *between) Write(message []byte) error {
	if ahead := b.ahead.Load(); ahead != nil {
		if more := (*ahead)(message); more != nil {
			if err := b.Transport.Write(more); err != nil {
				return err
			}
		}
	}
	return b.Transport.Write(message)
}

// before runs a script in the page's own world right before the first message of
// a method that is sent from now on. It returns the end of that watch, which says
// whether there was such a message.
func (r *rig) before(method, script string) (end func() bool) {
	r.t.Helper()
	var done atomic.Bool
	more, err := json.Marshal(map[string]any{
		"id": 1 << 30, "sessionId": r.page.ID(), "method": "Runtime.evaluate", "params": map[string]any{"expression": script},
	})
	if err != nil {
		r.t.Fatal(err)
	}
	name := fmt.Appendf(nil, "%q", method)
	ahead := func(message []byte) []byte {
		if !bytes.Contains(message, name) || done.Swap(true) {
			return nil
		}
		return more
	}
	pipe.ahead.Store(&ahead)
	return func() bool {
		pipe.ahead.Store(nil)
		return done.Load()
	}
}

// newRig opens a page for the test in the package's browser.
func newRig(t testing.TB, pages map[string]string) *rig {
	t.Helper()
	return newRigOf(t, pages, pagetest.Setup{})
}

// newFreshRig opens a page that no test had before.
func newFreshRig(t testing.TB, pages map[string]string) *rig {
	t.Helper()
	return newRigOf(t, pages, pagetest.Setup{Fresh: true})
}

func newRigOf(t testing.TB, pages map[string]string, setup pagetest.Setup) *rig {
	t.Helper()
	r := &rig{t: t, pages: pages, dialog: make(chan messages.Dialog, 16), computed: true, nextRef: 1}
	r.server, r.other = pagetest.Serve(t, r.serve), pagetest.Serve(t, r.serve)
	setup.World, setup.Domains, setup.Lifecycle = worldName, []string{"Page", "Runtime", "Accessibility"}, r.lifecycle
	r.Page = browser.Open(t, setup)
	r.ctx, r.page = r.Ctx, r.Session
	return r
}

// serve returns the page of the path; {other} in it is the other origin.
func (r *rig) serve(path string) any {
	r.mu.Lock()
	defer r.mu.Unlock()
	text, ok := r.pages[path]
	if !ok {
		return nil
	}
	return strings.ReplaceAll(text, "{other}", r.other.URL)
}

func (r *rig) lifecycle(event cdp.Event) {
	if event.Method != "Page.javascriptDialogOpening" {
		return
	}
	var opened struct{ Type, Message string }
	_ = json.Unmarshal(event.Params, &opened)
	r.dialog <- messages.Dialog{Kind: messages.DialogKind(opened.Type), Message: opened.Message, Open: true}
}

func (r *rig) call(s *cdp.Session, method string, params, result any) {
	r.t.Helper()
	pagetest.Call(r.ctx, r.t, s, method, params, result)
}

// open navigates to one of the rig's pages and waits for its load.
func (r *rig) open(path string) {
	r.t.Helper()
	r.Visit(r.server.URL + path)
}

// show serves the text at a path of its own and opens it.
func (r *rig) show(text string) {
	r.t.Helper()
	r.mu.Lock()
	if r.pages == nil {
		r.pages = map[string]string{}
	}
	r.pages["/shown"] = text
	r.mu.Unlock()
	r.open("/shown")
}

// js runs a script in the page's own world and returns its value as JSON.
func (r *rig) js(expression string) string {
	r.t.Helper()
	return r.JS(expression)
}

// target is the runner's copy of the page.
func (r *rig) target() target.Page {
	main, all := r.Worlds()
	return target.Page{
		BrowserID: "b", PageID: "p", Session: r.page, Browser: r.Conn.Root(), Main: main, Worlds: all, WorldName: worldName,
		URL: r.server.URL, Policy: r.policy, Computed: r.computed, ViewportWidth: 1000, ViewportHeight: 800,
	}
}

func (r *rig) request(command messages.TakeSnapshot) collect.Request {
	r.generation++
	return collect.Request{
		Command: &command, Generation: r.generation, FirstRef: r.nextRef,
		Prefix: fmt.Sprintf("el_test_%d_", r.generation), Token: messages.DocumentToken(fmt.Sprintf("d-%d", r.generation)),
	}
}

// snap takes a snapshot that must succeed.
func (r *rig) snap(command messages.TakeSnapshot) collect.Result {
	r.t.Helper()
	result, err := collect.Snapshot(r.ctx, r.target(), r.request(command))
	if err != nil {
		r.t.Fatal(err)
	}
	r.nextRef = result.NextRef
	return result
}

// trySnap takes a snapshot that may fail.
func (r *rig) trySnap(command messages.TakeSnapshot) (collect.Result, error) {
	result, err := collect.Snapshot(r.ctx, r.target(), r.request(command))
	r.nextRef = max(r.nextRef, result.NextRef)
	return result, err
}

// find returns the only node with the name, and fails otherwise.
func find(t testing.TB, s *messages.Snapshot, role, name string) messages.Node {
	t.Helper()
	var found []messages.Node
	for _, n := range s.Nodes {
		if n.Name == name && (role == "" || n.Role == role) {
			found = append(found, n)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d nodes with role %q and name %q in:\n%s", len(found), role, name, show(s))
	}
	return found[0]
}

func show(s *messages.Snapshot) string {
	var b strings.Builder
	for _, n := range s.Nodes {
		data, _ := json.Marshal(n)
		b.Write(data)
		b.WriteByte('\n')
	}
	return b.String() + s.Text
}

func actions(n messages.Node) string {
	parts := make([]string, len(n.Actions))
	for i, a := range n.Actions {
		parts[i] = string(a)
	}
	return strings.Join(parts, " ")
}
