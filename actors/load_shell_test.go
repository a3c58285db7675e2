package actors

import (
	"context"
	"encoding/json"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/machinetest"
	"github.com/troupe-browser/troupe/actors/root"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/cdp/cdptest"
	"github.com/troupe-browser/troupe/messages"
)

const metricsMethod = "Emulation.setDeviceMetricsOverride"

// widths returns the widths that a page was given, in the order in which the browser
// got them.
func widths(f *fakeBrowser, session cdp.SessionID) []int {
	var out []int
	for _, call := range f.Calls() {
		if call.Method != metricsMethod || call.Session != session {
			continue
		}
		var p struct{ Width int }
		// A page is given its size once as it is prepared; that is no effect.
		if json.Unmarshal(call.Params, &p) == nil && p.Width != messages.ViewportWidthDefault {
			out = append(out, p.Width)
		}
	}
	return out
}

// turnstile holds every change of a viewport until it is opened.
type turnstile struct {
	held []*cdptest.Call // of the browser's goroutine until the bubble is at rest
	open atomic.Bool
}

func (s *turnstile) pass(c *cdptest.Call) {
	if s.open.Load() {
		c.Reply(nil)
		return
	}
	s.held = append(s.held, c)
}

func (s *turnstile) release() {
	s.open.Store(true)
	for _, c := range s.held {
		c.Reply(nil)
	}
}

// One page does its calls in the order in which they came, refuses those beyond its
// bound at once and provably not started, and other pages do not wait for it (R78).
func TestShell_CallsOfAPageKeepTheirOrder(t *testing.T) {
	stage(t, nil, func(t *testing.T, f *fakeBrowser, r *rig) {
		gate := &turnstile{}
		f.Handle(metricsMethod, gate.pass)
		page := r.launch()
		sibling := r.open(page.BrowserID, "")
		const beyond = 5
		var calls []*call.Call
		for i := range 1 + messages.PageQueueMax + beyond {
			c := call.New(r.ctx, machinetest.Agent, &messages.SetViewport{PageAddress: page, Width: 100 + i, Height: 100}, r.runtime.env.Mint, time.Now())
			calls = append(calls, c)
			r.runtime.env.Send(r.runtime.env.Root, &root.Call{Call: c, At: time.Now()})
		}
		synctest.Wait()
		for i, c := range calls {
			if refused := i > messages.PageQueueMax; c.Ticket.Ended() != refused {
				t.Fatalf("call %d has an answer: %v", i, c.Ticket.Ended())
			}
		}
		for _, c := range calls[1+messages.PageQueueMax:] {
			reply, _ := c.Result()
			wantReceipt(t, reply.(*messages.Receipt), messages.NotStarted, messages.CodeBusy)
		}
		immediately(t, "a call on another page", func() {
			if s := r.summary(sibling); s.PageID != sibling.PageID {
				t.Errorf("the sibling is %+v", s)
			}
		})
		gate.release()
		want := make([]int, 0, 1+messages.PageQueueMax)
		for i, c := range calls[:1+messages.PageQueueMax] {
			<-c.Ticket.Done()
			reply, err := c.Result()
			if err != nil {
				t.Errorf("call %d: %v, %+v", i, err, reply)
			}
			want = append(want, 100+i)
		}
		if got := widths(f, "ST1"); !slices.Equal(got, want) {
			t.Errorf("the browser was told %v", got)
		}
	})
}

// A thousand calls of 64 callers are all answered; nothing waits or is kept
// afterwards.
func TestShell_AFloodIsAnswered(t *testing.T) {
	stage(t, nil, func(t *testing.T, f *fakeBrowser, r *rig) {
		gate := &turnstile{}
		f.Handle(metricsMethod, gate.pass)
		first := r.launch()
		pages := []messages.PageAddress{first, r.open(first.BrowserID, ""), r.open(first.BrowserID, "")}
		const callers, perCaller = 64, 16
		type result struct {
			code  messages.Code
			state messages.ExecutionState
		}
		results := make(chan result, callers*perCaller)
		for i := range callers {
			for j := range perCaller {
				go func() {
					receipt, _ := r.caller.Effect(r.ctx, &messages.SetViewport{PageAddress: pages[(i+j)%len(pages)], Width: 100 + i, Height: 100 + j})
					results <- result{receipt.Code, receipt.ExecutionState}
				}()
			}
		}
		synctest.Wait()
		if waiting := callers*perCaller - len(results); waiting != len(pages)*(1+messages.PageQueueMax) {
			t.Errorf("%d calls wait", waiting)
		}
		gate.release()
		counts := map[result]int{}
		for range callers * perCaller {
			counts[<-results]++
		}
		completed := counts[result{"", messages.Completed}]
		busy := counts[result{messages.CodeBusy, messages.NotStarted}]
		late := counts[result{messages.CodeDeadlineExceeded, messages.NotStarted}] // their turn had not come in QueueWaitMax
		if completed == 0 || completed+late != len(pages)*(1+messages.PageQueueMax) || completed+late+busy != callers*perCaller {
			t.Errorf("answers are %v", counts)
		}
		sent := 0
		for _, session := range []cdp.SessionID{"ST1", "ST2", "ST3"} {
			sent += len(widths(f, session))
		}
		if sent != completed {
			t.Errorf("%d effects were sent, %d completed", sent, completed)
		}
		if left := r.runtime.env.InFlight.Load(); left != 0 {
			t.Errorf("%d calls are still counted", left)
		}
	})
}

// The runtime as a whole takes no more calls than its bound.
func TestShell_CallsAreBoundedInAll(t *testing.T) {
	stage(t, nil, func(t *testing.T, f *fakeBrowser, r *rig) {
		page := r.launch()
		r.runtime.env.InFlight.Add(messages.QueuedTotalMax)
		receipt, err := r.caller.Effect(r.ctx, &messages.SetViewport{PageAddress: page, Width: 100, Height: 100})
		wantCode(t, err, messages.CodeBusy)
		wantReceipt(t, receipt, messages.NotStarted, messages.CodeBusy)
		r.runtime.env.InFlight.Add(-messages.QueuedTotalMax)
		r.effect(&messages.SetViewport{PageAddress: page, Width: 100, Height: 100})
	})
}

// A caller that disappears gives its places back at once, by its context or by the
// end of its connection, and what it asked for does not happen.
func TestShell_ACallerThatDisappearsFreesItsPlaces(t *testing.T) {
	for name, leave := range map[string]func(*rig, context.CancelFunc){
		"its contexts end":    func(_ *rig, cancel context.CancelFunc) { cancel() },
		"its connection ends": func(r *rig, _ context.CancelFunc) { r.runtime.Leave("goer") },
	} {
		t.Run(name, func(t *testing.T) {
			stage(t, nil, func(t *testing.T, f *fakeBrowser, r *rig) {
				gate := &turnstile{}
				f.Handle(metricsMethod, gate.pass)
				page := r.launch()
				first := make(chan error, 1)
				go func() {
					_, err := r.caller.Effect(r.ctx, &messages.SetViewport{PageAddress: page, Width: 100, Height: 100})
					first <- err
				}()
				synctest.Wait()
				ctx, cancel := context.WithCancel(r.ctx)
				defer cancel()
				goer := machinetest.Operator
				goer.ID = "goer"
				gone := make(chan *messages.Receipt, messages.PageQueueMax)
				for range messages.PageQueueMax {
					go func() {
						receipt, _ := r.runtime.As(goer).Effect(ctx, &messages.SetViewport{PageAddress: page, Width: 666, Height: 100})
						gone <- receipt
					}()
				}
				synctest.Wait()
				_, err := r.caller.Effect(r.ctx, &messages.SetViewport{PageAddress: page, Width: 101, Height: 100})
				wantCode(t, err, messages.CodeBusy)
				immediately(t, "the answers of who left", func() {
					leave(r, cancel)
					for range messages.PageQueueMax {
						wantReceipt(t, <-gone, messages.NotStarted, messages.CodeCancelled)
					}
				})
				synctest.Wait()
				second := make(chan error, 1)
				go func() {
					_, err := r.caller.Effect(r.ctx, &messages.SetViewport{PageAddress: page, Width: 102, Height: 100})
					second <- err
				}()
				synctest.Wait()
				gate.release()
				if err := <-first; err != nil {
					t.Error(err)
				}
				if err := <-second; err != nil {
					t.Error(err)
				}
				if got := widths(f, "ST1"); !slices.Equal(got, []int{100, 102}) {
					t.Errorf("the browser was told %v", got)
				}
			})
		})
	}
}
