package page

import (
	"slices"
	"time"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/internal/invariant"
	"github.com/troupe-browser/troupe/messages"
)

// pagePolicy is the part of the configuration that a page's machine obeys.
type pagePolicy struct {
	sameDocument target.SameDocument
	dialogs      kernel.DialogPolicy
	// people says that a person can use the page beside us: its window is shown, or
	// the browser is somebody else's.
	people bool
}

// machine decides for one page: whose turn it is, what an element id is still
// good for, who answers a dialog, and what a crash leaves.
//
// A page is prepared once, then takes one operation at a time from its queue. What
// must never wait behind the queue runs beside it: answering a dialog, closing, and
// reading what needs no turn.
//
// Its target:
//
//	preparing ──prepared──▶ usable; with page_crashed──▶ crashed
//	usable    ──targetCrashed──▶ crashed
//	crashed   ──targetRevived, or the main frame navigated──▶ usable
//	any       ──TargetGone──▶ gone: everything is answered, and the actor is stopped
//
// Its turn:
//
//	idle    ──the next call of the queue──▶ running
//	running ──OperationDone, operationOverdue, targetCrashed──▶ idle
//	running ──a dialog opens over an observation──▶ idle, which is answered at once
//
// While a dialog is open nothing begins: what needs the page is answered with the
// dialog, until dialogClosed.
type machine struct {
	browser messages.BrowserID
	id      messages.PageID
	policy  pagePolicy
	world   string // the name of our isolated worlds

	ready   bool // prepared, or given up preparing
	crashed bool
	gone    *messages.Error // the target is gone; why

	queue   []*queued
	current *operation
	count   uint64 // of operations begun
	beside  []*call.Call

	owner          messages.CallerID
	ownerConnected bool

	document documentState
	fence    *fence
	nextRef  uint64
	dialog   *heldDialog
	dialogs  uint64              // numbers of dialogs given out
	answered messages.DialogKind // the kind of the dialog that a caller answered last
	reported messages.PageSummary
	counts   diagnosticsCounted
	cooling  bool // a timer looks whether the page is still observed
}

// queued is a call that waits for its turn.
type queued struct {
	call *call.Call
	as   messages.Command
}

// command is what the queued call runs.
func (q *queued) command() messages.Command {
	if q.as != nil {
		return q.as
	}
	return q.call.Command
}

// operation is the one that is in flight.
type operation struct {
	number  uint64
	call    *call.Call
	command messages.Command
	as      bool
	// left says that its caller has gone.
	left bool
	// moves is the count of fence moves at the start.
	moves uint64
	// dialog is what the receipt says about a dialog that was met.
	dialog *messages.Dialog
	// navigates says that it is a navigation by command; committed that a new
	// document has come since it began.
	navigates, committed bool
	loadBefore           messages.LoadState
	// held is how it begins once there is a document, while there is none.
	held *startOperation
	// firstRef is the first ref that a snapshot may give out.
	firstRef uint64
}

func newMachine(spec *Spec) *machine {
	c := spec.Env.Config
	return &machine{
		browser: spec.Browser, id: spec.ID, world: spec.Env.WorldName,
		policy: pagePolicy{sameDocument: c.SameDocument, dialogs: c.Dialogs, people: spec.people()},
		owner:  spec.Owner.Caller, ownerConnected: true,
		fence: &fence{browser: spec.Browser, page: spec.ID},
	}
}

// step takes one message and returns what is to be done about it, in order. The
// summary is reported when it changed.
func (m *machine) step(message Message) []Effect {
	effects := m.handle(message)
	if invariant.Enabled {
		m.verify()
	}
	if s := m.summary(); s != m.reported && m.gone == nil {
		m.reported = s
		shown := s
		if m.dialog != nil {
			shown.Dialog = m.dialog.open.Shown()
		}
		effects = append(effects, &reportSummary{shown})
	}
	return effects
}

// verify checks what must hold after every step.
func (m *machine) verify() {
	invariant.Check(len(m.queue) <= messages.PageQueueMax, "page: %d calls wait", len(m.queue))
	invariant.Check(m.gone == nil || m.current == nil && len(m.queue) == 0, "page: it is gone, and %d calls wait", len(m.queue))
	invariant.Check(m.ready || m.current == nil, "page: an operation is in flight before the page is prepared")
	invariant.Check(m.current == nil || m.current.number <= m.count, "page: an operation has a number that was not given out")
	invariant.Check(len(m.fence.readings) <= messages.PageReadersMax, "page: ids of %d readers", len(m.fence.readings))
	for _, r := range m.fence.readings {
		invariant.Check(r.stale == "" || r.byID == nil, "page: a stale reading holds elements")
	}
}

func (m *machine) handle(message Message) []Effect {
	switch msg := message.(type) {
	case *started:
		return m.onStarted(msg)
	case *prepared:
		return m.onPrepared(msg)
	case *prepareDue:
		if m.document.frame == "" && !m.crashed && m.gone == nil {
			return []Effect{&prepare{}}
		}
		return nil
	case *Call:
		return m.onCall(msg)
	case *call.Withdraw:
		return m.onWithdraw(msg)
	case *call.CallerLeft:
		return m.onCallerLeft(msg)
	case *OwnerChanged:
		m.owner, m.ownerConnected = msg.Owner.Caller, msg.Connected
	case *OperationDone:
		return m.onDone(msg)
	case *operationSkipped:
		return m.onSkipped(msg)
	case *operationOverdue:
		return m.onOverdue(msg)
	case *besideDone:
		return m.onBesideDone(msg)
	case *documentAwaited:
		return m.onDocumentAwaited(msg)
	case *closeOverdue:
		return m.onCloseOverdue(msg)
	case *dialogOpened:
		return m.onDialogOpened(msg)
	case *dialogClosed:
		return m.onDialogClosed(msg)
	case *dialogAnswered:
		return m.onDialogAnswered(msg)
	case *coolDue:
		return m.onCoolDue(msg)
	case *dialogHoldElapsed:
		return m.onDialogHoldElapsed(msg)
	case *dialogPatienceElapsed:
		return m.onDialogPatience(msg)
	case *targetCrashed:
		return m.onCrashed(msg)
	case *TargetGone:
		return m.onGone(msg)
	case *downloadBegan:
		return []Effect{&reportDownload{msg.guid, m.effectInFlight()}}
	case *diagnosticsCounted:
		m.counts = *msg
		return nil
	}
	return m.onDocument(message)
}

// onStarted prepares the target. After a restart nothing of before is believed: the
// numbers go on, every id is stale, and a dialog that is open stays open.
func (m *machine) onStarted(msg *started) []Effect {
	m.fence.nonce, m.fence.generation = msg.nonce, msg.generation
	// What runners and timers of a former incarnation still send names numbers that
	// this one never gives out.
	m.count = uint64(msg.epoch) << EpochShift
	m.dialogs = m.count
	m.nextRef = max(msg.nextRef, 1)
	m.document.url, m.document.title, m.document.load = msg.url, msg.title, messages.LoadIdle
	if msg.restarted {
		m.fence.restarted = "The page's actor was restarted, and the snapshot is of before."
	}
	effects := []Effect{&publishFence{m.fence}}
	if msg.dialog != nil {
		effects = append(effects, m.onDialogOpened(&dialogOpened{dialog: msg.dialog, at: msg.at})...)
	}
	return append(effects, &prepare{})
}

// onPrepared lets the queue begin. A page that could not be prepared in time is
// used all the same: navigating and closing it may be all that it needs.
func (m *machine) onPrepared(msg *prepared) []Effect {
	first := !m.ready
	if !first && m.document.frame != "" {
		return nil
	}
	m.ready = true
	var effects []Effect
	switch {
	case msg.err == nil:
		m.document.frame = msg.mainFrame
		if msg.url != "" {
			m.document.url = msg.url
		}
		if msg.loading {
			m.document.load = messages.LoadLoading
		} else if m.document.url != blankURL {
			m.document.load = messages.LoadComplete
		}
	case msg.err.Code == messages.CodePageCrashed:
		m.crashed = true
	default:
		// Its main frame is not known, so nothing could be read of it until it
		// navigates: it is asked again.
		effects = append(effects, &sendLater{kernel.PrepareAgain, &prepareDue{}})
	}
	if !first {
		if msg.err == nil {
			effects = append(effects, m.release()...)
		}
		return effects
	}
	return append(append(effects, &tellPrepared{}), m.next()...)
}

// onCrashed answers the operation in flight from its ticket: a crashed renderer
// never answers. The page stays, and navigate or reload revives it.
func (m *machine) onCrashed(msg *targetCrashed) []Effect {
	m.crashed = true
	m.document.forget()
	m.document.load = messages.LoadFailed
	effects := m.dropFence("The page's renderer ended.")
	m.dialog = nil
	effects = append(effects, &publishEvent{messages.Event{Kind: messages.EventPageCrashed, BrowserID: m.browser, PageID: m.id, At: msg.at}})
	err := messages.NewError(messages.CodePageCrashed, "").WithRecovery("control_browser", m.arguments("reload"))
	if m.current != nil {
		effects = append(effects, m.endCurrent(err)...)
	}
	return append(effects, m.next()...)
}

// onGone answers everything: the target is closed or lost. A close_page that waits
// for just that is complete.
func (m *machine) onGone(msg *TargetGone) []Effect {
	m.gone = msg.Cause
	effects := m.dropFence("The page is gone.")
	for _, c := range m.beside {
		if _, closing := c.Command.(*messages.ClosePage); closing && msg.Cause.Code == messages.CodeStalePage {
			effects = append(effects, &finishCall{call: c, reply: &messages.Receipt{ExecutionState: messages.Completed}})
			continue
		}
		effects = append(effects, &failCall{c, msg.Cause})
	}
	m.beside = nil
	if m.current != nil {
		effects = append(effects, m.endCurrent(msg.Cause)...)
	}
	for _, q := range m.queue {
		effects = append(effects, &failCall{q.call, msg.Cause})
	}
	m.queue = nil
	return effects
}

// effectInFlight returns the operation id of the effect in flight, or "".
func (m *machine) effectInFlight() messages.OperationID {
	if m.current == nil {
		return ""
	}
	if _, ok := m.current.command.(messages.Effect); !ok {
		return ""
	}
	return m.current.call.Operation
}

// endCurrent ends the operation in flight from its ticket and lets its runner go.
func (m *machine) endCurrent(cause *messages.Error) []Effect {
	o := m.current
	m.current = nil
	return []Effect{&cancelOperation{o.number, cause}, &failCall{o.call, cause}}
}

func (m *machine) arguments(action messages.Action) map[string]any {
	return map[string]any{"action": string(action), "browser_id": string(m.browser), "page_id": string(m.id)}
}

// summary is what the page looks like from outside. Its dialog is filled when it
// is reported, so that summaries can be compared.
func (m *machine) summary() messages.PageSummary {
	return messages.PageSummary{
		PageID: m.id, URL: m.document.shownURL(), Title: m.document.title, LoadState: m.document.load,
		Dialog: m.dialogMark(), Crashed: m.crashed, Busy: m.document.busy, Generation: m.fence.generation,
		ConsoleErrors: m.counts.consoleErrors, FailedRequests: m.counts.failedRequests,
	}
}

// dialogMark distinguishes, by its address, the dialogs that summaries show.
func (m *machine) dialogMark() *messages.Dialog {
	if m.dialog == nil {
		return nil
	}
	return &m.dialog.mark
}

// view is what a runner gets of the page, beside sessions and policy.
type pageView struct {
	main   cdp.ContextID
	frame  cdp.FrameID
	worlds []target.World
	url    string
	load   messages.LoadState
}

func (m *machine) view() pageView {
	v := pageView{frame: m.document.frame, worlds: slices.Clone(m.document.worlds), url: m.document.shownURL(), load: m.document.load}
	if m.current != nil && m.current.navigates {
		v.load = m.current.loadBefore // what stays when the navigation brings no document
	}
	for _, w := range v.worlds {
		if w.Frame == v.frame {
			v.main = w.Context
		}
	}
	return v
}

// EpochShift leaves room for the numbers of one incarnation below its epoch.
const EpochShift = 32

// dialogHold is how long a dialog is held for its caller.
const dialogHold time.Duration = messages.DialogHold
