package browser

import (
	"context"
	"slices"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/downloads"
	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/page"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// Spec is what the root gives a browser; it is the same for every
// incarnation.
type Spec struct {
	Env    *kernel.Environment
	ID     messages.BrowserID
	Mode   messages.LaunchMode
	Launch *messages.Launch
	Call   *call.Call
	Cell   *engine.Cell
	Memory *browserMemory
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
	links []*engine.Link
	made  []cdp.TargetID
}

// NewBrowserMemory returns the memory of a browser that has none yet.
func NewBrowserMemory(launcher messages.Caller) *browserMemory {
	return &browserMemory{
		owners: make(pageOwners), creations: newCreationBook(),
		downloads: downloads.NewBook(!launcher.Grants.Has(messages.GrantDownload)),
	}
}

// note takes in what a message says of targets, before the machine has it: should the
// machine fail at it, the next incarnation knows all the same.
func (m *browserMemory) note(message Message, ownership messages.Ownership) {
	switch msg := message.(type) {
	case *engine.TargetDetached:
		m.links = slices.DeleteFunc(m.links, func(l *engine.Link) bool { return l.PageTarget.Session == msg.Session })
	case *TargetCreated:
		if msg.Target != "" && ownership == messages.AttachedEndpoint {
			m.made = append(m.made, msg.Target)
		}
	case *engine.TargetDestroyed:
		m.made = slices.DeleteFunc(m.made, func(t cdp.TargetID) bool { return t == msg.Target })
	}
}

// own returns the targets that are to be closed in a browser that goes on running.
func (m *browserMemory) own() []cdp.TargetID {
	own := slices.Clone(m.made)
	for _, link := range m.links {
		own = append(own, link.Target)
	}
	return own
}

// Unknown counts the creations under way whose calls ended with an unknown outcome.
func (m *browserMemory) Unknown() uint64 {
	count := uint64(0)
	for _, pending := range m.creations.open {
		if receipt, ok := pending.call.Answered().(*messages.Receipt); ok && receipt.ExecutionState == messages.OutcomeUnknown {
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
//	Accepts  Message
//	Emits    Up, PagesChanged, Down, Ended to the root; page
//	         events
//	Restart  keeps the connection and loses its pages: their callers get true
//	         outcomes, and the tabs get new page ids. More than BrowserRestartsMax in
//	         BrowserRestartsWindow closes the browser by its ownership
//	Limits   Config.PagesMax
type browser struct {
	spec    *Spec
	env     *kernel.Environment
	machine *Machine
	pages   map[messages.PageID]*pageChild
	// own are the calls that the browser itself answers.
	own      call.List
	failures map[string][]time.Time
	cancel   context.CancelFunc // ends a connect that is under way
	stopped  bool
}

// pageChild is the browser's side of one page.
type pageChild struct {
	pid    *actor.PID
	held   call.List
	ending bool
}

// Failed answers the call after a fault of ours.
func (m *Call) Failed(cause *messages.Error) { m.Call.Fail(cause) }

// New returns the actor of a browser.
func New(spec *Spec) *browser {
	return &browser{
		spec: spec, env: spec.Env, machine: NewMachine(spec),
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
		env, cell := b.env, b.spec.Cell
		env.Runners.Go(func() {
			// Whoever asked for the end has its result from EngineClosed; this is for
			// a stop that nobody announced.
			_ = cell.Left(env)
		})
	case *actor.Terminated:
		b.childEnded(c, m.Who)
	case *page.WitnessAsked:
		m.Reply <- b.machine.witness(m.Page, m.Since)
	case *engine.LinkAttached:
		attached := &engine.TargetAttached{Page: m.Page, Target: m.Link.PageTarget}
		b.spec.Memory.links = append(b.spec.Memory.links, m.Link)
		b.perform(c, attached)
	case Message:
		b.spec.Memory.note(m, b.machine.ownership)
		if call, ok := m.(*Call); ok {
			b.own.Add(call.Call)
		}
		b.perform(c, m)
	}
}

// start begins an incarnation: it connects, or goes on with the connection that a
// former one made.
func (b *browser) start(c actor.Context) {
	started := &Started{At: time.Now()}
	if e := b.spec.Cell.Load(); e != nil {
		started.Ready, started.Ownership, started.Unknown = true, e.Ownership, b.spec.Memory.Unknown()
		for _, link := range b.spec.Memory.links {
			started.Attached = append(started.Attached, engine.TargetAttached{Page: kernel.NewPageID(), Target: link.PageTarget})
		}
	} else if b.spec.Cell.Connecting.Load() {
		return // the runner of the former incarnation reports to this one
	}
	b.perform(c, started)
	if e := b.spec.Cell.Load(); e != nil && e.Conn.Err() != nil {
		b.perform(c, &engine.Lost{}) // the incarnation before may have been told, and failed
	}
}

// abort answers everything that is in hand. The pages answer their own calls as
// they are stopped.
func (b *browser) abort(cause *messages.Error) {
	b.stopped = true
	b.own.FailAll(cause)
}

// perform feeds the machine and carries its effects out. What an effect tells at once
// is fed after the others.
func (b *browser) perform(c actor.Context, message Message) {
	pending := []Message{message}
	for len(pending) > 0 {
		next := pending[0]
		pending = pending[1:]
		for _, effect := range b.machine.Step(next) {
			if told := b.carryOut(c, effect); told != nil {
				pending = append(pending, told)
			}
		}
	}
}

func (b *browser) carryOut(c actor.Context, effect Effect) Message {
	switch e := effect.(type) {
	case *AnswerCall:
		e.Call.Finish(e.Reply, nil)
	case *FinishCall:
		e.Call.Finish(e.Receipt, nil)
	case *FailCall:
		e.Call.Fail(e.Err)
	case *PublishEvent:
		b.env.Publish(e.event)
	case *ReportToRoot:
		stampRootReport(e.Message)
		b.env.Send(b.env.Root, e.Message)
	case *SendLater:
		b.env.After(e.After, c.Self(), e.Message)
	case *StartListing:
		if e.Call.Ticket.Start() {
			return &ListingStarted{e.Call}
		}
	case *ForwardToPage:
		b.forward(e)
	case *tellPage:
		if child := b.pages[e.page]; child != nil {
			b.env.Send(child.pid, e.message)
		}
	case *SpawnPage:
		b.spawn(c, e)
	case *EndPage:
		if child := b.pages[e.Page]; child != nil && !child.ending {
			child.ending = true
			b.env.Send(child.pid, &page.TargetGone{Cause: e.Cause})
			c.Poison(child.pid)
		}
	case *Connect:
		b.connect(c)
	case *CloseEngine:
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
	case *Up:
		m.At = time.Now()
	case *Down:
		m.At = time.Now()
	}
}

func (b *browser) forward(e *ForwardToPage) {
	child := b.pages[e.Page]
	if child == nil || child.ending {
		e.Call.Fail(b.machine.NoSuchPage())
		return
	}
	child.held.Add(e.Call)
	b.env.Send(child.pid, &page.Call{Call: e.Call, As: e.As})
}

func (b *browser) spawn(c actor.Context, e *SpawnPage) {
	if b.stopped {
		return // a child that is spawned now would never be stopped
	}
	at := slices.IndexFunc(b.spec.Memory.links, func(l *engine.Link) bool { return l.PageTarget.Session == e.target.Session })
	launch := b.spec.Launch
	spec := &page.Spec{
		Env: b.env, Browser: b.spec.ID, BrowserPID: c.Self(), ID: e.Page, Link: b.spec.Memory.links[at], Owner: e.owner,
		Width: launch.Width, Height: launch.Height,
	}
	pid, err := c.SpawnNamed(kernel.Props(func() actor.Actor { return page.New(spec) }), string(e.Page))
	if err != nil {
		panic(err) // an identity was made twice
	}
	b.pages[e.Page] = &pageChild{pid: pid}
}

// childEnded answers what a page's actor still held, also in its mailbox.
func (b *browser) childEnded(c actor.Context, who *actor.PID) {
	for id, child := range b.pages {
		if !child.pid.Equal(who) {
			continue
		}
		delete(b.pages, id)
		delete(b.failures, who.Id)
		child.held.FailAll(b.machine.NoSuchPage())
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
	kernel.LogFailure(b.env.Config.Logger, child, reason)
	for id, page := range b.pages {
		if !page.pid.Equal(child) {
			continue
		}
		verdict, recent := kernel.PageBudget.Decide(b.failures[child.Id], at, b.stopped || page.ending)
		b.failures[child.Id] = recent
		if verdict == kernel.Restart {
			b.env.Publish(messages.Event{Kind: messages.EventPageRestarted, BrowserID: b.spec.ID, PageID: id, At: at})
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
	ctx, cancel := context.WithTimeout(b.spec.Call.Context, messages.LaunchTimeout)
	b.cancel = cancel
	b.spec.Cell.Connecting.Store(true)
	env, self, spec := b.env, c.Self(), b.spec
	plan := kernel.ConnectPlan{Mode: spec.Mode, Profile: spec.Launch.Profile, Width: spec.Launch.Width, Height: spec.Launch.Height,
		Graceful: spec.Mode == messages.LaunchManaged}
	downloads := engine.PlanDownloads(env.Config, spec.ID, spec.Call.Caller.Grants)
	env.Runners.Go(func() {
		defer cancel()
		e, refusal := engine.Connect(ctx, env, self, plan, downloads)
		var failure *messages.Error
		switch {
		case refusal == nil && !spec.Cell.Fill(e):
			// It was ended meanwhile, and the end is reported already.
			failure = e.Close(context.Background(), false)
			refusal = messages.NewError(messages.CodeBrowserUnavailable, "")
		case refusal != nil && spec.Call.Context.Err() != nil:
			// Its own caller ended the launch, however the browser's part then failed:
			// that is no failure to be remembered (R9).
			refusal = messages.NewError(messages.CodeCancelled, "")
		}
		spec.Cell.Connecting.Store(false)
		if refusal != nil {
			spec.Cell.NoteEnd(env, failure)
			env.Send(self, &EngineFailed{Err: refusal, At: time.Now()})
			return
		}
		env.Send(self, &EngineReady{Ownership: e.Ownership, At: time.Now()})
	})
}

// CloseEngine ends the engine in a runner, within kernel.CloseBudget and what the process
// tree needs beyond it.
func (b *browser) closeEngine(c actor.Context, graceful bool) {
	if b.cancel != nil {
		b.cancel()
	}
	if b.spec.Cell.Load() == nil && b.spec.Cell.Connecting.Load() {
		return // the runner that connects ends it and reports EngineFailed
	}
	env, self, cell, own := b.env, c.Self(), b.spec.Cell, b.spec.Memory.own()
	env.Runners.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), kernel.CloseBudget)
		defer cancel()
		var failure *messages.Error
		if e := cell.Load(); e != nil {
			e.ClosePages(ctx, own)
			failure = e.Close(ctx, graceful)
			cell.Shut()
		}
		cell.NoteEnd(env, failure)
		env.Send(self, &EngineClosed{failure: failure, At: time.Now()})
	})
}
