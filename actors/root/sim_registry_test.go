package root

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/actors/browser"
	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/machinetest"
	"github.com/troupe-browser/troupe/actors/page"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// regBrowser is one browser of the registry's simulation: its actor's machine, what the
// root's shell keeps of it, and the engine behind it.
type regBrowser struct {
	id       messages.BrowserID
	spec     *browser.Spec
	machine  *browser.Machine
	actor    bool // its actor lives
	own      call.List
	held     call.List // the root's list of what it passed on
	pages    map[messages.PageID]*regPage
	failures []time.Time
	restarts []time.Time
	engine   regEngine
	links    []engine.PageTarget
	// doubts counts the page creations that ended without their outcome, settled those
	// of them that a listing saw which was asked for later; asked is what each listing
	// will have seen. A restart changes none of them.
	doubts, settled int
	asked           map[*call.Call]int
}

// regEngine is how far a browser's engine is.
type regEngine int

const (
	regNone regEngine = iota
	regConnecting
	regUp
	regEnded
)

// regPage stands for a page's actor.
type regPage struct{ held call.List }

// regDelivery is a message on its way; browser is nil when it is for the root.
type regDelivery struct {
	browser *regBrowser
	message any
	due     time.Duration
	lane    string
}

// regSim runs the root's machine and those of its browsers in one goroutine, with their
// shells' bookkeeping, while everything that can fail does.
type regSim struct {
	rng      *rand.Rand
	now      time.Duration
	steps    int
	root     *machine
	browsers []*regBrowser
	queue    []regDelivery
	calls    []*call.Call
	answers  map[*call.Call]call.Answer
	ledger   *call.LedgerMachine
	mint     *kernel.Mint
	closed   map[messages.BrowserID]int
	launched map[messages.BrowserID]int
	targets  int
	pageIDs  int
	faults   bool
	asked    int // browsers in the registry when the shutdown was asked for
	waiting  int // callers of the shutdown that have no report yet
	reports  []ShutdownReport
	broken   string
	trace    []string
}

const (
	regBrowsersMax = 2
	regPagesMax    = 3
)

func newRegSim(seed uint64) *regSim {
	config := kernel.Config{BrowsersMax: regBrowsersMax, PagesMax: regPagesMax}.WithDefaults()
	s := &regSim{
		rng: rand.New(rand.NewPCG(seed, 0xb405e)), root: newMachine(config), ledger: call.NewLedgerMachine(false), mint: kernel.NewMint(),
		answers: map[*call.Call]call.Answer{}, closed: map[messages.BrowserID]int{}, launched: map[messages.BrowserID]int{}, faults: true, asked: -1,
	}
	s.feedRoot(&reaperStarted{at: s.time()})
	return s
}

func (s *regSim) time() time.Time { return machinetest.Noon.Add(s.now) }

func (s *regSim) note(format string, args ...any) {
	s.trace = append(s.trace, fmt.Sprintf("%5d %8s ", s.steps, s.now)+fmt.Sprintf(format, args...))
	if len(s.trace) > machinetest.SimTraceMax {
		s.trace = s.trace[1:]
	}
}

func (s *regSim) breaks(format string, args ...any) {
	if s.broken == "" {
		s.broken = fmt.Sprintf(format, args...)
	}
}

// send puts a message on its way. What an engine or a runner says takes its time.
func (s *regSim) send(b *regBrowser, message any, slow bool) {
	d := regDelivery{browser: b, message: message, due: s.now, lane: "mailbox"}
	if slow {
		d.due += time.Duration(s.rng.IntN(3000)) * time.Millisecond
		d.lane = fmt.Sprint("slow", s.steps, len(s.queue))
	}
	if b != nil {
		d.lane += string(b.id)
	}
	s.queue = append(s.queue, d)
}

func (s *regSim) after(b *regBrowser, d time.Duration, message any) {
	s.queue = append(s.queue, regDelivery{browser: b, message: message, due: s.now + d, lane: fmt.Sprint("timer", s.steps, len(s.queue))})
}

func (s *regSim) find(id messages.BrowserID) *regBrowser {
	for _, b := range s.browsers {
		if b.id == id && b.actor {
			return b
		}
	}
	return nil
}

func (s *regSim) feedRoot(message Message) {
	if tick, ok := message.(*reapTick); ok {
		tick.busy = map[messages.BrowserID]bool{}
		for _, b := range s.browsers {
			if b.actor && b.held.Open() > 0 {
				tick.busy[b.id] = true
			}
		}
	}
	asked, isShutdown := message.(*shutdownBegan)
	if isShutdown {
		s.waiting++
	}
	if isShutdown && s.asked < 0 {
		s.asked = len(s.root.browsers)
		asked.inFlight = map[messages.ExecutionState]int{}
		for _, c := range s.calls {
			c.Fail(messages.NewError(messages.CodeRunnerShuttingDown, ""))
		}
	}
	from := stateOf(s.root)
	effects := s.root.step(message)
	if line := machinetest.Transition(from, stateOf(s.root), message); line != "" {
		s.note("root: %s", line)
	}
	for _, e := range effects {
		s.carryOutRoot(message, e)
	}
}

func (s *regSim) carryOutRoot(cause Message, effect Effect) {
	switch e := effect.(type) {
	case *answerCall:
		e.call.Finish(e.reply, nil)
	case *finishCall:
		e.call.Finish(e.receipt, nil)
	case *failCall:
		e.call.Fail(e.err)
	case *publishEvent:
		s.published(cause, e.event)
	case *forward:
		b := s.find(e.browser)
		if b == nil {
			e.call.Fail(messages.NewError(messages.CodeBrowserUnavailable, ""))
			return
		}
		b.held.Add(e.call)
		s.send(b, &browser.Call{Call: e.call}, false)
	case *tellBrowser:
		if b := s.find(e.browser); b != nil {
			s.send(b, e.message, false)
		} else if _, closing := e.message.(*browser.Close); closing {
			s.send(nil, &browser.Ended{Browser: e.browser, At: s.time()}, false)
		}
	case *beginAtRoot:
		begun := &Begun{call: e.call, browser: e.browser, at: s.time()}
		if !e.call.Ticket.Start() || s.ledger.Spend(e.browser, e.call.Operation, e.call.Minted, s.mint.Made(e.call.Operation)) != nil || !e.call.Ticket.Begin() {
			begun.refusal = messages.NewError(messages.CodeCancelled, "")
		}
		s.send(nil, begun, true)
	case *spawnBrowser:
		s.spawn(e)
	case *stopBrowserActor:
		if b := s.find(e.browser); b != nil {
			s.stopActor(b)
		}
	case *describeEngine:
		e.call.Finish(&messages.Engine{}, nil)
	case *startShutdownTimer:
		s.after(nil, e.deadline.Sub(s.time()), &shutdownElapsed{at: e.deadline})
	case *reportShutdown:
		for range s.waiting {
			s.reports = append(s.reports, e.report)
		}
		s.waiting = 0
	}
}

func (s *regSim) published(cause Message, event messages.Event) {
	switch event.Kind {
	case messages.EventBrowserLaunched:
		s.launched[event.BrowserID]++
	case messages.EventBrowserClosed:
		s.closed[event.BrowserID]++
		if s.root.browsers[event.BrowserID] != nil {
			s.breaks("out_of_the_registry_before_it_is_announced: %s", event.BrowserID)
		}
	case messages.EventBrowserReaped:
		if tick, ok := cause.(*reapTick); ok && tick.busy[event.BrowserID] {
			s.breaks("a_busy_browser_is_not_reaped: %s", event.BrowserID)
		}
	}
}

func (s *regSim) spawn(e *spawnBrowser) {
	env := &kernel.Environment{Config: kernel.Config{BrowsersMax: regBrowsersMax, PagesMax: regPagesMax}.WithDefaults()}
	b := &regBrowser{id: e.browser, spec: &browser.Spec{Env: env, ID: e.browser, Mode: e.mode, Launch: e.launch, Call: e.call, Memory: browser.NewBrowserMemory(e.call.Caller)}, actor: true, pages: map[messages.PageID]*regPage{}, asked: map[*call.Call]int{}}
	s.browsers = append(s.browsers, b)
	b.machine = browser.NewMachine(b.spec)
	s.feed(b, &browser.Started{At: s.time()})
}

// stopActor ends a browser's actor, as its parent does.
func (s *regSim) stopActor(b *regBrowser) {
	gone := messages.NewError(messages.CodeBrowserUnavailable, "")
	b.actor = false
	b.own.FailAll(gone)
	for _, p := range b.pages {
		p.held.FailAll(gone)
	}
	b.held.FailAll(gone)
	if b.engine == regUp {
		b.engine = regEnded // sealed by the shell
	}
}

// crash is a panic in a browser's actor: within its budget it is restarted and takes up
// what the engine has, beyond it the root closes the browser.
func (s *regSim) crash(b *regBrowser) {
	entry := s.root.browsers[b.id]
	ending := entry == nil || entry.state == browserClosing
	verdict, recent := kernel.BrowserBudget.Decide(b.failures, s.time(), ending)
	b.failures = recent
	if ending && verdict != kernel.Stop {
		s.breaks("what_is_to_end_is_not_raised: %s", b.id)
	}
	s.note("%s: the actor dies", b.id)
	if verdict == kernel.Stop {
		s.send(nil, &browser.Down{Browser: b.id, Err: messages.NewError(messages.CodeBrowserUnavailable, ""), At: s.time()}, false)
		s.stopActor(b)
		if entry != nil {
			s.send(nil, &browser.Ended{Browser: b.id, At: s.time()}, true)
		}
		return
	}
	b.restarts = append(b.restarts, s.time())
	if n := len(b.restarts) - 1 - kernel.BrowserRestartsMax; n >= 0 && b.restarts[len(b.restarts)-1].Sub(b.restarts[n]) < kernel.BrowserRestartsWindow {
		s.breaks("restarts_have_a_budget: %s was restarted %d times", b.id, kernel.BrowserRestartsMax+1)
	}
	gone := messages.NewError(messages.CodeBrowserUnavailable, "")
	for _, c := range b.own.Calls {
		if _, creates := c.Command.(*messages.NewPage); !creates || !c.Fail(gone) || b.machine.CreationOf(c) == nil {
			continue
		}
		if receipt, ok := c.Answered().(*messages.Receipt); ok && receipt.ExecutionState == messages.OutcomeUnknown {
			b.doubts++
		}
	}
	b.own.FailAll(gone)
	for _, p := range b.pages {
		p.held.FailAll(gone)
	}
	b.pages = map[messages.PageID]*regPage{}
	b.machine = browser.NewMachine(b.spec)
	if b.engine == regConnecting {
		return // the runner that connects reports to this incarnation
	}
	started := &browser.Started{Ready: b.engine == regUp, Ownership: messages.OwnedEphemeral, Unknown: b.spec.Memory.Unknown(), At: s.time()}
	for _, target := range b.links {
		started.Attached = append(started.Attached, engine.TargetAttached{Page: s.pageID(), Target: target})
	}
	s.feed(b, started)
}

func (s *regSim) feed(b *regBrowser, message browser.Message) {
	switch m := message.(type) {
	case *browser.Call:
		b.own.Add(m.Call)
		b.asked[m.Call] = b.doubts
	case *browser.TargetsListed:
		if m.Answered {
			b.settled = max(b.settled, b.asked[m.Call])
		}
	case *browser.TargetCreated:
		if m.Call != nil && m.Err != nil && m.Err.State == messages.OutcomeUnknown && b.machine.CreationOf(m.Call) != nil {
			b.doubts++
		}
	}
	from := b.machine.String()
	effects := b.machine.Step(message)
	if line := machinetest.Transition(from, b.machine.String(), message); line != "" {
		s.note("%s: %s", b.id, line)
	}
	for _, e := range effects {
		s.carryOut(b, e)
	}
}

func (s *regSim) carryOut(b *regBrowser, effect browser.Effect) {
	switch e := effect.(type) {
	case *browser.Connect:
		b.engine = regConnecting
		s.send(b, &regConnected{fails: s.faults && s.rng.IntN(6) == 0}, true)
	case *browser.AnswerCall:
		e.Call.Finish(e.Reply, nil)
	case *browser.FinishCall:
		e.Call.Finish(e.Receipt, nil)
	case *browser.FailCall:
		e.Call.Fail(e.Err)
	case *browser.ForwardToPage:
		p := b.pages[e.Page]
		if p == nil {
			e.Call.Fail(b.machine.NoSuchPage())
			return
		}
		p.held.Add(e.Call)
		s.send(b, &regAnswer{page: e.Page, call: e.Call, resumed: e.As != nil}, true)
	case *browser.SpawnPage:
		b.pages[e.Page] = &regPage{}
		s.send(b, &page.Prepared{Page: e.Page}, true)
	case *browser.EndPage:
		if p := b.pages[e.Page]; p != nil {
			p.held.FailAll(e.Cause)
			delete(b.pages, e.Page)
		}
	case *browser.StartListing:
		if e.Call.Ticket.Start() {
			s.feed(b, &browser.ListingStarted{Call: e.Call})
		}
	case *browser.CreateTarget:
		s.create(b, e)
	case *browser.CloseUnwanted:
		s.send(b, &engine.TargetDestroyed{Target: e.Target}, true)
	case *browser.ListTargets:
		s.send(b, &browser.TargetsListed{Call: e.Call, Answered: !s.faults || s.rng.IntN(4) > 0, Doubts: e.Doubts}, true)
	case *browser.CloseEngine:
		if b.engine == regConnecting {
			b.engine = regEnded // its runner ends it and reports that
			return
		}
		s.send(b, &regClosed{}, true)
	case *browser.ReportToRoot:
		s.send(nil, e.Message, false)
	case *browser.SendLater:
		s.after(b, e.After, e.Message)
	}
}

// create makes a target, or fails to, or nobody knows.
func (s *regSim) create(b *regBrowser, e *browser.CreateTarget) {
	created := &browser.TargetCreated{Call: e.Call, At: s.time()}
	if e.Call != nil && b.doubts > b.settled {
		s.breaks("an_uncertain_creation_closes_the_door: %s", b.id)
	}
	if c := e.Call; c != nil && (!c.Ticket.Start() || s.ledger.Spend(b.id, c.Operation, c.Minted, s.mint.Made(c.Operation)) != nil || !c.Ticket.Begin()) {
		created.Err = messages.NewError(messages.CodeCancelled, "")
		s.send(b, created, true)
		return
	}
	switch n := s.rng.IntN(10); {
	case s.faults && n == 0:
		created.Err = messages.NewError(messages.CodeCDPError, "")
	case s.faults && n == 1:
		created.Err = messages.UnknownOutcome(messages.CodeCDPReceiveTimeout, "")
		if s.rng.IntN(2) == 0 {
			s.attach(b, "")
		}
	default:
		created.Target = s.attach(b, "")
	}
	s.send(b, created, true)
}

// pageID is the id of one more page.
func (s *regSim) pageID() messages.PageID {
	s.pageIDs++
	return messages.PageID(fmt.Sprint("pg_", s.pageIDs))
}

// attach is a new page target of a browser, which the connection tells of.
func (s *regSim) attach(b *regBrowser, opener cdp.TargetID) cdp.TargetID {
	s.targets++
	link := engine.PageTarget{Target: cdp.TargetID(fmt.Sprint("T", s.targets)), Opener: opener, AttachedAt: s.time()}
	b.links = append(slices.Clone(b.links), link)
	s.send(b, &engine.TargetAttached{Page: s.pageID(), Target: link}, true)
	return link.Target
}

// Messages of the simulation's own: what the shell's runners do.
type (
	regConnected struct{ fails bool }
	regClosed    struct{}
	regAnswer    struct {
		page    messages.PageID
		call    *call.Call
		resumed bool
	}
)

// deliver hands a message over.
func (s *regSim) deliver(i int) {
	d := s.queue[i]
	s.queue = append(s.queue[:i:i], s.queue[i+1:]...)
	b := d.browser
	if b == nil {
		s.feedRoot(d.message.(Message))
		return
	}
	switch m := d.message.(type) {
	case *regConnected:
		switch {
		case b.engine == regEnded || m.fails || !b.actor:
			b.engine = regEnded
			if b.actor {
				s.feed(b, &browser.EngineFailed{Err: messages.NewError(messages.CodeLaunchFailed, ""), At: s.time()})
			}
		default:
			b.engine = regUp
			s.attach(b, "")
			s.feed(b, &browser.EngineReady{Ownership: messages.OwnedEphemeral, At: s.time()})
		}
	case *regClosed:
		b.engine = regEnded
		if b.actor {
			s.feed(b, &browser.EngineClosed{At: s.time()})
		}
	case *regAnswer:
		p := b.pages[m.page]
		if p == nil || !m.resumed && !m.call.Ticket.Start() {
			m.call.Fail(b.machine.NoSuchPage())
			return
		}
		var reply messages.Reply = &messages.Snapshot{}
		if _, isEffect := m.call.Command.(messages.Effect); isEffect {
			reply = &messages.Receipt{ExecutionState: messages.Completed}
		}
		m.call.Finish(reply, nil)
	case *engine.TargetDestroyed:
		b.links = slices.DeleteFunc(slices.Clone(b.links), func(l engine.PageTarget) bool { return l.Target == m.Target })
		if b.actor {
			s.feed(b, m)
		}
	case browser.Message:
		if b.actor {
			s.feed(b, m)
		}
	}
}

// act lets the world go on, or something happen.
func (s *regSim) act() {
	var b *regBrowser
	if len(s.browsers) > 0 {
		b = s.browsers[len(s.browsers)-1-s.rng.IntN(min(len(s.browsers), 3))]
	}
	switch n := s.rng.IntN(200); {
	case n < 5:
		s.call(&messages.Launch{})
	case b == nil:
		s.advance()
	case n < 15:
		s.call(&messages.NewPage{BrowserID: b.id})
	case n < 20:
		s.call(&messages.ListPages{BrowserID: b.id})
	case n < 30:
		if n := len(b.machine.Pages); n > 0 {
			s.call(&messages.TakeSnapshot{PageAddress: messages.PageAddress{BrowserID: b.id, PageID: b.machine.Pages[s.rng.IntN(n)].ID}})
		}
	case n < 32:
		s.call(&messages.CloseBrowser{BrowserID: b.id})
	case n < 33:
		s.call(&messages.ListBrowsers{})
	case n < 36 && len(s.calls) > 0:
		c := s.calls[len(s.calls)-1-s.rng.IntN(min(len(s.calls), 8))]
		if !c.Ticket.Ended() && !c.GiveUp(messages.NewError(messages.CodeCancelled, "")) {
			c.Fail(messages.NewError(messages.CodeCancelled, ""))
		}
		s.send(nil, &Withdraw{Call: c}, false)
	case n < 38 && b.actor:
		s.crash(b)
	case n < 40 && b.engine == regUp && b.actor:
		s.note("%s: the connection ends", b.id)
		s.send(b, &engine.Lost{}, false)
	case n < 42 && b.engine == regUp && len(b.links) > 0 && b.actor:
		s.send(b, &engine.TargetDestroyed{Target: b.links[s.rng.IntN(len(b.links))].Target}, false)
	case n < 44 && b.engine == regUp && len(b.links) > 0 && b.actor:
		s.attach(b, b.links[s.rng.IntN(len(b.links))].Target) // a popup
	case n < 46:
		s.send(nil, &reapTick{at: s.time()}, false)
	default:
		s.advance()
	}
}

func (s *regSim) call(command messages.Command) {
	c := call.New(context.Background(), machinetest.Agent, command, s.mint, s.time())
	s.calls = append(s.calls, c)
	s.send(nil, &Call{Call: c, At: s.time(), FreshID: kernel.NewBrowserID()}, false)
}

// advance delivers one message that is due, or lets time pass to the next.
func (s *regSim) advance() bool {
	heads := map[string]bool{}
	var due []int
	var next time.Duration
	for i, d := range s.queue {
		if heads[d.lane] {
			continue
		}
		heads[d.lane] = true
		if d.due <= s.now {
			due = append(due, i)
		} else if next == 0 || d.due < next {
			next = d.due
		}
	}
	switch {
	case len(due) > 0:
		s.deliver(due[s.rng.IntN(len(due))])
	case len(s.queue) > 0:
		s.now = next
	default:
		return false
	}
	return true
}

// check returns the name of a broken invariant and what broke it, or "".
func (s *regSim) check() string {
	if len(s.root.browsers) > regBrowsersMax {
		return fmt.Sprintf("browsers_are_bounded: %d", len(s.root.browsers))
	}
	for id, n := range s.closed {
		if n > 1 {
			return fmt.Sprintf("one_closed_event: %s has %d", id, n)
		}
	}
	for _, b := range s.browsers {
		if len(b.machine.Pages) > regPagesMax {
			return fmt.Sprintf("pages_are_bounded: %d in %s", len(b.machine.Pages), b.id)
		}
	}
	for _, c := range s.calls {
		if !c.Ticket.Ended() {
			continue
		}
		given := c.Ticket.Answer
		if before, ok := s.answers[c]; ok && before != given {
			return "one_reply_per_command: " + string(c.Command.Action())
		}
		s.answers[c] = given
	}
	return s.broken
}

// run plays the faulty phase, a shutdown, and the phase in which everything resolves.
func (s *regSim) run(steps int) (broken string) {
	for range steps {
		s.steps++
		s.act()
		if broken := s.check(); broken != "" {
			return broken
		}
	}
	s.faults = false
	for range 2 {
		s.send(nil, &shutdownBegan{at: s.time(), deadline: s.time().Add(messages.ShutdownDefault)}, false)
	}
	for s.asked < 0 && s.advance() {
		if broken := s.check(); broken != "" {
			return broken
		}
	}
	late := len(s.calls)
	s.call(&messages.Launch{})
	s.call(&messages.ListBrowsers{})
	defer func() {
		for _, c := range s.calls[late:] {
			if err := refusalOf(c); broken == "" && (err == nil || *err != messages.CodeRunnerShuttingDown) {
				broken = "nothing_begins_behind_a_shutdown: " + string(c.Command.Action())
			}
		}
	}()
	for s.advance() {
		s.steps++
		if broken := s.check(); broken != "" {
			return broken
		}
	}
	return s.settled()
}

// refusalOf returns the code that a call was refused with, nil when it was not.
func refusalOf(c *call.Call) *messages.Code {
	if !c.Ticket.Ended() {
		return nil
	}
	if err := c.Ticket.Answer.Err; err != nil {
		return &err.Code
	}
	if receipt, ok := c.Ticket.Answer.Reply.(*messages.Receipt); ok && receipt.Code != "" {
		return &receipt.Code
	}
	return nil
}

// settled demands that nothing is left open.
func (s *regSim) settled() string {
	for _, c := range s.calls {
		if !c.Ticket.Ended() {
			return "everything_resolves: " + string(c.Command.Action()) + " has no answer"
		}
	}
	if len(s.root.browsers) > 0 {
		return fmt.Sprintf("everything_resolves: %d browsers are in the registry", len(s.root.browsers))
	}
	for _, b := range s.browsers {
		if b.engine != regEnded && b.engine != regNone {
			return fmt.Sprintf("no_engine_is_left: that of %s is in state %d", b.id, b.engine)
		}
		if s.launched[b.id] > 1 || s.closed[b.id] != 1 {
			return fmt.Sprintf("one_closed_event: %s was launched %d times and closed %d times", b.id, s.launched[b.id], s.closed[b.id])
		}
	}
	if len(s.reports) != 2 {
		return fmt.Sprintf("a_shutdown_reports_once_to_each: %d reports", len(s.reports))
	}
	for _, r := range s.reports {
		if got := len(r.Removed) + len(r.Failed) + len(r.Pending); got != s.asked {
			return fmt.Sprintf("the_report_is_complete: %d of %d browsers", got, s.asked)
		}
	}
	return ""
}

// TestSimRegistry holds the root's machine and those of its browsers against what must
// hold of browsers: bounds, one end for each, an answer to everything, and a complete
// report (R17, R192, R193, R197).
func TestSimRegistry(t *testing.T) {
	first, count := uint64(1), machinetest.Seeds(t)
	if *machinetest.SimSeed != 0 {
		first, count = *machinetest.SimSeed, 1
	}
	launched, crashed := 0, 0
	for seed := first; seed < first+count; seed++ {
		s := newRegSim(seed)
		if broken := s.run(*machinetest.SimSteps / 2); broken != "" {
			t.Fatalf("seed=%d step=%d invariant=%s\n%s\nreplay: go test ./actors/root -run '^TestSimRegistry$' -sim.seed=%d -sim.steps=%d",
				seed, s.steps, broken, strings.Join(s.trace, "\n"), seed, *machinetest.SimSteps)
		}
		launched += len(s.launched)
		crashed += s.root.crashes
	}
	t.Logf("%d seeds: %d browsers launched, %d lost", count, launched, crashed)
	if *machinetest.SimSeed == 0 && (launched == 0 || crashed == 0) {
		t.Error("the simulation does not reach what it is to test")
	}
}
