package actors

import (
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

func confirmOpens() *dialogOpened {
	return &dialogOpened{dialog: &openDialog{kind: messages.DialogConfirm, message: "Sure?"}, at: noon}
}

// Who answers a dialog: the caller that can, else the rule (R119-R121).
func TestDialogMachine_WhoAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		kind   messages.DialogKind
		config func(*Config)
		before func(*pageMachine)
		want   string
		accept bool
	}{
		"held for the connected owner": {kind: messages.DialogConfirm, want: "pagePublish pageTimer reportSummary"},
		"auto dismisses":               {kind: messages.DialogConfirm, config: func(c *Config) { c.Dialogs = DialogsAuto }, want: "pagePublish answerDialog reportSummary"},
		"auto accepts leaving":         {kind: messages.DialogBeforeUnload, config: func(c *Config) { c.Dialogs = DialogsAuto }, want: "pagePublish answerDialog reportSummary", accept: true},
		"nobody is there": {kind: messages.DialogAlert, before: func(m *pageMachine) { m.step(&callerLeft{caller: agent.ID}) },
			want: "pagePublish answerDialog reportSummary"},
		"the owner came back by claiming": {kind: messages.DialogAlert, before: func(m *pageMachine) {
			m.step(&callerLeft{caller: agent.ID})
			m.step(&ownerChanged{owner: pageOwner{caller: agent.ID}, connected: true})
		}, want: "pagePublish pageTimer reportSummary"},
	} {
		t.Run(name, func(t *testing.T) {
			m := pageWith(t, c.config)
			if c.before != nil {
				c.before(m)
			}
			effects := m.step(&dialogOpened{dialog: &openDialog{kind: c.kind}, at: noon})
			wantKinds(t, effects, c.want)
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
	if got := one[*pageFail](t, m.step(&pageCall{call: click("e1"), at: noon})).err; got.Code != messages.CodeDialogOpen || got.Recovery == nil {
		t.Errorf("a click is refused with %+v", got)
	}
	seen := one[*pageFinish](t, m.step(&pageCall{call: look(), at: noon})).reply.(*messages.Snapshot)
	if seen.Dialog == nil || seen.Dialog.Message != "Sure?" || seen.Generation != 1 {
		t.Errorf("snapshot is %+v", seen)
	}
	answer := callOf(&messages.HandleDialog{PageAddress: address, Accept: true})
	wantKinds(t, m.step(&pageCall{call: answer, at: noon}), "startBeside")
	late := callOf(&messages.HandleDialog{PageAddress: address})
	if got := one[*pageFail](t, m.step(&pageCall{call: late, at: noon})).err.Code; got != messages.CodeDialogMissing {
		t.Errorf("a second answer is refused with %s", got)
	}
	wantKinds(t, m.step(&dialogClosed{accepted: true}), "pagePublish reportSummary")
	done := one[*pageFinish](t, m.step(&besideDone{call: answer, reply: &messages.Receipt{ExecutionState: messages.Completed}}))
	if dialog := done.reply.(*messages.Receipt).Dialog; dialog == nil || dialog.Answered != dialogAccepted || dialog.Kind != messages.DialogConfirm {
		t.Errorf("receipt says %+v", dialog)
	}
	wantKinds(t, m.step(&dialogHoldElapsed{number: 1}), "")
	begin(t, m, click("e1"))
}

// The operation that a dialog interrupts is given a moment and then ended.
func TestDialogMachine_InterruptsAnEffect(t *testing.T) {
	m := pageWith(t, nil)
	c := click("e1")
	start := begin(t, m, c)
	wantKinds(t, m.step(confirmOpens()), "pagePublish pageTimer pageTimer reportSummary")
	wantKinds(t, m.step(&dialogPatienceElapsed{operation: start.operation, dialog: 1}), "cancelOperation pageTimer")
	done := one[*pageFinish](t, m.step(&operationDone{operation: start.operation, reply: &messages.Receipt{ExecutionState: messages.Completed}}))
	if dialog := done.reply.(*messages.Receipt).Dialog; dialog == nil || !dialog.Open {
		t.Errorf("receipt says %+v", dialog)
	}
}

func TestDialogMachine_InterruptsAnObservation(t *testing.T) {
	m := pageWith(t, nil)
	begin(t, m, look())
	effects := m.step(confirmOpens())
	wantKinds(t, effects, "pagePublish pageTimer cancelOperation pageFinish reportSummary")
}

// A dialog is held for whoever's call raised it, and answered when that one leaves.
func TestDialogMachine_HolderLeaves(t *testing.T) {
	m := pageWith(t, nil)
	c := click("e1")
	c.caller = operator
	begin(t, m, c)
	m.step(confirmOpens())
	if got := kinds(m.step(&callerLeft{caller: agent.ID})); got != "" {
		t.Errorf("another caller's leaving gives %s", got)
	}
	if answer := one[*answerDialog](t, m.step(&callerLeft{caller: operator.ID})); answer.accept {
		t.Error("a confirm was accepted by the rule")
	}
}

// A caller that has gone holds no dialog, although the end of its call is not known yet.
func TestDialogMachine_HolderHasLeft(t *testing.T) {
	m := pageWith(t, nil)
	begin(t, m, click("e1"))
	wantEffects(t, m.step(&callerLeft{caller: agent.ID}))
	one[*answerDialog](t, m.step(confirmOpens()))
}

func TestDialogMachine_HoldElapses(t *testing.T) {
	m := pageWith(t, nil)
	m.step(confirmOpens())
	wantEffects(t, m.step(&dialogHoldElapsed{number: 1}), pageEffect(&answerDialog{number: 1}))
	wantEffects(t, m.step(&dialogHoldElapsed{number: 1}))
	m.step(&dialogAnswered{number: 1, err: messages.NewError(messages.CodeCDPError, "")})
	wantEffects(t, m.step(&dialogHoldElapsed{number: 1}), pageEffect(&answerDialog{number: 1}))
}

// Leaving by the caller's own navigation is left to its runner, and helped if that
// does not answer.
func TestDialogMachine_BeforeUnloadOfOwnNavigation(t *testing.T) {
	m := pageWith(t, nil)
	start := begin(t, m, callOf(&messages.Reload{PageAddress: address}))
	wantKinds(t, m.step(&dialogOpened{dialog: &openDialog{kind: messages.DialogBeforeUnload}, at: noon}), "pagePublish pageTimer reportSummary")
	wantEffects(t, m.step(&dialogPatienceElapsed{operation: start.operation, dialog: 1}), pageEffect(&answerDialog{number: 1, accept: true}))
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
			effects := m.step(&pageCall{call: callOf(row.command), at: noon})
			var refusal *messages.Error
			for _, e := range effects {
				if fail, ok := e.(*pageFail); ok {
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
