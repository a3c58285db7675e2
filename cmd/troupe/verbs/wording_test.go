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
		{"a popup that is shown", wording{browser: "browser:1", opened: []messages.PageSummary{{PageID: "pg_1"}, {PageID: "pg_2", Title: "Help", Presented: true, OpenerPageID: "pg_1"}}},
			&messages.Receipt{ExecutionState: messages.Completed, OpenedPages: []messages.OpenedPage{{PageID: "pg_2", OpenerPageID: "pg_1", URL: "http://x/"}}},
			"completed\nopened page 2 \"Help\", now shown: browser:1 means it; back with: troupe popup close browser:1, or --page 1"},
		{"a popup that is not shown", wording{browser: "browser:1", opened: []messages.PageSummary{{PageID: "pg_1", Presented: true}, {PageID: "pg_2", URL: "http://x/"}}},
			&messages.Receipt{ExecutionState: messages.Completed, OpenedPages: []messages.OpenedPage{{PageID: "pg_2"}}},
			"completed\nopened page 2 \"http://x/\"; use it with --page 2"},
		{"words of the tools", wording{browser: "browser:1"},
			&messages.Receipt{ExecutionState: messages.NotStarted, Code: messages.CodeElementNotSelect, Message: "Use set_value on \"set_value\", then handle_dialog."},
			"not_started: element_not_select. Use fill on \"set_value\", then dialog."},
		{"a snapshot that goes on", wording{browser: "browser:1"}, &messages.Snapshot{Mode: messages.ModeAuto, NextNodeOffset: ptr(7), Nodes: []messages.Node{{Ref: "e1", Role: "textbox", Name: "set_value", Actions: []messages.Action{"click", "set_value"}}}},
			"\"\" \"\"\ngeneration 0, auto, document_token \ne1 textbox \"set_value\" [click fill]\ntruncated; more with: troupe snapshot browser:1 --offset 7"},
	} {
		if got := row.with.describe(nil, row.reply); got != row.want {
			t.Errorf("%s: %q, want %q", row.name, got, row.want)
		}
	}
}

func ptr[T any](v T) *T { return &v }
