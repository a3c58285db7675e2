package tools

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

// A line that cannot be read is answered and skipped; the session goes on.
func TestServeStream_SurvivesUnreadableLines(t *testing.T) {
	server := NewServer(NewFacade(newFake(func(context.Context, messages.Caller, messages.Command) (messages.Reply, error) {
		return &messages.BrowserList{}, nil
	})), ServerOptions{Grants: messages.DefaultGrants()})
	requests, client := io.Pipe()
	serverOut, answers := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- server.ServeStream(context.Background(), requests, answers) }()
	lines := bufio.NewReader(serverOut)
	ask := func(request string) (id any, code int) {
		t.Helper()
		// The pipe has no buffer: the answer to a long line is read while it is still written.
		go func() { _, _ = io.WriteString(client, request+"\n") }()
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		var answer struct {
			ID    any                 `json:"id"`
			Error *struct{ Code int } `json:"error"`
		}
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if answer.Error != nil {
			code = answer.Error.Code
		}
		return answer.ID, code
	}
	initialize := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	if id, code := ask("garbage first"); id != nil || code != -32700 {
		t.Errorf("before the session: %v %d", id, code)
	}
	if id, code := ask(initialize); id != 1.0 || code != 0 {
		t.Fatalf("initialize: %v %d", id, code)
	}
	for _, row := range []struct {
		name, line string
		code       int
	}{
		{"no JSON", `{"jsonrpc":"2.0","id":`, -32700},
		{"two values", `{} {}`, -32700},
		{"too long", `"` + strings.Repeat("x", lineBytesMax) + `"`, -32700},
		{"no message", `{"hello":1}`, -32600},
		{"a list", `[{"jsonrpc":"2.0","id":3,"method":"ping"}]`, -32600},
		{"a number", `7`, -32600},
		{"after empty lines", "\n \n\r\nx", -32700},
	} {
		if id, code := ask(row.line); id != nil || code != row.code {
			t.Errorf("%s: %v %d, want %d", row.name, id, code, row.code)
		}
		if id, code := ask(`{"jsonrpc":"2.0","id":2,"method":"ping"}`); id != 2.0 || code != 0 {
			t.Fatalf("%s: the session answers %v %d afterwards", row.name, id, code)
		}
	}
	if err := client.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-served; err != nil {
		t.Errorf("the session ended with %v", err)
	}
	server.Close()
}

// The last line needs no end.
func TestLineFilter_LastLine(t *testing.T) {
	const message = `{"jsonrpc":"2.0","method":"x"}`
	var refused strings.Builder
	got, err := io.ReadAll(newLineFilter(io.NopCloser(strings.NewReader("junk\n"+message)), &refused))
	if err != nil || string(got) != message+"\n" || strings.Count(refused.String(), "\n") != 1 {
		t.Errorf("passed %q, refused %q, %v", got, refused.String(), err)
	}
}
