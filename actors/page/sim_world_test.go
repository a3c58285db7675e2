package page

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/machinetest"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// The simulation runs the page's machine, the ledger's machine and real tickets in
// one goroutine. A seed decides everything that production leaves to chance: which
// message is delivered next, how long it waits, whether it is lost or comes twice,
// when an actor dies, a renderer crashes, a page navigates or a caller gives up.
//
// A document of the simulated page keeps its own record of effects, so that what
// receipts claim can be held against what happened.

// simEffect is one entry of the page's own record.
type simEffect struct {
	call     *call.Call
	index    int
	document int
}

// simDocument is what the page shows: the identity of its world, and what was done
// to it.
type simDocument struct {
	number int
	world  string
}

// simRunner is the runner of one operation, taken apart into the steps between
// which anything may happen.
type simRunner struct {
	page      *simPage
	start     *startOperation
	epoch     int
	step      int
	index     int // of the operation inside a batch
	begun     bool
	wired     bool // the input is on the wire
	cancelled bool
	record    *snapshot.Record
	world     string // of the document that a snapshot was read from
	spent     bool
}

// simPage is one page: its machine's current incarnation and the target behind it.
type simPage struct {
	sim     *sim
	id      messages.PageID
	machine *machine
	epoch   int
	own     call.List
	runners []*simRunner
	// document is the browser's; world ids are never used again.
	document simDocument
	crashed  bool
	gone     bool
	dialog   *engine.OpenDialog
	record   []simEffect
	turns    simTurns
	// numbers that outlive incarnations, as the page's link keeps them.
	generation messages.Generation
	nextRef    uint64
	nonce      string
	// published is the generation whose ids were handed out last.
	published messages.Generation
	// given are the ids that snapshots have handed out, with the document they are of.
	given []simHandle
	// told is the number of the latest document whose commit the machine has heard of.
	told int
	// failures are those that the supervisor remembers, restarts all that there were.
	failures, restarts []time.Time
}

// simHandle is an element id that some caller holds, with the ref of the same element.
type simHandle struct {
	reader     messages.CallerID
	id         messages.ElementID
	ref        messages.Ref
	generation messages.Generation
	world      string
	epoch      int
}

// simDelivery is a message on its way to a page.
type simDelivery struct {
	page    *simPage
	epoch   int // 0: for whichever incarnation is there
	message Message
	due     time.Duration
	lane    string // messages of one lane keep their order
}

// sim is one run.
type sim struct {
	rng     *rand.Rand
	now     time.Duration
	base    time.Time
	steps   int
	pages   []*simPage
	lost    []*simPage // whose target is gone
	ledger  *call.LedgerMachine
	mint    *kernel.Mint
	queue   []simDelivery
	calls   []*call.Call
	open    []*call.Call // not answered when last looked at
	touched []*call.Call // whose effects happened since
	owner   map[*call.Call]*simPage
	answers map[*call.Call]simAnswer
	counts  map[*call.Call]int
	// words are how the handle_dialog calls that answered one did it.
	words  map[*call.Call]bool
	wire   []simInput
	broken string // what a message that was just handled broke
	// delivered is what was delivered last.
	delivered simDelivery
	// before is what the machine had in hand before the step that is checked.
	before simCurrent
	// changed are the pages whose machines took a step since they were checked.
	changed []*simPage
	trace   []string
	worlds  int
	timers  int
	faults  bool
	floods  bool // more calls than a page takes are still to come
}

// simInput is input that has left the connection and has not reached the page.
type simInput struct {
	runner *simRunner
	world  string
}

func newSim(seed uint64, pages int) *sim {
	s := &sim{
		rng: rand.New(rand.NewPCG(seed, 0x5eed)), base: time.Unix(1_700_000_000, 0), ledger: call.NewLedgerMachine(false),
		mint: kernel.NewMint(), owner: map[*call.Call]*simPage{}, answers: map[*call.Call]simAnswer{}, counts: map[*call.Call]int{},
		words: map[*call.Call]bool{}, faults: true,
	}
	s.floods = seed%4 == 0
	for i := range pages {
		p := &simPage{sim: s, id: messages.PageID(fmt.Sprintf("pg_%d", i)), nextRef: 1}
		s.newDocument(p)
		s.pages = append(s.pages, p)
		s.startActor(p)
	}
	return s
}

func (s *sim) note(format string, args ...any) {
	s.trace = append(s.trace, fmt.Sprintf("%5d %8s ", s.steps, s.now)+fmt.Sprintf(format, args...))
	if len(s.trace) > machinetest.SimTraceMax {
		s.trace = s.trace[1:]
	}
}

func (s *sim) newDocument(p *simPage) {
	s.worlds++
	p.document = simDocument{number: s.worlds, world: worldPrefix + strconv.Itoa(s.worlds)}
}

// worldPrefix begins the identity of a document; its number follows.
const worldPrefix = "world-"

func worldNumber(world string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(world, worldPrefix)) // made by newDocument
	return n
}

// startActor begins an incarnation, as the shell does.
func (s *sim) startActor(p *simPage) {
	p.epoch++
	p.nonce = fmt.Sprintf("n%d", s.worlds*1000+p.epoch)
	config := kernel.Config{}.WithDefaults()
	p.machine = newMachine(&Spec{Env: &kernel.Environment{Config: config, WorldName: "troupe-sim"}, Browser: "br_sim", ID: p.id, Owner: PageOwner{Caller: "caller-0"}})
	p.own = call.List{}
	s.feed(p, &started{epoch: messages.Epoch(p.epoch), nonce: p.nonce, generation: p.generation, nextRef: p.nextRef, dialog: p.dialog, restarted: p.epoch > 1, at: s.time()})
	s.worldEvents(p)
}

func (s *sim) time() time.Time { return s.base.Add(s.now) }

// worldEvents announces the document that the page shows.
func (s *sim) worldEvents(p *simPage) {
	if p.crashed || p.gone {
		return
	}
	s.send(p, 0, "events", &worldMade{name: "troupe-sim", frame: "main", context: contextID(p.document.world)})
}

// send puts a message on its way. With faults on it may be late; results of
// runners may also come twice.
func (s *sim) send(p *simPage, epoch int, lane string, message Message) {
	delay := time.Duration(0)
	if s.faults {
		delay = time.Duration(s.rng.IntN(40)) * time.Millisecond
	}
	d := simDelivery{page: p, epoch: epoch, message: message, due: s.now + delay, lane: lane}
	s.queue = append(s.queue, d)
	if s.faults && lane != "events" && lane != "calls" && s.rng.IntN(12) == 0 {
		s.note("%s: %T will come twice", p.id, message)
		d.due += time.Duration(s.rng.IntN(200)) * time.Millisecond
		s.queue = append(s.queue, d)
	}
}

// feed gives a message to the machine and carries its effects out.
func (s *sim) feed(p *simPage, message Message) {
	s.changed = append(s.changed, p)
	pending := []Message{message}
	for len(pending) > 0 {
		next := pending[0]
		pending = pending[1:]
		s.before = p.current()
		from := stateOf(p.machine)
		effects := p.machine.step(next)
		if line := machinetest.Transition(from, stateOf(p.machine), next); line != "" {
			s.note("%s: %s", p.id, line)
		}
		s.checkMessage(p, next, effects)
		for _, e := range effects {
			if told := s.carryOut(p, e); told != nil {
				pending = append(pending, told)
			}
			if p.machine == nil {
				return
			}
		}
	}
}

func (s *sim) carryOut(p *simPage, effect Effect) Message {
	switch e := effect.(type) {
	case *prepare:
		s.send(p, p.epoch, "prepare", &prepared{mainFrame: "main", url: "http://sim/"})
	case *finishCall:
		s.checkFinish(p, e)
		e.call.Finish(e.reply, e.err)
	case *failCall:
		e.call.Fail(e.err)
	case *startOperation:
		return s.startRunner(p, e)
	case *cancelOperation:
		for _, r := range p.runners {
			if r.start.operation == e.operation && r.epoch == p.epoch {
				r.cancelled = true
			}
		}
	case *startBeside:
		s.beside(p, e.call)
	case *answerDialog:
		s.closeDialog(p, e.accept)
		s.send(p, p.epoch, "beside", &dialogAnswered{number: e.number})
	case *publishFence:
		s.handOut(p, e.fence)
	case *keepNumbers:
		p.generation, p.nextRef = e.generation, e.nextRef
	case *sendLater:
		s.queue = append(s.queue, simDelivery{page: p, epoch: p.epoch, message: e.message, due: s.now + e.after, lane: s.timerLane()})
	case *failActor:
		s.crashActor(p, "a runner's fault")
	}
	return nil
}

// timerLane is a lane of its own: timers keep no order among each other.
func (s *sim) timerLane() string {
	s.timers++
	return fmt.Sprintf("timer-%d", s.timers)
}

// crashActor is a panic in Receive: everything in hand is answered, and the next
// incarnation starts, or the page is given up when its restarts are spent.
func (s *sim) crashActor(p *simPage, why string) {
	s.note("%s: actor dies (%s)", p.id, why)
	verdict, recent := kernel.PageBudget.Decide(p.failures, s.time(), p.gone)
	p.failures = recent
	p.own.FailAll(messages.NewError(messages.CodePageRestarted, ""))
	for _, r := range p.runners {
		r.cancelled = true
	}
	if verdict == kernel.Stop {
		if !p.gone {
			s.lose(p)
		}
		return
	}
	p.restarts = append(p.restarts, s.time())
	s.startActor(p)
}

// startRunner takes the operation up, as the shell does.
func (s *sim) startRunner(p *simPage, e *startOperation) Message {
	if e.resumed && !e.call.Ticket.Live() || !e.resumed && !e.call.Ticket.Start() {
		return &operationSkipped{operation: e.operation}
	}
	s.checkTurn(p, e.call)
	spent := e.resumed
	p.runners = append(p.runners, &simRunner{page: p, start: e, epoch: p.epoch, spent: spent})
	s.queue = append(s.queue, simDelivery{page: p, epoch: p.epoch, message: &operationOverdue{operation: e.operation},
		due: s.now + messages.TimeLimit(e.command) + messages.CancelGrace, lane: s.timerLane()})
	s.note("%s: runs %s as operation %d", p.id, e.command.Action(), e.operation)
	return nil
}

// beside answers dialogs and closes, which never wait for their turn.
func (s *sim) beside(p *simPage, c *call.Call) {
	if !c.Ticket.Start() || !c.Ticket.Begin() {
		s.send(p, p.epoch, "beside", &besideDone{call: c, reply: messages.Refusal(c.Operation, messages.NewError(messages.CodeCancelled, ""))})
		return
	}
	switch command := c.Command.(type) {
	case *messages.HandleDialog:
		if p.dialog == nil { // the browser refuses: there is none any more
			c.Ticket.End(false)
			s.send(p, p.epoch, "beside", &besideDone{call: c, reply: messages.Refusal("", messages.NewError(messages.CodeDialogMissing, ""))})
			return
		}
		s.closeDialog(p, command.Accept)
		c.Ticket.End(true)
		s.words[c] = command.Accept
		s.happens(p, simEffect{call: c, document: p.document.number})
		s.send(p, p.epoch, "beside", &besideDone{call: c, reply: &messages.Receipt{ExecutionState: messages.Completed}})
	default:
		panic(fmt.Sprintf("the simulation has no %T beside the queue", command))
	}
}

// handOut notes the ids of a snapshot that was published, as its caller does.
func (s *sim) handOut(p *simPage, f *fence) {
	if f.generation == p.published || len(f.readings) == 0 {
		return
	}
	p.published = f.generation
	last := f.readings[len(f.readings)-1]
	for _, id := range slices.Sorted(maps.Keys(last.byID)) {
		r := last.byID[id]
		p.given = append(p.given, simHandle{reader: last.reader, id: id, ref: r.Ref, generation: f.generation, world: r.World, epoch: p.epoch})
		if r.World != p.document.world && worldNumber(r.World) < p.told {
			s.breaks("a_snapshot_that_raced_is_discarded: %s of %s was published after document %d", p.id, r.World, p.told)
		}
	}
}

func (s *sim) closeDialog(p *simPage, accepted bool) {
	if p.dialog == nil {
		return
	}
	p.dialog = nil
	s.send(p, 0, "events", &dialogClosed{accepted: accepted})
}

// happens writes into the page's own record.
func (s *sim) happens(p *simPage, e simEffect) {
	s.checkEffectsTurn(p, e.call)
	p.record = append(p.record, e)
	s.counts[e.call]++
	s.touched = append(s.touched, e.call)
}

// readerOf is the caller that was given the element that a command names, or "".
func (p *simPage) readerOf(command messages.Command) messages.CallerID {
	var handle messages.ElementHandle
	switch c := command.(type) {
	case *messages.Click:
		handle = c.ElementID
	case *messages.Batch:
		handle = c.Operations[0].(*messages.SetValue).ElementID
	}
	for _, h := range slices.Backward(p.given) {
		if handle == messages.ElementHandle(h.id) || handle == messages.ElementHandle(h.ref) {
			return h.reader
		}
	}
	return ""
}

// newCommand makes a call on a page and hands it in.
func (s *sim) newCommand(p *simPage, command messages.Command) *call.Call {
	caller := messages.Caller{ID: messages.CallerID(fmt.Sprintf("caller-%d", s.rng.IntN(3))), Grants: messages.DefaultGrants()}
	if reader := p.readerOf(command); reader != "" && s.rng.IntN(10) > 0 {
		caller.ID = reader
	}
	c := call.New(context.Background(), caller, command, s.mint, s.time())
	s.calls, s.open = append(s.calls, c), append(s.open, c)
	s.owner[c] = p
	s.send(p, 0, "calls", &Call{Call: c})
	return c
}
