package actors

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/machinetest"
	"github.com/troupe-browser/troupe/actors/page"
	"github.com/troupe-browser/troupe/fixtures"
	"github.com/troupe-browser/troupe/messages"
)

// rig is a runtime with a real browser, for one test.
type rig struct {
	t       *testing.T
	runtime *Runtime
	caller  Caller
	ctx     context.Context
}

// chromiumConfig is the configuration of a test with a real browser.
func chromiumConfig(t *testing.T) Config {
	return Config{NoSandbox: os.Geteuid() == 0, StateDir: t.TempDir()}
}

func newRig(t *testing.T, config Config) *rig {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	runtime, err := Start(ctx, config)
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, runtime: runtime, caller: runtime.As(machinetest.Agent), ctx: ctx}
	t.Cleanup(func() { runtime.Shutdown(context.Background()) })
	return r
}

// effect carries out an effect that must complete.
func (r *rig) effect(command messages.Effect) *messages.Receipt {
	r.t.Helper()
	receipt, err := r.caller.Effect(r.ctx, command)
	if err != nil {
		r.t.Fatalf("%s: %v %s", command.Action(), err, receipt.Operator)
	}
	return receipt
}

// launch starts a browser and returns its first page.
func (r *rig) launch() messages.PageAddress {
	r.t.Helper()
	receipt := r.effect(&messages.Launch{})
	return messages.PageAddress{BrowserID: receipt.BrowserID, PageID: receipt.PageID}
}

func (r *rig) pages(browser messages.BrowserID) []messages.PageSummary {
	r.t.Helper()
	reply, err := r.caller.Observe(r.ctx, &messages.ListPages{BrowserID: browser})
	if err != nil {
		r.t.Fatal(err)
	}
	return reply.(*messages.PageList).Pages
}

// open opens a page of the fixture site in a page of its own.
func (r *rig) open(browser messages.BrowserID, url string) messages.PageAddress {
	r.t.Helper()
	receipt := r.effect(&messages.NewPage{BrowserID: browser, URL: url})
	return messages.PageAddress{BrowserID: browser, PageID: receipt.PageID}
}

// snapshot takes a snapshot that must succeed.
func (r *rig) snapshot(page messages.PageAddress) *messages.Snapshot {
	r.t.Helper()
	s, err := r.caller.Snapshot(r.ctx, &messages.TakeSnapshot{PageAddress: page})
	if err != nil {
		r.t.Fatalf("snapshot: %v", err)
	}
	return s
}

// element returns the handle of the node of that role and name.
func (r *rig) element(s *messages.Snapshot, role, name string) messages.ElementHandle {
	r.t.Helper()
	for _, n := range s.Nodes {
		if n.Role == role && n.Name == name {
			return messages.ElementHandle(n.ElementID)
		}
	}
	r.t.Fatalf("no %s %q in %+v", role, name, s.Nodes)
	return ""
}

// firstRef is the first ref that a snapshot gives out.
func firstRef(s *messages.Snapshot) messages.Ref {
	for _, n := range s.Nodes {
		if n.Ref != "" {
			return n.Ref
		}
	}
	return ""
}

func on(page messages.PageAddress, element messages.ElementHandle) messages.OnElement {
	return messages.OnElement{PageAddress: page, ElementID: element}
}

// eventually waits until a condition holds, which a browser takes time to make true.
func (r *rig) eventually(what string, holds func() bool) {
	r.t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !holds(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			r.t.Fatalf("not in time: %s", what)
		}
	}
}

// summary returns the page's line in the listing.
func (r *rig) summary(page messages.PageAddress) messages.PageSummary {
	r.t.Helper()
	for _, p := range r.pages(page.BrowserID) {
		if p.PageID == page.PageID {
			return p
		}
	}
	return messages.PageSummary{}
}

// within demands that a call is answered in time.
func within(t *testing.T, limit time.Duration, what string, call func()) {
	t.Helper()
	begun := time.Now()
	call()
	if took := time.Since(begun); took > limit {
		t.Errorf("%s took %v, at most %v", what, took, limit)
	}
}

func wantCode(t *testing.T, err error, code messages.Code) {
	t.Helper()
	if got := messages.AsError(err); got == nil || got.Code != code {
		t.Errorf("error is %v, want %s", err, code)
	}
}

func TestChromium_FromLaunchToShutdown(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	site := fixtures.Serve(t)
	r := newRig(t, chromiumConfig(t))
	first := r.launch()
	receipt := r.effect(&messages.Navigate{PageAddress: first, URL: site.URL("/form-twenty")})
	if receipt.LoadState != messages.LoadComplete || receipt.URL != site.URL("/form-twenty") {
		t.Errorf("navigate: %+v", receipt)
	}
	second := r.effect(&messages.NewPage{BrowserID: first.BrowserID, URL: site.URL("/form-twenty"), Temporary: true})
	pages := r.pages(first.BrowserID)
	if len(pages) != 2 || pages[1].PageID != second.PageID || !pages[1].Temporary || pages[0].Temporary {
		t.Fatalf("pages are %+v", pages)
	}
	r.eventually("the title is listed", func() bool { return r.summary(first).Title == "Twenty fields" || r.summary(first).Title != "" })
	r.effect(&messages.ClosePage{PageAddress: messages.PageAddress{BrowserID: first.BrowserID, PageID: second.PageID}})
	if pages := r.pages(first.BrowserID); len(pages) != 1 {
		t.Errorf("%d pages after closing one of two", len(pages))
	}
	report := r.runtime.Shutdown(context.Background())
	if len(report.Removed) != 1 || len(report.Failed)+len(report.Pending) > 0 {
		t.Errorf("report is %+v", report)
	}
	if _, err := r.caller.Observe(r.ctx, &messages.ListBrowsers{}); err == nil {
		t.Error("a runtime that was shut down answered")
	}
}

// One browser serves the tests of single pages; each has a page of its own.
func TestChromium_Pages(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	site := fixtures.Serve(t)
	shared := newRig(t, chromiumConfig(t))
	browser := shared.launch().BrowserID
	for name, test := range map[string]func(*rig, *fixtures.Server, messages.BrowserID){
		"a click acts and another document makes ids stale": clickAndStale,
		"a confirm is held and accepted":                    confirmIsHeld,
		"a dialog nobody asked for blocks effects":          dialogOnTimer,
		"an alert while loading":                            dialogOnLoad,
		"a popup gets an id and its opener":                 popup,
		"a crashed renderer":                                rendererCrash,
		"a killed page actor":                               pageActorFailure,
		"a foreign caller":                                  foreignCaller,
		"calls in order, busy beyond the bound":             queueOrder,
		"a caller that gives up":                            callerGivesUp,
	} {
		t.Run(name, func(t *testing.T) {
			r := *shared
			r.t = t
			test(&r, site, browser)
		})
	}
}

func clickAndStale(r *rig, site *fixtures.Server, browser messages.BrowserID) {
	page := r.open(browser, site.URL("/dialog-kinds"))
	s := r.snapshot(page)
	if s.Generation != 1 || s.DocumentToken == "" || len(s.Nodes) == 0 {
		r.t.Fatalf("first snapshot: %+v", s)
	}
	button := s.Nodes[0].Ref
	for _, n := range s.Nodes {
		if n.Role == "button" {
			button = n.Ref
		}
	}
	r.effect(&messages.Navigate{PageAddress: page, URL: site.URL("/form-twenty")})
	_, err := r.caller.Effect(r.ctx, &messages.Click{OnElement: on(page, messages.ElementHandle(button))})
	wantCode(r.t, err, messages.CodeSnapshotStale)
	refusal := messages.AsError(err)
	if refusal.State != messages.NotStarted || refusal.Recovery == nil || refusal.Recovery.Arguments["action"] != "snapshot" {
		r.t.Errorf("refusal: %+v", refusal)
	}
	if again := r.snapshot(page); again.Generation != 2 || firstRef(again) == firstRef(s) {
		r.t.Errorf("second snapshot has generation %d, refs from %s", again.Generation, firstRef(again))
	}
}

func confirmIsHeld(r *rig, site *fixtures.Server, browser messages.BrowserID) {
	page := r.open(browser, site.URL("/dialog-kinds"))
	s := r.snapshot(page)
	var confirm messages.ElementHandle
	for _, n := range s.Nodes {
		if n.Role == "button" && strings.Contains(strings.ToLower(n.Name), "confirm") || n.Role == "button" && n.Name == "Delete" {
			confirm = messages.ElementHandle(n.ElementID)
		}
	}
	if confirm == "" {
		r.t.Fatalf("no confirm button in %+v", s.Nodes)
	}
	receipt := r.effect(&messages.Click{OnElement: on(page, confirm)})
	if receipt.Dialog == nil || !receipt.Dialog.Open || receipt.Dialog.Kind != messages.DialogConfirm {
		r.t.Fatalf("click on a confirm: %+v, dialog %+v", receipt, receipt.Dialog)
	}
	if seen := r.snapshot(page); seen.Dialog == nil || !seen.Dialog.Open {
		r.t.Errorf("snapshot under a dialog: %+v", seen)
	}
	if r.summary(page).Dialog == nil {
		r.t.Error("the listing does not show the dialog")
	}
	_, err := r.caller.Effect(r.ctx, &messages.Navigate{PageAddress: page, URL: site.URL("/demo")})
	wantCode(r.t, err, messages.CodeDialogOpen)
	answered := r.effect(&messages.HandleDialog{PageAddress: page, Accept: true})
	if answered.Dialog == nil || answered.Dialog.Answered != "accepted" {
		r.t.Errorf("handle_dialog: %+v", answered.Dialog)
	}
	_, err = r.caller.Effect(r.ctx, &messages.HandleDialog{PageAddress: page, Accept: true})
	wantCode(r.t, err, messages.CodeDialogMissing)
	if seen := r.snapshot(page); seen.Dialog != nil || len(seen.Nodes) == 0 {
		r.t.Errorf("snapshot after the answer: %+v", seen)
	}
}

func dialogOnTimer(r *rig, site *fixtures.Server, browser messages.BrowserID) {
	page := r.open(browser, site.URL("/dialog-on-timer"))
	r.eventually("the dialog opens", func() bool { return r.summary(page).Dialog != nil })
	within(r.t, time.Second, "closing a page with a dialog", func() { r.effect(&messages.ClosePage{PageAddress: page}) })
}

func dialogOnLoad(r *rig, site *fixtures.Server, browser messages.BrowserID) {
	page := r.open(browser, "")
	receipt := r.effect(&messages.Navigate{PageAddress: page, URL: site.URL("/dialog-on-load")})
	if receipt.Dialog == nil || !receipt.Dialog.Open {
		r.t.Fatalf("navigate: %+v", receipt)
	}
	r.effect(&messages.HandleDialog{PageAddress: page})
	r.eventually("the page is complete", func() bool { return r.summary(page).LoadState == messages.LoadComplete })
}

func popup(r *rig, site *fixtures.Server, browser messages.BrowserID) {
	page := r.open(browser, site.URL("/popup-kinds"))
	s := r.snapshot(page)
	for _, n := range s.Nodes {
		if n.Role != "link" && n.Role != "button" {
			continue
		}
		receipt := r.effect(&messages.Click{OnElement: on(page, messages.ElementHandle(n.ElementID))})
		if len(receipt.OpenedPages) != 1 || receipt.OpenedPages[0].OpenerPageID != page.PageID {
			r.t.Fatalf("click on %s %q opened %+v", n.Role, n.Name, receipt.OpenedPages)
		}
		opened := messages.PageAddress{BrowserID: browser, PageID: receipt.OpenedPages[0].PageID}
		r.eventually("the popup loads", func() bool { return r.summary(opened).LoadState == messages.LoadComplete })
		r.snapshot(opened)
		r.effect(&messages.ClosePage{PageAddress: opened})
		return
	}
	r.t.Fatal("nothing to click")
}

func rendererCrash(r *rig, site *fixtures.Server, browser messages.BrowserID) {
	page := r.open(browser, site.URL("/form-twenty"))
	sibling := r.open(browser, site.URL("/demo"))
	operator := r.runtime.As(messages.Caller{ID: "operator", Plane: messages.PlaneOperator, Grants: messages.DefaultGrants()})
	waiting := make(chan error, 1)
	go func() {
		_, err := r.caller.Effect(r.ctx, &messages.Navigate{PageAddress: page, URL: site.URL("/nav-slow?endless=1")})
		waiting <- err
	}()
	within(r.t, 3*time.Second, "killing the renderer", func() {
		receipt, err := operator.Effect(r.ctx, &messages.Unstick{PageAddress: page, Step: messages.UnstickKill})
		for err != nil && receipt.ExecutionState == messages.OutcomeUnknown && !r.summary(page).Crashed {
			// The navigation took the document and the command along; the operator looks
			// and decides again.
			receipt, err = operator.Effect(r.ctx, &messages.Unstick{PageAddress: page, Step: messages.UnstickKill})
		}
		if err != nil && receipt.ExecutionState != messages.OutcomeUnknown {
			r.t.Fatalf("%v %+v", err, receipt)
		}
	})
	r.eventually("the crash is listed", func() bool { return r.summary(page).Crashed })
	err := <-waiting
	if err == nil {
		r.t.Log("the navigation had ended before the crash")
	}
	within(r.t, 500*time.Millisecond, "a snapshot of a crashed page", func() {
		_, err := r.caller.Snapshot(r.ctx, &messages.TakeSnapshot{PageAddress: page})
		wantCode(r.t, err, messages.CodePageCrashed)
	})
	r.snapshot(sibling)
	r.effect(&messages.Navigate{PageAddress: page, URL: site.URL("/form-twenty")})
	if s := r.snapshot(page); len(s.Nodes) == 0 {
		r.t.Error("a revived page shows nothing")
	}
}

func pageActorFailure(r *rig, site *fixtures.Server, browser messages.BrowserID) {
	page := r.open(browser, site.URL("/form-twenty"))
	sibling := r.open(browser, site.URL("/demo"))
	before := r.snapshot(page)
	field := r.element(before, before.Nodes[0].Role, before.Nodes[0].Name)
	for _, n := range before.Nodes {
		if n.Role == "textbox" {
			field = messages.ElementHandle(n.ElementID)
			break
		}
	}
	failPage(r, page)
	r.eventually("the page is usable again", func() bool {
		_, err := r.caller.Effect(r.ctx, &messages.SetValue{OnElement: on(page, field), Value: "x"})
		return messages.AsError(err) != nil && messages.AsError(err).Code == messages.CodeSnapshotStale
	})
	after := r.snapshot(page)
	if after.Generation <= before.Generation || len(after.Nodes) != len(before.Nodes) || firstRef(after) == firstRef(before) {
		r.t.Errorf("after the restart: generation %d of %d, %d nodes of %d", after.Generation, before.Generation, len(after.Nodes), len(before.Nodes))
	}
	r.snapshot(sibling)
}

// failPage makes the page's actor panic, as a fault of ours would.
func failPage(r *rig, tab messages.PageAddress) {
	pid := pagePID(r.runtime, tab)
	r.runtime.env.Send(pid, &page.OperationDone{Fault: &kernel.Fault{Value: "a fault on purpose"}})
}

func foreignCaller(r *rig, site *fixtures.Server, browser messages.BrowserID) {
	page := r.open(browser, site.URL("/demo"))
	other := r.runtime.As(messages.Caller{ID: "other", Plane: messages.PlaneModel, Grants: messages.DefaultGrants()})
	_, err := other.Snapshot(r.ctx, &messages.TakeSnapshot{PageAddress: page})
	wantCode(r.t, err, messages.CodeNoGrant)
	reply, err := other.Observe(r.ctx, &messages.ListPages{BrowserID: browser})
	if err != nil || len(reply.(*messages.PageList).Pages) != 0 {
		r.t.Errorf("another caller sees %+v, %v", reply, err)
	}
	_, err = other.Effect(r.ctx, &messages.CloseBrowser{BrowserID: browser})
	wantCode(r.t, err, messages.CodeNoGrant)
	bare := r.runtime.As(messages.Caller{ID: "agent"})
	_, err = bare.Snapshot(r.ctx, &messages.TakeSnapshot{PageAddress: page})
	wantCode(r.t, err, messages.CodeNoGrant)
}

func queueOrder(r *rig, site *fixtures.Server, browser messages.BrowserID) {
	page := r.open(browser, site.URL("/demo"))
	const calls = messages.PageQueueMax + 20
	results := make(chan error, calls)
	for range calls {
		go func() {
			_, err := r.caller.Snapshot(r.ctx, &messages.TakeSnapshot{PageAddress: page})
			results <- err
		}()
	}
	busy := 0
	for range calls {
		if err := <-results; err != nil {
			if messages.AsError(err).Code != messages.CodeBusy {
				r.t.Errorf("a call in a crowd: %v", err)
			}
			busy++
		}
	}
	if busy == 0 || busy > 20 {
		r.t.Errorf("%d of %d calls were refused as busy", busy, calls)
	}
}

func callerGivesUp(r *rig, site *fixtures.Server, browser messages.BrowserID) {
	page := r.open(browser, site.URL("/demo"))
	ctx, cancel := context.WithTimeout(r.ctx, 300*time.Millisecond)
	defer cancel()
	within(r.t, 300*time.Millisecond+messages.CancelGrace+300*time.Millisecond, "a call whose caller gives up", func() {
		receipt, err := r.caller.Effect(ctx, &messages.Navigate{PageAddress: page, URL: site.URL("/nav-slow?endless=1")})
		if err == nil && receipt.LoadState == messages.LoadComplete {
			r.t.Errorf("a slow page loaded at once: %+v", receipt)
		}
	})
	within(r.t, 5*time.Second, "the next call", func() { r.effect(&messages.Navigate{PageAddress: page, URL: site.URL("/demo")}) })
}
