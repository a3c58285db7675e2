package diagnostics

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/cdp"
)

// start is the time from which the tests count.
var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// m is one JSON object.
type m = map[string]any

func event(t testing.TB, method string, params any) cdp.Event {
	t.Helper()
	data, err := json.Marshal(params)
	if err != nil {
		t.Fatal(err)
	}
	return cdp.Event{Method: method, Params: data}
}

// stream gives events their place, as the connection does.
type stream struct {
	t    testing.TB
	seq  uint64
	page *Page
	now  time.Time
}

func newStream(t testing.TB, storeHeaders bool) *stream {
	return &stream{t: t, page: NewPage(storeHeaders), now: start}
}

func (s *stream) fold(method string, params any) bool {
	s.t.Helper()
	e := event(s.t, method, params)
	s.seq++
	e.Seq = s.seq
	return s.page.Fold([]cdp.Event{e}, 0, s.now)
}

func (s *stream) navigate(url string) {
	s.seq++
	s.page.Navigated(s.seq, url, s.now)
}

// seconds returns the stream's time as the browser gives it.
func (s *stream) seconds() float64 { return float64(s.now.UnixMilli()) / 1000 }

// send starts a request; more overwrites fields of the event.
func (s *stream) send(id, url string, more m) {
	s.t.Helper()
	params := m{
		"requestId": id, "timestamp": s.seconds(), "wallTime": s.seconds(), "type": "Fetch",
		"request":   m{"url": url, "method": "GET", "headers": m{"Accept": "*/*"}},
		"initiator": m{"type": "script", "stack": m{"callFrames": []m{{"functionName": "load", "url": "http://site.test/app.js?v=1", "lineNumber": 4, "columnNumber": 2}}}},
	}
	for name, value := range more {
		params[name] = value
	}
	s.fold("Network.requestWillBeSent", params)
}

func (s *stream) respond(id string, status int) bool {
	s.t.Helper()
	return s.fold("Network.responseReceived", m{"requestId": id, "type": "Fetch", "timestamp": s.seconds(), "response": m{"status": status, "headers": m{"Content-Type": "text/plain"}}})
}

func (s *stream) finish(id string, bytes int) {
	s.t.Helper()
	s.fold("Network.loadingFinished", m{"requestId": id, "timestamp": s.seconds(), "encodedDataLength": bytes})
}

func (s *stream) log(kind string, args ...any) {
	s.t.Helper()
	objects := []m{}
	for _, arg := range args {
		if object, ok := arg.(m); ok {
			objects = append(objects, object)
			continue
		}
		objects = append(objects, m{"type": "string", "value": fmt.Sprint(arg)})
	}
	s.fold("Runtime.consoleAPICalled", m{"type": kind, "args": objects, "timestamp": s.seconds() * 1000})
}
