package page

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/machinetest"
	"github.com/troupe-browser/troupe/messages"
)

// TestSim holds the machines against the invariants of the product under every kind
// of fault, then turns the faults off and demands that everything resolves.
func TestSim(t *testing.T) {
	first, count := uint64(1), machinetest.Seeds(t)
	if *machinetest.SimSeed != 0 {
		first, count = *machinetest.SimSeed, 1
	}
	effects, answers, refusals := 0, map[messages.ExecutionState]int{}, map[messages.Code]int{}
	restarts, words := 0, 0
	for seed := first; seed < first+count; seed++ {
		s := newSim(seed, 3)
		if broken := s.run(*machinetest.SimSteps); broken != "" {
			t.Fatalf("seed=%d step=%d invariant=%s\n%s\nreplay: go test ./actors/page -run '^TestSim$' -sim.seed=%d -sim.steps=%d",
				seed, s.steps, broken, strings.Join(s.trace, "\n"), seed, *machinetest.SimSteps)
		}
		for _, p := range slices.Concat(s.pages, s.lost) {
			effects += len(p.record)
			restarts += len(p.restarts)
		}
		words += len(s.words)
		for _, c := range s.calls {
			if receipt, ok := c.Ticket.Answer.Reply.(*messages.Receipt); ok {
				answers[receipt.ExecutionState]++
				refusals[receipt.Code]++
			}
		}
	}
	t.Logf("%d seeds: %d effects, %d restarts, %d dialogs answered, %v, %v", count, effects, restarts, words, answers, refusals)
	if *machinetest.SimSeed != 0 {
		return
	}
	reached := map[string]int{"a restart": restarts, "an answered dialog": words}
	for _, state := range []messages.ExecutionState{messages.NotStarted, messages.Completed, messages.OutcomeUnknown} {
		reached[string(state)] = answers[state]
	}
	for _, code := range []messages.Code{messages.CodeBusy, messages.CodePageRestarted, messages.CodePageCrashed, messages.CodeBrowserCrashed,
		messages.CodeDialogOpen, messages.CodeDialogMissing, messages.CodeOperationIDSpent, messages.CodeSnapshotStale, messages.CodeCancelled,
		messages.CodePageUnresponsive} {
		reached[string(code)] = refusals[code]
	}
	for what, n := range reached {
		if n == 0 {
			t.Errorf("%s was never met: the simulation does not reach what it is to test", what)
		}
	}
}

// run plays the faulty phase, then the phase in which everything must resolve.
func (s *sim) run(steps int) string {
	for range steps {
		s.steps++
		s.act()
		if broken := s.check(); broken != "" {
			return broken
		}
	}
	s.faults = false
	for range 20 * steps {
		s.steps++
		if !s.advance() {
			break
		}
		if broken := s.check(); broken != "" {
			return broken
		}
	}
	for _, c := range s.calls {
		if broken := s.checkCall(c); broken != "" {
			return broken
		}
		if !c.Ticket.Ended() {
			return fmt.Sprintf("everything_resolves: %s of %s has no answer", c.Command.Action(), s.owner[c].id)
		}
	}
	for _, p := range s.pages {
		if !p.gone && p.machine.current != nil {
			return "everything_resolves: " + string(p.id) + " still has an operation in flight"
		}
	}
	return ""
}

// act does one thing: mostly it lets the world go on, sometimes something happens.
func (s *sim) act() {
	p := s.pages[s.rng.IntN(len(s.pages))]
	switch n := s.rng.IntN(1000); {
	case n < 70:
		s.newCommand(p, s.randomCommand(p))
	case n < 126 && len(s.calls) > 0:
		s.giveUp(s.calls[len(s.calls)-1-s.rng.IntN(min(len(s.calls), 10))])
	case n < 130:
		times := 1
		if s.rng.IntN(12) == 0 {
			times = kernel.PageRestartsMax + 1 // its budget is spent at the latest with the last
		}
		for range times {
			if !p.gone {
				s.crashActor(p, "a fault")
			}
		}
	case n < 133 && !p.crashed:
		s.note("%s: renderer crashes", p.id)
		p.crashed, p.dialog = true, nil
		s.send(p, 0, "events", &targetCrashed{at: s.time()})
	case n < 140 && !p.crashed:
		s.note("%s: navigates by itself", p.id)
		s.navigate(p)
	case n < 142 && !p.crashed && p.dialog == nil:
		s.openDialog(p)
	case n < 145 && len(s.pages) > 0:
		s.lose(p)
	case n < 147:
		caller := messages.CallerID(fmt.Sprintf("caller-%d", s.rng.IntN(3)))
		s.send(p, 0, "calls", &call.CallerLeft{Caller: caller})
	case n < 152 && p.dialog == nil && !p.crashed && s.rng.IntN(4) > 0:
		s.openDialog(p)
	case n < 153 && s.floods:
		s.floods = false // it takes most of the run to get through one
		s.note("%s: a flood of calls", p.id)
		for range messages.PageQueueMax + s.rng.IntN(messages.PageQueueMax) {
			s.newCommand(p, s.randomCommand(p))
		}
	default:
		s.advance()
	}
}

// engine.OpenDialog lets a page ask something. Sometimes a caller answers at once.
func (s *sim) openDialog(p *simPage) {
	s.note("%s: opens a dialog", p.id)
	p.dialog = &engine.OpenDialog{Kind: messages.DialogConfirm}
	s.send(p, 0, "events", &dialogOpened{dialog: p.dialog, at: s.time()})
	for range s.rng.IntN(3) {
		address := messages.PageAddress{BrowserID: "br_sim", PageID: p.id}
		s.newCommand(p, &messages.HandleDialog{PageAddress: address, Accept: s.rng.IntN(2) == 0})
	}
}

// lose takes a page's target away and puts another page into its place.
func (s *sim) lose(p *simPage) {
	s.note("%s: the target is gone", p.id)
	p.gone = true
	s.send(p, 0, "events", &TargetGone{Cause: messages.NewError(messages.CodeBrowserCrashed, "")})
	next := &simPage{sim: s, id: messages.PageID(fmt.Sprintf("pg_%d", s.worlds+100)), nextRef: 1}
	s.newDocument(next)
	i := slices.Index(s.pages, p)
	s.lost = append(s.lost, p)
	s.pages[i] = next
	s.startActor(next)
}

// giveUp is a caller whose context ends, with the gateway's own steps.
func (s *sim) giveUp(c *call.Call) {
	if c.Ticket.Ended() {
		return
	}
	cancelled := messages.NewError(messages.CodeCancelled, "")
	if !c.GiveUp(cancelled) {
		c.Fail(cancelled)
	}
	s.send(s.owner[c], 0, "calls", &call.Withdraw{Call: c})
}

// randomCommand uses ids that were handed out at some time, old ones included.
func (s *sim) randomCommand(p *simPage) messages.Command {
	address := messages.PageAddress{BrowserID: "br_sim", PageID: p.id}
	handle := messages.ElementHandle("e1")
	if n := len(p.given); n > 0 {
		i := n - 1 - s.rng.IntN(min(n, 3))
		if s.rng.IntN(10) == 0 {
			i = s.rng.IntN(n)
		}
		handle = messages.ElementHandle(p.given[i].id)
		if s.rng.IntN(2) == 0 {
			handle = messages.ElementHandle(p.given[i].ref)
		}
	}
	on := messages.OnElement{PageAddress: address, ElementID: handle}
	if s.rng.IntN(6) == 0 {
		on.OperationID = messages.OperationID(fmt.Sprintf("given-%d", s.rng.IntN(40)))
	}
	switch s.rng.IntN(10) {
	case 0, 1, 2, 3:
		return &messages.TakeSnapshot{PageAddress: address}
	case 4:
		batch := &messages.Batch{PageAddress: address, EffectOptions: on.EffectOptions}
		on.EffectOptions = messages.EffectOptions{}
		for range 2 + s.rng.IntN(4) {
			batch.Operations = append(batch.Operations, &messages.SetValue{OnElement: on, Value: "x"})
		}
		return batch
	case 5:
		return &messages.Navigate{PageAddress: address, URL: "http://sim/"}
	case 6:
		return &messages.HandleDialog{PageAddress: address, Accept: true}
	}
	return &messages.Click{OnElement: on}
}

// advance lets one thing go on: a runner's step, input on the wire, or the delivery
// of a message that is due. Without any it lets time pass to the next timer.
func (s *sim) advance() bool {
	type move func()
	var moves []move
	for i := range s.wire {
		moves = append(moves, func() { s.deliverInput(i) })
	}
	for _, p := range slices.Concat(s.pages, s.lost) {
		for _, r := range p.runners {
			stuck := r.step == 3 && !p.crashed && !p.gone && !r.cancelled && slices.ContainsFunc(s.wire, func(in simInput) bool { return in.runner == r })
			blind := r.step == 1 && (p.crashed || p.dialog != nil || p.gone) && !r.cancelled && r.start.request != nil
			lost := r.step == 3 && !r.cancelled && !p.crashed && !p.gone
			if !stuck && !blind && !lost {
				moves = append(moves, func() { s.stepRunner(r) })
			}
		}
	}
	heads := map[string]bool{}
	var next time.Duration // when the first message that is at the head of its lane is due
	for i, d := range s.queue {
		lane := string(d.page.id) + d.lane
		if heads[lane] {
			continue
		}
		heads[lane] = true
		if d.due <= s.now {
			moves = append(moves, func() { s.deliver(i) })
		}
		if next == 0 || d.due < next {
			next = d.due
		}
	}
	if len(moves) > 0 {
		moves[s.rng.IntN(len(moves))]()
		return true
	}
	if len(s.queue) == 0 {
		return false
	}
	s.now = next
	return true
}

func (s *sim) deliver(i int) {
	d := s.queue[i]
	s.queue = append(s.queue[:i:i], s.queue[i+1:]...)
	p := d.page
	switch m := d.message.(type) {
	case *Call:
		p.own.Add(m.Call)
		p.turns.take(m.Call)
	case *frameNavigated:
		p.told, _ = strconv.Atoi(strings.TrimPrefix(m.frame.URL, simURL)) // made by navigate
	}
	s.delivered = d
	s.feed(p, d.message)
}
