package effect

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp/cdptest"
	"github.com/troupe-browser/troupe/messages"
)

// faults are the ways in which a call can go wrong, by name.
var faults = map[string]func(p *fakePage, c *cdptest.Call){
	"gone":  func(_ *fakePage, c *cdptest.Call) { c.Error(-32602, "uniqueContextId not found") },
	"left":  func(_ *fakePage, c *cdptest.Call) { c.Error(-32000, "Inspected target navigated or closed") },
	"error": func(_ *fakePage, c *cdptest.Call) { c.Error(-32000, "Internal error") },
	"crash": func(p *fakePage, _ *cdptest.Call) { p.browser.Crash(fakeSession) },
	"close": func(p *fakePage, _ *cdptest.Call) { p.browser.Close() },
	"hang":  func(*fakePage, *cdptest.Call) {},
	"throw": func(_ *fakePage, c *cdptest.Call) {
		c.Reply(map[string]any{"exceptionDetails": map[string]any{"text": "Uncaught"}})
	},
	"dialog": func(p *fakePage, _ *cdptest.Call) { p.openDialog() },
	"told dialog": func(p *fakePage, _ *cdptest.Call) {
		payload := fmt.Sprintf(`{"token":%d,"presses":1,"event":"+pointerdown"}`, p.armed)
		p.browser.Emit(fakeSession, "Runtime.bindingCalled", map[string]any{"name": target.GuardBinding, "payload": payload})
		p.openDialog()
	},
}

func (p *fakePage) openDialog() {
	p.browser.Emit(fakeSession, "Page.javascriptDialogOpening", map[string]any{"type": "confirm", "message": "Sure?"})
}

// once makes a fault of the first call of a name, or of the nth.
func (p *fakePage) once(name, fault string, nth int) {
	seen := 0
	p.fault = func(called string, c *cdptest.Call) bool {
		if called != name {
			return false
		}
		seen++
		if seen != nth {
			return false
		}
		faults[fault](p, c)
		return true
	}
}

// What is certain when a call of a click goes wrong (CDP.md 3 and 9, R71-R75).
func TestCertaintyOfAClick(t *testing.T) {
	const (
		no, yes, unknown = messages.NotStarted, messages.Completed, messages.OutcomeUnknown
	)
	for _, c := range []struct {
		call, fault string
		nth         int
		state       messages.ExecutionState
		code        messages.Code
		open        int32 // begun and not ended, as the ticket reports unknown
	}{
		{"aim", "gone", 1, no, messages.CodeSnapshotStale, 0},
		{"aim", "left", 1, no, messages.CodeSnapshotStale, 0},
		{"aim", "error", 1, no, messages.CodeCDPError, 0},
		{"aim", "crash", 1, no, messages.CodePageCrashed, 0},
		{"aim", "close", 1, no, messages.CodeCDPClosed, 0},
		{"aim", "hang", 1, no, messages.CodeCDPTimeout, 0},
		{"aim", "throw", 1, no, messages.CodeInternalError, 0},
		{"aim", "dialog", 1, no, messages.CodeDialogOpen, 0},
		{mouseMethod, "crash", 2, unknown, messages.CodePageCrashed, 1},
		{mouseMethod, "close", 2, unknown, messages.CodeCDPDeliveryUncertain, 1},
		{mouseMethod, "dialog", 3, unknown, messages.CodeDialogOpen, 1},
		{mouseMethod, "told dialog", 3, yes, "", 0},
		{mouseMethod, "hang", 3, unknown, messages.CodeCDPReceiveTimeout, 1},
		{"seen", "gone", 1, unknown, messages.CodePartialEffectOutcomeUnknown, 1},
		{"seen", "left", 1, unknown, messages.CodePartialEffectOutcomeUnknown, 1},
		{"seen", "throw", 1, unknown, messages.CodeInternalError, 1},
		{"settle", "gone", 1, yes, "", 0},
		{"settle", "crash", 1, yes, "", 0},
		{"settle", "close", 1, yes, "", 0},
		{"settle", "hang", 1, yes, "", 0},
		{"settle", "dialog", 1, yes, "", 0},
	} {
		t.Run(fmt.Sprint(c.call, " ", c.nth, " ", c.fault), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newFakePage(t)
				p.once(c.call, c.fault, c.nth)
				started := time.Now()
				receipt, ticket := runFake(t, t.Context(), p, &messages.Click{OnElement: on("e1")})
				if receipt.ExecutionState != c.state || receipt.Code != c.code {
					t.Errorf("got %s %q (%s), want %s %q", receipt.ExecutionState, receipt.Code, receipt.Message, c.state, c.code)
				}
				if open := ticket.begun.Load() - ticket.changed.Load() - ticket.takenBack.Load(); open != c.open {
					t.Errorf("%d effects are open, want %d", open, c.open)
				}
				if took := time.Since(started); took > messages.EffectTimeout+messages.SettleBudget {
					t.Errorf("it took %v", took)
				}
			})
		})
	}
}

func TestCertaintyOfAStoppedClick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newFakePage(t)
		p.blocks = true
		receipt, ticket := runFake(t, t.Context(), p, &messages.Click{OnElement: on("e1")})
		if receipt.ExecutionState != messages.NotStarted || receipt.Code != messages.CodeElementCovered {
			t.Fatalf("%+v", receipt)
		}
		if p.armed != aimAttempts || ticket.takenBack.Load() != 1 || len(p.done) != 0 {
			t.Fatalf("aimed %d times, %+v, %v", p.armed, ticket, p.done)
		}
	})
}

func TestCertaintyOfAnUnseenClick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newFakePage(t)
		p.unseen = true
		receipt, _ := runFake(t, t.Context(), p, &messages.Click{OnElement: on("e1")})
		if receipt.ExecutionState != messages.OutcomeUnknown || receipt.Code != messages.CodeCDPDeliveryUncertain || p.armed != 1 {
			t.Fatalf("%+v after %d aims", receipt, p.armed)
		}
	})
}

func TestCertaintyWhenGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newFakePage(t)
		ticket := &ticket{}
		ticket.dead.Store(true)
		receipt := Run(t.Context(), fakeEnv(t, p, ticket), &messages.Click{OnElement: on("e1")})
		if receipt.ExecutionState != messages.NotStarted || receipt.Code != messages.CodeCancelled {
			t.Fatalf("%+v", receipt)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		p := newFakePage(t)
		p.once(mouseMethod, "hang", 3)
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		started := time.Now()
		receipt, _ := runFake(t, ctx, p, &messages.Click{OnElement: on("e1")})
		if receipt.ExecutionState != messages.OutcomeUnknown || receipt.Code != messages.CodeCancelled {
			t.Fatalf("%+v", receipt)
		}
		if took := time.Since(started) - time.Second; took > messages.CancelGrace {
			t.Fatalf("it took %v after the cancel", took)
		}
	})
}

func TestBeginThatRefuses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newFakePage(t)
		ticket := &ticket{refuse: messages.NewError(messages.CodeOperationIDSpent, "")}
		receipt := Run(t.Context(), fakeEnv(t, p, ticket), &messages.Click{OnElement: on("e1")})
		if receipt.ExecutionState != messages.NotStarted || receipt.Code != messages.CodeOperationIDSpent {
			t.Fatalf("%+v", receipt)
		}
		for _, method := range p.browser.Methods() {
			if strings.HasPrefix(method, "Input.") {
				t.Fatalf("%s was sent", method)
			}
		}
	})
}

// For every batch with a fault at any point, the page's own record, the receipt and
// the ticket agree (R72, R86-R89).
func TestBatchTellsTheTruth(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		count := rapid.IntRange(1, 6).Draw(rt, "operations")
		readonly := rapid.IntRange(-3, count-1).Draw(rt, "read-only")
		fault := rapid.SampledFrom([]string{"none", "gone", "left", "error", "crash", "close", "hang", "throw", "dialog"}).Draw(rt, "fault")
		call := rapid.SampledFrom([]string{"prepare", "change", "observe", "settle"}).Draw(rt, "call")
		nth := rapid.IntRange(1, count).Draw(rt, "nth")
		applied := rapid.Bool().Draw(rt, "applied before the fault")
		told := applied && rapid.Bool().Draw(rt, "told before the fault")
		var problem string
		synctest.Test(t, func(t *testing.T) {
			problem = checkBatch(t, count, readonly, fault, call, nth, applied, told)
		})
		if problem != "" {
			rt.Fatal(problem)
		}
	})
}

func checkBatch(t *testing.T, count, readonly int, fault, call string, nth int, applied, told bool) string {
	p := newFakePage(t)
	var operations []messages.ElementEffect
	for i := range count {
		if i != readonly {
			p.values[i] = new(string)
		}
		operations = append(operations, &messages.SetValue{OnElement: on(fmt.Sprint("e", i)), Value: fmt.Sprint("v", i)})
	}
	if fault != "none" {
		seen := 0
		p.fault = func(called string, c *cdptest.Call) bool {
			if called != call {
				return false
			}
			if seen++; seen != nth || (call == "change" && fault == "dialog" && p.values[nth-1] == nil) {
				return false
			}
			// A dialog in the middle of our own function comes from the page's handler of
			// the change that was made and told, or from something else before it.
			if call == "change" && (applied || told) && p.values[nth-1] != nil && fault != "gone" {
				p.apply(fakeArgument{Index: nth - 1, Value: fmt.Sprint("v", nth-1)})
				if told {
					p.browser.Emit(fakeSession, "Runtime.bindingCalled", map[string]any{"name": target.GuardBinding, "payload": fmt.Sprintf(`{"token":%d,"event":"+set"}`, -nth)})
				}
			}
			faults[fault](p, c)
			return true
		}
	}
	receipt, ticket := runFake(t, t.Context(), p, &messages.Batch{Operations: operations})
	b := receipt.Batch
	done, completed := len(p.done), int(ticket.changed.Load())
	open := int(ticket.begun.Load() - ticket.changed.Load() - ticket.takenBack.Load())
	switch {
	case b.CompletedCount != completed:
		return fmt.Sprintf("the receipt says %d, the ticket %d", b.CompletedCount, completed)
	case done < completed || done > completed+open:
		return fmt.Sprintf("the page has %d changes, %d are completed and %d open", done, completed, open)
	case receipt.ExecutionState == messages.NotStarted && done > 0:
		return "not_started, and the page was changed"
	case receipt.ExecutionState == messages.OutcomeUnknown && open == 0:
		return "outcome_unknown, and the ticket knows all"
	case open > 0 && receipt.ExecutionState != messages.OutcomeUnknown:
		return fmt.Sprintf("%s, and an effect is open", receipt.ExecutionState)
	case b.CompletedCount+b.RemainingCount+open != count:
		return fmt.Sprintf("%d completed, %d remaining, %d open, of %d", b.CompletedCount, b.RemainingCount, open, count)
	}
	return ""
}

// A dialog ends the setting of a control as completed only when the page has said that
// the control is set: another dialog can open before it is.
func TestCertaintyOfAChangeUnderADialog(t *testing.T) {
	for name, c := range map[string]struct {
		told  bool
		state messages.ExecutionState
		code  messages.Code
	}{
		"of its own handler": {true, messages.Completed, ""},
		"of something else":  {false, messages.OutcomeUnknown, messages.CodeDialogOpen},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newFakePage(t)
				p.values[0] = new(string)
				p.fault = func(called string, _ *cdptest.Call) bool {
					if called != "change" {
						return false
					}
					if c.told {
						p.browser.Emit(fakeSession, "Runtime.bindingCalled", map[string]any{"name": target.GuardBinding, "payload": `{"token":-1,"event":"+set"}`})
					}
					p.openDialog()
					return true
				}
				receipt, _ := runFake(t, t.Context(), p, &messages.SetValue{OnElement: on("e0"), Value: "v"})
				if receipt.ExecutionState != c.state || receipt.Code != c.code || receipt.Dialog == nil {
					t.Errorf("got %s %q with %+v, want %s %q", receipt.ExecutionState, receipt.Code, receipt.Dialog, c.state, c.code)
				}
			})
		})
	}
}
