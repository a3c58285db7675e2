package verbs

import (
	"strings"
	"testing"

	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/tools"

	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

// Whoever is refused for a grant at the command line is told how to give it.
func TestGrantHint(t *testing.T) {
	for _, g := range messages.AllGrants() {
		if got := program.GrantHint(messages.CodeNoGrant, "cookies needs the grant "+string(g)+", which the operator has not given."); !strings.Contains(got, "--grant "+string(g)+" open") {
			t.Errorf("%s: %q", g, got)
		}
	}
	if got := program.GrantHint(messages.CodeNoGrant, "The page belongs to another caller.") + program.GrantHint(messages.CodeBusy, "the grant browser:inspect"); got != "" {
		t.Errorf("other refusals say %q", got)
	}
}

// A person reads verbs of the command line and no tool calls.
func TestWording(t *testing.T) {
	recovery := func(tool, action string) *messages.Recovery {
		return &messages.Recovery{Tool: tool, Arguments: map[string]any{"action": action, "browser_id": "br_1", "page_id": "pg_1"}}
	}
	for _, row := range []struct {
		name  string
		with  wording
		reply messages.Reply
		want  string
	}{
		{"a snapshot", wording{browser: "browser:1"}, &messages.Receipt{ExecutionState: messages.NotStarted, Recovery: recovery(tools.Observe, "snapshot")},
			"not_started\nNext: troupe snapshot browser:1"},
		{"of a named page", wording{browser: "browser:1", page: "2"}, &messages.Receipt{ExecutionState: messages.NotStarted, Recovery: recovery(tools.Observe, "snapshot")},
			"not_started\nNext: troupe snapshot browser:1 --page 2"},
		{"by its id", wording{}, &messages.Receipt{ExecutionState: messages.NotStarted, Recovery: recovery(tools.Control, "reload")},
			"not_started\nNext: troupe navigate br_1 reload"},
		{"the pages", wording{}, &messages.Receipt{ExecutionState: messages.NotStarted, Recovery: recovery(tools.Observe, "pages")},
			"not_started\nNext: troupe list"},
		{"no verb", wording{}, &messages.Receipt{ExecutionState: messages.NotStarted, Recovery: recovery(tools.Observe, "targets")}, "not_started"},
		{"a dialog", wording{browser: "browser:1"}, &messages.Receipt{ExecutionState: messages.Completed, Dialog: &messages.Dialog{Kind: messages.DialogConfirm, Message: "Answer with handle_dialog.", Open: true}},
			"completed\ndialog open: confirm \"Answer with handle_dialog.\". Answer with: troupe dialog accept|dismiss browser:1"},
		{"refused for a dialog", wording{browser: "browser:1"}, &messages.Receipt{ExecutionState: messages.NotStarted, Code: messages.CodeDialogOpen, Message: "Answer it with handle_dialog first."},
			"not_started: dialog_open. Answer it with `troupe dialog accept|dismiss browser:1` first."},
	} {
		if got := row.with.describe(nil, row.reply); got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}
