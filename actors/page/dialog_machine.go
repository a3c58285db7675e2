package page

import (
	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/messages"
)

// heldDialog is the dialog that is open on the page.
type heldDialog struct {
	number uint64
	open   *engine.OpenDialog
	// holder is the caller who may answer it; empty when the rule answers it.
	holder messages.CallerID
	// answering is the handle_dialog that is under way, byRule that the rule's
	// answer is.
	answering *call.Call
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
func (m *machine) onDialogOpened(msg *dialogOpened) []Effect {
	m.dialogs++
	m.dialog = &heldDialog{number: m.dialogs, open: msg.dialog}
	effects := []Effect{&publishEvent{messages.Event{
		Kind: messages.EventDialogOpened, BrowserID: m.browser, PageID: m.id, At: msg.at, DialogKind: msg.dialog.Kind}}}
	unload := msg.dialog.Kind == messages.DialogBeforeUnload
	if unload && m.current != nil && m.current.navigates {
		// The navigation's own runner accepts it at once; this is for a runner that
		// does not.
		return append(effects, m.patience())
	}
	m.dialog.holder = m.holder()
	if m.policy.dialogs == kernel.DialogsAuto || m.dialog.holder == "" {
		return append(effects, m.answerByRule()...)
	}
	effects = append(effects, &sendLater{dialogHold, &dialogHoldElapsed{m.dialog.number}})
	if m.current == nil {
		return append(effects, m.next()...) // what waits is answered and not run
	}
	if _, isEffect := m.current.command.(messages.Effect); !isEffect {
		return append(effects, m.endObservation()...)
	}
	m.current.dialog = m.dialog.open.Shown()
	return append(effects, m.patience())
}

// endObservation answers the observation in flight: the page answers nothing while
// the dialog is open.
func (m *machine) endObservation() []Effect {
	o := m.current
	m.current = nil
	effects := []Effect{&cancelOperation{o.number, messages.NewError(messages.CodeDialogOpen, "")}}
	if blind := m.blindSnapshot(o.call.Caller.ID, o.command); blind != nil {
		effects = append(effects, &finishCall{call: o.call, reply: blind})
	} else {
		effects = append(effects, &finishCall{call: o.call, err: m.dialogRefusal()})
	}
	return append(effects, m.next()...)
}

func (m *machine) patience() Effect {
	var number uint64
	if m.current != nil {
		number = m.current.number
	}
	return &sendLater{kernel.DialogPatience, &dialogPatienceElapsed{operation: number, dialog: m.dialog.number}}
}

// holder is the connected caller who can answer a dialog: whoever's call is in
// flight, else the page's owner.
func (m *machine) holder() messages.CallerID {
	if m.current != nil && !m.current.left {
		return m.current.call.Caller.ID
	}
	if m.ownerConnected {
		return m.owner
	}
	return ""
}

// answerByRule answers as nobody's word but R119's: leaving is accepted, since it was
// asked for, and everything else dismissed.
func (m *machine) answerByRule() []Effect {
	d := m.dialog
	if d == nil || d.byRule || d.answering != nil {
		return nil
	}
	d.byRule = true
	return []Effect{&answerDialog{d.number, d.open.Kind == messages.DialogBeforeUnload}}
}

// onDialogPatience ends the operation that the dialog interrupts, if it has not
// ended by itself. A navigation whose beforeunload still stands is helped first.
func (m *machine) onDialogPatience(msg *dialogPatienceElapsed) []Effect {
	if m.dialog == nil || m.dialog.number != msg.dialog || m.current == nil || m.current.number != msg.operation {
		return nil
	}
	if m.dialog.open.Kind == messages.DialogBeforeUnload && m.current.navigates && m.dialog.holder == "" {
		return m.answerByRule()
	}
	m.current.dialog = m.dialog.open.Shown()
	return []Effect{
		&cancelOperation{m.current.number, messages.NewError(messages.CodeDialogOpen, "")},
		&sendLater{messages.CancelGrace, &operationOverdue{m.current.number}},
	}
}

// onDialogClosed notes how a dialog ended, whoever answered it.
func (m *machine) onDialogClosed(msg *dialogClosed) []Effect {
	d := m.dialog
	if d == nil {
		return nil
	}
	m.dialog = nil
	if m.current != nil {
		m.current.dialog = &messages.Dialog{Kind: d.open.Kind, Answered: answerWord(msg.accepted)}
	}
	effects := []Effect{&publishEvent{messages.Event{
		Kind: messages.EventDialogAnswered, BrowserID: m.browser, PageID: m.id, DialogKind: d.open.Kind}}}
	return append(effects, m.next()...)
}

// onDialogAnswered notes that the rule's answer went wrong, so that it can be given
// again. The dialog is closed only by the browser's word.
func (m *machine) onDialogAnswered(msg *dialogAnswered) []Effect {
	if m.dialog != nil && m.dialog.number == msg.number && msg.err != nil {
		m.dialog.byRule = false
	}
	return nil
}

// onDialogHoldElapsed lets the rule answer a dialog that nobody did.
func (m *machine) onDialogHoldElapsed(msg *dialogHoldElapsed) []Effect {
	if m.dialog == nil || m.dialog.number != msg.number {
		return nil
	}
	return m.answerByRule()
}

// onHandleDialog answers the open dialog by a caller's word. The first answer
// counts.
func (m *machine) onHandleDialog(c *call.Call) []Effect {
	d := m.dialog
	if d == nil || d.byRule || d.answering != nil {
		return []Effect{&failCall{c, messages.NewError(messages.CodeDialogMissing, "")}}
	}
	d.answering, m.answered = c, d.open.Kind
	m.beside = append(m.beside, c)
	return []Effect{&startBeside{c}}
}

// concludeDialog completes the receipt of handle_dialog.
func (m *machine) concludeDialog(c *call.Call, receipt *messages.Receipt) {
	if m.dialog != nil && m.dialog.answering == c {
		m.dialog.answering = nil
	}
	if receipt == nil || receipt.ExecutionState != messages.Completed || receipt.Dialog != nil {
		return
	}
	command, ok := c.Command.(*messages.HandleDialog)
	receipt.Dialog = &messages.Dialog{Kind: m.answered, Answered: answerWord(ok && command.Accept)}
}

// answerWord says how a dialog was answered.
func answerWord(accepted bool) string {
	if accepted {
		return dialogAccepted
	}
	return dialogDismissed
}
