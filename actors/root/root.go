package root

import (
	"context"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/troupe-browser/troupe/actors/browser"
	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/journal"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/messages"
)

// root is the top of the tree.
//
//	Owns     the registry of browsers, admission, reaping, the shutdown
//	Parent   none, or the host that spawned it
//	Accepts  Message; Request from hosts
//	Emits    browser events
//	Restart  never: its failures are resumed, so that a fault in it does not stop
//	         every browser; the call in hand is answered with internal_error
//	Limits   Config.BrowsersMax
type root struct {
	env     *kernel.Environment
	machine *machine
	// serve answers a request of the host.
	serve func(*Request, *actor.PID)
	// children are the actors of browsers, with what must outlive their restarts.
	children map[messages.BrowserID]*browserChild
	// own are the calls that the root itself answers.
	own call.List
	// reports are where the callers of a shutdown wait for its report.
	reports []chan<- ShutdownReport
	// failures are the times of restarted failures, by browser.
	failures map[string][]time.Time
	stopped  bool
	timers   []func()
}

// browserChild is the root's side of one browser.
type browserChild struct {
	pid  *actor.PID
	cell *engine.Cell
	held call.List
}

// Hello asks the root whether it has started.
type Hello struct{ Reply chan<- bool }

// ShutdownAsked begins the shutdown, or joins it.
type ShutdownAsked struct {
	At, Deadline time.Time
	Reply        chan<- ShutdownReport
}

// reapDue and ownersDue are the root's own timers.
type (
	reapDue   struct{}
	ownersDue struct{}
)

// Failed answers the call after a fault of ours.
func (m *Call) Failed(cause *messages.Error) { m.Call.Fail(cause) }

// New returns the actor at the top. serve answers the Request of a host, which its
// sender gets too.
func New(env *kernel.Environment, serve func(*Request, *actor.PID)) *root {
	return &root{
		env: env, machine: newMachine(env.Config), serve: serve,
		children: make(map[messages.BrowserID]*browserChild),
		failures: make(map[string][]time.Time),
	}
}

// Receive carries out one message.
func (r *root) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *actor.Started:
		r.start(c)
	case *actor.Stopping:
		r.stopped = true
		for _, stop := range r.timers {
			stop()
		}
		gone := messages.NewError(messages.CodeRunnerShuttingDown, "")
		r.own.FailAll(gone)
		for _, child := range r.children {
			child.held.FailAll(gone)
		}
	case *actor.Terminated:
		r.childEnded(c, m.Who)
	case *Hello:
		m.Reply <- true
	case *Request:
		if m == nil {
			m = &Request{} // which is refused, and a sender is told so
		}
		r.serve(m, c.Sender())
	case Request:
		r.serve(&m, c.Sender())
	case *reapDue:
		r.timers[0] = r.env.After(r.env.Config.ReapInterval, c.Self(), m)
		r.perform(c, &reapTick{at: time.Now(), busy: r.busy()})
	case *ownersDue:
		r.timers[1] = r.env.After(kernel.OwnerPollInterval, c.Self(), m)
		if ended := endedProcesses(r.machine.ownerProcesses()); len(ended) > 0 {
			r.perform(c, &ownersEnded{ended})
		}
	case *ShutdownAsked:
		r.reports = append(r.reports, m.Reply)
		r.perform(c, &shutdownBegan{at: m.At, deadline: m.Deadline, inFlight: r.endInFlight()})
	case Message:
		if call, ok := m.(*Call); ok {
			r.own.Add(call.Call)
		}
		r.perform(c, m)
	}
}

func (r *root) start(c actor.Context) {
	resumed := actor.WithSupervisor(actor.NewOneForOneStrategy(1, time.Second, func(any) actor.Directive { return actor.ResumeDirective }))
	spawn := func(name string, child actor.Actor) {
		if _, err := c.SpawnNamed(kernel.Props(func() actor.Actor { return child }, resumed), name); err != nil {
			panic(err) // a name is taken: two roots in one place
		}
	}
	var audit *journal.AuditWriter
	if path := r.env.Config.AuditPath; path != "" {
		var err error
		if audit, err = journal.NewAuditWriter(path); err != nil {
			r.env.Config.Logger.Error().Err(err).Msg("no audit is written")
		}
	}
	spawn("journal", journal.New(r.env.Config.Logger, audit))
	spawn("ledger", call.NewLedger(r.env))
	r.timers = []func(){
		r.env.After(r.env.Config.ReapInterval, c.Self(), &reapDue{}),
		r.env.After(kernel.OwnerPollInterval, c.Self(), &ownersDue{}),
	}
	r.perform(c, &reaperStarted{at: time.Now()})
}

// busy returns the browsers that have open calls.
func (r *root) busy() map[messages.BrowserID]bool {
	out := make(map[messages.BrowserID]bool)
	for id, child := range r.children {
		if child.held.Open() > 0 {
			out[id] = true
		}
	}
	return out
}

// endInFlight answers every open call at the announcement of a shutdown, before
// anything is ended, and counts how they ended (R193). What has begun and has no
// known end is told so, although its effect may still complete.
func (r *root) endInFlight() map[messages.ExecutionState]int {
	inFlight := make(map[messages.ExecutionState]int)
	cause := messages.NewError(messages.CodeRunnerShuttingDown, "")
	count := func(calls []*call.Call) {
		for _, c := range calls {
			// Its runner, once it is cancelled, may be the first to answer, with less.
			failed := c.Fail(cause)
			c.Cancel(cause)
			if !failed {
				continue
			}
			state := messages.ExecutionState("")
			if receipt, ok := c.Ticket.Answer.Reply.(*messages.Receipt); ok {
				state = receipt.ExecutionState
			}
			inFlight[state]++
		}
	}
	count(r.own.Calls)
	for _, child := range r.children {
		count(child.held.Calls)
	}
	return inFlight
}

// perform feeds the machine and carries its effects out.
func (r *root) perform(c actor.Context, message Message) {
	for _, effect := range r.machine.step(message) {
		r.carryOut(c, effect)
	}
}

func (r *root) carryOut(c actor.Context, effect Effect) {
	switch e := effect.(type) {
	case *answerCall:
		e.call.Finish(e.reply, nil)
	case *finishCall:
		e.call.Finish(e.receipt, nil)
	case *failCall:
		e.call.Fail(e.err)
	case *publishEvent:
		r.env.Publish(e.event)
	case *forward:
		r.tell(e.browser, &browser.Call{Call: e.call})
		if child := r.children[e.browser]; child != nil {
			child.held.Add(e.call)
		} else {
			e.call.Fail(messages.NewError(messages.CodeBrowserUnavailable, "The browser is still starting."))
		}
	case *tellBrowser:
		r.tell(e.browser, e.message)
	case *beginAtRoot:
		r.begin(c, e)
	case *spawnBrowser:
		r.spawn(c, e)
	case *stopBrowserActor:
		if child := r.children[e.browser]; child != nil {
			c.Stop(child.pid)
		}
	case *describeEngine:
		env := r.env
		env.Runners.Go(func() { engine.Describe(env, e.call, e.targets) })
	case *startReaper:
		r.timers[0]()
		r.env.Send(c.Self(), &reapDue{})
	case *startShutdownTimer:
		r.timers = append(r.timers, r.env.After(time.Until(e.deadline), c.Self(), &shutdownElapsed{at: e.deadline}))
	case *reportShutdown:
		for _, pending := range e.owed {
			if child := r.children[pending]; child != nil {
				child.cell.OweEnd(r.env)
			}
		}
		for _, reply := range r.reports {
			reply <- e.report
		}
		r.reports = nil
	}
}

func (r *root) tell(id messages.BrowserID, message any) {
	if child := r.children[id]; child != nil {
		r.env.Send(child.pid, message)
	} else if _, closing := message.(*browser.Close); closing {
		// Its actor was not spawned yet: there is nothing to end.
		r.env.Send(r.env.Root, &browser.Ended{Browser: id, At: time.Now()})
	}
}

// begin spends the operation id of an effect of the root's own in a runner.
func (r *root) begin(c actor.Context, e *beginAtRoot) {
	env, self := r.env, c.Self()
	env.Runners.Go(func() {
		ctx, cancel := context.WithTimeout(e.call.Context, messages.EffectTimeout)
		defer cancel()
		begun := &Begun{call: e.call, browser: e.browser}
		if !e.call.Ticket.Start() {
			begun.refusal = messages.NewError(messages.CodeCancelled, "")
		} else {
			p := &call.Progress{Env: env, Call: e.call, Browser: e.browser}
			begun.refusal = p.Begin(ctx)
		}
		begun.at = time.Now()
		env.Send(self, begun)
	})
}

func (r *root) spawn(c actor.Context, e *spawnBrowser) {
	if r.stopped {
		e.call.Fail(messages.NewError(messages.CodeRunnerShuttingDown, ""))
		return
	}
	cell := &engine.Cell{}
	spec := &browser.Spec{Env: r.env, ID: e.browser, Mode: e.mode, Launch: e.launch, Call: e.call, Cell: cell, Memory: browser.NewBrowserMemory(e.call.Caller)}
	pid, err := c.SpawnNamed(kernel.Props(func() actor.Actor { return browser.New(spec) }), string(e.browser))
	if err != nil {
		panic(err) // an identity was made twice
	}
	r.children[e.browser] = &browserChild{pid: pid, cell: cell}
}

// childEnded takes in the end of a browser's actor. Whatever it still held is
// answered, and an engine that it left behind is ended by its ownership.
func (r *root) childEnded(c actor.Context, who *actor.PID) {
	for id, child := range r.children {
		if !child.pid.Equal(who) {
			continue
		}
		delete(r.children, id)
		delete(r.failures, who.Id)
		child.held.FailAll(messages.NewError(messages.CodeBrowserUnavailable, ""))
		if r.machine.browsers[id] == nil {
			return // it reported its end before
		}
		env, self := r.env, c.Self()
		env.Runners.Go(func() {
			failure := child.cell.Left(env)
			env.Send(self, &browser.Ended{Browser: id, Failure: failure, At: time.Now()})
		})
	}
}

// HandleFailure supervises the browsers (design section 2). It runs on the root's
// own turn.
func (r *root) HandleFailure(_ *actor.ActorSystem, supervisor actor.Supervisor, child *actor.PID, _ *actor.RestartStatistics, reason, _ any) {
	at := time.Now()
	r.env.Send(r.env.Root, &actorFailed{})
	kernel.LogFailure(r.env.Config.Logger, child, reason)
	for id, b := range r.children {
		if !b.pid.Equal(child) {
			continue
		}
		entry := r.machine.browsers[id]
		ending := r.stopped || entry == nil || entry.state == browserClosing
		verdict, recent := kernel.BrowserBudget.Decide(r.failures[child.Id], at, ending)
		r.failures[child.Id] = recent
		if verdict == kernel.Restart {
			r.env.Publish(messages.Event{Kind: messages.EventBrowserRestarted, BrowserID: id, At: at})
			supervisor.RestartChildren(child)
			return
		}
		r.env.Send(r.env.Root, &browser.Down{Browser: id, Err: messages.NewError(messages.CodeBrowserUnavailable, ""), At: at})
		supervisor.StopChildren(child)
		return
	}
	supervisor.ResumeChildren(child) // ledger and journal keep what they hold
}
