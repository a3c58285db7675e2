package page

import (
	"context"
	"errors"
	"runtime/debug"
	"time"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/effect"
	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// startBeside runs a command beside the queue. It is bounded by its own time and
// by what the connection bounds.
func (p *page) startBeside(c *call.Call) {
	if !c.Ticket.Start() {
		p.env.Send(p.self, &besideDone{call: c})
		return
	}
	env, self := p.env, p.self
	b := &besideRunner{page: p.target(), link: p.link, diagnostics: p.diagnostics, progress: &call.Progress{Env: env, Call: c, Browser: p.spec.Browser}, command: c.Command,
		witness: witnessSince(env, p.spec, time.Now()), autoDialogs: env.Config.Dialogs == kernel.DialogsAuto}
	env.Runners.Go(func() {
		ctx, cancel := context.WithTimeout(c.Context, messages.TimeLimit(c.Command))
		defer cancel()
		done := b.run(ctx, c)
		tellInOrder(b.page.Session, func() { env.Send(self, done) })
	})
}

// besideRunner carries out one command beside the queue.
type besideRunner struct {
	page     target.Page
	link     *engine.Link
	progress target.Progress
	command  messages.Command
	// witness and autoDialogs are those of an effect (effect.Env).
	witness     func(context.Context) effect.Witnessed
	autoDialogs bool

	diagnostics *diagnosticsHub
}

func (b *besideRunner) run(ctx context.Context, c *call.Call) (done *besideDone) {
	done = &besideDone{call: c}
	defer func() {
		if value := recover(); value != nil {
			done.fault = &kernel.Fault{Value: value, Stack: debug.Stack()}
		}
	}()
	switch command := b.command.(type) {
	case *messages.HandleDialog:
		done.reply = b.answerAndFollow(ctx, c, command)
	case *messages.ClosePage:
		done.reply = b.closeTarget(ctx)
	case *messages.Present:
		done.reply = b.closeTarget(ctx)
	case *messages.Unstick:
		done.reply = b.unstick(ctx, command)
	default:
		o := observer{page: b.page, link: b.link, diagnostics: b.diagnostics, caller: c.Caller}
		done.reply, done.err = o.observe(ctx, command)
	}
	return done
}

// effect runs one protocol call that is a whole effect, and makes its receipt.
func (b *besideRunner) effect(ctx context.Context, s *cdp.Session, method string, params any) *messages.Receipt {
	single := call.Single{Progress: b.progress, Whole: true}
	err := single.Do(ctx, func(live func() bool) error { return s.SendIf(ctx, live, method, params).Wait(nil) })
	if err != nil {
		return messages.Refusal("", err)
	}
	return &messages.Receipt{ExecutionState: messages.Completed}
}

// answerAndFollow answers the open dialog and follows what the script does that the
// dialog held: its next dialog often opens at once.
func (b *besideRunner) answerAndFollow(ctx context.Context, c *call.Call, command *messages.HandleDialog) *messages.Receipt {
	env := effect.Env{Page: b.page, Progress: b.progress, Operation: c.Operation, Witness: b.witness, AutoDialogs: b.autoDialogs}
	open := b.link.Dialog.Load()
	unload := command.Accept && open != nil && open.Kind == messages.DialogBeforeUnload
	receipt := effect.Follow(ctx, env, unload, func() *messages.Receipt {
		receipt := b.handleDialog(ctx, command)
		if receipt.ExecutionState == messages.Completed && receipt.Dialog == nil && open != nil {
			receipt.Dialog = &messages.Dialog{Kind: open.Kind, Answered: answerWord(command.Accept)}
		}
		return receipt
	})
	if d := receipt.Dialog; d != nil && d.Open && receipt.ExecutionState == messages.Completed && receipt.Message == "" {
		receipt.Message = "It was answered, and the page opened another dialog."
	}
	return receipt
}

// handleDialog answers the open dialog. The browser refuses when there is none any
// more, and then nothing was answered, or when its document is being left, and then
// it can only be dismissed. An alert has one answer, whatever the caller called it.
func (b *besideRunner) handleDialog(ctx context.Context, command *messages.HandleDialog) *messages.Receipt {
	params := map[string]any{"accept": command.Accept}
	if command.PromptText != "" {
		params["promptText"] = command.PromptText
	}
	left := watchDialog(b.link)
	defer left.stop()
	receipt := b.effect(ctx, b.page.Session, "Page.handleJavaScriptDialog", params)
	receipt.NeedsSnapshot = receipt.ExecutionState != messages.NotStarted
	switch {
	case receipt.Code != messages.CodeCDPError:
		return receipt
	case !left.stands(ctx):
		return messages.Refusal("", messages.NewError(messages.CodeDialogMissing, ""))
	case command.Accept && left.open.Kind != messages.DialogAlert:
		return messages.Refusal("", messages.NewError(messages.CodeDialogOpen,
			"The page is leaving the document that asks, and the browser can only dismiss its dialog now. Call handle_dialog with accept false."))
	}
	return left.dismiss(ctx, b)
}

// closeTarget closes the page. The browser process does it, so it works while the
// page hangs or shows a dialog.
func (b *besideRunner) closeTarget(ctx context.Context) *messages.Receipt {
	return b.effect(ctx, b.page.Browser, "Target.closeTarget", map[string]any{"targetId": b.page.Target})
}

// unstick takes one rung of the ladder for a hung page.
func (b *besideRunner) unstick(ctx context.Context, command *messages.Unstick) *messages.Receipt {
	switch command.Step {
	case messages.UnstickTerminate:
		return b.effect(ctx, b.page.Session, "Runtime.terminateExecution", nil)
	case messages.UnstickClose:
		return b.closeTarget(ctx)
	case messages.UnstickKill:
		return b.crash(ctx)
	case messages.UnstickTree:
		return b.effect(ctx, b.page.Browser, "Browser.crash", nil)
	}
	return messages.Refusal("", messages.NewError(messages.CodeInvalidRequest, ""))
}

// crash ends the page's renderer. The command is never answered: the crash is.
func (b *besideRunner) crash(ctx context.Context) *messages.Receipt {
	// Not whole: a document that is replaced meanwhile takes the command along.
	single := call.Single{Progress: b.progress}
	err := single.Do(ctx, func(live func() bool) error {
		err := b.page.Session.SendIf(ctx, live, "Page.crash", nil).Wait(nil)
		var failed *cdp.CallError
		if errors.As(err, &failed) && failed.Kind == cdp.KindCrashed {
			return nil
		}
		return err
	})
	if err != nil {
		return messages.Refusal("", err)
	}
	return &messages.Receipt{ExecutionState: messages.Completed, NeedsSnapshot: true}
}
