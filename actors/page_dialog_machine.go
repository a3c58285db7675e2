package actors

import (
	"github.com/troupe-browser/troupe/messages"
)

// heldDialog is the dialog that is open on the page.
type heldDialog struct {
	number uint64
	open   *openDialog
	// holder is the caller who may answer it; empty when the rule answers it.
	holder messages.CallerID
	// answering is the handle_dialog that is under way, byRule that the rule's
	// answer is.
	answering *call
	byRule    bool
	mark      messages.Dialog
}

// The words of a dialog's end.
const (
	dialogAccepted  = "accepted"
	dialogDismissed = "dismissed"
)

// onDialogOpened decides who answers (R119, R121). A dialog that is held ends the
// operation in flight soon, since the page answers nothing until it is closed.
func (m *pageMachine) onDialogOpened(msg *dialogOpened) []pageEffect {
	m.dialogs++
	m.dialog = &heldDialog{number: m.dialogs, open: msg.dialog}
	effects := []pageEffect{&pagePublish{messages.Event{
		Kind: messages.EventDialogOpened, BrowserID: m.browser, PageID: m.id, At: msg.at, DialogKind: msg.dialog.kind}}}
	unload := msg.dialog.kind == messages.DialogBeforeUnload
	if unload && m.current != nil && m.current.navigates {
		// The navigation's own runner accepts it at once; this is for a runner that
		// does not.
		return append(effects, m.patience())
	}
	m.dialog.holder = m.holder()
	if m.policy.dialogs == DialogsAuto || m.dialog.holder == "" {
		return append(effects, m.answerByRule()...)
	}
	effects = append(effects, &pageTimer{dialogHold, &dialogHoldElapsed{m.dialog.number}})
	if m.current == nil {
		return append(effects, m.next()...) // what waits is answered and not run
	}
	if _, isEffect := m.current.command.(messages.Effect); !isEffect {
		return append(effects, m.endObservation()...)
	}
	m.current.dialog = m.dialog.open.shown()
	return append(effects, m.patience())
}

// endObservation answers the observation in flight: the page answers nothing while
// the dialog is open.
func (m *pageMachine) endObservation() []pageEffect {
	o := m.current
	m.current = nil
	effects := []pageEffect{&cancelOperation{o.number, messages.NewError(messages.CodeDialogOpen, "")}}
	if blind := m.blindSnapshot(o.command); blind != nil {
		effects = append(effects, &pageFinish{call: o.call, reply: blind})
	} else {
		effects = append(effects, &pageFinish{call: o.call, err: m.dialogRefusal()})
	}
	return append(effects, m.next()...)
}

func (m *pageMachine) patience() pageEffect {
	var number uint64
	if m.current != nil {
		number = m.current.number
	}
	return &pageTimer{dialogPatience, &dialogPatienceElapsed{operation: number, dialog: m.dialog.number}}
}

// holder is the connected caller who can answer a dialog: whoever's call is in
// flight, else the page's owner.
func (m *pageMachine) holder() messages.CallerID {
	if m.current != nil && !m.current.left {
		return m.current.call.caller.ID
	}
	if m.ownerConnected {
		return m.owner
	}
	return ""
}

// answerByRule answers as nobody's word but R119's: leaving is accepted, since it was
// asked for, and everything else dismissed.
func (m *pageMachine) answerByRule() []pageEffect {
	d := m.dialog
	if d == nil || d.byRule || d.answering != nil {
		return nil
	}
	d.byRule = true
	return []pageEffect{&answerDialog{d.number, d.open.kind == messages.DialogBeforeUnload}}
}

// onDialogPatience ends the operation that the dialog interrupts, if it has not
// ended by itself. A navigation whose beforeunload still stands is helped first.
func (m *pageMachine) onDialogPatience(msg *dialogPatienceElapsed) []pageEffect {
	if m.dialog == nil || m.dialog.number != msg.dialog || m.current == nil || m.current.number != msg.operation {
		return nil
	}
	if m.dialog.open.kind == messages.DialogBeforeUnload && m.current.navigates && m.dialog.holder == "" {
		return m.answerByRule()
	}
	m.current.dialog = m.dialog.open.shown()
	return []pageEffect{
		&cancelOperation{m.current.number, messages.NewError(messages.CodeDialogOpen, "")},
		&pageTimer{messages.CancelGrace, &operationOverdue{m.current.number}},
	}
}

// onDialogClosed notes how a dialog ended, whoever answered it.
func (m *pageMachine) onDialogClosed(msg *dialogClosed) []pageEffect {
	d := m.dialog
	if d == nil {
		return nil
	}
	m.dialog = nil
	word := dialogDismissed
	if msg.accepted {
		word = dialogAccepted
	}
	if m.current != nil {
		m.current.dialog = &messages.Dialog{Kind: d.open.kind, Answered: word}
	}
	effects := []pageEffect{&pagePublish{messages.Event{
		Kind: messages.EventDialogAnswered, BrowserID: m.browser, PageID: m.id, DialogKind: d.open.kind}}}
	return append(effects, m.next()...)
}

// onDialogAnswered notes that the rule's answer went wrong, so that it can be given
// again. The dialog is closed only by the browser's word.
func (m *pageMachine) onDialogAnswered(msg *dialogAnswered) []pageEffect {
	if m.dialog != nil && m.dialog.number == msg.number && msg.err != nil {
		m.dialog.byRule = false
	}
	return nil
}

// onDialogHoldElapsed lets the rule answer a dialog that nobody did.
func (m *pageMachine) onDialogHoldElapsed(msg *dialogHoldElapsed) []pageEffect {
	if m.dialog == nil || m.dialog.number != msg.number {
		return nil
	}
	return m.answerByRule()
}

// onHandleDialog answers the open dialog by a caller's word. The first answer
// counts.
func (m *pageMachine) onHandleDialog(c *call) []pageEffect {
	d := m.dialog
	if d == nil || d.byRule || d.answering != nil {
		return []pageEffect{&pageFail{c, messages.NewError(messages.CodeDialogMissing, "")}}
	}
	d.answering, m.answered = c, d.open.kind
	m.beside = append(m.beside, c)
	return []pageEffect{&startBeside{c}}
}

// concludeDialog completes the receipt of handle_dialog.
func (m *pageMachine) concludeDialog(c *call, receipt *messages.Receipt) {
	if m.dialog != nil && m.dialog.answering == c {
		m.dialog.answering = nil
	}
	if receipt == nil || receipt.ExecutionState != messages.Completed || receipt.Dialog != nil {
		return
	}
	word := dialogDismissed
	if command, ok := c.command.(*messages.HandleDialog); ok && command.Accept {
		word = dialogAccepted
	}
	receipt.Dialog = &messages.Dialog{Kind: m.answered, Answered: word}
}
