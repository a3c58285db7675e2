package collect_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/actors"
	"github.com/troupe-browser/troupe/messages"
)

// startProduct starts a whole runtime with a browser of its own and returns its
// caller and first page.
func startProduct(ctx context.Context, t testing.TB) (actors.Caller, messages.PageAddress) {
	t.Helper()
	runtime, err := actors.Start(ctx, actors.Config{NoSandbox: os.Geteuid() == 0, StateDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { runtime.Shutdown(context.Background()) })
	caller := runtime.As(messages.Caller{ID: "test", Plane: messages.PlaneOperator, Grants: messages.NewGrantSet(messages.AllGrants()...)})
	receipt, err := caller.Effect(ctx, &messages.Launch{})
	if err != nil {
		t.Fatal(err)
	}
	return caller, messages.PageAddress{BrowserID: receipt.BrowserID, PageID: receipt.PageID}
}

// wholeProduct is the runtime on a page, for what only both together can show.
type wholeProduct struct {
	t      *testing.T
	ctx    context.Context
	caller actors.Caller
	page   messages.PageAddress
}

// openProduct shows a page in the runtime; /inner is a small document for frames.
func openProduct(t *testing.T, page string) *wholeProduct {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	mux := http.NewServeMux()
	serve := func(path, text string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = fmt.Fprint(w, "<!doctype html><meta charset=utf-8>"+text) // a browser that left needs no answer
		})
	}
	serve("/", page)
	serve("/inner", `<title>Inner</title><button onclick="top.document.title += ' inner'">Inside</button>`)
	site := httptest.NewServer(mux)
	t.Cleanup(site.Close)
	p := &wholeProduct{t: t, ctx: ctx}
	p.caller, p.page = startProduct(ctx, t)
	if receipt, err := p.caller.Effect(ctx, &messages.Navigate{PageAddress: p.page, URL: site.URL + "/"}); err != nil {
		t.Fatal(receipt, err)
	}
	return p
}

func (p *wholeProduct) snapshot() *messages.Snapshot {
	p.t.Helper()
	s, err := p.caller.Snapshot(p.ctx, &messages.TakeSnapshot{PageAddress: p.page})
	if err != nil {
		p.t.Fatal(err)
	}
	return s
}

// node takes a snapshot and returns its only node with the role and name, or label.
func (p *wholeProduct) node(role, name string) messages.Node {
	p.t.Helper()
	s := p.snapshot()
	for _, n := range s.Nodes {
		if n.Role == role && (n.Name == name || n.Label == name) {
			return n
		}
	}
	p.t.Fatalf("no %s %q in\n%s", role, name, show(s))
	return messages.Node{}
}

func (p *wholeProduct) click(n messages.Node) (*messages.Receipt, error) {
	return p.caller.Effect(p.ctx, &messages.Click{OnElement: messages.OnElement{PageAddress: p.page, ElementID: messages.ElementHandle(n.ElementID)}})
}

// run runs a script of the operator in the page.
func (p *wholeProduct) run(script string) string {
	p.t.Helper()
	receipt, err := p.caller.Effect(p.ctx, &messages.Evaluate{PageAddress: p.page, Script: script})
	if err != nil {
		p.t.Fatalf("%s: %+v %v", script, receipt, err)
	}
	if receipt.Observed == nil || receipt.Observed.Value == nil {
		return ""
	}
	return *receipt.Observed.Value
}
