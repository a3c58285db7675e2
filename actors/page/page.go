package page

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/collect"
	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/messages"
)

// Spec is what the browser gives a page; it is the same for every incarnation.
type Spec struct {
	Env           *kernel.Environment
	Browser       messages.BrowserID
	BrowserPID    *actor.PID
	ID            messages.PageID
	Link          *engine.Link
	Owner         PageOwner
	Width, Height int
}

// people reports whether a person can use the page beside us.
func (s *Spec) people() bool {
	c := s.Env.Config
	if s.Link == nil || s.Link.Engine == nil {
		return c.Visible
	}
	switch s.Link.Engine.Ownership {
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
func (s *Spec) viewport() (width, height int) {
	if s.Width > 0 || s.people() {
		return s.Width, s.Height
	}
	return messages.ViewportWidthDefault, messages.ViewportHeightDefault
}

// page is one page target.
//
//	Owns     the queue and the operation in flight, the fence and its element
//	         records, the dialog, what is known of the document
//	Parent   browser
//	Accepts  Message
//	Emits    Prepared and Report to the browser; page and dialog events
//	Restart  takes a fresh epoch, answers what was in hand, and reads its target
//	         anew: every id and token is stale, the tab and its dialog are as they
//	         were. More than PageRestartsMax in PageRestartsWindow closes the tab
//	Limits   messages.PageQueueMax waiting calls, one operation in flight
type page struct {
	spec    *Spec
	env     *kernel.Environment
	link    *engine.Link
	machine *machine
	// fence is the machine's, where runners can load it. The page's actor alone writes
	// it. A message can't carry it: an effect that is under way must see at once that
	// its document has gone, between its own steps and without asking anybody.
	fence atomic.Pointer[fence]
	// own are the calls that were taken in.
	own call.List
	// running is the runner of the operation in flight.
	running running
	self    *actor.PID
	ended   bool

	diagnostics         *diagnosticsHub
	background          map[string]struct{} // see backgroundChanged
	diagnosticsFailures []time.Time
}

// running is what the shell keeps of the operation in flight.
type running struct {
	number   uint64
	call     *call.Call
	cancel   context.CancelCauseFunc
	deadline time.Time
	disarm   func() // stops the overdue timer
}

// Failed answers the call after a fault of ours.
func (m *Call) Failed(cause *messages.Error) { m.Call.Fail(cause) }

// New returns the actor of a page.
func New(spec *Spec) *page {
	return &page{spec: spec, env: spec.Env, link: spec.Link, machine: newMachine(spec)}
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
				WithRecovery("observe_browser", map[string]any{"action": "pages", "browser_id": string(p.spec.Browser)})
		}
		p.abort(cause)
	case Message:
		if call, ok := m.(*Call); ok {
			p.own.Add(call.Call)
			call.Call.Waited.Store(int32(len(p.machine.queue)))
		}
		if changed, ok := m.(*OwnerChanged); ok {
			p.spec.Owner = changed.Owner // also for the next incarnation
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
	kept := p.link.Memory
	kept.Epoch++
	p.link.Ledgers.Headers = p.spec.Owner.Inspects
	p.diagnostics = startDiagnostics(c, p.env, p.link)
	listen(p.link, p.env, p.self)
	p.perform(&started{
		epoch: kept.Epoch, nonce: kernel.NewIdentity(""), generation: kept.Generation, nextRef: kept.NextRef,
		dialog: p.link.Dialog.Load(), restarted: kept.Epoch > 1, url: p.link.URL, title: p.link.Title, at: time.Now(),
	})
}

// abort answers every call in hand at once and lets the runners go. It never waits
// for them: their tickets have ended, so nothing of them reaches the page.
func (p *page) abort(cause *messages.Error) {
	p.ended = true
	p.disarm(cause)
	p.own.FailAll(cause)
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
func (p *page) perform(message Message) {
	pending := []Message{message}
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

func (p *page) carryOut(effect Effect) Message {
	switch e := effect.(type) {
	case *prepare:
		p.prepare()
	case *finishCall:
		e.call.Finish(e.reply, e.err)
	case *failCall:
		e.call.Fail(e.err)
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
		target.Start(context.Background(), p.link.Session, target.World{Context: e.context}, "open", nil, nil)
	case *publishFence:
		p.fence.Store(e.fence)
	case *keepNumbers:
		p.link.Memory.Generation, p.link.Memory.NextRef = e.generation, e.nextRef
	case *coolPage:
		collect.Cool(context.Background(), p.target())
	case *sendLater:
		p.env.After(e.after, p.self, e.message)
	case *reportSummary:
		p.env.Send(p.spec.BrowserPID, &Report{Summary: e.summary})
	case *tellPrepared:
		p.env.Send(p.spec.BrowserPID, &Prepared{Page: p.spec.ID})
	case *reportDownload:
		p.env.Send(p.spec.BrowserPID, &DownloadSourced{GUID: e.guid, Page: p.spec.ID, Operation: e.operation})
	case *publishEvent:
		p.env.Publish(e.event)
	case *failActor:
		panic(e.fault) // the supervisor decides what becomes of the page
	}
	return nil
}
