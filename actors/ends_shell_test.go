package actors

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/machinetest"
	"github.com/troupe-browser/troupe/cdp/cdptest"
	"github.com/troupe-browser/troupe/messages"
)

// A browser that is held ends by an explicit close, its owner's end or the runtime's,
// and by nothing else: neither its caller's leaving nor a watcher's, nor time (R195, R200).
func TestShell_OnlyAnEndEndsABrowser(t *testing.T) {
	stage(t, nil, func(t *testing.T, f *fakeBrowser, r *rig) {
		browser := r.launchAs(machinetest.Operator, &messages.Launch{Held: true})
		watching, leave := context.WithCancel(r.ctx)
		if _, err := r.runtime.Subscribe(watching); err != nil {
			t.Fatal(err)
		}
		leave()
		r.runtime.Leave(machinetest.Operator.ID)
		for range int((messages.LifetimeMax + time.Hour) / (20 * time.Minute)) {
			time.Sleep(20 * time.Minute)
			if _, err := r.runtime.As(machinetest.Operator).Effect(r.ctx, &messages.Heartbeat{BrowserID: browser}); err != nil {
				t.Fatal(err)
			}
		}
		if f.closed.Load() > 0 {
			t.Error("it was closed")
		}
		if _, err := r.runtime.As(machinetest.Operator).Effect(r.ctx, &messages.CloseBrowser{BrowserID: browser}); err != nil || f.closed.Load() == 0 {
			t.Errorf("it was not closed: %v", err)
		}
	})
}

// A launch whose browser refuses what the runtime needs is ended completely before it
// is answered (R196).
func TestShell_AFailedLaunchLeavesNothing(t *testing.T) {
	stage(t, nil, func(t *testing.T, f *fakeBrowser, r *rig) {
		f.Handle("Target.setDiscoverTargets", func(c *cdptest.Call) { c.Error(-32000, "not here") })
		receipt, err := r.caller.Effect(r.ctx, &messages.Launch{})
		wantCode(t, err, messages.CodeLaunchFailed)
		if receipt.ExecutionState == messages.Completed || f.closed.Load() == 0 {
			t.Errorf("%+v, closed %d times", receipt, f.closed.Load())
		}
		reply, err := r.caller.Observe(r.ctx, &messages.ListBrowsers{})
		if err != nil || len(reply.(*messages.BrowserList).Browsers) != 0 {
			t.Errorf("%+v %v", reply, err)
		}
	})
}

// Nothing is asked of a connection that has ended: closing and shutting down do not
// wait for answers that can't come (R198).
func TestShell_AShutdownAsksNothingOfADeadConnection(t *testing.T) {
	stage(t, nil, func(t *testing.T, f *fakeBrowser, r *rig) {
		page := r.launch()
		pending := r.pending(r.ctx, page)
		asked := len(f.Calls())
		f.Browser.Close()
		immediately(t, "the shutdown", func() { r.runtime.Shutdown(context.Background()) })
		if receipt := <-pending; receipt.ExecutionState != messages.OutcomeUnknown {
			t.Errorf("in flight: %+v", receipt)
		}
		if now := len(f.Calls()); now != asked {
			t.Errorf("%d calls were made of the dead connection", now-asked)
		}
	})
}

// Another runtime knows none of the identities of the one before it, also not by their
// short forms' targets, and makes none of them again (R28).
func TestShell_IdentitiesEndWithTheirRuntime(t *testing.T) {
	stage(t, nil, func(t *testing.T, _ *fakeBrowser, r *rig) {
		old := r.launch()
		r.runtime.Shutdown(context.Background())
		f := newFakeBrowser(t)
		next, err := Start(r.ctx, Config{StateDir: t.TempDir(), Connector: f})
		if err != nil {
			t.Fatal(err)
		}
		defer next.Shutdown(context.Background())
		again := &rig{t: t, runtime: next, caller: next.As(machinetest.Agent), ctx: r.ctx}
		_, err = again.caller.Observe(r.ctx, &messages.ListPages{BrowserID: old.BrowserID})
		wantCode(t, err, messages.CodeBrowserNotFound)
		fresh := again.launch()
		if fresh.BrowserID == old.BrowserID || fresh.PageID == old.PageID {
			t.Errorf("%+v was made again", old)
		}
		_, err = again.caller.Observe(r.ctx, &messages.TakeSnapshot{PageAddress: messages.PageAddress{BrowserID: fresh.BrowserID, PageID: old.PageID}})
		wantCode(t, err, messages.CodeStalePage)
	})
}

// A command beside the queue that went out and was not answered is unknown, never told
// as not started (R71).
func TestShell_WhatWentOutBesideTheQueueIsUnknown(t *testing.T) {
	stage(t, nil, func(t *testing.T, f *fakeBrowser, r *rig) {
		page := r.launch()
		f.Handle("Target.closeTarget", func(*cdptest.Call) {})
		receipt, _ := r.caller.Effect(r.ctx, &messages.ClosePage{PageAddress: page})
		if receipt.ExecutionState != messages.OutcomeUnknown {
			t.Errorf("a close without an answer is %s %s", receipt.ExecutionState, receipt.Code)
		}
		unstuck, _ := r.runtime.As(machinetest.Operator).Effect(r.ctx, &messages.Unstick{PageAddress: page, Step: messages.UnstickClose})
		if unstuck.ExecutionState != messages.OutcomeUnknown {
			t.Errorf("a rung of the ladder without an answer is %s %s", unstuck.ExecutionState, unstuck.Code)
		}
	})
}

// gated is a message whose handling waits and then panics, so that calls lie in the
// actor's mailbox when it fails.
type gated struct{ gate chan struct{} }

// GetAutoResponse implements actor.AutoRespond.
func (g *gated) GetAutoResponse(actor.Context) any {
	<-g.gate
	panic("a fault on purpose")
}

// What lies in the mailbox of a page whose restarts are spent is answered at once, and
// provably not started: the actor system drops it without a word.
func TestShell_TheMailboxOfAPageThatStopsIsAnswered(t *testing.T) {
	stage(t, nil, func(t *testing.T, _ *fakeBrowser, r *rig) {
		page := r.launch()
		for range kernel.PageRestartsMax {
			failPage(r, page)
			synctest.Wait()
		}
		last := &gated{make(chan struct{})}
		r.runtime.env.Send(pagePID(r.runtime, page), last)
		first, second := r.pending(r.ctx, page), r.pending(r.ctx, page)
		immediately(t, "the end of the page", func() {
			close(last.gate)
			wantReceipt(t, <-first, messages.NotStarted, messages.CodeStalePage)
			wantReceipt(t, <-second, messages.NotStarted, messages.CodeStalePage)
		})
	})
}
