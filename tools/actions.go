package tools

import (
	"slices"

	"github.com/troupe-browser/troupe/messages"
)

// The names of the tools.
const (
	Observe = "observe_browser"
	Control = "control_browser"
	Inspect = "inspect_browser"
)

// kind is the JSON form of an argument.
type kind int

const (
	kindString kind = iota
	kindInteger
	kindBoolean
	kindStrings
	kindQuery
	kindOperations
)

// argument is one argument of a tool. It means the same for every action that takes it.
type argument struct {
	name string
	kind kind
	// values closes a string, or the members of a list of strings; nil leaves it open.
	values []string
	// says is the description in the schema, kept short since every model pays for it; empty where the name is enough.
	says string
}

// action is one action of a tool: the arguments that it needs and those that it may have.
type action struct {
	name     messages.Action
	required []string
	optional []string
}

// takes reports whether the action has an argument of that name.
func (a *action) takes(name string) bool {
	return slices.Contains(a.required, name) || slices.Contains(a.optional, name)
}

// tool is one tool: its actions in the order in which a model reads them, and its arguments.
type tool struct {
	name      string
	about     string // first lines of the description
	actions   []action
	arguments []argument
}

func (t *tool) action(name string) *action {
	for i := range t.actions {
		if string(t.actions[i].name) == name {
			return &t.actions[i]
		}
	}
	return nil
}

func (t *tool) argument(name string) *argument {
	for i := range t.arguments {
		if t.arguments[i].name == name {
			return &t.arguments[i]
		}
	}
	return nil
}

func toolNamed(name string) *tool {
	for _, t := range allTools {
		if t.name == name {
			return t
		}
	}
	return nil
}

var allTools = []*tool{&observeTool, &controlTool, &inspectTool}

var (
	ofBrowser = []string{"browser_id"}
	ofPage    = []string{"browser_id", "page_id"}
)

func page(more ...string) []string { return append(slices.Clone(ofPage), more...) }

// browserArgument and pageArgument stand first in every tool.
var (
	browserArgument = argument{name: "browser_id"}
	pageArgument    = argument{name: "page_id"}
)

var observeTool = tool{
	name: Observe,
	about: "Look at the browsers and pages; changes nothing. Start with targets, browsers or pages. " +
		"A snapshot lists what is on a page: nodes with actions have an element_id and a short ref for control_browser, " +
		"good until the next snapshot or navigation.",
	actions: []action{
		{"targets", nil, nil},
		{"discover", nil, nil},
		{"browsers", nil, nil},
		{"pages", ofBrowser, nil},
		{"snapshot", ofPage, []string{"mode", "projection", "query", "node_offset", "max_nodes", "max_depth"}},
		{"screenshot", ofPage, []string{"element_id", "full_page"}},
		{"wait", ofPage, []string{"load_state", "text", "text_gone", "url_contains", "timeout_ms"}},
		{"console", ofPage, []string{"since_cursor", "level", "text", "limit"}},
		{"network", ofPage, []string{"since_cursor", "text", "status", "method", "limit"}},
		{"diagnostics", ofPage, []string{"since_cursor", "level", "text", "status", "method", "limit"}},
		{"downloads", ofBrowser, []string{"wait_ms"}},
		{"surface", ofBrowser, nil},
	},
	arguments: []argument{
		browserArgument, pageArgument,
		{name: "mode", values: []string{"auto", "full", "interactive"}},
		{name: "projection", values: []string{"semantic", "tree", "flat"}},
		{name: "query", kind: kindQuery, says: "Return matching nodes only: plain substrings; role is the whole word."},
		{name: "node_offset", kind: kindInteger, says: "Go on at next_node_offset."},
		{name: "max_nodes", kind: kindInteger},
		{name: "max_depth", kind: kindInteger},
		{name: "element_id", says: "Element id or ref."},
		{name: "full_page", kind: kindBoolean},
		{name: "load_state", values: []string{"loading", "complete"}, says: "wait: exactly one of load_state, text, text_gone, url_contains."},
		{name: "text", says: "Substring."},
		{name: "text_gone"},
		{name: "url_contains"},
		{name: "timeout_ms", kind: kindInteger},
		{name: "since_cursor", kind: kindInteger},
		{name: "level", values: []string{"error", "warning", "info"}},
		{name: "status", says: "404 or 4xx"},
		{name: "method"},
		{name: "limit", kind: kindInteger},
		{name: "wait_ms", kind: kindInteger, says: "Wait for running downloads."},
	},
}

// effectOptions may go with every effect; onPage with every effect on a page besides.
var (
	effectOptions = []string{"operation_id"}
	onPage        = []string{"document_token", "operation_id"}
)

func with(options []string, more ...string) []string { return append(slices.Clone(more), options...) }

var controlTool = tool{
	name: Control,
	about: "Act on a browser. Every answer says execution_state: completed, not_started (nothing happened; plan anew) or " +
		"outcome_unknown (may have happened: observe first, never repeat). value_matches false means that the page rewrote the value. " +
		"After dialog.open answer with handle_dialog.",
	actions: []action{
		{"launch", nil, with(effectOptions, "mode", "profile")},
		{"attach", []string{"attachment_id"}, effectOptions},
		{"new_page", ofBrowser, with(effectOptions, "url", "temporary")},
		{"navigate", page("url"), onPage},
		{"reload", ofPage, onPage},
		{"back", ofPage, onPage},
		{"forward", ofPage, onPage},
		{"stop", ofPage, onPage},
		{"click", page("element_id"), with(onPage, "count", "button", "modifiers")},
		{"hover", page("element_id"), onPage},
		{"scroll", page("direction"), with(onPage, "element_id", "amount")},
		{"drag", page("element_id", "target_element_id"), onPage},
		{"input_text", page("element_id", "text"), with(onPage, "submit")},
		{"set_value", page("element_id", "value"), onPage},
		{"select_option", page("element_id", "option"), onPage},
		{"select_choice", page("element_id", "choice_path"), onPage},
		{"set_date", page("element_id", "value"), onPage},
		{"upload_file", page("element_id", "path"), with(onPage, "root")},
		{"key", page("key"), with(onPage, "element_id", "modifiers")},
		{"batch", page("operations"), onPage},
		{"handle_dialog", page("accept"), with(onPage, "prompt_text")},
		{"set_viewport", page("width", "height"), onPage},
		{"clear_diagnostics", ofPage, onPage},
		{"close_page", ofPage, onPage},
		{"close_browser", ofBrowser, effectOptions},
	},
	arguments: []argument{
		browserArgument, pageArgument,
		{name: "element_id", says: "Element id or ref (e12) of the last snapshot."},
		{name: "document_token", says: "Of the snapshot planned on."},
		{name: "operation_id", says: "Yours, used once; minted if absent."},
		{name: "mode", values: []string{"ephemeral", "managed"}},
		{name: "profile", says: "Name, with mode managed."},
		{name: "attachment_id"},
		{name: "url", says: "Absolute http(s) URL."},
		{name: "temporary", kind: kindBoolean, says: "Own cookies, gone with the page."},
		{name: "count", kind: kindInteger},
		{name: "button", values: []string{"left", "middle", "right"}},
		{name: "modifiers", kind: kindStrings, values: []string{"alt", "ctrl", "meta", "shift"}},
		{name: "direction", values: []string{"up", "down", "left", "right"}},
		{name: "amount", kind: kindInteger, says: "CSS pixels."},
		{name: "target_element_id"},
		{name: "text", says: "Typed at the caret."},
		{name: "submit", kind: kindBoolean, says: "Enter after it."},
		{name: "value", says: "Exact new value, empty clears. set_date: YYYY-MM-DD or YYYY-MM."},
		{name: "option", says: "Exact value or label of a native select."},
		{name: "choice_path", kind: kindStrings, says: "1-4 exact labels, outer first, of a custom select or cascader."},
		{name: "path", says: "Relative to the upload root."},
		{name: "root"},
		{name: "key", says: "Enter, Tab, Escape, Backspace, Delete, ArrowUp|Down|Left|Right, Home, End, PageUp, PageDown, Space; a letter or digit; ctrl+a and other editing chords; not what the browser takes (ctrl+t, F5)."},
		{name: "operations", kind: kindOperations, says: "1-32 of click, input_text, set_value, select_option, select_choice, set_date, upload_file on one snapshot, each {action, element_id, ...}. Stops at the first not completed."},
		{name: "accept", kind: kindBoolean},
		{name: "prompt_text"},
		{name: "width", kind: kindInteger},
		{name: "height", kind: kindInteger},
	},
}

var inspectTool = tool{
	name:  Inspect,
	about: "Read a request's headers and body, cookies and web storage. Values are not redacted.",
	actions: []action{
		{"network_request", page("request_id"), []string{"body"}},
		{"cookies", ofPage, []string{"all"}},
		{"storage", page("area"), []string{"key"}},
	},
	arguments: []argument{
		browserArgument, pageArgument,
		{name: "request_id"},
		{name: "body", kind: kindBoolean},
		{name: "all", kind: kindBoolean, says: "Of the whole browser context."},
		{name: "area", values: []string{"local", "session"}},
		{name: "key"},
	},
}

// batchActions are the actions of a batch's operations. An operation has no page, token or operation id of its own (R82).
var batchActions = func() []action {
	var out []action
	for _, name := range messages.BatchActions() {
		whole := controlTool.action(string(name))
		own := action{name: name}
		for _, required := range whole.required {
			if !slices.Contains(ofPage, required) {
				own.required = append(own.required, required)
			}
		}
		for _, optional := range whole.optional {
			if !slices.Contains(onPage, optional) {
				own.optional = append(own.optional, optional)
			}
		}
		out = append(out, own)
	}
	return out
}()

func batchAction(name string) *action {
	for i := range batchActions {
		if string(batchActions[i].name) == name {
			return &batchActions[i]
		}
	}
	return nil
}
