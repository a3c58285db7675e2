package diagnostics

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// methods are the events that the ledgers read, and one that they do not.
var methods = []string{
	"Network.requestWillBeSent", "Network.responseReceived", "Network.dataReceived", "Network.loadingFinished",
	"Network.loadingFailed", "Network.requestWillBeSentExtraInfo", "Network.responseReceivedExtraInfo",
	"Network.webSocketCreated", "Network.webSocketHandshakeResponseReceived", "Network.webSocketClosed",
	"Network.webSocketFrameError", "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded", "Page.loadEventFired",
}

// checkBounds fails when anything is over its bound.
func checkBounds(t interface {
	Helper()
	Fatalf(string, ...any)
}, p *Page) {
	t.Helper()
	l, c := p.Network, p.Console
	if len(l.records) > messages.NetworkRecordsMax || len(c.lines) > messages.ConsoleEntriesMax ||
		len(l.early) > earlyExtrasMax || len(l.background.order) > backgroundKeysMax || len(l.windows.list) > windowsMax {
		t.Fatalf("a bound is passed: %d records, %d lines, %d early, %d keys, %d windows",
			len(l.records), len(c.lines), len(l.early), len(l.background.order), len(l.windows.list))
	}
	if len(l.background.seen) != len(l.background.order) {
		t.Fatalf("%d keys are counted and %d ordered", len(l.background.seen), len(l.background.order))
	}
	total, held := 0, 0
	for _, r := range l.records {
		total += r.bytes
		if grown := r.measure(); grown != 0 {
			t.Fatalf("a record is counted with %d bytes too few", grown)
		}
	}
	if total != l.bytes || total > ledgerBytesMax && len(l.records) > 1 {
		t.Fatalf("the ledger counts %d bytes and holds %d", l.bytes, total)
	}
	for protocol, chain := range l.chains {
		held += len(chain.records)
		if len(chain.records) == 0 || len(chain.records) > hopsMax || chain.protocol != protocol {
			t.Fatalf("chain %q holds %d records", protocol, len(chain.records))
		}
	}
	if held > len(l.records) {
		t.Fatalf("chains hold %d of %d records", held, len(l.records))
	}
	for _, line := range c.lines {
		if len(line.Text) > messages.DiagnosticTextBytesMax || len(line.Stack) > messages.StackFramesMax {
			t.Fatalf("a console entry has %d bytes and %d frames", len(line.Text), len(line.Stack))
		}
	}
}

// checkAnswers fails when an answer is over its bytes.
func checkAnswers(t interface {
	Helper()
	Fatalf(string, ...any)
}, p *Page) {
	t.Helper()
	for _, view := range []View{{}, {Operator: true}} {
		network, _ := p.Network.Entries(messages.DiagnosticsFilter{}, view)
		console, _ := p.Console.Entries(messages.DiagnosticsFilter{}, view)
		for _, answer := range []any{network.Entries, console.Entries} {
			data, err := json.Marshal(answer)
			if err != nil || len(data) > messages.DiagnosticsBytesMax+2 {
				t.Fatalf("an answer has %d bytes, %v", len(data), err)
			}
		}
	}
}

// Whatever a browser says: bounds hold, the cursor only grows, and the gap is marked exactly when something was lost.
func TestLedgers_Properties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := NewPage(rapid.Bool().Draw(t, "headers"))
		now, seq := start, uint64(0)
		lost := false
		size := rapid.SampledFrom([]int{1, 100, 4000})
		steps := rapid.IntRange(1, 25).Draw(t, "steps")
		for range steps {
			now = now.Add(time.Duration(rapid.IntRange(0, 500).Draw(t, "ms")) * time.Millisecond)
			before := p.Counted()
			switch rapid.IntRange(0, 9).Draw(t, "step") {
			case 0:
				p.Network.Begin("op", now)
			case 1:
				p.Network.End("op", now)
			case 2:
				seq++
				p.Navigated(seq, "http://site.test/"+strings.Repeat("x", size.Draw(t, "url")), now)
			case 3:
				p.Clear()
				lost = false
			case 4:
				n := rapid.Uint64Range(0, 3).Draw(t, "dropped")
				p.Fold(nil, n, now)
				lost = lost || n > 0
			default:
				repeat := rapid.SampledFrom([]int{1, 1, 5, 260}).Draw(t, "repeat")
				method := rapid.SampledFrom(methods).Draw(t, "method")
				length := size.Draw(t, "length")
				if repeat > 5 {
					length = min(length, 99) // many are enough
				}
				id := rapid.IntRange(0, 3).Draw(t, "id")
				sample := [2]cdp.Event{generated(method, "%ID%", length, false), generated(method, "%ID%", length, true)}
				for i := range repeat {
					seq++
					e := sample[i%2]
					e.Params = bytes.Replace(e.Params, []byte("%ID%"), fmt.Append(nil, id, "-", i/2), 1)
					e.Seq = seq
					p.Fold([]cdp.Event{e}, 0, now)
				}
			}
			after := p.Counted()
			if after.NetworkCursor < before.NetworkCursor || after.ConsoleCursor < before.ConsoleCursor {
				t.Fatalf("a cursor went back: %+v, %+v", before, after)
			}
			evicted := p.Network.evicted > 0 || p.Console.evicted > 0
			if after.Gap != (lost || evicted) {
				t.Fatalf("gap is %v, lost %v, evicted %v", after.Gap, lost, evicted)
			}
			checkBounds(t, p)
		}
		ascending(t, p)
		checkAnswers(t, p)
	})
}

func ascending(t *rapid.T, p *Page) {
	seen := make(map[uint64]bool)
	for _, r := range p.Network.records {
		if r.cursor == 0 || r.cursor > p.Network.stream.cursor || seen[r.cursor] {
			t.Fatalf("cursor %d is of no change or of two", r.cursor)
		}
		seen[r.cursor] = true
	}
	last := uint64(0)
	for _, l := range p.Console.lines {
		if l.Cursor <= last {
			t.Fatalf("cursor %d after %d", l.Cursor, last)
		}
		last = l.Cursor
	}
}

// generated returns a plausible event with texts of the given length.
func generated(method, id string, length int, redirect bool) cdp.Event {
	text := strings.Repeat("é", length)
	headers := m{}
	count := 1 // small events fuzz fast
	if length >= 100 {
		count = messages.NetworkHeadersMax + 1
	}
	for i := range count {
		headers[fmt.Sprint("Name-", i)] = text[:min(len(text), 1200)]
	}
	params := m{
		"requestId": id, "timestamp": 1.5, "wallTime": float64(start.Unix()), "type": "Fetch", "url": "ws://site.test/" + text, "errorText": text, "errorMessage": text,
		"request": m{"url": "http://site.test/" + text, "method": "GET", "headers": headers}, "headers": headers,
		"response": m{"status": 404, "headers": headers}, "dataLength": 5, "encodedDataLength": 5,
		"args":  []m{{"type": "string", "value": text}},
		"entry": m{"level": "error", "text": text},
		"exceptionDetails": m{"text": text, "stackTrace": m{"callFrames": []m{
			{"functionName": text, "url": text}, {"functionName": text}, {}, {}, {}, {}}}},
	}
	if redirect {
		params["redirectResponse"] = m{"status": 302, "headers": headers}
	}
	if method == "Runtime.consoleAPICalled" {
		params["type"] = "log"
	}
	data, err := json.Marshal(params)
	if err != nil {
		panic(err)
	}
	return cdp.Event{Method: method, Params: data}
}

// No text of a page or browser, valid or not, panics or passes a bound.
func FuzzFold(f *testing.F) {
	for i, method := range methods {
		f.Add(uint8(i), string(generated(method, "1", 3, i%2 == 0).Params), true)
	}
	f.Add(uint8(11), `{"type":"log","args":[{"type":"string","value":"\ud800 %d %"},{"type":"object","preview":{}}],"timestamp":1e300}`, false)
	f.Add(uint8(0), `{"requestId":"1","wallTime":-1,"timestamp":"NaN","initiator":{"stack":{"callFrames":[]}}}`, true)
	f.Fuzz(func(t *testing.T, which uint8, params string, headers bool) {
		p := NewPage(headers)
		e := cdp.Event{Method: methods[int(which)%len(methods)], Params: []byte(params), Seq: 2}
		first := generated("Network.requestWillBeSent", "1", 1, false)
		p.Network.Begin("op", start)
		p.Fold([]cdp.Event{first, e, e}, 0, start)
		checkBounds(t, p)
		checkAnswers(t, p)
	})
}

func BenchmarkFoldRequest(b *testing.B) {
	for _, headers := range []bool{false, true} {
		b.Run(fmt.Sprint("headers=", headers), func(b *testing.B) {
			p := NewPage(headers)
			var batch []cdp.Event
			for _, method := range []string{"Network.requestWillBeSent", "Network.responseReceived", "Network.dataReceived", "Network.loadingFinished"} {
				batch = append(batch, generated(method, "1", 40, false))
			}
			b.ReportAllocs()
			for b.Loop() {
				p.Fold(batch, 0, start)
			}
		})
	}
}
