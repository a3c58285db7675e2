package actors

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/troupe-browser/troupe/actors/collect"
	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/messages"
)

// pageSpec is what the browser gives a page; it is the same for every incarnation.
type pageSpec struct {
	env           *environment
	browser       messages.BrowserID
	browserPID    *actor.PID
	id            messages.PageID
	link          *pageLink
	owner         pageOwner
	width, height int
}

// people reports whether a person can use the page beside us.
func (s *pageSpec) people() bool {
	c := s.env.config
	if s.link == nil || s.link.engine == nil {
		return c.Visible
	}
	switch s.link.engine.ownership {
	case messages.OwnedEphemeral:
		return c.Visible
	case messages.OwnedManaged:
		return !c.Hidden
	}
	return true
}

// viewport returns the size that the page's viewport is set to, 0 where its window
// decides. A window that nobody sees would take a strip for bars that are not there
// off the default size (R186).
func (s *pageSpec) viewport() (width, height int) {
	if s.width > 0 || s.people() {
		return s.width, s.height
	}
	return messages.ViewportWidthDefault, messages.ViewportHeightDefault
}

// page is one page target.
//
//	Owns     the queue and the operation in flight, the fence and its element
//	         records, the dialog, what is known of the document
//	Parent   browser
//	Accepts  pageMessage
//	Emits    pagePrepared and pageReport to the browser; page and dialog events
//	Restart  takes a fresh epoch, answers what was in hand, and reads its target
//	         anew: every id and token is stale, the tab and its dialog are as they
//	         were. More than PageRestartsMax in PageRestartsWindow closes the tab
//	Limits   messages.PageQueueMax waiting calls, one operation in flight
type page struct {
	spec    *pageSpec
	env     *environment
	link    *pageLink
	machine *pageMachine
	// fence is the machine's, where runners can load it. The page's actor alone writes
	// it. A message can't carry it: an effect that is under way must see at once that
	// its document has gone, between its own steps and without asking anybody.
	fence atomic.Pointer[fence]
	// own are the calls that were taken in.
	own callList
	// running is the runner of the operation in flight.
	running running
	self    *actor.PID
	ended   bool

	diagnostics         *pageDiagnostics
	background          map[string]struct{} // see backgroundChanged
	diagnosticsFailures []time.Time
}

// running is what the shell keeps of the operation in flight.
type running struct {
	number   uint64
	call     *call
	cancel   context.CancelCauseFunc
	deadline time.Time
	disarm   func() // stops the overdue timer
}

func (m *pageCall) failed(cause *messages.Error) { m.call.fail(cause) }

func newPage(spec *pageSpec) *page {
	return &page{spec: spec, env: spec.env, link: spec.link, machine: newPageMachine(spec)}
}

// Receive carries out one message.
func (p *page) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *actor.Started:
		p.start(c)
	case *actor.Restarting:
		p.abort(messages.NewError(messages.CodePageRestarted, "").WithRecovery("observe_browser", p.machine.arguments("snapshot")))
	case *actor.Stopping:
		cause := p.machine.gone
		if cause == nil {
			cause = messages.NewError(messages.CodeStalePage, "").
				WithRecovery("observe_browser", map[string]any{"action": "pages", "browser_id": string(p.spec.browser)})
		}
		p.abort(cause)
	case pageMessage:
		if call, ok := m.(*pageCall); ok {
			p.own.add(call.call)
			call.call.waited.Store(int32(len(p.machine.queue)))
		}
		if changed, ok := m.(*ownerChanged); ok {
			p.spec.owner = changed.owner // also for the next incarnation
		}
		p.diagnostics.note(m, p.machine.document.frame)
		p.perform(m)
	case *backgroundChanged:
		p.background = m.keys
	}
}

// start begins an incarnation. From here on the session's events come to it.
func (p *page) start(c actor.Context) {
	p.self = c.Self()
	kept := p.link.memory
	kept.epoch++
	p.link.ledgers.headers = p.spec.owner.inspects
	p.diagnostics = startDiagnostics(c, p.env, p.link)
	listen(p.link, p.env, p.self)
	p.perform(&pageStarted{
		epoch: kept.epoch, nonce: newIdentity(""), generation: kept.generation, nextRef: kept.nextRef,
		dialog: p.link.dialog.Load(), restarted: kept.epoch > 1, url: p.link.url, title: p.link.title, at: time.Now(),
	})
}

// abort answers every call in hand at once and lets the runners go. It never waits
// for them: their tickets have ended, so nothing of them reaches the page.
func (p *page) abort(cause *messages.Error) {
	p.ended = true
	p.disarm(cause)
	p.own.failAll(cause)
}

func (p *page) disarm(cause error) {
	if p.running.cancel != nil {
		p.running.cancel(cause)
		p.running.disarm()
		p.running = running{deadline: p.running.deadline, call: p.running.call}
	}
}

// perform feeds the machine and carries its effects out. What an effect tells at
// once is fed after the others.
func (p *page) perform(message pageMessage) {
	pending := []pageMessage{message}
	for len(pending) > 0 {
		next := pending[0]
		pending = pending[1:]
		for _, effect := range p.machine.step(next) {
			if told := p.carryOut(effect); told != nil {
				pending = append(pending, told)
			}
		}
	}
}

func (p *page) carryOut(effect pageEffect) pageMessage {
	switch e := effect.(type) {
	case *prepare:
		p.prepare()
	case *pageFinish:
		e.call.finish(e.reply, e.err)
	case *pageFail:
		e.call.fail(e.err)
	case *startOperation:
		return p.startOperation(e)
	case *cancelOperation:
		if p.running.number == e.operation {
			p.disarm(e.cause)
		}
	case *startBeside:
		p.startBeside(e.call)
	case *answerDialog:
		p.answerDialog(e)
	case *openWorld:
		// Nobody waits for it: a document that could not be opened opens by itself
		// after a moment, and one that is gone needs no opening.
		target.Start(context.Background(), p.link.session, target.World{Context: e.context}, "open", nil, nil)
	case *publishFence:
		p.fence.Store(e.fence)
	case *keepNumbers:
		p.link.memory.generation, p.link.memory.nextRef = e.generation, e.nextRef
	case *coolPage:
		collect.Cool(context.Background(), p.target())
	case *pageTimer:
		p.env.after(e.after, p.self, e.message)
	case *reportSummary:
		p.env.send(p.spec.browserPID, &pageReport{summary: e.summary})
	case *tellPrepared:
		p.env.send(p.spec.browserPID, &pagePrepared{page: p.spec.id})
	case *reportDownload:
		p.env.send(p.spec.browserPID, &downloadSourced{guid: e.guid, page: p.spec.id, operation: e.operation})
	case *pagePublish:
		p.env.publish(e.event)
	case *failActor:
		panic(e.fault) // the supervisor decides what becomes of the page
	}
	return nil
}
