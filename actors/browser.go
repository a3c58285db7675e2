package actors

import (
	"context"
	"slices"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/troupe-browser/troupe/actors/downloads"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// browserSpec is what the root gives a browser; it is the same for every
// incarnation.
type browserSpec struct {
	env    *environment
	id     messages.BrowserID
	mode   messages.LaunchMode
	launch *messages.Launch
	call   *call
	cell   *engineCell
	memory *browserMemory
}

// browserMemory is what the root keeps of a browser for its next incarnation. Only the
// browser's actor touches it, on its own turn, and an incarnation begins after the one
// before has ended.
type browserMemory struct {
	owners    pageOwners
	creations *creationBook
	downloads *downloads.Book
	// links are the page targets that are attached, made those that were made for us
	// in somebody else's browser and live. The bound of pages bounds both.
	links []*pageLink
	made  []cdp.TargetID
}

func newBrowserMemory(launcher messages.Caller) *browserMemory {
	return &browserMemory{
		owners: make(pageOwners), creations: newCreationBook(),
		downloads: downloads.NewBook(!launcher.Grants.Has(messages.GrantDownload)),
	}
}

// note takes in what a message says of targets, before the machine has it: should the
// machine fail at it, the next incarnation knows all the same.
func (m *browserMemory) note(message browserMessage, ownership messages.Ownership) {
	switch msg := message.(type) {
	case *targetDetached:
		m.links = slices.DeleteFunc(m.links, func(l *pageLink) bool { return l.pageTarget.session == msg.session })
	case *targetCreated:
		if msg.target != "" && ownership == messages.AttachedEndpoint {
			m.made = append(m.made, msg.target)
		}
	case *targetDestroyed:
		m.made = slices.DeleteFunc(m.made, func(t cdp.TargetID) bool { return t == msg.target })
	}
}

// own returns the targets that are to be closed in a browser that goes on running.
func (m *browserMemory) own() []cdp.TargetID {
	own := slices.Clone(m.made)
	for _, link := range m.links {
		own = append(own, link.target)
	}
	return own
}

// unknown counts the creations under way whose calls ended with an unknown outcome.
func (m *browserMemory) unknown() uint64 {
	count := uint64(0)
	for _, pending := range m.creations.open {
		if receipt, ok := pending.call.answered().(*messages.Receipt); ok && receipt.ExecutionState == messages.OutcomeUnknown {
			count++
		}
	}
	return count
}

// browser is one browser: a process of ours, or a connection to somebody else's.
//
//	Owns     the connection and what ends the browser, the set of pages, whose
//	         each page is, the presented stack
//	Parent   root
//	Accepts  browserMessage
//	Emits    browserUp, browserPages, browserDown, browserEnded to the root; page
//	         events
//	Restart  keeps the connection and loses its pages: their callers get true
//	         outcomes, and the tabs get new page ids. More than BrowserRestartsMax in
//	         BrowserRestartsWindow closes the browser by its ownership
//	Limits   Config.PagesMax
type browser struct {
	spec    *browserSpec
	env     *environment
	machine *browserMachine
	pages   map[messages.PageID]*pageChild
	// own are the calls that the browser itself answers.
	own      callList
	failures map[string][]time.Time
	cancel   context.CancelFunc // ends a connect that is under way
	stopped  bool
}

// pageChild is the browser's side of one page.
type pageChild struct {
	pid    *actor.PID
	held   callList
	ending bool
}

func (m *browserCall) failed(cause *messages.Error) { m.call.fail(cause) }

func newBrowser(spec *browserSpec) *browser {
	return &browser{
		spec: spec, env: spec.env, machine: newBrowserMachine(spec),
		pages: make(map[messages.PageID]*pageChild), failures: make(map[string][]time.Time),
	}
}

// Receive carries out one message.
func (b *browser) Receive(c actor.Context) {
	switch m := c.Message().(type) {
	case *actor.Started:
		b.start(c)
	case *actor.Restarting:
		b.abort(messages.NewError(messages.CodeBrowserUnavailable, "The browser's actor was restarted in the middle of the call."))
	case *actor.Stopping:
		// A page may not have got the word that its target is gone, which this stop
		// overtakes: whoever answers its calls, they end for the same reason.
		cause := b.machine.cause
		if cause == nil {
			cause = messages.NewError(messages.CodeBrowserUnavailable, "")
		}
		b.abort(cause)
		if b.cancel != nil {
			b.cancel()
		}
		env, cell := b.env, b.spec.cell
		env.runners.Go(func() {
			// Whoever asked for the end has its result from engineClosed; this is for
			// a stop that nobody announced.
			_ = cell.left(env)
		})
	case *actor.Terminated:
		b.childEnded(c, m.Who)
	case *witnessAsked:
		m.reply <- b.machine.witness(m.page, m.since)
	case *linkAttached:
		attached := &targetAttached{page: m.page, target: m.link.pageTarget}
		b.spec.memory.links = append(b.spec.memory.links, m.link)
		b.perform(c, attached)
	case browserMessage:
		b.spec.memory.note(m, b.machine.ownership)
		if call, ok := m.(*browserCall); ok {
			b.own.add(call.call)
		}
		b.perform(c, m)
	}
}

// start begins an incarnation: it connects, or goes on with the connection that a
// former one made.
func (b *browser) start(c actor.Context) {
	started := &browserStarted{at: time.Now()}
	if e := b.spec.cell.load(); e != nil {
		started.ready, started.ownership, started.unknown = true, e.ownership, b.spec.memory.unknown()
		for _, link := range b.spec.memory.links {
			started.attached = append(started.attached, targetAttached{page: newPageID(), target: link.pageTarget})
		}
	} else if b.spec.cell.connecting.Load() {
		return // the runner of the former incarnation reports to this one
	}
	b.perform(c, started)
	if e := b.spec.cell.load(); e != nil && e.conn.Err() != nil {
		b.perform(c, &engineLost{engine: e}) // the incarnation before may have been told, and failed
	}
}

// abort answers everything that is in hand. The pages answer their own calls as
// they are stopped.
func (b *browser) abort(cause *messages.Error) {
	b.stopped = true
	b.own.failAll(cause)
}

// perform feeds the machine and carries its effects out. What an effect tells at once
// is fed after the others.
func (b *browser) perform(c actor.Context, message browserMessage) {
	pending := []browserMessage{message}
	for len(pending) > 0 {
		next := pending[0]
		pending = pending[1:]
		for _, effect := range b.machine.step(next) {
			if told := b.carryOut(c, effect); told != nil {
				pending = append(pending, told)
			}
		}
	}
}

func (b *browser) carryOut(c actor.Context, effect browserEffect) browserMessage {
	switch e := effect.(type) {
	case *browserAnswer:
		e.call.finish(e.reply, nil)
	case *browserFinish:
		e.call.finish(e.receipt, nil)
	case *browserFail:
		e.call.fail(e.err)
	case *browserPublish:
		b.env.publish(e.event)
	case *reportToRoot:
		stampRootReport(e.message)
		b.env.send(b.env.root, e.message)
	case *browserTimer:
		b.env.after(e.after, c.Self(), e.message)
	case *startListing:
		if e.call.ticket.start() {
			return &listingStarted{e.call}
		}
	case *forwardToPage:
		b.forward(e)
	case *tellPage:
		if child := b.pages[e.page]; child != nil {
			b.env.send(child.pid, e.message)
		}
	case *spawnPage:
		b.spawn(c, e)
	case *endPage:
		if child := b.pages[e.page]; child != nil && !child.ending {
			child.ending = true
			b.env.send(child.pid, &targetGone{cause: e.cause})
			c.Poison(child.pid)
		}
	case *connect:
		b.connect(c)
	case *closeEngine:
		b.closeEngine(c, e.graceful)
	case *settleFiles, *removeFiles, *cancelDownload:
		b.onFiles(c, effect)
	default:
		b.onTargets(c, effect)
	}
	return nil
}

// stampRootReport sets the time of a report that has none: a machine knows only the
// times that it was told.
func stampRootReport(message any) {
	switch m := message.(type) {
	case *browserUp:
		m.at = time.Now()
	case *browserDown:
		m.at = time.Now()
	}
}

func (b *browser) forward(e *forwardToPage) {
	child := b.pages[e.page]
	if child == nil || child.ending {
		e.call.fail(b.machine.noSuchPage())
		return
	}
	child.held.add(e.call)
	b.env.send(child.pid, &pageCall{call: e.call, as: e.as, at: e.at})
}

func (b *browser) spawn(c actor.Context, e *spawnPage) {
	if b.stopped {
		return // a child that is spawned now would never be stopped
	}
	at := slices.IndexFunc(b.spec.memory.links, func(l *pageLink) bool { return l.pageTarget.session == e.target.session })
	launch := b.spec.launch
	spec := &pageSpec{
		env: b.env, browser: b.spec.id, browserPID: c.Self(), id: e.page, link: b.spec.memory.links[at], owner: e.owner,
		width: launch.Width, height: launch.Height,
	}
	pid, err := c.SpawnNamed(props(func() actor.Actor { return newPage(spec) }), string(e.page))
	if err != nil {
		panic(err) // an identity was made twice
	}
	b.pages[e.page] = &pageChild{pid: pid}
}

// childEnded answers what a page's actor still held, also in its mailbox.
func (b *browser) childEnded(c actor.Context, who *actor.PID) {
	for id, child := range b.pages {
		if !child.pid.Equal(who) {
			continue
		}
		delete(b.pages, id)
		delete(b.failures, who.Id)
		child.held.failAll(b.machine.noSuchPage())
		if !b.stopped {
			b.perform(c, &pageEnded{page: id})
		}
		return
	}
}

// HandleFailure supervises the pages (design section 2). It runs on the browser's
// own turn.
func (b *browser) HandleFailure(_ *actor.ActorSystem, supervisor actor.Supervisor, child *actor.PID, _ *actor.RestartStatistics, reason, _ any) {
	at := time.Now()
	logFailure(b.env.config.Logger, child, reason)
	for id, page := range b.pages {
		if !page.pid.Equal(child) {
			continue
		}
		verdict, recent := pageBudget.decide(b.failures[child.Id], at, b.stopped || page.ending)
		b.failures[child.Id] = recent
		if verdict == restart {
			b.env.publish(messages.Event{Kind: messages.EventPageRestarted, BrowserID: b.spec.id, PageID: id, At: at})
			supervisor.RestartChildren(child)
			return
		}
		page.ending = true
	}
	supervisor.StopChildren(child)
}

// connect starts the browser in a runner. The cell takes the engine before the
// actor hears of it, so that an end in between finds it.
func (b *browser) connect(c actor.Context) {
	ctx, cancel := context.WithTimeout(b.spec.call.ctx, messages.LaunchTimeout)
	b.cancel = cancel
	b.spec.cell.connecting.Store(true)
	env, self, spec := b.env, c.Self(), b.spec
	plan := ConnectPlan{Mode: spec.mode, Profile: spec.launch.Profile, Width: spec.launch.Width, Height: spec.launch.Height,
		Graceful: spec.mode == messages.LaunchManaged}
	downloads := planDownloads(env.config, spec.id, spec.call.caller.Grants)
	env.runners.Go(func() {
		defer cancel()
		e, refusal := connectEngine(ctx, env, self, plan, downloads)
		var failure *messages.Error
		switch {
		case refusal == nil && !spec.cell.fill(e):
			// It was ended meanwhile, and the end is reported already.
			failure = e.close(context.Background(), false)
			refusal = messages.NewError(messages.CodeBrowserUnavailable, "")
		case refusal != nil && spec.call.ctx.Err() != nil:
			// Its own caller ended the launch, however the browser's part then failed:
			// that is no failure to be remembered (R9).
			refusal = messages.NewError(messages.CodeCancelled, "")
		}
		spec.cell.connecting.Store(false)
		if refusal != nil {
			spec.cell.noteEnd(env, failure)
			env.send(self, &engineFailed{err: refusal, at: time.Now()})
			return
		}
		env.send(self, &engineReady{ownership: e.ownership, at: time.Now()})
	})
}

// closeEngine ends the engine in a runner, within closeBudget and what the process
// tree needs beyond it.
func (b *browser) closeEngine(c actor.Context, graceful bool) {
	if b.cancel != nil {
		b.cancel()
	}
	if b.spec.cell.load() == nil && b.spec.cell.connecting.Load() {
		return // the runner that connects ends it and reports engineFailed
	}
	env, self, cell, own := b.env, c.Self(), b.spec.cell, b.spec.memory.own()
	env.runners.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), closeBudget)
		defer cancel()
		var failure *messages.Error
		if e := cell.load(); e != nil {
			e.closePages(ctx, own)
			failure = e.close(ctx, graceful)
			cell.shut()
		}
		cell.noteEnd(env, failure)
		env.send(self, &engineClosed{failure: failure, at: time.Now()})
	})
}
