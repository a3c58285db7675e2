package diagnostics

import (
	"fmt"
	"strings"
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

// Both ledgers in one answer: by one cursor, in the order in which they came, and a request again when it has changed
// (R144). A filter that only one of them knows leaves the other out.
func TestPage_Diagnostics(t *testing.T) {
	s := newStream(t, false)
	s.log("error", "first")
	s.fold("Network.requestWillBeSent", m{"requestId": "1", "request": m{"url": "http://site.test/a?token=1", "method": "POST"}})
	s.log("log", "second")
	shown := func(filter messages.DiagnosticsFilter) string {
		t.Helper()
		got, err := s.page.Diagnostics(filter, View{})
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, e := range got.Entries {
			switch {
			case e.Console != nil && e.Cursor == e.Console.Cursor:
				out = append(out, e.Console.Text)
			case e.Request != nil && e.Cursor == e.Request.Cursor:
				out = append(out, e.Request.Method+" "+e.Request.URL)
			}
		}
		return fmt.Sprintf("%s to %d", strings.Join(out, ", "), got.Cursor)
	}
	for _, c := range []struct {
		filter messages.DiagnosticsFilter
		want   string
	}{
		{messages.DiagnosticsFilter{}, "first, POST http://site.test/a, second to 3"},
		{messages.DiagnosticsFilter{SinceCursor: 1}, "POST http://site.test/a, second to 3"},
		{messages.DiagnosticsFilter{Level: "error"}, "first to 3"},
		{messages.DiagnosticsFilter{Method: "post"}, "POST http://site.test/a to 3"},
		{messages.DiagnosticsFilter{Status: "4xx"}, " to 3"},
		{messages.DiagnosticsFilter{Text: "/A"}, "POST http://site.test/a to 3"},
		{messages.DiagnosticsFilter{Limit: 1}, "second to 3"},
	} {
		if got := shown(c.filter); got != c.want {
			t.Errorf("%+v shows %q, want %q", c.filter, got, c.want)
		}
	}
	s.fold("Network.responseReceived", m{"requestId": "1", "response": m{"status": 404}})
	if got := shown(messages.DiagnosticsFilter{SinceCursor: 3}); got != "POST http://site.test/a to 4" {
		t.Errorf("after the answer it shows %q", got)
	}
	got, _ := s.page.Diagnostics(messages.DiagnosticsFilter{Limit: 1}, View{})
	if !got.Truncated || got.Gap || got.ConsoleEntries != 2 || got.ConsoleErrors != 1 || got.Requests != 1 || got.FailedRequests != 1 || got.Pending != 1 {
		t.Errorf("it counts %+v", got)
	}
	if _, err := s.page.Diagnostics(messages.DiagnosticsFilter{SinceCursor: 5}, View{}); err == nil || err.Code != messages.CodeInvalidDiagnosticsCursor {
		t.Errorf("a cursor newer than the stream gives %v", err)
	}
	s.page.Network.Lost(2)
	if got, _ := s.page.Diagnostics(messages.DiagnosticsFilter{}, View{}); !got.Gap || got.DroppedEvents != 2 {
		t.Errorf("what was lost is not marked: %+v", got)
	}
}
