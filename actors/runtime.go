package actors

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/journal"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/root"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// Runtime is one set of supervised browsers (R225). It implements
// messages.Gateway. Starting it starts no browser (C31).
type Runtime struct {
	env      *kernel.Environment
	system   *actor.ActorSystem // nil when it belongs to the host
	rootDead <-chan struct{}
	release  func()
	// ending has room for the one caller that carries the shutdown out.
	ending   chan struct{}
	ended    chan struct{}
	report   ShutdownReport
	counting sync.Once
	metrics  http.Handler
}

var _ messages.Gateway = (*Runtime)(nil)

// startTimeout bounds how long the root may take to answer for the first time.
const startTimeout = 5 * time.Second

// actorStopTimeout bounds how long the tree may take to stop after its report.
const actorStopTimeout = 2 * time.Second

// deadLetterInterval is how long the actor system counts undeliverable messages
// before it reports them; its goroutine lives as long.
const deadLetterInterval = 50 * time.Millisecond

// Start makes a runtime with an actor system of its own. The context bounds the
// start only. The error says what of the configuration can't be used.
func Start(ctx context.Context, config Config) (*Runtime, error) {
	logger := newActorLogger(config.Logger)
	system := actor.NewActorSystem(actor.WithLoggerFactory(loggerFactory(logger)),
		actor.WithDeadLetterThrottleCount(1), actor.WithDeadLetterThrottleInterval(deadLetterInterval))
	runtime, err := spawnRoot(ctx, system, nil, "troupe", config)
	if err != nil {
		system.Shutdown()
		return nil, err
	}
	runtime.system = system
	return runtime, nil
}

// spawnRoot spawns the root below a parent, or at the top when there is none.
func spawnRoot(ctx context.Context, system *actor.ActorSystem, parent actor.SpawnerContext, name string, config Config) (*Runtime, error) {
	if ctx == nil || system == nil {
		return nil, messages.NewError(messages.CodeInvalidRequest, "The context or the actor system is nil.")
	}
	env, err := newEnvironment(system, config)
	if err != nil {
		return nil, err
	}
	resume := actor.NewOneForOneStrategy(1, time.Second, func(any) actor.Directive { return actor.ResumeDirective })
	spawner := actor.SpawnerContext(system.Root)
	options := []actor.PropsOption{actor.WithGuardian(resume)}
	if parent != nil {
		spawner, options = parent, nil
	}
	// The names of the children are known before they are spawned, so the
	// environment is complete before anybody uses it.
	r := root.New(env, serve(env))
	pid := actor.NewPID(system.Address(), rootName(parent, name))
	env.Root = pid
	env.Ledger = actor.NewPID(system.Address(), pid.Id+"/ledger")
	env.Journal = actor.NewPID(system.Address(), pid.Id+"/journal")
	spawned, err := spawner.SpawnNamed(kernel.Props(func() actor.Actor { return r }, options...), name)
	if err != nil {
		return nil, fmt.Errorf("actors: the root could not be spawned as %q: %w", name, err)
	}
	if !spawned.Equal(pid) {
		system.Root.Stop(spawned)
		return nil, fmt.Errorf("actors: the root was spawned as %q, expected %q", spawned.Id, pid.Id)
	}
	runtime := &Runtime{env: env, ending: make(chan struct{}, 1), ended: make(chan struct{})}
	runtime.rootDead, runtime.release = kernel.Watch(system, pid)
	bounded, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	if _, err := kernel.Ask(bounded, system, pid, func(reply chan<- bool) any { return &root.Hello{Reply: reply} }); err != nil {
		system.Root.Stop(pid)
		runtime.release()
		return nil, fmt.Errorf("actors: the root did not start: %w", err)
	}
	throwaway := filepath.Join(env.Config.StateDir, kernel.ThrowawayDirName)
	env.Runners.Go(func() { sweep(env, throwaway) })
	return runtime, nil
}

// rootName is the name that protoactor gives a child of the spawner.
func rootName(parent actor.SpawnerContext, name string) string {
	if parent == nil || parent.Self() == nil {
		return name
	}
	return parent.Self().Id + "/" + name
}

func newEnvironment(system *actor.ActorSystem, config Config) (*kernel.Environment, error) {
	config = config.WithDefaults()
	if config.StateDir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return nil, fmt.Errorf("actors: no state directory is configured and the user has no cache directory: %w", err)
		}
		config.StateDir = filepath.Join(cache, "troupe")
	}
	env := &kernel.Environment{
		Config: config, System: system, Mint: kernel.NewMint(), Connector: config.Connector,
		WorldName: kernel.NewIdentity("troupe-"),
	}
	if env.Connector == nil {
		env.Connector = engine.NewConnector(config)
	}
	return env, nil
}

// sweep removes what dead runs left of their browsers (R10).
func sweep(env *kernel.Environment, dir string) {
	report, err := cdp.SweepOrphans(dir)
	if err != nil || report.Removed > 0 || report.Failed > 0 {
		env.Config.Logger.Info().Int("removed", report.Removed).Int("failed", report.Failed).Bool("readable", err == nil).
			Msg("what dead runs left was looked through")
	}
	engine.SweepDownloads(env)
}

// Do implements messages.Gateway: it carries out one command for a caller and never
// hangs, since the ticket of the call can be read whoever dies.
func (r *Runtime) Do(ctx context.Context, caller messages.Caller, command messages.Command) (messages.Reply, error) {
	if refusal := unusable(ctx, command); refusal != nil {
		if _, isEffect := command.(messages.Effect); isEffect {
			return messages.Refusal("", refusal), refusal
		}
		return nil, refusal
	}
	c := call.New(ctx, caller, command, r.env.Mint, time.Now())
	defer c.Cancel(nil)
	switch refusal := call.Admit(caller, command); {
	case refusal != nil:
		c.Fail(refusal)
	case r.env.InFlight.Add(1) > messages.QueuedTotalMax:
		r.env.InFlight.Add(-1)
		c.Fail(messages.NewError(messages.CodeBusy, ""))
	default:
		r.env.Send(r.env.Root, &root.Call{Call: c, At: c.Entered, FreshID: kernel.NewBrowserID(), Owner: root.NamedOwner(command)})
		r.await(ctx, c)
		r.env.InFlight.Add(-1)
	}
	<-c.Ticket.Done()
	r.audit(c)
	return c.Result()
}

// unusable refuses what a host may not pass: nothing of it may be looked at.
func unusable(ctx context.Context, command messages.Command) *messages.Error {
	switch {
	case ctx == nil:
		return messages.NewError(messages.CodeInvalidRequest, "The context is nil. Pass context.Background() where nothing ends the call.")
	case messages.IsNil(command):
		return messages.Validate(command)
	}
	return nil
}

// await waits for the answer. Whoever gives up frees the call's place in its queue;
// a call that has begun gets messages.CancelGrace to say how it ended.
func (r *Runtime) await(ctx context.Context, c *call.Call) {
	turn := time.NewTimer(kernel.QueueWaitMax)
	defer turn.Stop()
	backstop := time.NewTimer(kernel.QueueWaitMax + messages.TimeLimit(c.Command) + kernel.BackstopGrace)
	defer backstop.Stop()
	for {
		select {
		case <-c.Ticket.Done():
			return
		case <-r.rootDead:
			c.Fail(messages.NewError(messages.CodeRunnerShuttingDown, ""))
			return
		case <-turn.C:
			if c.GiveUp(messages.NewError(messages.CodeDeadlineExceeded, "The call waited 60 s for its turn.")) {
				r.env.Send(r.env.Root, &root.Withdraw{Call: c})
			}
		case <-backstop.C:
			c.Fail(messages.NewError(messages.CodeInternalError, ""))
			r.env.Send(r.env.Root, &root.Withdraw{Call: c})
			return
		case <-ctx.Done():
			r.giveUp(ctx, c)
			return
		}
	}
}

// giveUp ends a call whose caller has gone.
func (r *Runtime) giveUp(ctx context.Context, c *call.Call) {
	gone := call.CallerGone(ctx)
	if !c.GiveUp(gone) {
		c.Cancel(context.Cause(ctx))
		grace := time.NewTimer(messages.CancelGrace)
		defer grace.Stop()
		select {
		case <-c.Ticket.Done():
			return
		case <-grace.C:
			c.Fail(gone)
		case <-r.rootDead:
			c.Fail(gone)
		}
	}
	r.env.Send(r.env.Root, &root.Withdraw{Call: c})
}

// audit records how a call ended: names, measures and its state, nothing of its
// content (R206, C28).
func (r *Runtime) audit(c *call.Call) {
	if _, observes := c.Command.(messages.Observation); observes && c.Caller.ID == messages.CallerHost {
		return
	}
	event := messages.Event{
		Kind: messages.EventOperationEnded, At: time.Now(), CallerID: c.Caller.ID, BrowserID: kernel.Audited(messages.AddressOf(c.Command).BrowserID, "br_"),
		Action: c.Command.Action(), OperationID: c.Operation, Argument: messages.Measure(c.Command), Took: time.Since(c.Entered),
		QueueDepth: int(c.Waited.Load()),
	}
	if page, ok := c.Command.(messages.PageCommand); ok {
		event.PageID = kernel.Audited(page.Page().PageID, "pg_")
	}
	if err := c.Ticket.Answer.Err; err != nil {
		event.Code = err.Code
	}
	switch reply := c.Ticket.Answer.Reply.(type) {
	case *messages.Receipt:
		event.State, event.Code = reply.ExecutionState, reply.Code
		if reply.Batch != nil {
			event.Count = reply.Batch.CompletedCount
		}
		if event.BrowserID == "" {
			event.BrowserID, event.PageID = reply.BrowserID, reply.PageID
		}
	case *messages.Snapshot:
		event.Count = len(reply.Nodes)
	case *messages.Screenshot:
		event.Image = &messages.ImageDigest{Bytes: reply.Bytes, MIME: reply.MIME, SHA256: reply.SHA256}
	}
	r.env.Publish(event)
}

// Leave implements messages.Gateway.
func (r *Runtime) Leave(caller messages.CallerID) {
	r.env.Send(r.env.Root, &call.CallerLeft{Caller: caller})
}

// Subscribe implements messages.Gateway. At most kernel.SubscribersMax may be subscribed;
// the channel of one more is closed at once.
func (r *Runtime) Subscribe(ctx context.Context) (<-chan messages.Event, error) {
	if ctx == nil {
		return nil, messages.NewError(messages.CodeInvalidRequest, "The context is nil. Pass one that ends the subscription.")
	}
	select {
	case <-r.rootDead:
		return nil, messages.NewError(messages.CodeRunnerShuttingDown, "")
	default:
	}
	events := make(chan messages.Event, messages.JournalSubscriberBacklog)
	bounded, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	// A journal that is gone would never close the channel.
	id, err := kernel.Ask(bounded, r.env.System, r.env.Journal, func(reply chan<- uint64) any {
		return &journal.Subscribe{Events: events, Taken: reply}
	})
	if err != nil {
		return nil, messages.NewError(messages.CodeRunnerShuttingDown, "")
	}
	context.AfterFunc(ctx, func() { r.env.Send(r.env.Journal, &journal.Unsubscribe{ID: id}) })
	return events, nil
}

// Metrics returns a handler that answers with operations, outcomes, queue depth,
// restarts, crashes, reaped browsers and the times of snapshots and effects, in the
// text form of Prometheus. It counts from its first call on, out of the journal's
// events; a runtime on which it is never called does nothing for it. Where it is
// served, and to whom, is the host's to decide: it holds no page text, address or
// path, only names of actions and codes. After the runtime's end it answers 503.
func (r *Runtime) Metrics() http.Handler {
	r.counting.Do(func() {
		events, err := r.Subscribe(context.Background())
		if err != nil {
			events = nil
		}
		r.metrics = journal.NewMetrics(r.env, events, r.env.InFlight.Load)
	})
	return r.metrics
}

// Shutdown ends the runtime (R193): new calls are refused at once, calls in flight
// get true outcomes, and every browser is ended by its ownership. What is not done
// at the context's deadline, or after messages.ShutdownDefault without one, is
// reported as pending; its end goes on. It may be called more than once and at the
// same time; all calls return the same report, but for Late, which counts what of the
// pending has ended by then.
func (r *Runtime) Shutdown(ctx context.Context) ShutdownReport {
	select {
	case r.ending <- struct{}{}:
		r.report = r.shutdown(ctx)
		close(r.ended)
	default:
	}
	<-r.ended
	report := r.report
	report.Late = r.env.Late.Read()
	return report
}

func (r *Runtime) shutdown(ctx context.Context) ShutdownReport {
	if ctx == nil {
		ctx = context.Background()
	}
	deadline, ok := ctx.Deadline()
	if !ok {
		deadline = time.Now().Add(messages.ShutdownDefault)
	}
	bounded, cancel := context.WithDeadline(context.WithoutCancel(ctx), deadline.Add(kernel.BackstopGrace))
	defer cancel()
	// The root has ended when this fails, and with it everything it owned.
	report, _ := kernel.Ask(bounded, r.env.System, r.env.Root, func(reply chan<- ShutdownReport) any {
		return &root.ShutdownAsked{At: time.Now(), Deadline: deadline, Reply: reply}
	})
	r.flushJournal()
	r.env.System.Root.Stop(r.env.Root)
	select {
	case <-r.rootDead:
	case <-time.After(actorStopTimeout):
	}
	r.release()
	if len(report.Pending) == 0 {
		r.awaitRunners(bounded)
	}
	if r.system != nil {
		r.system.Shutdown()
	}
	return report
}

// flushJournal lets the journal record what the shutdown announced before it is
// stopped: the end of the last browser must be heard of too.
func (r *Runtime) flushJournal() {
	ctx, cancel := context.WithTimeout(context.Background(), actorStopTimeout)
	defer cancel()
	// A journal that is gone has nothing left to record.
	_, _ = kernel.Ask(ctx, r.env.System, r.env.Journal, func(reply chan<- bool) any { return &journal.Flush{Reply: reply} })
}

// awaitRunners waits for the goroutines that still work, within the context.
func (r *Runtime) awaitRunners(ctx context.Context) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.env.Runners.Wait()
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
}
