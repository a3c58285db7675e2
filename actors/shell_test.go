package actors

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/machinetest"
	"github.com/troupe-browser/troupe/actors/root"
	"github.com/troupe-browser/troupe/cdp/cdptest"
	"github.com/troupe-browser/troupe/messages"
)

func TestShell_LaunchOpenListClose(t *testing.T) {
	stage(t, nil, func(t *testing.T, f *fakeBrowser, r *rig) {
		first := r.launch()
		second := r.open(first.BrowserID, "")
		if pages := r.pages(first.BrowserID); len(pages) != 2 || pages[0].PageID != first.PageID || pages[1].PageID != second.PageID {
			t.Errorf("pages are %+v", pages)
		}
		r.effect(&messages.ClosePage{PageAddress: second})
		if pages := r.pages(first.BrowserID); len(pages) != 1 {
			t.Errorf("pages are %+v", pages)
		}
		r.effect(&messages.CloseBrowser{BrowserID: first.BrowserID})
		if f.closed.Load() == 0 {
			t.Error("the browser was not closed")
		}
		_, err := r.caller.Observe(r.ctx, &messages.ListPages{BrowserID: first.BrowserID})
		wantCode(t, err, messages.CodeBrowserNotFound)
	})
}

// Page comes first on every target, or a dialog hangs the tab for good.
func TestShell_PageIsEnabledFirst(t *testing.T) {
	stage(t, nil, func(t *testing.T, f *fakeBrowser, r *rig) {
		r.launch()
		var own []string
		for _, call := range f.Calls() {
			if call.Session == "ST1" {
				own = append(own, call.Method)
			}
		}
		if len(own) < 3 || own[0] != "Page.enable" || count(own, "Runtime.runIfWaitingForDebugger") != 1 {
			t.Errorf("calls are %v", own)
		}
	})
}

func TestShell_AnOperationIDIsGoodOnce(t *testing.T) {
	stage(t, nil, func(t *testing.T, _ *fakeBrowser, r *rig) {
		page := r.launch()
		command := &messages.NewPage{BrowserID: page.BrowserID, EffectOptions: messages.EffectOptions{OperationID: "once"}}
		if receipt := r.effect(command); receipt.OperationID != "once" {
			t.Errorf("receipt is %+v", receipt)
		}
		receipt, err := r.caller.Effect(r.ctx, command)
		wantCode(t, err, messages.CodeOperationIDSpent)
		wantReceipt(t, receipt, messages.NotStarted, messages.CodeOperationIDSpent)
		minted := r.effect(&messages.NewPage{BrowserID: page.BrowserID}).OperationID
		_, err = r.caller.Effect(r.ctx, &messages.NewPage{BrowserID: page.BrowserID, EffectOptions: messages.EffectOptions{OperationID: minted}})
		wantCode(t, err, messages.CodeOperationIDSpent)
	})
}

// A caller that gives up gets the truth: nothing started while it waited, not known
// once it was under way, and that after the grace at the latest.
func TestShell_CallerGivesUp(t *testing.T) {
	stage(t, nil, func(t *testing.T, _ *fakeBrowser, r *rig) {
		page := r.launch()
		running, stopRunning := context.WithCancel(r.ctx)
		waiting, stopWaiting := context.WithCancel(r.ctx)
		first, second := r.pending(running, page), r.pending(waiting, page)
		immediately(t, "a waiting call", func() {
			stopWaiting()
			wantReceipt(t, <-second, messages.NotStarted, messages.CodeCancelled)
		})
		begun := time.Now()
		stopRunning()
		receipt := <-first
		if receipt.ExecutionState != messages.OutcomeUnknown {
			t.Errorf("receipt is %+v", receipt)
		}
		if took := time.Since(begun); took > messages.CancelGrace {
			t.Errorf("answered after %v", took)
		}
		r.eventuallyVirtual("the page goes on", func() bool { return !r.summary(page).Busy })
		third := r.pending(r.ctx, page)
		r.effect(&messages.ClosePage{PageAddress: page})
		wantReceipt(t, <-third, messages.OutcomeUnknown, messages.CodeStalePage)
	})
}

// eventuallyVirtual waits in virtual time.
func (r *rig) eventuallyVirtual(what string, holds func() bool) {
	r.t.Helper()
	for range 100 {
		if holds() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	r.t.Fatalf("not in time: %s", what)
}

func TestShell_NavigationEndsByItsOwnTime(t *testing.T) {
	stage(t, nil, func(t *testing.T, _ *fakeBrowser, r *rig) {
		page := r.launch()
		begun := time.Now()
		receipt := <-r.pending(r.ctx, page)
		if receipt.ExecutionState != messages.OutcomeUnknown {
			t.Errorf("receipt is %+v", receipt)
		}
		if took := time.Since(begun); took < messages.NavigateTimeout-time.Second || took > messages.NavigateTimeout+2*time.Second {
			t.Errorf("took %v", took)
		}
	})
}

// The connection ends in the middle: the caller hears it at once, the browser is
// gone and announced once (R197).
func TestShell_ConnectionCloses(t *testing.T) {
	stage(t, nil, func(t *testing.T, f *fakeBrowser, r *rig) {
		page := r.launch()
		events, err := r.runtime.Subscribe(r.ctx)
		if err != nil {
			t.Fatal(err)
		}
		running, waiting := r.pending(r.ctx, page), r.pending(r.ctx, page)
		immediately(t, "the end of the connection", func() {
			f.Browser.Close()
			if receipt := <-running; receipt.ExecutionState != messages.OutcomeUnknown {
				t.Errorf("in flight: %+v", receipt)
			}
			// Its turn may come, once the one before it has failed, before the page hears of the end.
			receipt := <-waiting
			if receipt.ExecutionState != messages.NotStarted || receipt.Code != messages.CodeBrowserCrashed && receipt.Code != messages.CodeCDPClosed {
				t.Errorf("waiting: %+v", receipt)
			}
		})
		synctest.Wait()
		var kinds []messages.EventKind
		for len(events) > 0 {
			if e := <-events; e.Kind == messages.EventBrowserClosed || e.Kind == messages.EventBrowserCrashed {
				kinds = append(kinds, e.Kind)
			}
		}
		if len(kinds) != 2 || kinds[0] != messages.EventBrowserCrashed || kinds[1] != messages.EventBrowserClosed {
			t.Errorf("events are %v", kinds)
		}
		_, err = r.caller.Observe(r.ctx, &messages.ListPages{BrowserID: page.BrowserID})
		wantCode(t, err, messages.CodeBrowserNotFound)
	})
}

func TestShell_RendererCrash(t *testing.T) {
	stage(t, nil, func(t *testing.T, f *fakeBrowser, r *rig) {
		page := r.launch()
		answers := r.pending(r.ctx, page)
		immediately(t, "a crash", func() {
			f.Crash("ST1")
			receipt := <-answers
			if receipt.ExecutionState != messages.OutcomeUnknown || receipt.Code != messages.CodePageCrashed {
				t.Errorf("receipt is %+v", receipt)
			}
		})
		synctest.Wait() // the caller may hear of it before the page's actor does
		_, err := r.caller.Snapshot(r.ctx, &messages.TakeSnapshot{PageAddress: page})
		wantCode(t, err, messages.CodePageCrashed)
	})
}

// A page's actor is restarted within its budget and then given up with its tab;
// the sibling never notices.
func TestShell_PageActorFailures(t *testing.T) {
	stage(t, nil, func(t *testing.T, f *fakeBrowser, r *rig) {
		page := r.launch()
		sibling := r.open(page.BrowserID, "")
		for i := range kernel.PageRestartsMax {
			answers := r.pending(r.ctx, page)
			immediately(t, "a fault", func() {
				failPage(r, page)
				wantReceipt(t, <-answers, messages.OutcomeUnknown, messages.CodePageRestarted)
			})
			synctest.Wait()
			if r.summary(page).PageID == "" {
				t.Fatalf("the page is gone after fault %d", i+1)
			}
		}
		answers := r.pending(r.ctx, page)
		failPage(r, page)
		if receipt := <-answers; receipt.ExecutionState != messages.OutcomeUnknown {
			t.Errorf("receipt is %+v", receipt)
		}
		synctest.Wait()
		if r.summary(page).PageID != "" || count(f.Methods(), "Target.closeTarget") != 1 {
			t.Errorf("the page is %+v", r.summary(page))
		}
		if r.summary(sibling).PageID == "" {
			t.Error("the sibling is gone")
		}
	})
}

func TestShell_BrowserActorFailures(t *testing.T) {
	stage(t, nil, func(t *testing.T, f *fakeBrowser, r *rig) {
		page := r.launch()
		for range kernel.BrowserRestartsMax {
			answers := r.pending(r.ctx, page)
			immediately(t, "a fault", func() {
				r.runtime.env.Send(browserPID(r.runtime, page.BrowserID), &engine.LinkAttached{})
				if receipt := <-answers; receipt.ExecutionState != messages.OutcomeUnknown {
					t.Errorf("receipt is %+v", receipt)
				}
			})
			synctest.Wait()
			pages := r.pages(page.BrowserID)
			if len(pages) != 1 || pages[0].PageID == page.PageID {
				t.Fatalf("pages are %+v", pages)
			}
			page.PageID = pages[0].PageID
		}
		r.runtime.env.Send(browserPID(r.runtime, page.BrowserID), &engine.LinkAttached{})
		synctest.Wait()
		_, err := r.caller.Observe(r.ctx, &messages.ListPages{BrowserID: page.BrowserID})
		wantCode(t, err, messages.CodeBrowserNotFound)
		if f.closed.Load() == 0 {
			t.Error("the browser was left running")
		}
	})
}

// A fault in the root stops nothing.
func TestShell_RootResumes(t *testing.T) {
	stage(t, nil, func(t *testing.T, _ *fakeBrowser, r *rig) {
		page := r.launch()
		r.runtime.env.Send(r.runtime.env.Root, &root.Begun{}) // a call that is none
		synctest.Wait()
		if len(r.pages(page.BrowserID)) != 1 {
			t.Error("the browser is gone")
		}
	})
}

func TestShell_DialogIsHeldThenAnsweredByTheRule(t *testing.T) {
	stage(t, nil, func(t *testing.T, f *fakeBrowser, r *rig) {
		page := r.launch()
		open := func() {
			f.Emit("ST1", "Page.javascriptDialogOpening", map[string]any{"url": "http://a/", "message": "Sure?", "type": "confirm"})
			synctest.Wait()
		}
		open()
		if d := r.summary(page).Dialog; d == nil || d.Message != "Sure?" || !d.Open {
			t.Fatalf("dialog is %+v", d)
		}
		time.Sleep(messages.DialogHold - time.Second)
		if r.summary(page).Dialog == nil {
			t.Error("answered too early")
		}
		time.Sleep(2 * time.Second)
		if r.summary(page).Dialog != nil {
			t.Error("not answered in time")
		}
		open()
		r.runtime.Leave(machinetest.Agent.ID)
		synctest.Wait()
		if r.summary(page).Dialog != nil {
			t.Error("not answered when the caller left")
		}
		open() // nobody is there
		if r.summary(page).Dialog != nil {
			t.Error("held for nobody")
		}
	})
}

// A page actor that restarts finds the dialog that was open before.
func TestShell_DialogSurvivesARestart(t *testing.T) {
	stage(t, nil, func(t *testing.T, f *fakeBrowser, r *rig) {
		page := r.launch()
		f.Emit("ST1", "Page.javascriptDialogOpening", map[string]any{"url": "http://a/", "message": "Sure?", "type": "confirm"})
		synctest.Wait()
		failPage(r, page)
		synctest.Wait()
		receipt := r.effect(&messages.HandleDialog{PageAddress: page, Accept: true})
		if receipt.Dialog == nil || receipt.Dialog.Answered != "accepted" {
			t.Errorf("receipt is %+v", receipt.Dialog)
		}
	})
}

func TestShell_IdleBrowsersAreReaped(t *testing.T) {
	stage(t, nil, func(t *testing.T, f *fakeBrowser, r *rig) {
		browser := r.launch().BrowserID
		time.Sleep(messages.IdleMax - 2*messages.ReapTick)
		r.pages(browser)
		time.Sleep(messages.IdleMax - 2*messages.ReapTick)
		if f.closed.Load() > 0 {
			t.Error("reaped although it was used")
		}
		time.Sleep(4 * messages.ReapTick)
		if f.closed.Load() == 0 {
			t.Error("never reaped")
		}
	})
}

// A browser that does not end is reported as pending at the deadline, and every
// caller of Shutdown gets the same report.
func TestShell_ShutdownIsBounded(t *testing.T) {
	stage(t, nil, func(t *testing.T, f *fakeBrowser, r *rig) {
		f.ending = make(chan struct{})
		page := r.launch()
		answers := r.pending(r.ctx, page)
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		begun := time.Now()
		second := make(chan ShutdownReport, 1)
		go func() { second <- r.runtime.Shutdown(context.Background()) }()
		report := r.runtime.Shutdown(ctx)
		took := time.Since(begun)
		if len(report.Pending) != 1 || report.InFlight[messages.OutcomeUnknown] != 1 {
			t.Errorf("report is %+v", report)
		}
		if took > messages.ShutdownDefault+actorStopTimeout {
			t.Errorf("took %v", took)
		}
		if other := <-second; len(other.Pending) != 1 || other.Took != report.Took {
			t.Errorf("the other caller got %+v", other)
		}
		if receipt := <-answers; receipt.ExecutionState != messages.OutcomeUnknown || receipt.Code != messages.CodeRunnerShuttingDown {
			t.Errorf("in flight: %+v", receipt)
		}
		_, err := r.caller.Observe(context.Background(), &messages.ListBrowsers{})
		wantCode(t, err, messages.CodeRunnerShuttingDown)
		close(f.ending)
	})
}

// A browser that was pending at the report and ends, or fails to end, after the root
// has stopped is still counted (R193).
func TestShell_LateEndsAreCounted(t *testing.T) {
	for _, failing := range []error{nil, errors.New("a directory could not be removed")} {
		stage(t, nil, func(t *testing.T, f *fakeBrowser, r *rig) {
			f.ending, f.failing = make(chan struct{}), failing
			r.launch()
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			if report := r.runtime.Shutdown(ctx); len(report.Pending) != 1 || report.Late != (LateEnds{}) {
				t.Errorf("report is %+v", report)
			}
			<-r.runtime.rootDead
			close(f.ending)
			synctest.Wait()
			want := LateEnds{Removed: 1}
			if failing != nil {
				want = LateEnds{Failed: 1}
			}
			if report := r.runtime.Shutdown(ctx); len(report.Pending) != 1 || report.Late != want {
				t.Errorf("after the end the report is %+v, want %+v", report, want)
			}
		})
	}
}

// A launch that its own caller gives up is no start failure, however far it was: the
// next one is tried (R9).
func TestShell_ALaunchThatIsGivenUpIsNotRemembered(t *testing.T) {
	stage(t, nil, func(t *testing.T, f *fakeBrowser, r *rig) {
		asked := make(chan struct{})
		f.Handle("Target.setDiscoverTargets", func(c *cdptest.Call) { close(asked) })
		ctx, cancel := context.WithCancel(r.ctx)
		answers := make(chan *messages.Receipt, 1)
		go func() {
			receipt, _ := r.caller.Effect(ctx, &messages.Launch{})
			answers <- receipt
		}()
		<-asked
		cancel()
		if receipt := <-answers; receipt.ExecutionState == messages.Completed {
			t.Errorf("receipt is %+v", receipt)
		}
		synctest.Wait()
		receipt, _ := r.caller.Effect(r.ctx, &messages.Launch{})
		if receipt.Code == messages.CodeLaunchTimeout {
			t.Errorf("the failure was remembered: %+v", receipt)
		}
	})
}

// A host with an actor system of its own spawns the root in it and speaks messages.
func TestShell_EmbeddedInAHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFakeBrowser(t)
		system := actor.NewActorSystem(actor.WithLoggerFactory(loggerFactory(newActorLogger(Config{}.Logger))),
			actor.WithDeadLetterThrottleInterval(deadLetterInterval))
		runtime, pid, err := SpawnRoot(t.Context(), system, nil, "browsers", Config{StateDir: t.TempDir(), Connector: f})
		if err != nil {
			t.Fatal(err)
		}
		replies := make(chan Answer, 1)
		system.Root.Send(pid, &Request{Caller: machinetest.Agent, Command: &messages.Launch{}, Reply: replies})
		if a := <-replies; a.Err != nil || a.Reply.(*messages.Receipt).BrowserID == "" {
			t.Errorf("launch: %+v", a)
		}
		system.Root.Send(pid, &Request{Caller: messages.Caller{ID: "x"}, Command: &messages.ListBrowsers{}, Reply: replies})
		a := <-replies
		wantCode(t, a.Err, messages.CodeNoGrant)
		if report := runtime.Shutdown(context.Background()); len(report.Removed) != 1 {
			t.Errorf("report is %+v", report)
		}
		system.Shutdown()
		time.Sleep(time.Minute)
	})
}
