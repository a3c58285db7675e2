package diagnostics

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/messages"
)

func entries(t *testing.T, l *NetworkLedger, filter messages.DiagnosticsFilter, view View) *messages.NetworkEntries {
	t.Helper()
	got, err := l.Entries(filter, view)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func one(t *testing.T, l *NetworkLedger) messages.NetworkEntry {
	t.Helper()
	got := entries(t, l, messages.DiagnosticsFilter{}, View{})
	if len(got.Entries) != 1 {
		t.Fatalf("%d entries, want 1", len(got.Entries))
	}
	return got.Entries[0]
}

// A record follows its request from the first event to the last (R135, R139).
func TestNetwork_ARequestFromStartToEnd(t *testing.T) {
	s := newStream(t, false)
	s.send("7.1", "http://site.test/items?secret=1#part", nil)
	if got := one(t, s.page.Network); !got.Pending || got.URL != "http://site.test/items" || got.Type != "fetch" || got.At != start {
		t.Errorf("a pending request is %+v", got)
	}
	s.now = s.now.Add(250 * time.Millisecond)
	s.respond("7.1", 200)
	s.fold("Network.dataReceived", m{"requestId": "7.1", "dataLength": 900, "encodedDataLength": 300})
	s.finish("7.1", 450)
	got := one(t, s.page.Network)
	want := messages.NetworkEntry{Cursor: 3, RequestID: "req_1", At: start, Method: "GET", URL: "http://site.test/items", Type: "fetch", Status: 200, Bytes: 450, MS: 250}
	if got != want {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	operator := entries(t, s.page.Network, messages.DiagnosticsFilter{}, View{Operator: true}).Entries[0]
	if operator.URL != "http://site.test/items?secret=1#part" {
		t.Errorf("the operator sees %q", operator.URL)
	}
	_, body, err := s.page.Network.Detail("req_1", View{})
	if err != nil || body.Protocol != "7.1" || body.Decoded != 900 || body.Pending || body.None != "" {
		t.Errorf("body is %+v, %v", body, err)
	}
}

func TestNetwork_FailureReasonsInOrder(t *testing.T) {
	cases := []struct {
		name   string
		params m
		want   string
	}{
		{"blocked beats the text", m{"blockedReason": "mixed-content", "errorText": "net::ERR_FAILED", "canceled": true}, "blocked: mixed-content"},
		{"the text beats canceled", m{"errorText": "net::ERR_ABORTED", "canceled": true}, "net::ERR_ABORTED"},
		{"canceled", m{"canceled": true}, "canceled"},
		{"nothing known", m{}, "failed"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := newStream(t, false)
			s.send("1", "http://site.test/", nil)
			c.params["requestId"] = "1"
			if !s.fold("Network.loadingFailed", c.params) {
				t.Error("a new failure is not made known")
			}
			got := one(t, s.page.Network)
			if got.Failure != c.want || !got.Failed || got.Pending {
				t.Errorf("got %+v", got)
			}
		})
	}
}

// One failure is counted once, also when an error status is followed by a failed load (R142).
func TestNetwork_AFailureIsCountedOnce(t *testing.T) {
	s := newStream(t, false)
	s.send("1", "http://site.test/", nil)
	if !s.respond("1", 500) {
		t.Error("status 500 does not change the count")
	}
	if s.fold("Network.loadingFailed", m{"requestId": "1", "errorText": "net::ERR_ABORTED"}) {
		t.Error("the second sign of the same failure changes the count")
	}
	s.send("2", "http://site.test/", nil)
	if s.respond("2", 304) {
		t.Error("status 304 counts as a failure")
	}
	if got := s.page.Network.Counts(); got.Failed != 1 || got.Requests != 2 || got.Pending != 1 {
		t.Errorf("counts are %+v", got)
	}
}

// Each redirect hop is a record; the model's view shows the last, and updates go to it (R138, C21).
func TestNetwork_RedirectHops(t *testing.T) {
	s := newStream(t, true)
	s.send("1", "http://site.test/a?x=1", m{"type": "Document"})
	s.send("1", "http://site.test/b", m{"type": "Document", "redirectResponse": m{"status": 302, "encodedDataLength": 120, "headers": m{"Location": "/b"}}})
	s.send("1", "http://site.test/c", m{"type": "Document", "redirectResponse": m{"status": 301, "headers": m{"Location": "/c"}}})
	s.respond("1", 200)
	s.finish("1", 99)
	operator := entries(t, s.page.Network, messages.DiagnosticsFilter{}, View{Operator: true}).Entries
	var got []string
	for _, e := range operator {
		got = append(got, fmt.Sprint(e.RequestID, " ", e.URL, " ", e.Status, " ", e.Redirect, " ", e.Pending))
	}
	want := []string{
		"req_1.1 http://site.test/a?x=1 302 true false",
		"req_1.2 http://site.test/b 301 true false",
		"req_1 http://site.test/c 200 false false",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("hops:\n%s", strings.Join(got, "\n"))
	}
	if e := one(t, s.page.Network); e.URL != "http://site.test/c" {
		t.Errorf("the model sees %s", e.URL)
	}
	detail, body, err := s.page.Network.Detail("req_1.1", View{Operator: true})
	if err != nil || detail.ResponseHeaders["location"] != "/b" || body.None == "" {
		t.Errorf("first hop is %+v, %+v, %v", detail, body, err)
	}
}

// Header values are kept only when the page was opened under browser:inspect (C3).
func TestNetwork_HeadersOnlyWithTheGrant(t *testing.T) {
	for _, store := range []bool{false, true} {
		s := newStream(t, store)
		s.send("1", "http://site.test/", m{"request": m{"url": "http://site.test/", "method": "POST", "headers": m{"Authorization": "Bearer hidden"}}})
		s.fold("Network.requestWillBeSentExtraInfo", m{"requestId": "1", "headers": m{"Cookie": "id=hidden", "Authorization": "Bearer hidden"}})
		s.respond("1", 200)
		s.fold("Network.responseReceivedExtraInfo", m{"requestId": "1", "headers": m{"Set-Cookie": "id=hidden"}})
		detail, _, err := s.page.Network.Detail("req_1", View{Operator: true})
		if err != nil {
			t.Fatal(err)
		}
		if detail.HeadersStored != store {
			t.Errorf("stored is %v", detail.HeadersStored)
		}
		dump := fmt.Sprint(detail, s.page.Network.records[0])
		if strings.Contains(dump, "hidden") != store {
			t.Errorf("with storing %v the ledger holds %s", store, dump)
		}
		if store && (detail.RequestHeaders["cookie"] != "id=hidden" || detail.ResponseHeaders["set-cookie"] != "id=hidden") {
			t.Errorf("headers are %v, %v", detail.RequestHeaders, detail.ResponseHeaders)
		}
	}
}

// Raw headers may come before their request.
func TestNetwork_EarlyRawHeaders(t *testing.T) {
	s := newStream(t, true)
	s.fold("Network.requestWillBeSentExtraInfo", m{"requestId": "1", "headers": m{"Cookie": "a=b"}})
	s.send("1", "http://site.test/", nil)
	detail, _, _ := s.page.Network.Detail("req_1", View{})
	if detail.RequestHeaders["cookie"] != "a=b" {
		t.Errorf("headers are %v", detail.RequestHeaders)
	}
	for i := range 3 * earlyExtrasMax {
		s.fold("Network.requestWillBeSentExtraInfo", m{"requestId": fmt.Sprint("never", i), "headers": m{"A": "b"}})
	}
	if n := len(s.page.Network.early); n != earlyExtrasMax {
		t.Errorf("%d early headers are held, at most %d", n, earlyExtrasMax)
	}
}

// A record is cut at its bounds and says so (R141).
func TestNetwork_BoundsOfOneRecord(t *testing.T) {
	s := newStream(t, true)
	headers := m{}
	for i := range 60 {
		headers[fmt.Sprintf("X-%02d", i)] = strings.Repeat("ä", 900)
	}
	s.send("1", "http://site.test/"+strings.Repeat("ü", 3000), m{"request": m{
		"url": "http://site.test/" + strings.Repeat("ü", 3000), "method": "GET", "headers": headers}})
	detail, _, _ := s.page.Network.Detail("req_1", View{})
	if !detail.URLCut || len([]rune(detail.URL)) != messages.NetworkURLCharsMax {
		t.Errorf("URL has %d characters, cut %v", len([]rune(detail.URL)), detail.URLCut)
	}
	if len(detail.RequestHeaders) != messages.NetworkHeadersMax || len([]rune(detail.RequestHeaders["x-00"])) != messages.NetworkHeaderCharsMax {
		t.Errorf("%d headers, the first of %d characters", len(detail.RequestHeaders), len([]rune(detail.RequestHeaders["x-00"])))
	}
}

// The filters of a question to the ledger (R141).
func TestNetwork_Filters(t *testing.T) {
	s := newStream(t, false)
	add := func(id, method, url, kind string, status int) {
		s.send(id, url, m{"type": kind, "request": m{"url": url, "method": method}})
		s.fold("Network.responseReceived", m{"requestId": id, "type": kind, "response": m{"status": status}})
	}
	add("1", "GET", "http://site.test/Page?q=needle", "Document", 200)
	add("2", "POST", "http://site.test/save", "Fetch", 404)
	add("3", "GET", "http://site.test/app.js", "Script", 403)
	add("4", "PUT", "http://site.test/save", "XHR", 500)
	cases := []struct {
		name   string
		filter messages.DiagnosticsFilter
		view   View
		want   string
	}{
		{"all", messages.DiagnosticsFilter{}, View{}, "1 2 3 4"},
		{"text ignores case", messages.DiagnosticsFilter{Text: "pAGE"}, View{}, "1"},
		{"a query string is no oracle", messages.DiagnosticsFilter{Text: "needle"}, View{}, ""},
		{"the operator searches it", messages.DiagnosticsFilter{Text: "needle"}, View{Operator: true}, "1"},
		{"method", messages.DiagnosticsFilter{Method: "post"}, View{}, "2"},
		{"exact status", messages.DiagnosticsFilter{Status: "403"}, View{}, "3"},
		{"status class", messages.DiagnosticsFilter{Status: "4xx"}, View{}, "2 3"},
		{"types", messages.DiagnosticsFilter{Types: []string{"XHR", "fetch"}}, View{}, "2 4"},
		{"failed", messages.DiagnosticsFilter{Failed: true}, View{}, "2 3 4"},
		{"newest kept", messages.DiagnosticsFilter{Limit: 2}, View{}, "3 4"},
		{"since a cursor", messages.DiagnosticsFilter{SinceCursor: 6}, View{}, "4"},
		{"several", messages.DiagnosticsFilter{Failed: true, Method: "PUT", Status: "5xx"}, View{}, "4"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, e := range entries(t, s.page.Network, c.filter, c.view).Entries {
				got = append(got, strings.TrimPrefix(string(e.RequestID), "req_"))
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("got %v, want %q", got, c.want)
			}
		})
	}
	if !entries(t, s.page.Network, messages.DiagnosticsFilter{Limit: 2}, View{}).Truncated {
		t.Error("an answer cut by its limit does not say so")
	}
	if _, err := s.page.Network.Entries(messages.DiagnosticsFilter{SinceCursor: 99}, View{}); err == nil || err.Code != messages.CodeInvalidDiagnosticsCursor {
		t.Errorf("a cursor newer than the stream gives %v", err)
	}
}

// A request whose answer came after the cursor is shown again: its reader saw it pending.
func TestNetwork_ChangedRecordsComeAgain(t *testing.T) {
	s := newStream(t, false)
	s.send("1", "http://site.test/slow", nil)
	cursor := entries(t, s.page.Network, messages.DiagnosticsFilter{}, View{}).Cursor
	if got := entries(t, s.page.Network, messages.DiagnosticsFilter{SinceCursor: cursor}, View{}); len(got.Entries) != 0 {
		t.Errorf("nothing happened, and %d entries are new", len(got.Entries))
	}
	s.respond("1", 204)
	got := entries(t, s.page.Network, messages.DiagnosticsFilter{SinceCursor: cursor}, View{})
	if len(got.Entries) != 1 || got.Entries[0].Status != 204 {
		t.Errorf("got %+v", got)
	}
}

// A request carries the operation in whose time it was made, unless it comes by itself.
func TestNetwork_Attribution(t *testing.T) {
	s := newStream(t, false)
	poller := m{"initiator": m{"type": "script", "stack": m{"callFrames": []m{{"url": "http://site.test/app.js?v=1", "lineNumber": 90}}}}}
	s.send("1", "http://site.test/poll?n=1", poller)
	s.now = s.now.Add(time.Second)
	s.send("2", "http://site.test/poll?n=2", poller)
	if got := len(s.page.Network.Background()); got != 1 {
		t.Fatalf("%d background keys, want 1", got)
	}
	if got := s.page.Network.BackgroundVersion(); got != 1 {
		t.Errorf("the version is %d", got)
	}
	begin := s.now.Add(time.Second)
	s.page.Network.Begin("op-1", begin)
	s.now = begin.Add(10 * time.Millisecond)
	s.send("3", "http://site.test/poll?n=3", poller)
	s.send("4", "http://site.test/save", nil)
	s.send("4", "http://site.test/saved", m{"redirectResponse": m{"status": 303}})
	s.page.Network.End("op-1", begin.Add(time.Second))
	// The lane brings it late; the browser made it in time.
	arrival := s.now
	s.now = begin.Add(3 * time.Second)
	s.send("5", "http://site.test/late", m{"wallTime": float64(arrival.UnixMilli()) / 1000})
	s.send("6", "http://site.test/after", nil)
	want := map[string]messages.OperationID{"poll": "", "save": "op-1", "saved": "op-1", "late": "op-1", "after": ""}
	for _, e := range entries(t, s.page.Network, messages.DiagnosticsFilter{}, View{Operator: true}).Entries {
		name := strings.TrimPrefix(VisibleURL(e.URL), "http://site.test/")
		if e.OperationID != want[name] {
			t.Errorf("%s belongs to %q, want %q", name, e.OperationID, want[name])
		}
	}
	s.navigate("http://site.test/next")
	if got := len(s.page.Network.Background()); got != 0 {
		t.Errorf("%d background keys outlive their document", got)
	}
}

func TestNetwork_KeysAreBounded(t *testing.T) {
	s := newStream(t, false)
	for i := range 2 * backgroundKeysMax {
		for range backgroundSightings {
			s.send(fmt.Sprint(i), fmt.Sprintf("http://site.test/%d", i), nil)
		}
	}
	if n := len(s.page.Network.Background()); n != backgroundKeysMax {
		t.Errorf("%d keys, want %d", n, backgroundKeysMax)
	}
}

// The oldest record goes at the bound and leaves the gap marked (R141, R145).
func TestNetwork_Eviction(t *testing.T) {
	s := newStream(t, false)
	for i := range messages.NetworkRecordsMax + 3 {
		s.send(fmt.Sprint(i), "http://site.test/", nil)
	}
	counts := s.page.Network.Counts()
	if counts.Requests != messages.NetworkRecordsMax+3 || counts.Evicted != 3 || !counts.Gap || counts.Pending != messages.NetworkRecordsMax {
		t.Errorf("counts are %+v", counts)
	}
	s.finish("0", 10) // its record is gone
	if got := s.page.Network.Counts(); got != counts {
		t.Errorf("an update of an evicted request changed %+v to %+v", counts, got)
	}
	got := entries(t, s.page.Network, messages.DiagnosticsFilter{}, View{})
	if len(got.Entries) != messages.NetworkShownMax || !got.Truncated || !got.Gap {
		t.Errorf("%d entries, truncated %v, gap %v", len(got.Entries), got.Truncated, got.Gap)
	}
}

// Only clear_diagnostics clears, with the gap mark; a navigation clears nothing (R137, R145).
func TestNetwork_ClearIsABarrier(t *testing.T) {
	s := newStream(t, false)
	s.send("1", "http://site.test/", nil)
	s.respond("1", 500)
	s.page.Fold(nil, 4, s.now)
	before := s.page.Counted()
	if !before.Gap || before.DroppedEvents != 4 || before.FailedRequests != 1 {
		t.Errorf("before: %+v", before)
	}
	s.navigate("http://site.test/next")
	if before = s.page.Counted(); !before.Gap {
		t.Error("a navigation cleared the gap")
	}
	s.page.Clear()
	s.finish("1", 1)
	after := s.page.Counted()
	if after.Gap || after.DroppedEvents != 0 || after.FailedRequests != 0 || after.Requests != 0 || after.Pending != 0 {
		t.Errorf("after: %+v", after)
	}
	if after.NetworkCursor != before.NetworkCursor {
		t.Errorf("the cursor went from %d to %d", before.NetworkCursor, after.NetworkCursor)
	}
}

// What takes the place of lost ledgers goes on behind their numbers, which both count together, and says that something
// is missing.
func TestPage_Resume(t *testing.T) {
	s := newStream(t, false)
	s.send("1", "http://site.test/", nil)
	s.log("log", "said")
	before := s.page.Counted()
	s.page = NewPage(false)
	s.page.Resume(before.NetworkCursor, before.ConsoleCursor)
	s.send("2", "http://site.test/", nil)
	after := s.page.Counted()
	if !after.Gap || after.NetworkCursor <= before.NetworkCursor || after.ConsoleEntries != 0 {
		t.Errorf("got %+v after %+v", after, before)
	}
	if got := one(t, s.page.Network); got.RequestID != "req_3" || got.Cursor <= before.NetworkCursor {
		t.Errorf("got %+v", got)
	}
}

func TestNetwork_WebSocket(t *testing.T) {
	s := newStream(t, false)
	s.fold("Network.webSocketCreated", m{"requestId": "9", "url": "ws://site.test/live?token=x"})
	s.fold("Network.webSocketHandshakeResponseReceived", m{"requestId": "9", "timestamp": 5.0, "response": m{"status": 101}})
	s.fold("Network.webSocketFrameError", m{"requestId": "9", "errorMessage": "bad frame"})
	if got := one(t, s.page.Network); !got.Pending || got.Status != 101 || got.Failure != "bad frame" || got.URL != "ws://site.test/live" {
		t.Errorf("open: %+v", got)
	}
	s.fold("Network.webSocketClosed", m{"requestId": "9", "timestamp": 6.5})
	if got := one(t, s.page.Network); got.Pending || got.MS != 1500 || got.Failure != "bad frame" {
		t.Errorf("closed: %+v", got)
	}
}

func TestVisibleURL(t *testing.T) {
	cases := map[string]string{
		"http://a.test/p?q#f":              "http://a.test/p",
		"http://u:p@a.test/p":              "http://a.test/p",
		"http://u:p@a.test":                "http://a.test",
		"http://a.test/x@y":                "http://a.test/x@y",
		"data:text/html;base64,c2VjcmV0":   "data:text/html;base64",
		"blob:http://a.test/1-2":           "blob:http://a.test/1-2",
		"about:blank#x":                    "about:blank",
		"javascript:alert('?')":            "javascript:alert('",
		"":                                 "",
		"http://a.test/p#token=1?x":        "http://a.test/p",
		"chrome-error://chromewebdata/?x=": "chrome-error://chromewebdata/",
	}
	for url, want := range cases {
		if got := VisibleURL(url); got != want {
			t.Errorf("VisibleURL(%q) = %q, want %q", url, got, want)
		}
	}
}
