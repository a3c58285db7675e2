package tools

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

const initializeLine = `{"jsonrpc":"2.0","id":"first","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

// wireRows are messages that are not as the protocol has them: the id and the code of each answer, and no answer for
// code 0. "Marked" stands in what must not come back.
var wireRows = []struct {
	name, line, id string
	code           int64
}{
	{"a fraction as id", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, "null", -32600},
	{"null as id", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, "null", -32600},
	{"a boolean as id", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, "null", -32600},
	{"an object as id", `{"jsonrpc":"2.0","id":{"Marked":1},"method":"ping"}`, "null", -32600},
	{"a list as id", `{"jsonrpc":"2.0","id":["Marked"],"method":"ping"}`, "null", -32600},
	{"an id beyond the integers", `{"jsonrpc":"2.0","id":1e300,"method":"ping"}`, "null", -32600},
	{"no version", `{"id":3,"method":"ping"}`, "3", -32600},
	{"another version", `{"jsonrpc":"1.0","id":3,"method":"ping"}`, "3", -32600},
	{"a version in other letters", `{"JSONRPC":"2.0","id":3,"method":"ping"}`, "3", -32600},
	{"a number as method", `{"jsonrpc":"2.0","id":3,"method":7}`, "3", -32600},
	{"neither method nor result", `{"jsonrpc":"2.0","id":3}`, "3", -32600},
	{"a text as params", `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":"Marked"}`, "3", -32602},
	{"a list as params", `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":["Marked"]}`, "3", -32602},
	{"params of other types", `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":{"Marked":1}}}`, "3", -32602},
	{"an unknown tool", `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"Marked"}}`, "3", -32602},
	{"no params", `{"jsonrpc":"2.0","id":3,"method":"tools/call"}`, "3", -32600},
	{"an unknown method", `{"jsonrpc":"2.0","id":3,"method":"Marked"}`, "3", -32601},
	{"an empty method", `{"jsonrpc":"2.0","id":3,"method":""}`, "3", -32601},
	{"a notification with an id", `{"jsonrpc":"2.0","id":3,"method":"notifications/cancelled","params":{"requestId":3}}`, "3", -32600},
	{"a list of messages", `[{"jsonrpc":"2.0","id":3,"method":"Marked"}]`, "null", -32600},
	{"an empty list", `[]`, "null", -32600},
	{"null", `null`, "null", -32600},
	{"half a message", `{"jsonrpc":"2.0","id":3,"method":"Marked`, "null", -32700},
	{"a text as id is told back", `{"jsonrpc":"2.0","id":"a","method":"Marked"}`, `"a"`, -32601},

	{"an unknown notification", `{"jsonrpc":"2.0","method":"Marked"}`, "", 0},
	{"a call without an id", `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"observe_browser","arguments":{"action":"browsers"}}}`, "", 0},
	{"a notification with a text as params", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":"Marked"}`, "", 0},
	{"the end of a call that never began", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"Marked"}}`, "", 0},
	{"the end of nothing", `{"jsonrpc":"2.0","method":"notifications/cancelled"}`, "", 0},
	{"an answer to nothing", `{"jsonrpc":"2.0","id":99,"result":{}}`, "", 0},
	{"an answer without an id", `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Marked"}}`, "", 0},
}

// wireAnswer is an answer as it comes in.
type wireAnswer struct {
	ID     json.RawMessage
	Result json.RawMessage
	Error  *wireError
}

// judgeAnswer compares an answer with what is wanted.
func judgeAnswer(t *testing.T, name, line string, answer wireAnswer, id string, code int64) {
	t.Helper()
	if answer.Error == nil || answer.Error.Code != code || string(answer.ID) != id {
		t.Errorf("%s: %s, want id %s and code %d", name, line, id, code)
		return
	}
	for _, leak := range []string{"Marked", "json:", "float64", "struct", "unmarshal", "map[", "mcp.", "jsonrpc2", "ID type"} {
		if strings.Contains(answer.Error.Message+string(answer.Error.Data), leak) {
			t.Errorf("%s: %q is in %s", name, leak, line)
		}
	}
}

// wireStream is a session over a stream whose calls of observe_browser wait until they are cancelled or released.
type wireStream struct {
	t       *testing.T
	in      io.Writer
	out     *bufio.Reader
	begun   chan struct{}
	release chan struct{}
}

func newWireStream(t *testing.T) *wireStream {
	t.Helper()
	w := &wireStream{t: t, begun: make(chan struct{}, 8), release: make(chan struct{})}
	server := NewServer(NewFacade(newFake(func(ctx context.Context, _ messages.Caller, _ messages.Command) (messages.Reply, error) {
		w.begun <- struct{}{}
		select {
		case <-w.release:
			return &messages.BrowserList{}, nil
		case <-ctx.Done():
			return nil, messages.NewError(messages.CodeCancelled, "")
		}
	})), ServerOptions{Grants: messages.DefaultGrants()})
	requests, in := io.Pipe()
	out, answers := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- server.ServeStream(context.Background(), requests, answers) }()
	t.Cleanup(func() {
		_ = in.Close() // a pipe in memory closes
		if err := <-served; err != nil {
			t.Errorf("the session ended with %v", err)
		}
		server.Close()
	})
	w.in, w.out = in, bufio.NewReader(out)
	w.send(initializeLine)
	w.read()
	return w
}

func (w *wireStream) send(line string) {
	w.t.Helper()
	if _, err := io.WriteString(w.in, line+"\n"); err != nil {
		w.t.Fatal(err)
	}
}

func (w *wireStream) read() (string, wireAnswer) {
	w.t.Helper()
	line, err := w.out.ReadString('\n')
	if err != nil {
		w.t.Fatal(err)
	}
	var answer wireAnswer
	if err := json.Unmarshal([]byte(line), &answer); err != nil {
		w.t.Fatalf("%q: %v", line, err)
	}
	return line, answer
}

// What is not as the protocol has it is answered by its rules or not at all, in words that repeat nothing, and the
// session goes on.
func TestServeStream_MessagesThatAreNotAsTheyShould(t *testing.T) {
	w := newWireStream(t)
	close(w.release)
	for _, row := range wireRows {
		w.send(row.line)
		if row.code != 0 {
			line, answer := w.read()
			judgeAnswer(t, row.name, line, answer, row.id, row.code)
		}
		w.send(`{"jsonrpc":"2.0","id":"after","method":"ping"}`)
		if line, answer := w.read(); string(answer.ID) != `"after"` || answer.Error != nil {
			t.Fatalf("%s: the session answers %s afterwards", row.name, line)
		}
	}
}

const observeCall = `"method":"tools/call","params":{"name":"observe_browser","arguments":{"action":"browsers"}}}`

// A second call with the id of one that still runs is refused without an id, and the first gets its own answer.
func TestServeStream_AnIDThatIsInUse(t *testing.T) {
	w := newWireStream(t)
	w.send(`{"jsonrpc":"2.0","id":7,` + observeCall)
	<-w.begun
	w.send(`{"jsonrpc":"2.0","id":7.0,` + observeCall)
	line, answer := w.read()
	judgeAnswer(t, "the second", line, answer, "null", -32600)
	close(w.release)
	if line, answer := w.read(); string(answer.ID) != "7" || answer.Result == nil {
		t.Errorf("the first is answered with %s", line)
	}
	w.send(`{"jsonrpc":"2.0","id":7,` + observeCall)
	if line, answer := w.read(); string(answer.ID) != "7" || answer.Result == nil {
		t.Errorf("the id is free again and answered with %s", line)
	}
}

// A fraction names no call: the one of the integer below it goes on.
func TestServeStream_CancelNamesOneCall(t *testing.T) {
	w := newWireStream(t)
	w.send(`{"jsonrpc":"2.0","id":7,` + observeCall)
	<-w.begun
	w.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7.5}}`)
	w.send(`{"jsonrpc":"2.0","id":8,"method":"ping"}`)
	if line, answer := w.read(); string(answer.ID) != "8" {
		t.Errorf("%s", line)
	}
	w.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`)
	if line, answer := w.read(); string(answer.ID) != "7" || !strings.Contains(line, "cancelled") {
		t.Errorf("the call that was cancelled says %s", line)
	}
}

// The same over HTTP.
func TestHandler_MessagesThatAreNotAsTheyShould(t *testing.T) {
	server := NewServer(NewFacade(newFake(func(context.Context, messages.Caller, messages.Command) (messages.Reply, error) {
		return &messages.BrowserList{}, nil
	})), ServerOptions{Grants: messages.DefaultGrants()})
	site := httptest.NewServer(server.Handler())
	defer site.Close()
	defer server.Close()
	session := ""
	post := func(body string) (int, string) {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, site.URL, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Accept", "application/json, text/event-stream")
		if session != "" {
			request.Header.Set("Mcp-Session-Id", session)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = response.Body.Close() }() // only read from
		text, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		if id := response.Header.Get("Mcp-Session-Id"); id != "" {
			session = id
		}
		return response.StatusCode, string(text)
	}
	if status, text := post(initializeLine); status != http.StatusOK || session == "" {
		t.Fatalf("initialize: %d %s", status, text)
	}
	for _, row := range wireRows {
		status, text := post(row.line)
		if row.code == 0 {
			if strings.Contains(text, "Marked") || strings.Contains(text, "result") {
				t.Errorf("%s: %d %s", row.name, status, text)
			}
			continue
		}
		var answer wireAnswer
		if err := json.Unmarshal([]byte(text), &answer); err != nil {
			t.Errorf("%s: %d %q", row.name, status, text)
			continue
		}
		judgeAnswer(t, row.name, text, answer, row.id, row.code)
	}
	if status, text := post(`{"jsonrpc":"2.0","id":"after",` + observeCall); status != http.StatusOK || !strings.Contains(text, `"id":"after"`) {
		t.Errorf("afterwards: %d %s", status, text)
	}
}

// FuzzMessages feeds lines to the filter of a stream: what passes is a message that the SDK reads, and each refusal is
// one whole answer that repeats nothing but an id.
func FuzzMessages(f *testing.F) {
	for _, row := range wireRows {
		f.Add(row.line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		v := judge([]byte(line))
		if v.code == 0 {
			return
		}
		var answer struct {
			Version string          `json:"jsonrpc"`
			ID      json.RawMessage `json:"id"`
			Error   *wireError      `json:"error"`
		}
		text := refusalLine(v)
		if err := json.Unmarshal([]byte(text), &answer); err != nil || strings.Count(text, "\n") != 1 || answer.Version != "2.0" || answer.Error == nil {
			t.Fatalf("%q is answered with %q, %v", line, text, err)
		}
		if string(answer.ID) != "null" && !validID(answer.ID) {
			t.Errorf("the id is %s", answer.ID)
		}
		if known := errorTexts[v.code]; known == "" {
			t.Errorf("the code is %d", v.code)
		}
	})
}
