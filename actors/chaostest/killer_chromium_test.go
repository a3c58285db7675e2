package chaostest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"syscall"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/troupe-browser/troupe/messages"
)

// boom is a message whose handling panics inside the actor that gets it: the framework
// asks it for its answer on the actor's own turn.
type boom struct{}

// GetAutoResponse implements actor.AutoRespond.
func (*boom) GetAutoResponse(actor.Context) any { panic("an actor's fault on purpose") }

// fault is one thing that the killer can do. It reports false when there was nothing
// to do it to.
type fault struct {
	name   string
	weight int
	kills  bool
	do     func(k *killer, s *slot, t *tab) bool
}

// killer takes parts of the run away, one after the other.
type killer struct {
	*chaos
	ctx context.Context
	rng *rand.Rand
}

// The faults. The weights keep browsers alive for long enough that something is in
// flight when the next fault comes.
var faults = []fault{
	{"page actor panics", 16, true, func(k *killer, s *slot, t *tab) bool { return k.panics(s, t.peek(), "") }},
	{"page actor panics until it is stopped", 3, true, func(k *killer, s *slot, t *tab) bool {
		page := t.peek()
		for range 5 {
			if !k.panics(s, page, "") {
				return false
			}
			pause(k.ctx, 10*time.Millisecond)
		}
		return true
	}},
	{"page actor is stopped", 4, true, func(k *killer, s *slot, t *tab) bool {
		page := t.peek()
		if page.PageID == "" {
			return false
		}
		k.mark(s)
		k.died(page)
		k.system.Root.Stop(k.pid(string(page.BrowserID), string(page.PageID)))
		return true
	}},
	{"diagnostics panic", 8, true, func(k *killer, s *slot, t *tab) bool { return k.panics(s, t.peek(), "diagnostics") }},
	{"browser actor panics", 6, true, func(k *killer, s *slot, _ *tab) bool {
		return k.panics(s, messages.PageAddress{BrowserID: s.peek()}, "")
	}},
	{"browser actor is stopped", 1, true, func(k *killer, s *slot, _ *tab) bool {
		browser := s.peek()
		if browser == "" {
			return false
		}
		k.mark(s)
		k.died(messages.PageAddress{BrowserID: browser})
		k.system.Root.Stop(k.pid(string(browser)))
		return true
	}},
	{"journal panics", 2, true, func(k *killer, _ *slot, _ *tab) bool { return k.send(k.pid("journal")) }},
	{"ledger panics", 3, true, func(k *killer, _ *slot, _ *tab) bool { return k.send(k.pid("ledger")) }},
	{"root panics", 3, true, func(k *killer, _ *slot, _ *tab) bool { return k.send(k.root) }},
	{"a runner panics", 8, true, func(k *killer, s *slot, _ *tab) bool {
		k.mark(s)
		k.fuse.Store(true)
		return true
	}},
	{"renderer is killed", 16, true, func(k *killer, s *slot, _ *tab) bool { return k.signal(s, "--type=renderer", syscall.SIGKILL) }},
	{"GPU process is killed", 3, true, func(k *killer, s *slot, _ *tab) bool { return k.signal(s, "--type=gpu-process", syscall.SIGKILL) }},
	{"network process is killed", 3, true, func(k *killer, s *slot, _ *tab) bool {
		return k.signal(s, "network.mojom.NetworkService", syscall.SIGKILL)
	}},
	{"browser is killed", 3, true, func(k *killer, s *slot, _ *tab) bool { return k.process(s, syscall.SIGKILL) }},
	{"browser is asked to end", 1, true, func(k *killer, s *slot, _ *tab) bool { return k.process(s, syscall.SIGTERM) }},
	{"connection is cut", 2, true, func(k *killer, s *slot, _ *tab) bool {
		d := s.live.Load()
		if d == nil {
			return false
		}
		k.mark(s)
		d.wire.cut()
		return true
	}},
	{"connection is stalled", 3, false, func(k *killer, s *slot, _ *tab) bool {
		d := s.live.Load()
		if d == nil {
			return false
		}
		release := d.wire.stall()
		pause(k.ctx, k.upTo(1500*time.Millisecond))
		release()
		return true
	}},
	{"browser stands still", 3, false, func(k *killer, s *slot, _ *tab) bool {
		if !k.process(s, syscall.SIGSTOP) {
			return false
		}
		pause(k.ctx, k.upTo(1500*time.Millisecond))
		return k.process(s, syscall.SIGCONT)
	}},
	{"page asks", 6, false, func(k *killer, _ *slot, t *tab) bool { return k.script(t, "alert('a question')") }},
	{"page asks and dies", 8, true, (*killer).dies},
	{"page leaves", 6, false, func(k *killer, _ *slot, t *tab) bool { return k.script(t, "location.href = '/elsewhere'") }},
	{"page reloads", 4, false, func(k *killer, _ *slot, t *tab) bool { return k.script(t, "location.reload()") }},
	{"page is written anew", 3, false, func(k *killer, _ *slot, t *tab) bool {
		return k.script(t, "document.open(); document.write('<p>anew')")
	}},
	{"page closes itself", 2, false, func(k *killer, _ *slot, t *tab) bool { return k.script(t, "window.close()") }},
	{"page hangs", 4, false, (*killer).hang},
	{"page is closed", 2, true, func(k *killer, s *slot, t *tab) bool {
		page := t.peek()
		if page.PageID == "" {
			return false
		}
		k.mark(s)
		_, _ = k.call(&messages.ClosePage{PageAddress: page}, s)
		return true
	}},
	{"browser is closed", 1, true, func(k *killer, s *slot, _ *tab) bool {
		browser := s.peek()
		if browser == "" {
			return false
		}
		k.mark(s)
		_, _ = k.call(&messages.CloseBrowser{BrowserID: browser}, s)
		return true
	}},
	{"caller leaves", 2, false, func(k *killer, _ *slot, _ *tab) bool {
		k.runtime.Leave(caller.ID)
		return true
	}},
}

// run goes on until the context ends.
func (k *killer) run() {
	total := 0
	for _, f := range faults {
		total += f.weight
	}
	for {
		pause(k.ctx, 100*time.Millisecond+k.upTo(*paceFlag))
		if k.ctx.Err() != nil {
			return
		}
		n := k.rng.IntN(total)
		s, t := k.victim()
		if t == nil {
			continue // everything is being started
		}
		for _, f := range faults {
			if n -= f.weight; n >= 0 {
				continue
			}
			done := f.do(k, s, t)
			k.trace("%s, slot %d, tab %d: %v", f.name, s.index, t.index, done)
			if done {
				k.mu.Lock()
				k.faults[f.name]++
				if f.kills {
					k.kills++
				}
				k.mu.Unlock()
			}
			break
		}
	}
}

// victim chooses a page of a browser that is up.
func (k *killer) victim() (*slot, *tab) {
	s := k.slots[k.rng.IntN(len(k.slots))]
	first := k.rng.IntN(len(s.tabs))
	for i := range s.tabs {
		if t := s.tabs[(first+i)%len(s.tabs)]; t.peek().PageID != "" {
			return s, t
		}
	}
	return s, nil
}

func (k *killer) upTo(d time.Duration) time.Duration { return time.Duration(k.rng.Int64N(int64(d))) }

// mark notes that something of a slot is taken away now.
func (k *killer) mark(s *slot) { s.killed.Store(time.Now().UnixNano()) }

// pid names an actor below the root.
func (k *killer) pid(path ...string) *actor.PID {
	id := k.root.Id
	for _, p := range path {
		id += "/" + p
	}
	return actor.NewPID(k.system.Address(), id)
}

func (k *killer) send(pid *actor.PID) bool {
	k.system.Root.Send(pid, &boom{})
	return true
}

// panics lets the actor of a browser, of a page, or below a page panic.
func (k *killer) panics(s *slot, page messages.PageAddress, child string) bool {
	if page.BrowserID == "" {
		return false
	}
	path := []string{string(page.BrowserID)}
	if page.PageID != "" {
		path = append(path, string(page.PageID))
	}
	if child != "" {
		path = append(path, child)
	}
	k.mark(s)
	if child == "" {
		k.died(page)
	}
	return k.send(k.pid(path...))
}

// alive returns the browser process of a slot, nil when it has ended: its number may be
// another's by then.
func (s *slot) alive() *driven {
	d := s.live.Load()
	if d == nil {
		return nil
	}
	select {
	case <-d.Done():
		return nil
	default:
	}
	return d
}

// process sends a signal to the browser process of a slot.
func (k *killer) process(s *slot, signal syscall.Signal) bool {
	d := s.alive()
	if d == nil {
		return false
	}
	if signal != syscall.SIGSTOP && signal != syscall.SIGCONT {
		k.mark(s)
	}
	return syscall.Kill(d.PID(), signal) == nil
}

// signal sends a signal to one process below the browser.
func (k *killer) signal(s *slot, text string, signal syscall.Signal) bool {
	d := s.alive()
	if d == nil {
		return false
	}
	found := below(d.PID(), text)
	if len(found) == 0 {
		return false
	}
	k.mark(s)
	return syscall.Kill(found[k.rng.IntN(len(found))], signal) == nil
}

// call makes a call of the killer's own, as the operator.
func (k *killer) call(command messages.Command, s *slot) (messages.Reply, error) {
	ctx, cancel := context.WithTimeout(k.ctx, 5*time.Second)
	defer cancel()
	return k.do(ctx, s, operator, command)
}

// script lets the page do something a moment later, so that it meets what is in
// flight by then.
func (k *killer) script(t *tab, text string) bool {
	page := t.peek()
	if page.PageID == "" {
		return false
	}
	delay := k.rng.IntN(300)
	_, err := k.call(&messages.Evaluate{PageAddress: page, Script: fmt.Sprintf("setTimeout(() => { %s }, %d); 1", text, delay)}, t.slot)
	return err == nil
}

// dies kills a page's renderer while it shows a dialog that nobody has answered: what
// waits behind the dialog never happens.
func (k *killer) dies(s *slot, t *tab) bool {
	page := t.peek()
	if page.PageID == "" || !k.script(t, "alert('the last question')") {
		return false
	}
	shown := func() bool {
		reply, err := k.call(&messages.ListPages{BrowserID: page.BrowserID}, s)
		if err != nil {
			return true
		}
		for _, p := range reply.(*messages.PageList).Pages {
			if p.PageID == page.PageID && p.Dialog != nil {
				return true
			}
		}
		return false
	}
	settled(time.Second, shown)
	_, err := k.call(&messages.Unstick{PageAddress: page, Step: messages.UnstickKill}, s)
	k.mark(s) // the crash was seen by now
	return err == nil
}

// hang lets a page compute for ever. Its siblings go on; then one rung of the ladder
// brings it back.
func (k *killer) hang(s *slot, t *tab) bool {
	page := t.peek()
	if page.PageID == "" || !k.script(t, "for (;;);") {
		return false
	}
	pause(k.ctx, 300*time.Millisecond)
	browser := s.peek()
	before, beforeElsewhere := k.completions(s, t)
	progress := func() bool {
		now, _ := k.completions(s, t)
		return now > before
	}
	begun := time.Now()
	if !settled(siblingsMax, func() bool { return progress() || k.ctx.Err() != nil || s.peek() != browser }) {
		k.fail("a hung page kept its siblings from completing anything for %v", siblingsMax)
	}
	k.mu.Lock()
	k.siblings = max(k.siblings, time.Since(begun))
	k.mu.Unlock()
	k.listed(s, browser)
	siblings, elsewhere := k.completions(s, t)
	siblings, elsewhere = siblings-before, elsewhere-beforeElsewhere
	if s.peek() == browser && elsewhere >= elsewhereMin && siblings*siblingsShare < elsewhere {
		k.fail("with a hung page its siblings completed %d effects, the other browser's pages %d", siblings, elsewhere)
	}
	step := []messages.UnstickStep{messages.UnstickTerminate, messages.UnstickClose, messages.UnstickKill}[k.rng.IntN(3)]
	_, err := k.call(&messages.Unstick{PageAddress: page, Step: step}, s)
	k.mark(s)
	k.trace("unstick %s: %v", step, err)
	return true
}

// completions returns how many effects were completed on the other pages of a tab's
// browser, and on those of the other browsers.
func (k *killer) completions(s *slot, t *tab) (siblings, elsewhere int64) {
	for _, other := range k.slots {
		for _, page := range other.tabs {
			switch {
			case other != s:
				elsewhere += page.completed.Load()
			case page != t:
				siblings += page.completed.Load()
			}
		}
	}
	return siblings, elsewhere
}

// While one page hangs its siblings go on at the pace of the other browser, however
// slow the machine is: with two pages against three they complete two thirds of what is
// completed there. Less than a share of it, where that is enough to tell, is a wait for
// the hung page.
const (
	elsewhereMin  = 24
	siblingsShare = 12
)

// listed demands that a browser one of whose pages hangs still tells of its pages. It
// asks for a while, so that what is in hand of the hung page is met.
func (k *killer) listed(s *slot, browser messages.BrowserID) {
	for range listings {
		begun := time.Now()
		_, err := k.call(&messages.ListPages{BrowserID: browser}, s)
		if took := time.Since(begun); took > listingMax && k.ctx.Err() == nil {
			k.fail("with a hung page the listing of the pages took %v: %v", took, err)
		}
		pause(k.ctx, 300*time.Millisecond)
	}
}

// A listing takes at most a second where the browser process does not answer; the rest is
// for a machine that is overloaded. Twelve of them take four seconds.
const (
	listings   = 12
	listingMax = 3 * time.Second
)

// siblingsMax is how long the other pages of a browser may take to complete an effect
// while one of them hangs.
const siblingsMax = 15 * time.Second
