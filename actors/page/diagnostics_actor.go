package page

import (
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/troupe-browser/troupe/actors/diagnostics"
	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// diagnosticsMessage is everything that the diagnostics of a page take.
type diagnosticsMessage interface{ diagnosticsMessage() }

type (
	// DiagnosticsBatch comes from the lossy lane of the page's session, which waits
	// until taken is closed: so there is never more than one in the mailbox.
	DiagnosticsBatch struct {
		Events  []cdp.Event
		dropped uint64
		at      time.Time
		Taken   chan struct{}
	}
	// mainFrameMoved comes from the page: the main frame shows another document, or
	// within the same one another address.
	mainFrameMoved struct {
		seq    uint64
		url    string
		at     time.Time
		within bool
	}
	// headersStored comes from the page and says whether header values may be stored.
	headersStored struct{ store bool }
	// effectBegan and effectEnded come from the runner of an effect.
	effectBegan struct {
		operation messages.OperationID
		at        time.Time
	}
	effectEnded struct {
		operation messages.OperationID
		at        time.Time
	}
	// diagnosticsAsked comes from a runner and is answered once through events have
	// been taken in, or after kernel.BarrierWait.
	diagnosticsAsked struct {
		command messages.Command
		view    diagnostics.View
		through uint64
		reply   chan<- diagnosticsAnswer
	}
	// barrierElapsed comes from the timer of a question that waits.
	barrierElapsed struct{ asked *diagnosticsAsked }
)

// backgroundChanged tells the page the keys of requests that come by themselves. The
// map is not changed afterwards.
type backgroundChanged struct{ keys map[string]struct{} }

// diagnosticsAnswer answers a question. body is there for one request's detail.
type diagnosticsAnswer struct {
	reply messages.Reply
	err   *messages.Error
	body  diagnostics.Body
}

func (*DiagnosticsBatch) diagnosticsMessage() {}
func (*mainFrameMoved) diagnosticsMessage()   {}
func (*headersStored) diagnosticsMessage()    {}
func (*effectBegan) diagnosticsMessage()      {}
func (*effectEnded) diagnosticsMessage()      {}
func (*diagnosticsAsked) diagnosticsMessage() {}
func (*barrierElapsed) diagnosticsMessage()   {}

// Failed lets the lane go on when a fault of ours lost the batch.
func (m *DiagnosticsBatch) Failed(*messages.Error) { close(m.Taken) }

func (m *diagnosticsAsked) Failed(cause *messages.Error) { m.reply <- diagnosticsAnswer{err: cause} }

// diagnosticsActor keeps what a page said: requests, console and exceptions.
//
//	Owns     both ledgers of the page
//	Parent   page
//	Accepts  diagnosticsMessage
//	Emits    diagnosticsCounted to the page
//	Restart  loses the entries: cursors go on and the gap is marked, and the engine
//	         reports again what the console still holds
//	Limits   those of package diagnostics; one batch in the mailbox, since the lane
//	         waits for it to be taken in
type diagnosticsActor struct {
	env  *kernel.Environment
	link *engine.Link
	hub  *diagnosticsHub
	page *actor.PID

	ledgers *diagnostics.Page
	// handled counts the events that were taken in or are known to be lost, as
	// diagnosticsHub.seen counts those that came.
	handled    uint64
	waiting    []*diagnosticsAsked
	background uint64 // the version of the keys that were published
}

// Receive carries out one message.
func (d *diagnosticsActor) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *actor.Started:
		d.start()
	case *actor.Restarting, *actor.Stopping:
		d.abort()
	case diagnosticsMessage:
		d.take(c, m)
	}
}

func (d *diagnosticsActor) start() {
	d.ledgers = diagnostics.NewPage(d.link.Ledgers.Headers)
	if kept := d.link.Ledgers; kept.Began {
		d.ledgers.Resume(kept.Network, kept.Console)
		d.handled = d.hub.seen.Load()
	}
	d.link.Ledgers.Began = true
}

// abort answers who still waits.
func (d *diagnosticsActor) abort() {
	for _, asked := range d.waiting {
		asked.Failed(diagnosticsLost())
	}
	d.waiting = nil
}

func diagnosticsLost() *messages.Error {
	return messages.NewError(messages.CodeInternalError, "The page's diagnostics were lost. The page itself is not concerned.")
}

func (d *diagnosticsActor) take(c actor.Context, message diagnosticsMessage) {
	switch m := message.(type) {
	case *DiagnosticsBatch:
		d.fold(m)
		close(m.Taken)
	case *mainFrameMoved:
		if m.within {
			d.ledgers.NavigatedWithin(m.seq, m.url, m.at)
		} else {
			d.ledgers.Navigated(m.seq, m.url, m.at)
		}
		d.published()
		d.report()
	case *headersStored:
		d.link.Ledgers.Headers = m.store
		d.ledgers.Network.StoreHeaders(m.store)
	case *effectBegan:
		d.ledgers.Network.Begin(m.operation, m.at)
	case *effectEnded:
		d.ledgers.Network.End(m.operation, m.at)
	case *diagnosticsAsked:
		if d.handled < m.through {
			d.waiting = append(d.waiting, m)
			d.env.After(kernel.BarrierWait, c.Self(), &barrierElapsed{m})
			return
		}
		m.reply <- d.answer(m)
	case *barrierElapsed:
		d.release(func(asked *diagnosticsAsked) bool { return asked == m.asked })
	}
}

func (d *diagnosticsActor) fold(m *DiagnosticsBatch) {
	changed := d.ledgers.Fold(m.Events, m.dropped, m.at)
	d.handled += m.dropped
	for _, e := range m.Events {
		if counted(e.Method) {
			d.handled++
		}
	}
	d.published()
	if changed {
		d.report()
	}
	d.release(func(asked *diagnosticsAsked) bool { return d.handled >= asked.through })
}

// published keeps where a next incarnation goes on, and tells the page of new keys.
func (d *diagnosticsActor) published() {
	now := d.ledgers.Counted()
	d.link.Ledgers.Network, d.link.Ledgers.Console = now.NetworkCursor, now.ConsoleCursor
	if version := d.ledgers.Network.BackgroundVersion(); version != d.background {
		d.background = version
		d.env.Send(d.page, &backgroundChanged{d.ledgers.Network.Background()})
	}
}

// report tells the page the counts of its summary (R143).
func (d *diagnosticsActor) report() {
	d.env.Send(d.page, &diagnosticsCounted{
		consoleErrors:  d.ledgers.Console.Counts().DocumentErrors,
		failedRequests: d.ledgers.Network.Counts().Failed,
	})
}

// release answers the questions that are ready.
func (d *diagnosticsActor) release(ready func(*diagnosticsAsked) bool) {
	kept := d.waiting[:0]
	for _, asked := range d.waiting {
		if ready(asked) {
			asked.reply <- d.answer(asked)
		} else {
			kept = append(kept, asked)
		}
	}
	clear(d.waiting[len(kept):])
	d.waiting = kept
}

// answer carries out one question. A clear is one too: what it clears is what came
// before it (R144, R145).
func (d *diagnosticsActor) answer(asked *diagnosticsAsked) diagnosticsAnswer {
	switch command := asked.command.(type) {
	case *messages.GetConsole:
		entries, err := d.ledgers.Console.Entries(command.DiagnosticsFilter, asked.view)
		if err != nil {
			return diagnosticsAnswer{err: err}
		}
		return diagnosticsAnswer{reply: entries}
	case *messages.GetNetwork:
		entries, err := d.ledgers.Network.Entries(command.DiagnosticsFilter, asked.view)
		if err != nil {
			return diagnosticsAnswer{err: err}
		}
		return diagnosticsAnswer{reply: entries}
	case *messages.GetDiagnostics:
		entries, err := d.ledgers.Diagnostics(command.DiagnosticsFilter, asked.view)
		if err != nil {
			return diagnosticsAnswer{err: err}
		}
		return diagnosticsAnswer{reply: entries}
	case *messages.GetNetworkRequest:
		detail, body, err := d.ledgers.Network.Detail(command.RequestID, asked.view)
		if err != nil {
			return diagnosticsAnswer{err: err}
		}
		return diagnosticsAnswer{reply: detail, body: body}
	case *messages.ClearDiagnostics:
		d.ledgers.Clear()
		d.report()
		return diagnosticsAnswer{}
	}
	return diagnosticsAnswer{err: messages.NewError(messages.CodeNotSupported, "")}
}

// HandleFailure supervises the page's diagnostics: what fails too often is given up
// and its route is closed, and the page goes on (R145, R221).
func (p *page) HandleFailure(_ *actor.ActorSystem, supervisor actor.Supervisor, child *actor.PID, _ *actor.RestartStatistics, reason, _ any) {
	kernel.LogFailure(p.env.Config.Logger, child, reason)
	verdict, recent := kernel.PageBudget.Decide(p.diagnosticsFailures, time.Now(), p.ended)
	p.diagnosticsFailures = recent
	if verdict == kernel.Restart {
		supervisor.RestartChildren(child)
		return
	}
	supervisor.StopChildren(child)
}
