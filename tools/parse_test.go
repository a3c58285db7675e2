package tools

import (
	"context"
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

// accepted has one call of every action with every argument that it takes, and the command that it must become.
var accepted = []struct {
	tool, arguments string
	want            messages.Command
}{
	{Observe, `{"action":"targets"}`, &messages.GetTargets{}},
	{Observe, `{"action":"discover"}`, &messages.DiscoverOffers{}},
	{Observe, `{"action":"browsers"}`, &messages.ListBrowsers{}},
	{Observe, `{"action":"pages","browser_id":"b"}`, &messages.ListPages{BrowserID: "b"}},
	{Observe, `{"action":"snapshot","browser_id":"b","page_id":"p","mode":"full","projection":"flat","node_offset":3,"max_nodes":40,"max_depth":5,
	  "query":{"text":"t","role":"r","group":"g","section":"s","fields_only":true}}`,
		&messages.TakeSnapshot{PageAddress: onB, Mode: messages.ModeFull, Projection: messages.ProjectionFlat, NodeOffset: 3, MaxNodes: 40, MaxDepth: 5,
			Query: messages.Query{Text: "t", Role: "r", Group: "g", Section: "s", FieldsOnly: true}}},
	{Observe, `{"action":"screenshot","browser_id":"b","page_id":"p","element_id":"e1"}`, &messages.TakeScreenshot{PageAddress: onB, ElementID: "e1"}},
	{Observe, `{"action":"screenshot","browser_id":"b","page_id":"p","full_page":true}`, &messages.TakeScreenshot{PageAddress: onB, FullPage: true}},
	{Observe, `{"action":"wait","browser_id":"b","page_id":"p","load_state":"complete"}`, &messages.WaitFor{PageAddress: onB, LoadState: messages.LoadComplete}},
	{Observe, `{"action":"wait","browser_id":"b","page_id":"p","text":"x","timeout_ms":1500}`, &messages.WaitFor{PageAddress: onB, Text: "x", Timeout: 1500e6}},
	{Observe, `{"action":"wait","browser_id":"b","page_id":"p","text_gone":"x"}`, &messages.WaitFor{PageAddress: onB, TextGone: "x"}},
	{Observe, `{"action":"wait","browser_id":"b","page_id":"p","url_contains":"x"}`, &messages.WaitFor{PageAddress: onB, URLContains: "x"}},
	{Observe, `{"action":"console","browser_id":"b","page_id":"p","since_cursor":7,"level":"error","text":"x","limit":5}`,
		&messages.GetConsole{PageAddress: onB, DiagnosticsFilter: messages.DiagnosticsFilter{SinceCursor: 7, Level: "error", Text: "x", Limit: 5}}},
	{Observe, `{"action":"network","browser_id":"b","page_id":"p","since_cursor":7,"status":"4xx","method":"POST","text":"x","limit":5.0}`,
		&messages.GetNetwork{PageAddress: onB, DiagnosticsFilter: messages.DiagnosticsFilter{SinceCursor: 7, Status: "4xx", Method: "POST", Text: "x", Limit: 5}}},
	{Observe, `{"action":"diagnostics","browser_id":"b","page_id":"p"}`, &messages.GetDiagnostics{PageAddress: onB}},
	{Observe, `{"action":"diagnostics","browser_id":"b","page_id":"p","since_cursor":7,"level":"error","text":"x","status":"4xx","method":"POST","limit":5}`,
		&messages.GetDiagnostics{PageAddress: onB, DiagnosticsFilter: messages.DiagnosticsFilter{SinceCursor: 7, Level: "error", Text: "x", Status: "4xx", Method: "POST", Limit: 5}}},
	{Observe, `{"action":"downloads","browser_id":"b","wait_ms":2000}`, &messages.ListDownloads{BrowserID: "b", Wait: 2e9}},
	{Observe, `{"action":"surface","browser_id":"b"}`, &messages.GetSurface{BrowserID: "b"}},

	{Control, `{"action":"launch","operation_id":"o"}`, &messages.Launch{EffectOptions: messages.EffectOptions{OperationID: "o"}}},
	{Control, `{"action":"launch","url":"http://x/"}`, &messages.Launch{URL: "http://x/"}},
	{Control, `{"action":"launch","mode":"managed","profile":"work"}`, &messages.Launch{Mode: messages.LaunchManaged, Profile: "work"}},
	{Control, `{"action":"attach","attachment_id":"a"}`, &messages.Attach{AttachmentID: "a"}},
	{Control, `{"action":"new_page","browser_id":"b","url":"http://x/","temporary":true}`, &messages.NewPage{BrowserID: "b", URL: "http://x/", Temporary: true}},
	{Control, `{"action":"navigate","browser_id":"b","page_id":"p","url":"https://x/"}`, &messages.Navigate{PageAddress: onB, URL: "https://x/"}},
	{Control, `{"action":"reload","browser_id":"b","page_id":"p","document_token":"d","operation_id":"o"}`,
		&messages.Reload{PageAddress: onB, EffectOptions: messages.EffectOptions{OperationID: "o", DocumentToken: "d"}}},
	{Control, `{"action":"back","browser_id":"b","page_id":"p"}`, &messages.Back{PageAddress: onB}},
	{Control, `{"action":"forward","browser_id":"b","page_id":"p"}`, &messages.Forward{PageAddress: onB}},
	{Control, `{"action":"stop","browser_id":"b","page_id":"p"}`, &messages.Stop{PageAddress: onB}},
	{Control, `{"action":"click","browser_id":"b","page_id":"p","element_id":"e1","count":2,"button":"right","modifiers":["ctrl","shift"]}`,
		&messages.Click{OnElement: onE1, Count: 2, Button: messages.ButtonRight, Modifiers: []messages.Modifier{"ctrl", "shift"}}},
	{Control, `{"action":"hover","browser_id":"b","page_id":"p","element_id":"e1"}`, &messages.Hover{OnElement: onE1}},
	{Control, `{"action":"focus","browser_id":"b","page_id":"p","element_id":"e1"}`, &messages.Focus{OnElement: onE1}},
	{Control, `{"action":"scroll","browser_id":"b","page_id":"p","element_id":"e1","direction":"down","amount":300}`,
		&messages.Scroll{OnElement: onE1, Direction: messages.ScrollDown, Amount: 300}},
	{Control, `{"action":"drag","browser_id":"b","page_id":"p","element_id":"e1","target_element_id":"e2"}`, &messages.Drag{OnElement: onE1, TargetElementID: "e2"}},
	{Control, `{"action":"input_text","browser_id":"b","page_id":"p","element_id":"e1","text":"hi","submit":true}`, &messages.InputText{OnElement: onE1, Text: "hi", Submit: true}},
	{Control, `{"action":"set_value","browser_id":"b","page_id":"p","element_id":"e1","value":""}`, &messages.SetValue{OnElement: onE1}},
	{Control, `{"action":"select_option","browser_id":"b","page_id":"p","element_id":"e1","option":"o"}`, &messages.SelectOption{OnElement: onE1, Option: "o"}},
	{Control, `{"action":"select_choice","browser_id":"b","page_id":"p","element_id":"e1","choice_path":["a","b"]}`, &messages.SelectChoice{OnElement: onE1, ChoicePath: []string{"a", "b"}}},
	{Control, `{"action":"set_date","browser_id":"b","page_id":"p","element_id":"e1","value":"2028-02-29"}`, &messages.SetDate{OnElement: onE1, Value: "2028-02-29"}},
	{Control, `{"action":"upload_file","browser_id":"b","page_id":"p","element_id":"e1","path":"a/b.txt","root":"docs"}`, &messages.UploadFile{OnElement: onE1, Path: "a/b.txt", Root: "docs"}},
	{Control, `{"action":"key","browser_id":"b","page_id":"p","element_id":"e1","key":"a","modifiers":["ctrl"]}`, &messages.PressKey{OnElement: onE1, Key: "a", Modifiers: []messages.Modifier{"ctrl"}}},
	{Control, `{"action":"batch","browser_id":"b","page_id":"p","operations":[{"action":"click","element_id":"e1"},{"action":"set_value","element_id":"e1","value":"v"}]}`,
		&messages.Batch{PageAddress: onB, Operations: []messages.ElementEffect{&messages.Click{OnElement: onE1}, &messages.SetValue{OnElement: onE1, Value: "v"}}}},
	{Control, `{"action":"handle_dialog","browser_id":"b","page_id":"p","accept":false,"prompt_text":"t"}`, &messages.HandleDialog{PageAddress: onB, PromptText: "t"}},
	{Control, `{"action":"set_viewport","browser_id":"b","page_id":"p","width":800,"height":600}`, &messages.SetViewport{PageAddress: onB, Width: 800, Height: 600}},
	{Control, `{"action":"clear_diagnostics","browser_id":"b","page_id":"p"}`, &messages.ClearDiagnostics{PageAddress: onB}},
	{Control, `{"action":"close_page","browser_id":"b","page_id":"p"}`, &messages.ClosePage{PageAddress: onB}},
	{Control, `{"action":"close_browser","browser_id":"b"}`, &messages.CloseBrowser{BrowserID: "b"}},

	{Inspect, `{"action":"network_request","browser_id":"b","page_id":"p","request_id":"r","body":true}`, &messages.GetNetworkRequest{PageAddress: onB, RequestID: "r", Body: true}},
	{Inspect, `{"action":"cookies","browser_id":"b","page_id":"p","all":true}`, &messages.GetCookies{PageAddress: onB, All: true}},
	{Inspect, `{"action":"storage","browser_id":"b","page_id":"p","area":"local","key":"k"}`, &messages.GetStorage{PageAddress: onB, Area: messages.AreaLocal, Key: "k"}},
}

var (
	onB  = messages.PageAddress{BrowserID: "b", PageID: "p"}
	onE1 = messages.OnElement{PageAddress: onB, ElementID: "e1"}
)

func TestParseAccepts(t *testing.T) {
	used := map[string]bool{}
	for _, c := range accepted {
		command, err := Parse(c.tool, json.RawMessage(c.arguments))
		if err != nil {
			t.Errorf("%s is refused: %v", c.arguments, err)
			continue
		}
		if !reflect.DeepEqual(command, c.want) {
			t.Errorf("%s becomes\n%#v, want\n%#v", c.arguments, command, c.want)
		}
		members, _ := readObject(json.RawMessage(c.arguments))
		for _, m := range members {
			used[c.tool+" "+string(command.Action())+" "+m.name] = true
		}
	}
	// Every argument of every action is in some row: an action that the table names but nobody builds would show here.
	shared := []string{"document_token", "operation_id"}
	for _, tool := range allTools {
		for _, d := range tool.actions {
			for _, a := range d.Arguments {
				if !used[tool.name+" "+string(d.Action)+" "+a.Name] && !slices.Contains(shared, a.Name) {
					t.Errorf("no row gives %s to %s %s", a.Name, tool.name, d.Action)
				}
			}
			if len(d.Arguments) == 0 && !used[tool.name+" "+string(d.Action)+" action"] {
				t.Errorf("no row calls %s %s", tool.name, d.Action)
			}
		}
	}
}

// Every argument of a tool stands in its schema once, with a form, and no action takes one of an unknown form.
func TestTableIsClosed(t *testing.T) {
	for _, tool := range allTools {
		schema := inputSchema(tool)
		for _, d := range tool.actions {
			for i := range d.Arguments {
				a := &d.Arguments[i]
				if schema.Properties[a.Name] == nil || a.Form == "" {
					t.Errorf("%s %s takes %s, which has no form", tool.name, d.Action, a.Name)
				}
				if shared := tool.argument(a.Name); shared.Form != a.Form || !reflect.DeepEqual(shared.Facts, a.Facts) {
					t.Errorf("%s %s means something else by %s than another action", tool.name, d.Action, a.Name)
				}
			}
		}
	}
}

const addressed = `"browser_id":"b","page_id":"p"`

// refusals has one row for each way in which a call can be wrong.
var refusals = []struct {
	name, tool, arguments string
	code                  messages.Code
	says                  string // a part of the sentence
	next                  string // the recovery, as "tool action"
}{
	{"no object", Observe, `[]`, messages.CodeInvalidRequest, "not a JSON object", "observe_browser browsers"},
	{"text after the object", Observe, `{"action":"targets"} {}`, messages.CodeInvalidRequest, "not a JSON object", "observe_browser browsers"},
	{"broken text", Control, `{"action":`, messages.CodeInvalidRequest, "not a JSON object", "observe_browser browsers"},
	{"no action", Control, `{}`, messages.CodeInvalidRequest, "action is missing. It is one of launch", "observe_browser browsers"},
	{"an action that does not exist", Control, `{"action":"eval"}`, messages.CodeInvalidRequest, `no action "eval"`, "observe_browser browsers"},
	{"an action of the other tool", Observe, `{"action":"click"}`, messages.CodeInvalidRequest, "click is an action of control_browser", "observe_browser browsers"},
	{"an action that is no string", Observe, `{"action":3}`, messages.CodeInvalidRequest, "action must be a string, and is a number", "observe_browser browsers"},
	{"an unknown tool", "run_shell", `{}`, messages.CodeInvalidRequest, `no tool "run_shell"`, "observe_browser browsers"},

	{"an observation of the wrong tool", Control, `{"action":"console",` + addressed + `,"level":"error"}`, messages.CodeInvalidRequest, "console is an action of observe_browser, not of control_browser", "observe_browser console"},
	{"an effect of the wrong tool", Observe, `{"action":"click",` + addressed + `,"element_id":"e1"}`, messages.CodeInvalidRequest, "click is an action of control_browser", "observe_browser snapshot"},
	{"a word of other tools", Control, `{"action":"fill",` + addressed + `,"element_id":"e1","value":"x"}`, messages.CodeInvalidRequest, `no action "fill". set_value does that. It is one of `, "observe_browser snapshot"},
	{"a word for pressing a key", Control, `{"action":"press","browser_id":"b"}`, messages.CodeInvalidRequest, `no action "press". key does that.`, "observe_browser pages"},
	{"a word for another tool", Control, `{"action":"tabs","browser_id":"b"}`, messages.CodeInvalidRequest, `no action "tabs". pages of observe_browser does that.`, "observe_browser pages"},
	{"a word of other tools in a batch", Control, `{"action":"batch",` + addressed + `,"operations":[{"action":"fill"}]}`, messages.CodeInvalidBatchValue, `"fill" cannot be in a batch. set_value does that.`, "observe_browser snapshot"},

	{"an unknown key", Control, `{"action":"click",` + addressed + `,"element_id":"e1","selector":"#a"}`, messages.CodeUnknownArgument, `takes no argument "selector"`, "observe_browser snapshot"},
	{"an unknown key before a wrong form", Control, `{"action":"click","count":"x",` + addressed + `,"element_id":"e1","selector":"#a"}`, messages.CodeUnknownArgument, `"selector"`, "observe_browser snapshot"},
	{"an argument of another action", Control, `{"action":"click",` + addressed + `,"element_id":"e1","url":"http://x/"}`, messages.CodeUnknownArgument, `click takes no argument "url". Its arguments are browser_id, page_id, element_id`, "observe_browser snapshot"},
	{"an unknown key that tries to speak", Observe, `{"action":"targets","ignore\nall \u001b[31m":1}`, messages.CodeUnknownArgument, `"ignore?all ?[31m"`, "observe_browser targets"},
	{"an endpoint", Control, `{"action":"launch","endpoint":"http://127.0.0.1:9222"}`, messages.CodeUnknownArgument, `"endpoint"`, ""},
	{"an executable", Control, `{"action":"launch","executable":"/bin/sh"}`, messages.CodeUnknownArgument, `"executable"`, ""},
	{"a mode that only the operator has", Control, `{"action":"launch","mode":"endpoint"}`, messages.CodeInvalidRequest, "one of ephemeral, managed", ""},
	{"a selector", Observe, `{"action":"snapshot",` + addressed + `,"selector":"main"}`, messages.CodeUnknownArgument, `"selector"`, "observe_browser snapshot"},
	{"a function", Observe, `{"action":"wait",` + addressed + `,"function":"1"}`, messages.CodeUnknownArgument, `"function"`, "observe_browser pages"},
	{"an unknown key of a query", Observe, `{"action":"snapshot",` + addressed + `,"query":{"regex":"x"}}`, messages.CodeUnknownArgument, `A query has no "regex"`, "observe_browser snapshot"},
	{"a key twice", Observe, `{"action":"targets","action":"browsers"}`, messages.CodeInvalidRequest, `"action" is given twice`, "observe_browser browsers"},

	{"a number for a string", Control, `{"action":"set_value",` + addressed + `,"element_id":"e1","value":3}`, messages.CodeInvalidRequest, "value must be a string, and is a number", "observe_browser snapshot"},
	{"a string for a number", Control, `{"action":"click",` + addressed + `,"element_id":"e1","count":"2"}`, messages.CodeInvalidRequest, "count must be an integer, and is a string", "observe_browser snapshot"},
	{"a fraction", Control, `{"action":"click",` + addressed + `,"element_id":"e1","count":1.5}`, messages.CodeInvalidRequest, "count must be an integer", "observe_browser snapshot"},
	{"a huge number", Observe, `{"action":"wait",` + addressed + `,"text":"x","timeout_ms":1e300}`, messages.CodeInvalidRequest, "timeout_ms must be an integer", "observe_browser pages"},
	{"a string for a boolean", Observe, `{"action":"screenshot",` + addressed + `,"full_page":"true"}`, messages.CodeInvalidRequest, "full_page must be true or false", "observe_browser screenshot"},
	{"null", Control, `{"action":"click",` + addressed + `,"element_id":null}`, messages.CodeInvalidRequest, "element_id must be a string, and is null; leave it out", "observe_browser snapshot"},
	{"a string for a list", Control, `{"action":"select_choice",` + addressed + `,"element_id":"e1","choice_path":"a"}`, messages.CodeInvalidRequest, "choice_path must be a list of strings, and is a string", "observe_browser snapshot"},
	{"a number in a list", Control, `{"action":"select_choice",` + addressed + `,"element_id":"e1","choice_path":[1]}`, messages.CodeInvalidRequest, "choice_path[0] must be a string", "observe_browser snapshot"},
	{"a value that is not of the list", Observe, `{"action":"snapshot",` + addressed + `,"mode":"all"}`, messages.CodeInvalidRequest, "one of auto, full, interactive", "observe_browser snapshot"},

	{"no browser", Control, `{"action":"click","page_id":"p","element_id":"e1"}`, messages.CodeInvalidRequest, "browser_id is missing", "observe_browser browsers"},
	{"an empty browser", Observe, `{"action":"pages","browser_id":""}`, messages.CodeInvalidRequest, "browser_id is missing", "observe_browser browsers"},
	{"no page", Control, `{"action":"click","browser_id":"b","element_id":"e1"}`, messages.CodeInvalidRequest, "page_id is missing", "observe_browser pages"},
	{"an empty element of a key", Control, `{"action":"key",` + addressed + `,"element_id":"","key":"Enter"}`, messages.CodeInvalidRequest, "element_id is empty", "observe_browser snapshot"},
	{"an empty element of a scroll", Control, `{"action":"scroll",` + addressed + `,"element_id":"","direction":"down"}`, messages.CodeInvalidRequest, "element_id is empty", "observe_browser snapshot"},
	{"no element", Control, `{"action":"click",` + addressed + `}`, messages.CodeInvalidRequest, "element_id is missing", "observe_browser snapshot"},
	{"no value", Control, `{"action":"set_value",` + addressed + `,"element_id":"e1"}`, messages.CodeInvalidRequest, "value is missing", "observe_browser snapshot"},
	{"no URL", Control, `{"action":"navigate",` + addressed + `}`, messages.CodeInvalidRequest, "url is missing", "observe_browser snapshot"},
	{"no answer to a dialog", Control, `{"action":"handle_dialog",` + addressed + `}`, messages.CodeInvalidRequest, "accept is missing", "observe_browser snapshot"},
	{"no offer", Control, `{"action":"attach"}`, messages.CodeInvalidRequest, "attachment_id is missing", "observe_browser discover"},
	{"no request", Inspect, `{"action":"network_request",` + addressed + `}`, messages.CodeInvalidRequest, "request_id is missing", "observe_browser network"},
	{"no area", Inspect, `{"action":"storage",` + addressed + `}`, messages.CodeInvalidRequest, "area is missing", "inspect_browser storage"},

	{"a file URL", Control, `{"action":"navigate",` + addressed + `,"url":"file:///etc/passwd"}`, messages.CodeUnsupportedURLScheme, "only http and https", "observe_browser snapshot"},
	{"a relative URL", Control, `{"action":"new_page","browser_id":"b","url":"example.com"}`, messages.CodeInvalidURL, "not absolute", "observe_browser pages"},
	{"an empty URL", Control, `{"action":"new_page","browser_id":"b","url":""}`, messages.CodeInvalidRequest, "url is empty; leave it out", "observe_browser pages"},
	{"a date that does not exist", Control, `{"action":"set_date",` + addressed + `,"element_id":"e1","value":"2027-02-29"}`, messages.CodeInvalidDate, "must exist", "observe_browser snapshot"},
	{"a key that does not exist", Control, `{"action":"key",` + addressed + `,"key":"F5"}`, messages.CodeInvalidKey, "closed list", "observe_browser snapshot"},
	{"a count of 0", Control, `{"action":"click",` + addressed + `,"element_id":"e1","count":0}`, messages.CodeInvalidRequest, "count must be at least 1", "observe_browser snapshot"},
	{"two conditions", Observe, `{"action":"wait",` + addressed + `,"text":"a","text_gone":"b"}`, messages.CodeInvalidRequest, "exactly one of", "observe_browser pages"},
	{"no condition", Observe, `{"action":"wait",` + addressed + `}`, messages.CodeInvalidRequest, "exactly one of", "observe_browser pages"},
	{"an empty condition", Observe, `{"action":"wait",` + addressed + `,"text":""}`, messages.CodeInvalidRequest, "text is empty", "observe_browser pages"},
	{"an empty query term", Observe, `{"action":"snapshot",` + addressed + `,"query":{"role":""}}`, messages.CodeInvalidQuery, "query.role is empty", "observe_browser snapshot"},
	{"a negative cursor", Observe, `{"action":"console",` + addressed + `,"since_cursor":-1}`, messages.CodeInvalidDiagnosticsCursor, "not negative", "observe_browser console"},
	{"an operation id out of its pattern", Control, `{"action":"launch","operation_id":"a b"}`, messages.CodeOperationIDInvalid, "operation_id", ""},
	{"a path that climbs", Control, `{"action":"upload_file",` + addressed + `,"element_id":"e1","path":"../x"}`, messages.CodeInvalidUploadPath, "relative", "observe_browser snapshot"},
	{"width alone", Control, `{"action":"set_viewport",` + addressed + `,"width":800}`, messages.CodeInvalidRequest, "height is missing", "observe_browser snapshot"},

	{"an empty batch", Control, `{"action":"batch",` + addressed + `,"operations":[]}`, messages.CodeInvalidBatchCount, "1 to 32", "observe_browser snapshot"},
	{"a batch of too many", Control, `{"action":"batch",` + addressed + `,"operations":[` + strings.Repeat(`1,`, 32) + `1]}`, messages.CodeInvalidBatchCount, "this one has 33", "observe_browser snapshot"},
	{"a misspelled action", Observe, `{"Action":"browsers"}`, messages.CodeUnknownArgument, `There is no argument "Action", and action is missing`, "observe_browser browsers"},
	{"a batch in a batch", Control, `{"action":"batch",` + addressed + `,"operations":[{"action":"batch","operations":[]}]}`, messages.CodeInvalidBatchValue, `Operation 0: "batch" cannot be in a batch`, "observe_browser snapshot"},
	{"a key in a batch", Control, `{"action":"batch",` + addressed + `,"operations":[{"action":"key","key":"Enter"}]}`, messages.CodeInvalidBatchValue, `"key" cannot be in a batch. It is one of click, focus, input_text, `, "observe_browser snapshot"},
	{"a page in an operation", Control, `{"action":"batch",` + addressed + `,"operations":[{"action":"click","element_id":"e1"},{"action":"click","element_id":"e2","page_id":"q"}]}`, messages.CodeUnknownArgument, `Operation 1: click takes no argument "page_id"`, "observe_browser snapshot"},
	{"an operation id in an operation", Control, `{"action":"batch",` + addressed + `,"operations":[{"action":"click","element_id":"e1","operation_id":"o"}]}`, messages.CodeUnknownArgument, `"operation_id"`, "observe_browser snapshot"},
	{"a bad late field", Control, `{"action":"batch",` + addressed + `,"operations":[{"action":"click","element_id":"e1"},{"action":"set_date","element_id":"e2","value":"31/12/2026"}]}`, messages.CodeInvalidDate, "Operation 1:", "observe_browser snapshot"},
	{"an operation without its element", Control, `{"action":"batch",` + addressed + `,"operations":[{"action":"click"}]}`, messages.CodeInvalidRequest, "Operation 0: element_id is missing", "observe_browser snapshot"},
	{"an operation that is no object", Control, `{"action":"batch",` + addressed + `,"operations":["click"]}`, messages.CodeInvalidBatchValue, "Operation 0 must be an object, and is a string", "observe_browser snapshot"},
}

// Each refusal has its code, a sentence that names what is wrong, and where it concerns a browser a next step that can be
// made at once; nothing reaches the gateway.
func TestRefusals(t *testing.T) {
	for _, c := range refusals {
		t.Run(c.name, func(t *testing.T) {
			facade := NewFacade(unreachable(t))
			result := facade.Call(context.Background(), modelCaller(messages.AllGrants()...), c.tool, json.RawMessage(c.arguments))
			if result.Err == nil || !result.IsError {
				t.Fatalf("it is not refused: %s", result.Structured)
			}
			if result.Err.Code != c.code || result.Err.State != messages.NotStarted {
				t.Errorf("code %s, state %s, want %s, not_started", result.Err.Code, result.Err.State, c.code)
			}
			if !strings.Contains(result.Err.Detail, c.says) {
				t.Errorf("it says %q, want %q in it", result.Err.Detail, c.says)
			}
			checkStructure(t, result, c.next)
		})
	}
}

// checkStructure holds the structure of a refusal against the error, and its next step against the parser: the step can
// be made as it stands, and it is never an effect.
func checkStructure(t *testing.T, result Result, next string) {
	t.Helper()
	var s struct {
		ExecutionState messages.ExecutionState `json:"execution_state"`
		Code           messages.Code           `json:"code"`
		Message        string                  `json:"message"`
		Recovery       *struct {
			Tool      string          `json:"tool"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"recovery"`
	}
	if err := json.Unmarshal(result.Structured, &s); err != nil {
		t.Fatal(err)
	}
	if s.ExecutionState != result.Err.State || s.Code != result.Err.Code || s.Message != result.Err.Detail {
		t.Errorf("the structure is %s", result.Structured)
	}
	if s.Recovery == nil {
		if next != "" {
			t.Fatal("there is no next step")
		}
		return
	}
	command, err := Parse(s.Recovery.Tool, s.Recovery.Arguments)
	if err != nil {
		t.Fatalf("the next step is refused itself: %v", err)
	}
	if _, isEffect := command.(messages.Effect); isEffect {
		t.Errorf("the next step is an effect: %s", s.Recovery.Arguments)
	}
	if got := s.Recovery.Tool + " " + string(command.Action()); got != next {
		t.Errorf("the next step is %q, want %q", got, next)
	}
}

// FuzzArguments holds the parser to its promises on any text: it never panics, what it accepts validates and is an action
// of the tool, and what it refuses proves that nothing was started and names a next step that is no effect.
func FuzzArguments(f *testing.F) {
	for _, c := range accepted {
		f.Add(c.tool, c.arguments)
	}
	for _, c := range refusals {
		f.Add(c.tool, c.arguments)
	}
	f.Fuzz(func(t *testing.T, tool, arguments string) {
		command, err := Parse(tool, json.RawMessage(arguments))
		if err != nil {
			if err.State != messages.NotStarted || err.Detail == "" {
				t.Fatalf("the refusal is %#v", err)
			}
			if err.Recovery == nil {
				return // it concerns no browser
			}
			data, _ := json.Marshal(err.Recovery.Arguments)
			next, failed := Parse(err.Recovery.Tool, data)
			if failed != nil {
				t.Fatalf("the next step %s is refused: %v", data, failed)
			}
			if _, isEffect := next.(messages.Effect); isEffect {
				t.Fatalf("the next step is an effect: %s", data)
			}
			return
		}
		if err := messages.Validate(command); err != nil {
			t.Fatalf("an accepted call does not validate: %v", err)
		}
		if messages.OperatorOnly(command) {
			t.Fatalf("an operator's command came through: %#v", command)
		}
		if toolNamed(tool).action(string(command.Action())) == nil {
			t.Fatalf("%s gave the action %s", tool, command.Action())
		}
	})
}
