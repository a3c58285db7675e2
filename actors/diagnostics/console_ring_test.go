package diagnostics

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/troupe-browser/troupe/messages"
)

func lines(t *testing.T, c *ConsoleRing, filter messages.DiagnosticsFilter, view View) []messages.ConsoleEntry {
	t.Helper()
	got, err := c.Entries(filter, view)
	if err != nil {
		t.Fatal(err)
	}
	return got.Entries
}

func texts(list []messages.ConsoleEntry) string {
	var out []string
	for _, e := range list {
		out = append(out, e.Level+":"+e.Text)
	}
	return strings.Join(out, " | ")
}

// The engine's levels become three (R144).
func TestConsole_LevelsCollapse(t *testing.T) {
	s := newStream(t, false)
	for _, kind := range []string{"log", "debug", "info", "error", "warning", "dir", "table", "trace", "assert", "count", "timeEnd", "clear", "endGroup", "startGroup"} {
		s.log(kind, kind)
	}
	s.fold("Log.entryAdded", m{"entry": m{"level": "verbose", "text": "verbose"}})
	s.fold("Log.entryAdded", m{"entry": m{"level": "error", "text": "net", "url": "http://site.test/x?token=1", "lineNumber": 3}})
	list := lines(t, s.page.Console, messages.DiagnosticsFilter{}, View{})
	want := "info:log | info:debug | info:info | error:error | warning:warning | info:dir | info:table | info:trace | error:assert | info:count | info:timeEnd | info:startGroup | info:verbose | error:net"
	if got := texts(list); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	last := list[len(list)-1]
	if len(last.Stack) != 1 || last.Stack[0].URL != "http://site.test/x" || last.Stack[0].Line != 4 {
		t.Errorf("the place is %+v", last.Stack)
	}
	if got := s.page.Console.Counts(); got.Errors != 3 || got.DocumentErrors != 3 {
		t.Errorf("counts are %+v", got)
	}
}

func TestConsole_Text(t *testing.T) {
	str := func(s string) m { return m{"type": "string", "value": s} }
	cases := []struct {
		name string
		args []any
		want string
	}{
		{"several", []any{str("a"), m{"type": "number", "value": 1.5, "description": "1.5"}, m{"type": "boolean", "value": true}}, "a 1.5 true"},
		{"nothing", []any{}, ""},
		{"special values", []any{m{"type": "undefined"}, m{"type": "object", "subtype": "null", "value": nil}, m{"type": "number", "unserializableValue": "NaN"}, m{"type": "bigint", "unserializableValue": "12n"}}, "undefined null NaN 12n"},
		{"a format", []any{str("%s has %d of 100%%%c!"), str("Ann"), m{"type": "number", "value": 5, "description": "5"}, str("color:red"), str("rest")}, "Ann has 5 of 100%! rest"},
		{"a format without its arguments", []any{str("%s %q %"), str("x")}, "x %q %"},
		{"an object with its preview", []any{m{"type": "object", "description": "Object", "preview": m{"overflow": true, "properties": []m{{"name": "a", "type": "number", "value": "1"}, {"name": "b", "type": "string", "value": "x\"y"}}}}}, `{a: 1, b: "x\"y", …}`},
		{"an array with its preview", []any{m{"type": "object", "subtype": "array", "description": "Array(2)", "preview": m{"subtype": "array", "properties": []m{{"name": "0", "type": "number", "value": "1"}, {"name": "1", "type": "object", "value": "Object"}}}}}, "[1, Object]"},
		{"an error and its stack", []any{m{"type": "object", "subtype": "error", "description": "Error: kaputt\n    at f (http://a/:1:2)", "preview": m{"subtype": "error", "properties": []m{{"name": "stack", "type": "string", "value": "Error: ka…"}}}}}, "Error: kaputt"},
		{"a table", []any{m{"type": "object", "subtype": "array", "description": "Array(1)", "preview": m{"subtype": "array", "properties": []m{{"name": "0", "type": "object", "value": "Object", "valuePreview": m{"properties": []m{{"name": "a", "type": "number", "value": "1"}, {"name": "b", "type": "object", "value": "Object", "valuePreview": m{"properties": []m{{"name": "c", "type": "number", "value": "2"}}}}}}}}}}}, "[{a: 1, b: Object}]"},
		{"a format of an object", []any{str("%o and %O"), m{"type": "object", "description": "Object", "preview": m{"properties": []m{{"name": "a", "type": "number", "value": "1"}}}}, m{"type": "object", "description": "Map(1)"}}, "{a: 1} and Map(1)"},
		{"a node", []any{m{"type": "object", "subtype": "node", "description": "button#b", "preview": m{"properties": []m{{"name": "form", "type": "object", "value": "null"}}}}}, "button#b"},
		{"a map and a set", []any{m{"type": "object", "subtype": "map", "description": "Map(1)", "preview": m{"properties": []m{{"name": "size", "type": "number", "value": "1"}}, "entries": []m{{"key": m{"type": "string", "description": "k"}, "value": m{"type": "number", "description": "2"}}}}}, m{"type": "object", "subtype": "set", "description": "Set(1)", "preview": m{"entries": []m{{"value": m{"type": "number", "description": "1"}}}}}}, `Map(1) {"k" => 2} Set(1) {1}`},
		{"an object of a class", []any{m{"type": "object", "description": "B", "preview": m{"properties": []m{{"name": "q", "type": "number", "value": "1"}}}}}, "B {q: 1}"},
		{"whole numbers", []any{str("%d %i %d"), m{"type": "number", "value": 1.9, "description": "1.9"}, str("12"), str("x")}, "1 12 NaN"},
		{"an object without", []any{m{"type": "object", "description": "HTMLElement"}, m{"type": "function", "description": "f(){}"}}, "HTMLElement f(){}"},
		{"a lone surrogate", []any{str("x")}, "x"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := newStream(t, false)
			s.log("log", c.args...)
			if got := lines(t, s.page.Console, messages.DiagnosticsFilter{}, View{})[0].Text; got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// An oversized console event is cut, not dropped, and disturbs nothing (R221).
func TestConsole_OversizedText(t *testing.T) {
	s := newStream(t, false)
	s.log("log", strings.Repeat("€", 1<<20))
	s.log("log", "%s", strings.Repeat("€", 1<<20))
	for _, e := range lines(t, s.page.Console, messages.DiagnosticsFilter{}, View{}) {
		if len(e.Text) > messages.DiagnosticTextBytesMax || len(e.Text) < messages.DiagnosticTextBytesMax-3 || !utf8.ValidString(e.Text) {
			t.Errorf("the text has %d bytes", len(e.Text))
		}
	}
}

// An exception is an error with its message and the first frames of its stack (R137, R144).
func TestConsole_Exceptions(t *testing.T) {
	s := newStream(t, false)
	frames := []m{}
	for i := range 9 {
		frames = append(frames, m{"functionName": fmt.Sprint("f", i), "url": "http://site.test/a.js?v=2", "lineNumber": i, "columnNumber": 7})
	}
	if !s.fold("Runtime.exceptionThrown", m{"timestamp": 1.0, "exceptionDetails": m{
		"text": "Uncaught", "stackTrace": m{"callFrames": frames},
		"exception": m{"type": "object", "subtype": "error", "description": "TypeError: no\n    at f0 (http://site.test/a.js?v=2:1:8)"}}}) {
		t.Error("an exception does not change the error count")
	}
	s.fold("Runtime.exceptionThrown", m{"exceptionDetails": m{"text": "Uncaught (in promise)", "exception": m{"type": "string", "value": "why"}, "url": "http://site.test/b.js", "lineNumber": 1}})
	list := lines(t, s.page.Console, messages.DiagnosticsFilter{Level: "error"}, View{})
	if got := texts(list); got != "error:Uncaught TypeError: no | error:Uncaught (in promise) why" {
		t.Errorf("got %s", got)
	}
	if first := list[0]; first.Kind != kindException || len(first.Stack) != messages.StackFramesMax ||
		first.Stack[0] != (messages.StackFrame{Function: "f0", URL: "http://site.test/a.js", Line: 1, Column: 8}) {
		t.Errorf("the stack is %+v", first.Stack)
	}
	if list[1].Stack[0].URL != "http://site.test/b.js" {
		t.Errorf("the place is %+v", list[1].Stack)
	}
}

// One ring, two views: a model sees it all with marks, the operator what the shown document said (C20).
func TestConsole_TwoViews(t *testing.T) {
	s := newStream(t, false)
	s.log("error", "old")
	s.navigate("http://site.test/next?token=1")
	s.log("log", "new")
	if got := texts(lines(t, s.page.Console, messages.DiagnosticsFilter{}, View{})); got != "error:old | info:http://site.test/next | info:new" {
		t.Errorf("the model sees %s", got)
	}
	if got := texts(lines(t, s.page.Console, messages.DiagnosticsFilter{}, View{Operator: true})); got != "info:http://site.test/next | info:new" {
		t.Errorf("the operator sees %s", got)
	}
	if got := texts(lines(t, s.page.Console, messages.DiagnosticsFilter{Level: "error"}, View{})); got != "error:old" {
		t.Errorf("errors are %s", got)
	}
	if got := texts(lines(t, s.page.Console, messages.DiagnosticsFilter{SinceCursor: 1}, View{Operator: true})); got != "info:http://site.test/next | info:new" {
		t.Errorf("since a cursor: %s", got)
	}
	if got := s.page.Console.Counts(); got.Errors != 1 || got.DocumentErrors != 0 {
		t.Errorf("counts are %+v", got)
	}
}

// A navigation is known from another lane, so its mark may come after what was said behind it.
func TestConsole_ALateMarkTakesItsPlace(t *testing.T) {
	s := newStream(t, false)
	s.log("log", "old")
	s.seq = 10
	s.log("log", "new")
	s.page.Navigated(5, "http://site.test/", s.now)
	if got := texts(lines(t, s.page.Console, messages.DiagnosticsFilter{}, View{})); got != "info:old | info:http://site.test/ | info:new" {
		t.Errorf("got %s", got)
	}
	if got := texts(lines(t, s.page.Console, messages.DiagnosticsFilter{}, View{Operator: true})); got != "info:http://site.test/ | info:new" {
		t.Errorf("the operator sees %s", got)
	}
}

// A navigation that keeps the document leaves a mark and takes nothing away (C20).
func TestConsole_SameDocumentNavigation(t *testing.T) {
	s := newStream(t, false)
	s.log("log", "before")
	s.seq++
	s.page.NavigatedWithin(s.seq, "http://site.test/list?step=1#x", s.now)
	s.log("log", "behind")
	want := "info:before | info:http://site.test/list (same document) | info:behind"
	for _, view := range []View{{}, {Operator: true}} {
		if got := texts(lines(t, s.page.Console, messages.DiagnosticsFilter{}, view)); got != want {
			t.Errorf("%+v sees %s, want %s", view, got, want)
		}
	}
}

// A warning and an error say where they were logged (R144).
func TestConsole_PlacesOfWarnings(t *testing.T) {
	s := newStream(t, false)
	stack := m{"callFrames": []m{{"functionName": "f", "url": "http://site.test/a.js?v=2", "lineNumber": 2, "columnNumber": 4}}}
	for _, kind := range []string{"log", "warning", "error", "trace"} {
		s.fold("Runtime.consoleAPICalled", m{"type": kind, "args": []m{{"type": "string", "value": kind}}, "stackTrace": stack})
	}
	want := []messages.StackFrame{{Function: "f", URL: "http://site.test/a.js", Line: 3, Column: 5}}
	for _, e := range lines(t, s.page.Console, messages.DiagnosticsFilter{}, View{}) {
		if has := slices.Equal(e.Stack, want); has != (e.Text != "log") {
			t.Errorf("%s has the place %+v", e.Text, e.Stack)
		}
	}
}

// The ring keeps the newest, marks what went, and refuses a cursor that it has not reached (R141, R144).
func TestConsole_TheNewestAreKept(t *testing.T) {
	s := newStream(t, false)
	for i := range messages.ConsoleEntriesMax + 10 {
		s.log("log", i)
	}
	got, _ := s.page.Console.Entries(messages.DiagnosticsFilter{}, View{})
	if len(got.Entries) != messages.ConsoleEntriesMax || got.Entries[0].Text != "10" || !got.Gap || got.Truncated {
		t.Errorf("%d entries from %q, gap %v, truncated %v", len(got.Entries), got.Entries[0].Text, got.Gap, got.Truncated)
	}
	if _, err := s.page.Console.Entries(messages.DiagnosticsFilter{SinceCursor: got.Cursor + 1}, View{}); err == nil || err.Code != messages.CodeInvalidDiagnosticsCursor {
		t.Errorf("a cursor newer than the stream gives %v", err)
	}
}
