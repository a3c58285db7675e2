package page

import (
	"testing"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/machinetest"
	"github.com/troupe-browser/troupe/messages"
)

func confirmOpens() *dialogOpened {
	return &dialogOpened{dialog: &engine.OpenDialog{Kind: messages.DialogConfirm, Message: "Sure?"}, at: machinetest.Noon}
}

// Who answers a dialog: the caller that can, else the rule (R119-R121).
func TestDialogMachine_WhoAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		kind   messages.DialogKind
		config func(*kernel.Config)
		before func(*machine)
		want   string
		accept bool
	}{
		"held for the connected owner": {kind: messages.DialogConfirm, want: "publishEvent sendLater reportSummary"},
		"auto dismisses":               {kind: messages.DialogConfirm, config: func(c *kernel.Config) { c.Dialogs = kernel.DialogsAuto }, want: "publishEvent answerDialog reportSummary"},
		"auto accepts leaving":         {kind: messages.DialogBeforeUnload, config: func(c *kernel.Config) { c.Dialogs = kernel.DialogsAuto }, want: "publishEvent answerDialog reportSummary", accept: true},
		"nobody is there": {kind: messages.DialogAlert, before: func(m *machine) { m.step(&call.CallerLeft{Caller: machinetest.Agent.ID}) },
			want: "publishEvent answerDialog reportSummary"},
		"the owner came back by claiming": {kind: messages.DialogAlert, before: func(m *machine) {
			m.step(&call.CallerLeft{Caller: machinetest.Agent.ID})
			m.step(&OwnerChanged{Owner: PageOwner{Caller: machinetest.Agent.ID}, Connected: true})
		}, want: "publishEvent sendLater reportSummary"},
	} {
		t.Run(name, func(t *testing.T) {
			m := pageWith(t, c.config)
			if c.before != nil {
				c.before(m)
			}
			effects := m.step(&dialogOpened{dialog: &engine.OpenDialog{Kind: c.kind}, at: machinetest.Noon})
			machinetest.WantKinds(t, effects, c.want)
			for _, e := range effects {
				if answer, ok := e.(*answerDialog); ok && answer.accept != c.accept {
					t.Errorf("answered with %v", answer.accept)
				}
			}
		})
	}
}

// Until it is answered, effects are refused, a snapshot says what it can, and
// handle_dialog and closing work.
func TestDialogMachine_WhileOpen(t *testing.T) {
	m := pageWith(t, nil)
	publish(t, m)
	m.step(confirmOpens())
	if got := machinetest.One[*failCall](t, m.step(&Call{Call: click("e1")})).err; got.Code != messages.CodeDialogOpen || got.Recovery == nil {
		t.Errorf("a click is refused with %+v", got)
	}
	seen := machinetest.One[*finishCall](t, m.step(&Call{Call: look()})).reply.(*messages.Snapshot)
	if seen.Dialog == nil || seen.Dialog.Message != "Sure?" || seen.Generation != 1 {
		t.Errorf("snapshot is %+v", seen)
	}
	answer := machinetest.CallOf(&messages.HandleDialog{PageAddress: address, Accept: true})
	machinetest.WantKinds(t, m.step(&Call{Call: answer}), "startBeside")
	late := machinetest.CallOf(&messages.HandleDialog{PageAddress: address})
	if got := machinetest.One[*failCall](t, m.step(&Call{Call: late})).err.Code; got != messages.CodeDialogMissing {
		t.Errorf("a second answer is refused with %s", got)
	}
	machinetest.WantKinds(t, m.step(&dialogClosed{accepted: true}), "publishEvent reportSummary")
	done := machinetest.One[*finishCall](t, m.step(&besideDone{call: answer, reply: &messages.Receipt{ExecutionState: messages.Completed}}))
	if dialog := done.reply.(*messages.Receipt).Dialog; dialog == nil || dialog.Answered != dialogAccepted || dialog.Kind != messages.DialogConfirm {
		t.Errorf("receipt says %+v", dialog)
	}
	machinetest.WantKinds(t, m.step(&dialogHoldElapsed{number: 1}), "")
	begin(t, m, click("e1"))
}

// The operation that a dialog interrupts is given a moment and then ended.
func TestDialogMachine_InterruptsAnEffect(t *testing.T) {
	m := pageWith(t, nil)
	c := click("e1")
	start := begin(t, m, c)
	machinetest.WantKinds(t, m.step(confirmOpens()), "publishEvent sendLater sendLater reportSummary")
	machinetest.WantKinds(t, m.step(&dialogPatienceElapsed{operation: start.operation, dialog: 1}), "cancelOperation sendLater")
	done := machinetest.One[*finishCall](t, m.step(&OperationDone{Operation: start.operation, reply: &messages.Receipt{ExecutionState: messages.Completed}}))
	if dialog := done.reply.(*messages.Receipt).Dialog; dialog == nil || !dialog.Open {
		t.Errorf("receipt says %+v", dialog)
	}
}

func TestDialogMachine_InterruptsAnObservation(t *testing.T) {
	m := pageWith(t, nil)
	begin(t, m, look())
	effects := m.step(confirmOpens())
	machinetest.WantKinds(t, effects, "publishEvent sendLater cancelOperation finishCall reportSummary")
}

// A dialog is held for whoever's call raised it, and answered when that one leaves.
func TestDialogMachine_HolderLeaves(t *testing.T) {
	m := pageWith(t, nil)
	c := click("e1")
	c.Caller = machinetest.Operator
	begin(t, m, c)
	m.step(confirmOpens())
	machinetest.WantEffects(t, m.step(&call.CallerLeft{Caller: machinetest.Agent.ID})) // another caller's leaving
	if answer := machinetest.One[*answerDialog](t, m.step(&call.CallerLeft{Caller: machinetest.Operator.ID})); answer.accept {
		t.Error("a confirm was accepted by the rule")
	}
}

// A caller that has gone holds no dialog, although the end of its call is not known yet.
func TestDialogMachine_HolderHasLeft(t *testing.T) {
	m := pageWith(t, nil)
	begin(t, m, click("e1"))
	machinetest.WantEffects(t, m.step(&call.CallerLeft{Caller: machinetest.Agent.ID}))
	machinetest.One[*answerDialog](t, m.step(confirmOpens()))
}

func TestDialogMachine_HoldElapses(t *testing.T) {
	m := pageWith(t, nil)
	m.step(confirmOpens())
	machinetest.WantEffects(t, m.step(&dialogHoldElapsed{number: 1}), Effect(&answerDialog{number: 1}))
	machinetest.WantEffects(t, m.step(&dialogHoldElapsed{number: 1}))
	m.step(&dialogAnswered{number: 1, err: messages.NewError(messages.CodeCDPError, "")})
	machinetest.WantEffects(t, m.step(&dialogHoldElapsed{number: 1}), Effect(&answerDialog{number: 1}))
}

// Leaving by the caller's own navigation is left to its runner, and helped if that
// does not answer.
func TestDialogMachine_BeforeUnloadOfOwnNavigation(t *testing.T) {
	m := pageWith(t, nil)
	start := begin(t, m, machinetest.CallOf(&messages.Reload{PageAddress: address}))
	machinetest.WantKinds(t, m.step(&dialogOpened{dialog: &engine.OpenDialog{Kind: messages.DialogBeforeUnload}, at: machinetest.Noon}), "publishEvent sendLater reportSummary")
	machinetest.WantEffects(t, m.step(&dialogPatienceElapsed{operation: start.operation, dialog: 1}), Effect(&answerDialog{number: 1, accept: true}))
}

// While a dialog is open, whatever needs the page's renderer is refused at once, and the
// step that is proposed is one that changes nothing; what the browser answers goes on.
func TestDialogMachine_RefusesWhatNeedsTheRenderer(t *testing.T) {
	for name, row := range map[string]struct {
		command messages.Command
		refused bool
	}{
		"effect":         {&messages.Reload{PageAddress: address}, true},
		"script":         {&messages.Evaluate{PageAddress: address, Script: "1"}, true},
		"picture":        {&messages.TakeScreenshot{PageAddress: address}, true},
		"storage":        {&messages.GetStorage{PageAddress: address, Area: messages.AreaLocal}, true},
		"text":           {&messages.ReadField{PageAddress: address, Field: "text"}, true},
		"html":           {&messages.ReadField{PageAddress: address, Field: "html"}, true},
		"address":        {&messages.ReadField{PageAddress: address, Field: "url"}, false},
		"cookies":        {&messages.GetCookies{PageAddress: address}, false},
		"blind snapshot": {&messages.TakeSnapshot{PageAddress: address}, false},
	} {
		t.Run(name, func(t *testing.T) {
			m := pageWith(t, nil)
			m.step(confirmOpens())
			effects := m.step(&Call{Call: machinetest.CallOf(row.command)})
			var refusal *messages.Error
			for _, e := range effects {
				if fail, ok := e.(*failCall); ok {
					refusal = fail.err
				}
			}
			if (refusal != nil) != row.refused {
				t.Fatalf("answered with %v", refusal)
			}
			if refusal != nil && (refusal.Code != messages.CodeDialogOpen || refusal.Recovery == nil || refusal.Recovery.Tool != "observe_browser") {
				t.Errorf("refused with %+v, %+v", refusal, refusal.Recovery)
			}
		})
	}
}
