package page

import (
	"context"
	"runtime/debug"
	"time"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/effect"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// startOperation runs the operation in flight in a goroutine of its own. Its time
// is counted from here; a snapshot that is read again keeps what is left of it.
func (p *page) startOperation(e *startOperation) Message {
	if e.resumed && !e.call.Ticket.Live() || !e.resumed && !e.call.Ticket.Start() {
		return &operationSkipped{operation: e.operation}
	}
	again := e.resumed && p.running.call == e.call
	p.disarm(context.Canceled)
	deadline := time.Now().Add(messages.TimeLimit(e.command))
	if again {
		deadline = p.running.deadline
	}
	ctx, cancel := context.WithCancelCause(e.call.Context)
	ctx, release := context.WithDeadline(ctx, deadline)
	p.running = running{
		number: e.operation, call: e.call, cancel: cancel, deadline: deadline,
		disarm: p.env.After(time.Until(deadline)+messages.CancelGrace, p.self, &operationOverdue{operation: e.operation}),
	}
	run := &runner{page: p.target(), env: p.env, spec: p.spec, fence: &p.fence, operation: e, began: time.Now(), diagnostics: p.diagnostics,
		progress: &call.Progress{Env: p.env, Call: e.call, Browser: p.spec.Browser, Spent: e.resumed, Gate: p.gate(e.call.Caller.ID, e.command)}}
	env, self, session := p.env, p.self, p.link.Session
	env.Runners.Go(func() {
		defer cancel(nil)
		defer release()
		done := run.run(ctx)
		tellInOrder(session, func() { env.Send(self, done) })
	})
	return nil
}

// tellInOrder tells a page's actor how something ended, behind all that its session
// said before: whoever hears of a dialog may answer it at once, and the actor must
// know of it by then. It returns when that is done, so a runner that has ended has
// nothing left to say.
func tellInOrder(session *cdp.Session, tell func()) {
	told := make(chan struct{})
	session.AfterLifecycle(func() {
		tell()
		close(told)
	})
	<-told
}

// gate keeps an effect from beginning once its document token has died. A
// navigation kills the token itself, before it begins.
func (p *page) gate(reader messages.CallerID, command messages.Command) func() *messages.Error {
	planned, ok := command.(interface{ Token() messages.DocumentToken })
	if !ok || planned.Token() == "" || navigates(command) {
		return nil
	}
	token, current := planned.Token(), &p.fence
	return func() *messages.Error { return current.Load().checkToken(reader, token) }
}

// target is the runner's copy of the page.
func (p *page) target() target.Page {
	v := p.machine.view()
	t := target.Page{
		BrowserID: p.spec.Browser, PageID: p.spec.ID,
		Session: p.link.Session, Browser: p.link.Root, Target: p.link.Target,
		Main:   target.World{Frame: v.frame, Context: v.main},
		Worlds: v.worlds, WorldName: p.env.WorldName, URL: v.url, LoadState: v.load,
		Policy:     p.env.Config.Policy(),
		Background: p.background,
		Computed:   p.link.Engine.Ownership == messages.OwnedEphemeral || p.link.Engine.Ownership == messages.OwnedManaged,
	}
	t.ViewportWidth, t.ViewportHeight = messages.ViewportWidthDefault, messages.ViewportHeightDefault
	if t.FixedWidth, t.FixedHeight = p.spec.viewport(); t.FixedWidth > 0 {
		t.ViewportWidth, t.ViewportHeight = t.FixedWidth, t.FixedHeight
	}
	return t
}

// runner carries out one operation. It shares nothing with the page's actor but the
// ticket and the published fence.
type runner struct {
	page      target.Page
	env       *kernel.Environment
	spec      *Spec
	fence     fencePointer
	operation *startOperation
	progress  *call.Progress
	began     time.Time

	diagnostics *diagnosticsHub
}

// fencePointer loads the fence as it is now.
type fencePointer interface{ Load() *fence }

// run carries the operation out and says how it ended. A fault in it is reported
// and not thrown, so that the caller is answered before the supervisor acts.
func (r *runner) run(ctx context.Context) (done *OperationDone) {
	done = &OperationDone{Operation: r.operation.operation}
	defer func() {
		if value := recover(); value != nil {
			done.Fault = &kernel.Fault{Value: value, Stack: debug.Stack()}
		}
	}()
	switch command := r.operation.command.(type) {
	case *messages.TakeSnapshot:
		r.snapshot(ctx, command, done)
	case *messages.TakeScreenshot:
		done.reply, done.err = r.screenshot(ctx, command)
	case messages.Effect:
		defer r.diagnostics.attribute(r.operation.call.Operation)()
		done.reply = r.effect(ctx, command)
	default:
		o := observer{page: r.page, link: r.spec.Link, diagnostics: r.diagnostics, caller: r.operation.call.Caller}
		done.reply, done.err = o.observe(ctx, command)
	}
	return done
}

// effect runs one effect on the page.
func (r *runner) effect(ctx context.Context, command messages.Effect) messages.Reply {
	env := effect.Env{
		Page:     r.page,
		Progress: r.progress,
		Resolve: func(handle messages.ElementHandle, action messages.Action) (*snapshot.Record, *messages.Error) {
			return r.fence.Load().resolve(r.operation.call.Caller.ID, handle, action)
		},
		Witness:     witnessSince(r.env, r.spec, r.began),
		Files:       newFileRoots(r.env.Config, r.spec.Browser),
		Operation:   r.operation.call.Operation,
		AutoDialogs: r.env.Config.Dialogs == kernel.DialogsAuto,
	}
	return r.runEffect(ctx, env, command)
}

// WitnessAsked goes to the browser, from a runner that wants to know what opened and downloaded
// since its operation began.
type WitnessAsked struct {
	Page  messages.PageID
	Since time.Time
	Reply chan<- Witnessed
}

// Failed answers the runner after a fault of ours.
func (m *WitnessAsked) Failed(*messages.Error) { m.Reply <- Witnessed{} }

// witnessSince asks the browser what it saw beside a page since a time.
func witnessSince(env *kernel.Environment, spec *Spec, since time.Time) func(context.Context) effect.Witnessed {
	return func(ctx context.Context) effect.Witnessed {
		seen, err := kernel.Ask(ctx, env.System, spec.BrowserPID, func(reply chan<- Witnessed) any {
			return &WitnessAsked{Page: spec.ID, Since: since, Reply: reply}
		})
		if err != nil {
			return effect.Witnessed{} // the browser is gone; the receipt says so otherwise
		}
		return effect.Witnessed{Opened: seen.Opened, Downloads: seen.Downloads}
	}
}
