package page

import (
	"fmt"
	"strconv"

	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

func contextID(world string) cdp.ContextID { return cdp.ContextID(world) }

// stepRunner takes one step of a runner. The steps are those between which a real
// one can lose its page, its caller or its actor: resolve, begin, write, verdict.
func (s *sim) stepRunner(r *simRunner) {
	p := r.page
	if r.cancelled && !r.begun {
		s.done(r, r.refuse(messages.CodeCancelled))
		return
	}
	switch command := r.start.command.(type) {
	case *messages.TakeSnapshot:
		s.stepSnapshot(r)
	case *messages.Batch:
		s.stepEffect(r, command.Operations[r.index].Target(), len(command.Operations))
	case *messages.Navigate:
		s.stepNavigate(r)
	case messages.ElementEffect:
		s.stepEffect(r, command.Target(), 1)
	default:
		panic(fmt.Sprintf("the simulation has no %T on %s", command, p.id))
	}
}

func (r *simRunner) refuse(code messages.Code) *messages.Receipt {
	return messages.Refusal("", messages.NewError(code, ""))
}

// stepSnapshot reads the document in one step and reports in another, so that the
// page can change between the two.
func (s *sim) stepSnapshot(r *simRunner) {
	p := r.page
	if r.step == 0 {
		r.step, r.world = 1, p.document.world
		return
	}
	done := &OperationDone{Operation: r.start.operation}
	view := p.document
	switch {
	case p.crashed || p.dialog != nil || p.gone:
		return // the page answers nothing; the machine ends it
	case r.world != view.world:
		done.changed = true
		done.reply = &messages.Snapshot{Generation: r.start.request.generation, Nodes: []messages.Node{}}
	default:
		request := r.start.request
		result := &snapshotResult{nextRef: request.nextRef + 3}
		for i := range 3 {
			id := messages.ElementID(fmt.Sprintf("%s%d", request.prefix, i))
			result.records = append(result.records, snapshot.Record{
				ElementID: id, Ref: messages.Ref(fmt.Sprintf("e%d", request.nextRef+uint64(i))), Generation: request.generation,
				Frame: "main", World: view.world, Index: i, Role: "button", Actions: []messages.Action{"click", "set_value"},
			})
		}
		done.snapshot = result
		done.reply = &messages.Snapshot{Generation: request.generation, DocumentToken: messages.DocumentToken("doc_" + view.world + request.prefix), Nodes: []messages.Node{{Role: "button"}}}
	}
	s.report(r, done)
}

// stepEffect carries out one element effect, or the operations of a batch in turn.
func (s *sim) stepEffect(r *simRunner, handle messages.ElementHandle, count int) {
	p, c := r.page, r.start.call
	switch r.step {
	case 0: // the fence, judged when the turn comes
		record, refusal := p.machine.fence.resolve(c.Caller.ID, handle, "")
		if refusal != nil || record.World != p.document.world || p.crashed || p.gone || p.dialog != nil {
			s.stop(r, messages.CodeSnapshotStale, false)
			return
		}
		r.record, r.step = record, 1
	case 1: // the operation id is spent, the effect opened
		if !r.spent {
			if refusal := s.ledger.Spend("br_sim", c.Operation, c.Minted, s.mint.Made(c.Operation)); refusal != nil {
				s.stop(r, refusal.Code, false)
				return
			}
			r.spent = true
		}
		if !c.Ticket.Begin() {
			s.stop(r, messages.CodeCancelled, false)
			return
		}
		s.checkBegin(c)
		r.begun, r.step = true, 2
	case 2: // inside the connection's writer: the fence of abandoned operations
		if !c.Ticket.Live() {
			s.stop(r, messages.CodeCancelled, false)
			return
		}
		s.checkDispatch(p, r)
		s.wire = append(s.wire, simInput{runner: r, world: r.record.World})
		r.wired, r.step = true, 3
	case 3: // waits for its input to arrive; deliverInput moves it on
		if p.crashed || p.gone || r.cancelled {
			s.stop(r, messages.CodePartialEffectOutcomeUnknown, true)
		}
	case 4: // the verdict
		c.Ticket.End(true)
		r.begun, r.step, r.wired = false, 0, false
		r.index++
		if r.index == count {
			s.report(r, &OperationDone{Operation: r.start.operation, reply: s.receipt(r, count)})
		}
	}
}

func (s *sim) receipt(r *simRunner, count int) *messages.Receipt {
	receipt := &messages.Receipt{ExecutionState: messages.Completed}
	if _, ok := r.start.command.(*messages.Batch); ok {
		receipt.Batch = &messages.BatchProgress{CompletedCount: count}
	}
	return receipt
}

// stop ends an effect early: refused before, or unknown when its input is out.
func (s *sim) stop(r *simRunner, code messages.Code, unknown bool) {
	err := messages.NewError(code, "")
	if unknown {
		err = messages.UnknownOutcome(code, "")
	} else if r.begun {
		r.start.call.Ticket.End(false)
	}
	receipt := messages.Refusal("", err)
	if _, ok := r.start.command.(*messages.Batch); ok {
		receipt.Batch = &messages.BatchProgress{CompletedCount: r.index, StoppedAtIndex: &r.index, StoppedExecutionState: err.State}
		if r.index > 0 && err.State == messages.NotStarted {
			receipt.ExecutionState = messages.Completed
		}
	}
	s.done(r, receipt)
}

// stepNavigate replaces the document.
func (s *sim) stepNavigate(r *simRunner) {
	p, c := r.page, r.start.call
	switch r.step {
	case 0:
		if p.gone {
			s.stop(r, messages.CodeStalePage, false)
			return
		}
		if !r.spent && s.ledger.Spend("br_sim", c.Operation, c.Minted, s.mint.Made(c.Operation)) != nil || !c.Ticket.Begin() {
			s.stop(r, messages.CodeCancelled, false)
			return
		}
		s.checkBegin(c)
		r.begun, r.spent, r.step = true, true, 1
	case 1:
		if !c.Ticket.Live() {
			s.stop(r, messages.CodeCancelled, false)
			return
		}
		r.step = 2
		s.checkDispatch(p, r)
		s.happens(p, simEffect{call: c, document: p.document.number})
		s.navigate(p)
	case 2:
		c.Ticket.End(true)
		s.report(r, &OperationDone{Operation: r.start.operation, reply: &messages.Receipt{ExecutionState: messages.Completed, Document: messages.DocumentNavigated}})
	}
}

// navigate gives the page another document and tells its actor.
func (s *sim) navigate(p *simPage) {
	s.newDocument(p)
	p.crashed = false
	p.dialog = nil
	s.send(p, 0, "events", &frameNavigated{frame: frame{ID: "main", URL: simURL + strconv.Itoa(p.document.number)}, at: s.time()})
	s.send(p, 0, "events", &worldsCleared{})
	s.worldEvents(p)
}

func (s *sim) done(r *simRunner, receipt *messages.Receipt) {
	done := &OperationDone{Operation: r.start.operation}
	if _, ok := r.start.command.(messages.Effect); ok {
		done.reply = receipt
	} else {
		done.err = messages.NewError(receipt.Code, "")
	}
	s.report(r, done)
}

// report ends a runner. With faults on its word may be lost, as when it hangs.
func (s *sim) report(r *simRunner, done *OperationDone) {
	p := r.page
	for i, other := range p.runners {
		if other == r {
			p.runners = append(p.runners[:i:i], p.runners[i+1:]...)
			break
		}
	}
	if s.faults && s.rng.IntN(25) == 0 {
		s.note("%s: the runner of operation %d is never heard of again", p.id, r.start.operation)
		return
	}
	if s.faults && s.rng.IntN(30) == 0 {
		done.Fault = &kernel.Fault{Value: "simulated"}
	}
	s.send(p, r.epoch, fmt.Sprintf("done-%d", r.start.operation), done)
}

// deliverInput lets input on the wire arrive. The page takes it only in the document
// that it was aimed at; the born guard swallows it elsewhere.
func (s *sim) deliverInput(i int) {
	in := s.wire[i]
	s.wire = append(s.wire[:i:i], s.wire[i+1:]...)
	r, p := in.runner, in.runner.page
	if p.crashed || p.gone || p.document.world != in.world {
		return // lost with its document: the runner can't know, and says unknown
	}
	s.happens(p, simEffect{call: r.start.call, index: r.index, document: p.document.number})
	if r.step == 3 {
		r.step = 4
	}
}

// simURL and its number is the address of a document, by which a commit is told.
const simURL = "http://sim/"
