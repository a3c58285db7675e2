package actors

import (
	"context"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/troupe-browser/troupe/messages"
)

// root is the top of the tree.
//
//	Owns     the registry of browsers, admission, reaping, the shutdown
//	Parent   none, or the host that spawned it
//	Accepts  rootMessage; Request from hosts
//	Emits    browser events
//	Restart  never: its failures are resumed, so that a fault in it does not stop
//	         every browser; the call in hand is answered with internal_error
//	Limits   Config.BrowsersMax
type root struct {
	env     *environment
	machine *rootMachine
	// serve answers a request of the host.
	serve func(*Request)
	// children are the actors of browsers, with what must outlive their restarts.
	children map[messages.BrowserID]*browserChild
	// own are the calls that the root itself answers.
	own callList
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
	cell *engineCell
	held callList
}

// hello asks the root whether it has started.
type hello struct{ reply chan<- bool }

// shutdownAsked begins the shutdown, or joins it.
type shutdownAsked struct {
	at, deadline time.Time
	reply        chan<- ShutdownReport
}

// reapDue and ownersDue are the root's own timers.
type (
	reapDue   struct{}
	ownersDue struct{}
)

func (m *rootCall) failed(cause *messages.Error) { m.call.fail(cause) }

func newRoot(env *environment, serve func(*Request)) *root {
	return &root{
		env: env, machine: newRootMachine(env.config), serve: serve,
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
		r.own.failAll(gone)
		for _, child := range r.children {
			child.held.failAll(gone)
		}
	case *actor.Terminated:
		r.childEnded(c, m.Who)
	case *hello:
		m.reply <- true
	case *Request:
		r.serve(m)
	case *reapDue:
		r.timers[0] = r.env.after(r.env.config.ReapInterval, c.Self(), m)
		r.perform(c, &reapTick{at: time.Now(), busy: r.busy()})
	case *ownersDue:
		r.timers[1] = r.env.after(ownerPollInterval, c.Self(), m)
		if ended := endedProcesses(r.machine.ownerProcesses()); len(ended) > 0 {
			r.perform(c, &ownersEnded{ended})
		}
	case *shutdownAsked:
		r.reports = append(r.reports, m.reply)
		r.perform(c, &shutdownBegan{at: m.at, deadline: m.deadline, inFlight: r.endInFlight()})
	case rootMessage:
		if call, ok := m.(*rootCall); ok {
			r.own.add(call.call)
		}
		r.perform(c, m)
	}
}

func (r *root) start(c actor.Context) {
	resumed := actor.WithSupervisor(actor.NewOneForOneStrategy(1, time.Second, func(any) actor.Directive { return actor.ResumeDirective }))
	spawn := func(name string, child actor.Actor) {
		if _, err := c.SpawnNamed(props(func() actor.Actor { return child }, resumed), name); err != nil {
			panic(err) // a name is taken: two roots in one place
		}
	}
	var audit *auditWriter
	if path := r.env.config.AuditPath; path != "" {
		var err error
		if audit, err = newAuditWriter(path); err != nil {
			r.env.config.Logger.Error().Err(err).Msg("no audit is written")
		}
	}
	spawn("journal", newJournal(r.env.config.Logger, audit))
	spawn("ledger", newLedger(r.env))
	r.timers = []func(){
		r.env.after(r.env.config.ReapInterval, c.Self(), &reapDue{}),
		r.env.after(ownerPollInterval, c.Self(), &ownersDue{}),
	}
	r.perform(c, &reaperStarted{at: time.Now()})
}

// busy returns the browsers that have open calls.
func (r *root) busy() map[messages.BrowserID]bool {
	out := make(map[messages.BrowserID]bool)
	for id, child := range r.children {
		if child.held.open() > 0 {
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
	count := func(calls []*call) {
		for _, c := range calls {
			// Its runner, once it is cancelled, may be the first to answer, with less.
			failed := c.fail(cause)
			c.cancel(cause)
			if !failed {
				continue
			}
			state := messages.ExecutionState("")
			if receipt, ok := c.ticket.answer.reply.(*messages.Receipt); ok {
				state = receipt.ExecutionState
			}
			inFlight[state]++
		}
	}
	count(r.own.calls)
	for _, child := range r.children {
		count(child.held.calls)
	}
	return inFlight
}

// perform feeds the machine and carries its effects out.
func (r *root) perform(c actor.Context, message rootMessage) {
	for _, effect := range r.machine.step(message) {
		r.carryOut(c, effect)
	}
}

func (r *root) carryOut(c actor.Context, effect rootEffect) {
	switch e := effect.(type) {
	case *rootAnswer:
		e.call.finish(e.reply, nil)
	case *rootFinish:
		e.call.finish(e.receipt, nil)
	case *rootFail:
		e.call.fail(e.err)
	case *rootPublish:
		r.env.publish(e.event)
	case *forward:
		r.tell(e.browser, &browserCall{call: e.call, at: time.Now()})
		if child := r.children[e.browser]; child != nil {
			child.held.add(e.call)
		} else {
			e.call.fail(messages.NewError(messages.CodeBrowserUnavailable, "The browser is still starting."))
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
		env.runners.Go(func() { answerEngine(env, e.call, e.targets) })
	case *startReaper:
		r.timers[0]()
		r.env.send(c.Self(), &reapDue{})
	case *startShutdownTimer:
		r.timers = append(r.timers, r.env.after(time.Until(e.deadline), c.Self(), &shutdownElapsed{at: e.deadline}))
	case *rootReport:
		for _, pending := range e.owed {
			if child := r.children[pending]; child != nil {
				child.cell.oweEnd(r.env)
			}
		}
		for _, reply := range r.reports {
			reply <- e.report
		}
		r.reports = nil
	}
}

func (r *root) tell(browser messages.BrowserID, message any) {
	if child := r.children[browser]; child != nil {
		r.env.send(child.pid, message)
	} else if _, closing := message.(*closeBrowser); closing {
		// Its actor was not spawned yet: there is nothing to end.
		r.env.send(r.env.root, &browserEnded{browser: browser, at: time.Now()})
	}
}

// begin spends the operation id of an effect of the root's own in a runner.
func (r *root) begin(c actor.Context, e *beginAtRoot) {
	env, self := r.env, c.Self()
	env.runners.Go(func() {
		ctx, cancel := context.WithTimeout(e.call.ctx, messages.EffectTimeout)
		defer cancel()
		begun := &rootBegun{call: e.call, browser: e.browser}
		if !e.call.ticket.start() {
			begun.refusal = messages.NewError(messages.CodeCancelled, "")
		} else {
			p := &progress{env: env, call: e.call, browser: e.browser}
			begun.refusal = p.Begin(ctx)
		}
		begun.at = time.Now()
		env.send(self, begun)
	})
}

func (r *root) spawn(c actor.Context, e *spawnBrowser) {
	if r.stopped {
		e.call.fail(messages.NewError(messages.CodeRunnerShuttingDown, ""))
		return
	}
	cell := &engineCell{}
	spec := &browserSpec{env: r.env, id: e.browser, mode: e.mode, launch: e.launch, call: e.call, cell: cell, memory: newBrowserMemory(e.call.caller)}
	pid, err := c.SpawnNamed(props(func() actor.Actor { return newBrowser(spec) }), string(e.browser))
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
		child.held.failAll(messages.NewError(messages.CodeBrowserUnavailable, ""))
		if r.machine.browsers[id] == nil {
			return // it reported its end before
		}
		env, self := r.env, c.Self()
		env.runners.Go(func() {
			failure := child.cell.left(env)
			env.send(self, &browserEnded{browser: id, failure: failure, at: time.Now()})
		})
	}
}

// HandleFailure supervises the browsers (design section 2). It runs on the root's
// own turn.
func (r *root) HandleFailure(_ *actor.ActorSystem, supervisor actor.Supervisor, child *actor.PID, _ *actor.RestartStatistics, reason, _ any) {
	at := time.Now()
	r.env.send(r.env.root, &actorFailed{})
	logFailure(r.env.config.Logger, child, reason)
	for id, b := range r.children {
		if !b.pid.Equal(child) {
			continue
		}
		entry := r.machine.browsers[id]
		ending := r.stopped || entry == nil || entry.state == browserClosing
		verdict, recent := browserBudget.decide(r.failures[child.Id], at, ending)
		r.failures[child.Id] = recent
		if verdict == restart {
			r.env.publish(messages.Event{Kind: messages.EventBrowserRestarted, BrowserID: id, At: at})
			supervisor.RestartChildren(child)
			return
		}
		r.env.send(r.env.root, &browserDown{browser: id, err: messages.NewError(messages.CodeBrowserUnavailable, ""), at: at})
		supervisor.StopChildren(child)
		return
	}
	supervisor.ResumeChildren(child) // ledger and journal keep what they hold
}
