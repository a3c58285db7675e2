package page

import (
	"slices"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/messages"
)

// onCall queues a call or starts it beside the queue.
func (m *machine) onCall(msg *Call) []Effect {
	c := msg.Call
	if m.gone != nil {
		return []Effect{&failCall{c, m.gone}}
	}
	q := &queued{call: c, as: msg.As}
	if refusal := m.tokenRefusal(c.Caller.ID, q.command()); refusal != nil {
		return []Effect{&failCall{c, refusal}}
	}
	switch command := q.command().(type) {
	case *messages.HandleDialog:
		return m.onHandleDialog(c)
	case *messages.ClosePage:
		return m.onClosePage(c)
	case *messages.Present:
		if command.Pop {
			return m.onClosePage(c)
		}
	}
	if messages.Describe(q.command()).Beside {
		m.beside = append(m.beside, c)
		return []Effect{&startBeside{c}}
	}
	if refusal := m.refusal(q.call.Caller.ID, q.command()); refusal != nil {
		return []Effect{&failCall{c, refusal}}
	}
	if len(m.queue) >= messages.PageQueueMax {
		return []Effect{&failCall{c, messages.NewError(messages.CodeBusy, "")}}
	}
	m.queue = append(m.queue, q)
	return m.next()
}

// tokenRefusal judges the document token that an effect was planned on (R155).
func (m *machine) tokenRefusal(reader messages.CallerID, command messages.Command) *messages.Error {
	if planned, ok := command.(interface{ Token() messages.DocumentToken }); ok {
		return m.fence.checkToken(reader, planned.Token())
	}
	return nil
}

// refusal says why a command can't run now and will not when its turn comes.
func (m *machine) refusal(reader messages.CallerID, command messages.Command) *messages.Error {
	if m.dialog != nil && needsRenderer(command) {
		return m.dialogRefusal()
	}
	if refusal := m.tokenRefusal(reader, command); refusal != nil {
		return refusal
	}
	if m.crashed && !revives(command) {
		return messages.NewError(messages.CodePageCrashed, "").WithRecovery("control_browser", m.arguments("reload"))
	}
	return nil
}

// needsRenderer reports whether a command waits for the page's script or painting, which
// stand still while a dialog is open. The browser itself answers the others; a snapshot
// is answered without the page.
func needsRenderer(command messages.Command) bool {
	switch c := command.(type) {
	case messages.Effect, *messages.TakeScreenshot, *messages.GetStorage:
		return true
	case *messages.ReadField:
		return c.Field == "text" || c.Field == "html"
	}
	return false
}

// dialogRefusal refuses a command while a dialog is open. Answering a dialog may have
// consequences, so what it proposes is only to look at what is asked.
func (m *machine) dialogRefusal() *messages.Error {
	return messages.NewError(messages.CodeDialogOpen, "%s dialog is open on the page. Answer it with handle_dialog first.", m.dialog.open.Kind.WithArticle()).
		WithRecovery("observe_browser", map[string]any{"action": "pages", "browser_id": string(m.browser)})
}

// revives reports whether a command gives a crashed page a new renderer.
func revives(command messages.Command) bool {
	switch command.(type) {
	case *messages.Navigate, *messages.Reload, *messages.Back, *messages.Forward:
		return true
	}
	return false
}

// navigates reports whether the command replaces the document by its own purpose;
// then the fence falls before it is dispatched (R43).
func navigates(command messages.Command) bool { return revives(command) }

// next begins the operations whose turn it is. More than one only when those
// before it are refused.
func (m *machine) next() []Effect {
	var effects []Effect
	for m.ready && m.current == nil && len(m.queue) > 0 && m.gone == nil {
		q := m.queue[0]
		m.queue = m.queue[1:]
		if refusal := m.refusal(q.call.Caller.ID, q.command()); refusal != nil {
			effects = append(effects, &failCall{q.call, refusal})
			continue
		}
		if observed := m.blindSnapshot(q.call.Caller.ID, q.command()); observed != nil {
			effects = append(effects, &finishCall{call: q.call, reply: observed})
			continue
		}
		effects = append(effects, m.begin(q)...)
	}
	return effects
}

// blindSnapshot answers a snapshot of a page that can't be read while a dialog is
// open. It makes no generation, so the ids stay what they are.
func (m *machine) blindSnapshot(reader messages.CallerID, command messages.Command) messages.Reply {
	snapshot, ok := command.(*messages.TakeSnapshot)
	if !ok || m.dialog == nil {
		return nil
	}
	return &messages.Snapshot{
		BrowserID: m.browser, PageID: m.id, Generation: m.fence.generationOf(reader), URL: m.document.shownURL(), Title: m.document.title,
		Mode: snapshot.Mode, Projection: snapshot.Projection, Nodes: []messages.Node{}, Unseen: []messages.Unseen{},
		Dialog: m.dialog.open.Shown(),
	}
}

// begin starts an operation. A navigation drops the fence first, so that an
// uncertain outcome stays stale (R43).
func (m *machine) begin(q *queued) []Effect {
	command := q.command()
	m.count++
	o := &operation{number: m.count, call: q.call, command: command, as: q.as != nil, loadBefore: m.document.load}
	m.current = o
	var effects []Effect
	if navigates(command) {
		o.navigates = true
		effects = append(effects, m.dropFence(operationReason(command.Action(), q.call.Operation))...)
		m.document.navigating(command)
	}
	o.moves = m.document.moves
	start := &startOperation{operation: o.number, call: q.call, command: command, resumed: o.as}
	if _, ok := command.(*messages.TakeSnapshot); ok {
		start.request = m.snapshotRequest(o)
	}
	return append(effects, m.start(o, start))
}

func (m *machine) snapshotRequest(o *operation) *snapshotRequest {
	generation := m.fence.generation + 1
	o.firstRef = m.nextRef
	return &snapshotRequest{generation: generation, nextRef: m.nextRef, prefix: m.fence.idPrefix(generation), kept: m.fence.kept(o.call.Caller.ID)}
}

// onDone takes in how the operation in flight ended.
func (m *machine) onDone(msg *OperationDone) []Effect {
	o := m.current
	if o == nil || o.number != msg.Operation {
		if msg.Fault != nil {
			return []Effect{&failActor{*msg.Fault}}
		}
		return nil
	}
	if msg.Fault != nil {
		m.current = nil
		return []Effect{&failCall{o.call, messages.NewError(messages.CodeInternalError, "")}, &failActor{*msg.Fault}}
	}
	if msg.snapshot != nil || msg.changed {
		if again := m.readAgain(o, msg); again != nil {
			return again
		}
	}
	m.current = nil
	var effects []Effect
	if msg.snapshot != nil && o.moves != m.document.moves {
		return append(append(m.discardSnapshot(o), m.openMain()...), m.next()...)
	}
	switch reply := msg.reply.(type) {
	case *messages.Receipt:
		effects = m.concludeEffect(o, reply)
	case *messages.Snapshot:
		effects = m.concludeSnapshot(o, reply, msg)
	default:
		effects = []Effect{&finishCall{o.call, msg.reply, msg.err}}
	}
	effects = append(effects, m.openMain()...)
	return append(effects, m.next()...)
}

// readAgain starts a snapshot anew whose document changed while it was read (R38).
// The runner's time goes on, so it ends with its deadline.
func (m *machine) readAgain(o *operation, msg *OperationDone) []Effect {
	moved := o.moves != m.document.moves
	if !moved && !msg.changed || m.crashed || m.dialog != nil {
		return nil
	}
	if shot, ok := msg.reply.(*messages.Snapshot); ok && !moved && shot.Busy {
		return nil
	}
	m.count++
	o.number, o.moves = m.count, m.document.moves
	return []Effect{m.start(o, &startOperation{operation: o.number, call: o.call, command: o.command, resumed: true, request: m.snapshotRequest(o)})}
}

// discardSnapshot answers a snapshot whose document changed while it was read and
// that is not read again: a dialog is open, or nobody waits for it any more. What was
// read is of the past and publishes nothing (R38).
func (m *machine) discardSnapshot(o *operation) []Effect {
	if blind := m.blindSnapshot(o.call.Caller.ID, o.command); blind != nil {
		return []Effect{&finishCall{call: o.call, reply: blind}}
	}
	return []Effect{&failCall{o.call, messages.NewError(messages.CodeSnapshotStale, "The page replaced its document meanwhile. Observe again.")}}
}

// concludeSnapshot publishes a snapshot: a new generation, and every older id of its
// reader is dead (R31, C40). One that saw nothing makes none.
func (m *machine) concludeSnapshot(o *operation, reply *messages.Snapshot, msg *OperationDone) []Effect {
	m.document.busy = reply.Busy
	if m.dialog != nil && reply.Dialog == nil {
		reply.Dialog = m.dialog.open.Shown()
	}
	if msg.snapshot == nil || reply.Busy || reply.Dialog != nil && len(reply.Nodes) == 0 && reply.Text == "" {
		reply.Generation, reply.DocumentToken = m.fence.generationOf(o.call.Caller.ID), ""
		return []Effect{&finishCall{call: o.call, reply: reply}}
	}
	if reply.Title != "" {
		m.document.title = reply.Title
	}
	m.nextRef = max(msg.snapshot.nextRef, m.nextRef)
	m.fence = m.fence.published(o.call.Caller.ID, reply, msg.snapshot, o.firstRef)
	return append([]Effect{
		&publishFence{m.fence},
		&keepNumbers{m.fence.generation, m.nextRef},
		&finishCall{call: o.call, reply: reply},
	}, m.warmed(reply)...)
}

// concludeEffect completes a receipt with what the page knows.
func (m *machine) concludeEffect(o *operation, receipt *messages.Receipt) []Effect {
	m.document.busy = receipt.Code == messages.CodePageUnresponsive
	if o.navigates {
		m.document.navigated(o, receipt)
	}
	if receipt.Dialog == nil {
		receipt.Dialog = o.dialog
	}
	if receipt.Dialog == nil && m.dialog != nil {
		receipt.Dialog = m.dialog.open.Shown()
	}
	if m.fence.stale(o.call.Caller.ID) {
		receipt.NeedsSnapshot = true
	}
	if o.as {
		m.created(o, receipt)
	}
	return []Effect{&finishCall{call: o.call, reply: receipt}}
}

// created turns the receipt of a new page's navigation into that of the call that
// made the page: a failed first load is an outcome of the page and not of the
// creation (R115).
func (m *machine) created(_ *operation, receipt *messages.Receipt) {
	receipt.BrowserID, receipt.PageID = m.browser, m.id
	if receipt.ExecutionState != messages.Completed {
		receipt.LoadState = messages.LoadFailed
		if receipt.ExecutionState == messages.OutcomeUnknown {
			receipt.LoadState = messages.LoadLoading // its document may still come
		}
		receipt.ExecutionState, receipt.Recovery, receipt.NeedsSnapshot = messages.Completed, nil, true
	}
	if receipt.URL == "" {
		receipt.URL = m.document.shownURL()
	}
	if receipt.LoadState == "" {
		receipt.LoadState = m.document.load
	}
}

// onSkipped goes on when the caller had given up before its turn.
func (m *machine) onSkipped(msg *operationSkipped) []Effect {
	if m.current == nil || m.current.number != msg.operation {
		return nil
	}
	o := m.current
	m.current = nil
	if o.navigates {
		m.document.navigated(o, nil)
	}
	return m.next()
}

// onOverdue gives up an operation whose runner does not answer. Nothing of it can
// reach the page any more: its ticket has ended.
func (m *machine) onOverdue(msg *operationOverdue) []Effect {
	if m.current == nil || m.current.number != msg.operation {
		return nil
	}
	m.document.busy = true
	effects := m.endCurrent(messages.NewError(messages.CodePageUnresponsive, ""))
	return append(effects, m.next()...)
}

// onWithdraw frees the place of a call whose caller has given up.
func (m *machine) onWithdraw(msg *call.Withdraw) []Effect {
	m.queue = slices.DeleteFunc(m.queue, func(q *queued) bool { return q.call == msg.Call })
	if m.current != nil && m.current.call == msg.Call {
		effects := m.endCurrent(messages.NewError(messages.CodeCancelled, ""))
		return append(effects, m.next()...)
	}
	return nil
}

// onCallerLeft gives up what a caller that has gone still waits for, and answers
// its dialog (R120, R121).
func (m *machine) onCallerLeft(msg *call.CallerLeft) []Effect {
	if m.owner == msg.Caller {
		m.ownerConnected = false
	}
	if m.current != nil && m.current.call.Caller.ID == msg.Caller {
		m.current.left = true
	}
	var effects []Effect
	m.queue = slices.DeleteFunc(m.queue, func(q *queued) bool {
		if q.call.Caller.ID != msg.Caller {
			return false
		}
		effects = append(effects, &failCall{q.call, messages.NewError(messages.CodeCancelled, "")})
		return true
	})
	if m.dialog != nil && m.dialog.holder == msg.Caller {
		effects = append(effects, m.answerByRule()...)
	}
	return effects
}

// onClosePage drops the fence, ends what is in flight or waits, and closes the
// target. It overtakes the queue.
func (m *machine) onClosePage(c *call.Call) []Effect {
	effects := m.dropFence(operationReason(c.Command.Action(), c.Operation))
	closed := messages.NewError(messages.CodeStalePage, "The page was closed.")
	if m.current != nil {
		effects = append(effects, m.endCurrent(closed)...)
	}
	for _, q := range m.queue {
		effects = append(effects, &failCall{q.call, closed})
	}
	m.queue = nil
	m.beside = append(m.beside, c)
	return append(effects, &startBeside{c})
}

// onBesideDone takes in how a command beside the queue ended.
func (m *machine) onBesideDone(msg *besideDone) []Effect {
	m.beside = slices.DeleteFunc(m.beside, func(c *call.Call) bool { return c == msg.call })
	if msg.fault != nil {
		return []Effect{&failCall{msg.call, messages.NewError(messages.CodeInternalError, "")}, &failActor{*msg.fault}}
	}
	receipt, _ := msg.reply.(*messages.Receipt)
	switch msg.call.Command.(type) {
	case *messages.HandleDialog:
		m.concludeDialog(msg.call, receipt)
	case *messages.ClosePage, *messages.Present:
		if receipt != nil && receipt.ExecutionState == messages.Completed && m.gone == nil {
			// The browser has closed it; its word that it is gone comes right behind.
			m.beside = append(m.beside, msg.call)
			return []Effect{&sendLater{kernel.CloseNoticeWait, &closeOverdue{msg.call}}}
		}
	}
	return []Effect{&finishCall{msg.call, msg.reply, msg.err}}
}

// onCloseOverdue answers a close whose target was closed and never reported gone.
func (m *machine) onCloseOverdue(msg *closeOverdue) []Effect {
	m.beside = slices.DeleteFunc(m.beside, func(c *call.Call) bool { return c == msg.call })
	return []Effect{&finishCall{call: msg.call, reply: &messages.Receipt{ExecutionState: messages.Completed}}}
}
