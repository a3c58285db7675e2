package actors

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/page"
	"github.com/troupe-browser/troupe/messages"
)

// faulty is a message whose handling panics inside the actor that gets it: the
// framework asks it for its answer on the actor's own turn.
type faulty struct{}

// GetAutoResponse implements actor.AutoRespond.
func (*faulty) GetAutoResponse(actor.Context) any { panic("a fault on purpose") }

// The journal goes on after a fault with what it holds: no event is lost and no
// subscriber is cut off.
func TestShell_JournalResumes(t *testing.T) {
	stage(t, nil, func(t *testing.T, _ *fakeBrowser, r *rig) {
		events, err := r.runtime.Subscribe(r.ctx)
		if err != nil {
			t.Fatal(err)
		}
		browser := r.launch().BrowserID
		r.runtime.env.Send(r.runtime.env.Journal, &faulty{})
		r.effect(&messages.CloseBrowser{BrowserID: browser})
		synctest.Wait()
		closed, last := 0, uint64(0)
		for len(events) > 0 {
			e := <-events
			if last != 0 && e.Sequence != last+1 {
				t.Errorf("event %d follows %d", e.Sequence, last)
			}
			last = e.Sequence
			if e.Kind == messages.EventBrowserClosed {
				closed++
			}
		}
		if closed != 1 {
			t.Errorf("%d closed events", closed)
		}
	})
}

// The ledger goes on after a fault with the ids that it holds: a spent one stays spent,
// and an effect that waits for it is told so and not begun.
func TestShell_LedgerResumes(t *testing.T) {
	stage(t, nil, func(t *testing.T, f *fakeBrowser, r *rig) {
		page := r.launch()
		once := &messages.SetViewport{PageAddress: page, Width: 100, Height: 100, EffectOptions: messages.EffectOptions{OperationID: "once"}}
		r.effect(once)
		r.runtime.env.Send(r.runtime.env.Ledger, &faulty{})
		receipt, _ := r.caller.Effect(r.ctx, once)
		wantReceipt(t, receipt, messages.NotStarted, messages.CodeOperationIDSpent)
		// A fault while it spends an id: the id that waits is answered by the guard.
		r.runtime.env.Send(r.runtime.env.Ledger, &call.SpendOperation{Reply: make(chan call.SpendResult, 1)}) // a call that is none
		r.effect(&messages.SetViewport{PageAddress: page, Width: 200, Height: 100})
		if got := len(widths(f, "ST1")); got != 2 {
			t.Errorf("%d effects were sent", got)
		}
	})
}

// A runner's fault is answered at once, restarts its page's actor, and leaves the
// siblings alone.
func TestShell_RunnerFault(t *testing.T) {
	stage(t, nil, func(t *testing.T, _ *fakeBrowser, r *rig) {
		tab := r.launch()
		sibling := r.open(tab.BrowserID, "")
		pid := pagePID(r.runtime, tab)
		answers := r.pending(r.ctx, tab)
		immediately(t, "a runner's fault", func() {
			r.runtime.env.Send(pid, &page.OperationDone{Operation: 1<<page.EpochShift + 1, Fault: &kernel.Fault{Value: "a fault on purpose"}})
			wantReceipt(t, <-answers, messages.OutcomeUnknown, messages.CodeInternalError)
		})
		synctest.Wait()
		if r.summary(tab).PageID == "" || r.summary(sibling).PageID == "" {
			t.Error("a page is gone")
		}
	})
}

// A connection that is half open answers nothing: each call ends by its own time with
// the truth, the browser can be closed, and the runtime ends.
func TestShell_HalfOpenConnection(t *testing.T) {
	stage(t, nil, func(t *testing.T, f *fakeBrowser, r *rig) {
		page := r.launch()
		f.Stall()
		begun := time.Now()
		receipt, _ := r.caller.Effect(r.ctx, &messages.Navigate{PageAddress: page, URL: "http://b/"})
		if receipt.ExecutionState == messages.Completed || time.Since(begun) > messages.NavigateTimeout+messages.EffectTimeout {
			t.Errorf("after %v: %+v", time.Since(begun), receipt)
		}
		begun = time.Now()
		_, err := r.caller.Snapshot(r.ctx, &messages.TakeSnapshot{PageAddress: page})
		if took := time.Since(begun); err == nil || took > messages.ObserveTimeout+messages.CancelGrace {
			t.Errorf("a snapshot after %v: %v", took, err)
		}
		r.effect(&messages.CloseBrowser{BrowserID: page.BrowserID})
		if f.closed.Load() == 0 {
			t.Error("the browser was not closed")
		}
	})
}
