package effect

import (
	"context"
	"time"

	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// Run carries out one admitted effect and returns its receipt, never nil. It
// returns within the time of the command's class (C25), which ctx can shorten, and
// within messages.CancelGrace after ctx ends. Serves R30, R69-R98 and R112-R116.
//
// The commands are those of one page: click, hover, focus, scroll, drag, input_text,
// set_value, select_option, select_choice, set_date, upload_file, key, batch,
// navigate, reload, back, forward, stop and set_viewport. Any other is refused.
func Run(ctx context.Context, env Env, command messages.Effect) *messages.Receipt {
	limit := timeOf(command)
	bound, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	j := &job{env: env, caller: ctx, ctx: bound}
	j.watch = newWatch(&j.env.Page, env.AutoDialogs)
	defer j.watch.stop()
	if env.Page.Main.Context == "" && needsWorld(command) {
		err := messages.NewError(messages.CodeSnapshotStale, "The page has no document that can be acted on yet. Take a snapshot.")
		return j.report(refused(err))
	}
	if c, ok := command.(*messages.Batch); ok {
		return j.batch(c)
	}
	return j.report(j.conclude(j.one(command)))
}

// timeOf is the time in which the effect itself has to end; the receipt's own
// waiting comes after it.
func timeOf(command messages.Effect) time.Duration {
	switch limit := messages.TimeLimit(command); limit {
	case messages.EffectTimeout, messages.NavigateTimeout:
		return limit - reserveOf(command)
	case messages.BatchTimeout:
		return limit - messages.SettleBudget
	default:
		return limit
	}
}

// reserveOf is the part of an effect's time that is kept for saying how it ended. A
// procedure in the page bounds itself, and gets more of it.
func reserveOf(command messages.Effect) time.Duration {
	switch command.(type) {
	case *messages.SelectChoice, *messages.SetDate:
		return reportReserve / 2
	}
	return reportReserve
}

// needsWorld reports whether the command acts inside the document.
func needsWorld(command messages.Effect) bool {
	switch command.(type) {
	case messages.ElementEffect, *messages.Batch:
		return true
	}
	return false
}

// one carries out one command that is no batch.
func (j *job) one(command messages.Effect) outcome {
	switch c := command.(type) {
	case *messages.Navigate:
		return j.navigate(c)
	case *messages.Reload:
		return j.reload()
	case *messages.Back:
		return j.history(-1)
	case *messages.Forward:
		return j.history(+1)
	case *messages.Stop:
		return j.stopLoading()
	case *messages.SetViewport:
		return j.setViewport(c)
	case messages.ElementEffect:
		return j.onElement(c)
	}
	return refused(messages.NewError(messages.CodeNotSupported, "%s is not an effect on a page.", command.Action()))
}

// onElement looks the element up and carries the effect out.
func (j *job) onElement(command messages.ElementEffect) outcome {
	var r *snapshot.Record
	if handle := command.Target(); handle != "" {
		act := command.Action()
		if act == "key" || act == "focus" {
			act = "" // any element that admits something takes the focus and keys (R80)
		}
		found, err := j.env.Resolve(handle, act)
		if err != nil && act == "set_date" {
			// A native date input takes it as a value (R93); anything else stays refused.
			if native, _ := j.env.Resolve(handle, "set_value"); native != nil && nativeDate[native.InputType] {
				found, err = native, nil
			}
		}
		if err != nil {
			return refused(err)
		}
		r = found
	}
	switch c := command.(type) {
	case *messages.Click:
		return j.click(c, r)
	case *messages.Hover:
		return j.hover(r)
	case *messages.Focus:
		return j.takeFocus(r)
	case *messages.Scroll:
		return j.scroll(c, r)
	case *messages.Drag:
		return j.drag(c, r)
	case *messages.InputText:
		return j.inputText(c, r)
	case *messages.SetValue:
		return j.setValue(c, r)
	case *messages.SelectOption:
		return j.selectOption(c, r)
	case *messages.SelectChoice:
		return j.selectChoice(c, r)
	case *messages.SetDate:
		return j.setDate(c, r)
	case *messages.UploadFile:
		return j.upload(c, r)
	case *messages.PressKey:
		return j.key(c, r)
	}
	return refused(messages.NewError(messages.CodeNotSupported, "%s is not an effect on an element.", command.Action()))
}
