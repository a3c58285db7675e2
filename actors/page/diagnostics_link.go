package page

import (
	"context"
	"strings"
	"sync/atomic"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/diagnostics"
	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// diagnosticsName is the name of a page's diagnostics below its page.
const diagnosticsName = "diagnostics"

// diagnosticsHub is what a page and its runners hold of the page's diagnostics. It
// is made by an incarnation of the page.
type diagnosticsHub struct {
	env  *kernel.Environment
	pid  *actor.PID
	link *engine.Link
	// seen counts the events of the lossy lane that came, whether or not the lane
	// kept them. Only the connection's reader writes it. A message for each would be the
	// flood that the lane is there to drop.
	seen atomic.Uint64
}

// startDiagnostics spawns the page's diagnostics and leads the lossy lane to it. It
// comes before the domains are enabled, so that nothing is missed (R135).
func startDiagnostics(c actor.Context, env *kernel.Environment, link *engine.Link) *diagnosticsHub {
	hub := &diagnosticsHub{env: env, link: link}
	page := c.Self()
	pid, err := c.SpawnNamed(kernel.Props(func() actor.Actor {
		return &diagnosticsActor{env: env, link: link, hub: hub, page: page}
	}), diagnosticsName)
	if err != nil {
		panic(err) // a page has one
	}
	hub.pid = pid
	hub.listen()
	return hub
}

// listen hands each batch over and waits until it was taken in, so that the mailbox
// holds one at most and what is too much is dropped, and counted, in the lane.
func (d *diagnosticsHub) listen() {
	dead, release := kernel.Watch(d.env.System, d.pid)
	d.link.Session.OnDiagnostics(func(events []cdp.Event, dropped uint64) {
		batch := &DiagnosticsBatch{Events: events, dropped: dropped, at: time.Now(), Taken: make(chan struct{})}
		d.env.Send(d.pid, batch)
		select {
		case <-batch.Taken:
		case <-dead:
		}
	})
	// The tap keeps nothing; it is where the reader can count.
	tap := d.link.Session.Tap(1, func(method string) bool {
		if counted(method) {
			d.seen.Add(1)
		}
		return false
	})
	d.env.Runners.Go(func() {
		<-dead
		release()
		tap.Close()
	})
}

// counted reports whether the method is one of the lossy lane that ledgers read.
func counted(method string) bool {
	switch method {
	case "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded":
		return true
	}
	return strings.HasPrefix(method, "Network.")
}

// note passes on what the page hears of its owner and of its main frame, which it
// knows as main once it has heard of it.
func (d *diagnosticsHub) note(message Message, main cdp.FrameID) {
	switch m := message.(type) {
	case *OwnerChanged:
		d.env.Send(d.pid, &headersStored{m.Owner.Inspects})
	case *frameNavigated:
		if m.frame.ParentID != "" {
			return
		}
		url := m.frame.URL
		if m.frame.UnreachableURL != "" {
			url = m.frame.UnreachableURL
		}
		d.env.Send(d.pid, &mainFrameMoved{seq: m.seq, url: url, at: m.at})
	case *navigatedWithin:
		if main == "" || m.frame == main {
			d.env.Send(d.pid, &mainFrameMoved{seq: m.seq, url: m.url, at: m.at, within: true})
		}
	}
}

// attribute opens the time of an effect, in which requests are its own; the
// returned function closes it.
func (d *diagnosticsHub) attribute(operation messages.OperationID) (end func()) {
	d.env.Send(d.pid, &effectBegan{operation: operation, at: time.Now()})
	return func() { d.env.Send(d.pid, &effectEnded{operation: operation, at: time.Now()}) }
}

// ask puts a question behind everything that the browser has said so far: the
// answer to a call on the same connection comes after it. The page itself is not
// asked, so a hung page is no hindrance; what its renderer has not yet handed to
// the browser is not waited for (R140).
func (d *diagnosticsHub) ask(ctx context.Context, command messages.Command, view diagnostics.View) diagnosticsAnswer {
	bounded, cancel := context.WithTimeout(ctx, kernel.BarrierWait)
	// A browser that does not answer has said all it will; the question is put anyway.
	_ = d.link.Root.Execute(bounded, "Browser.getVersion", nil, nil)
	cancel()
	through := d.seen.Load()
	answer, err := kernel.Ask(ctx, d.env.System, d.pid, func(reply chan<- diagnosticsAnswer) any {
		return &diagnosticsAsked{command: command, view: view, through: through, reply: reply}
	})
	switch {
	case ctx.Err() != nil:
		return diagnosticsAnswer{err: call.CallerGone(ctx)}
	case err != nil:
		return diagnosticsAnswer{err: diagnosticsLost()}
	}
	return answer
}
