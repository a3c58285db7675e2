package main

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// The real program answers over stdio what is not as the protocol has it, by JSON-RPC's rules and without repeating it,
// and goes on.
func TestMCP_MessagesThatAreNotAsTheyShould(t *testing.T) {
	process := troupe(t, shortState(t), "mcp")
	in, err := process.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	ask := func(line, id string, code int) {
		t.Helper()
		if _, err := io.WriteString(in, line+"\n"); err != nil {
			t.Fatal(err)
		}
		text, err := lines.ReadString('\n')
		var answer struct {
			ID    json.RawMessage    `json:"id"`
			Error struct{ Code int } `json:"error"`
		}
		if err != nil || json.Unmarshal([]byte(text), &answer) != nil || string(answer.ID) != id || answer.Error.Code != code {
			t.Fatalf("%s is answered with %q, %v", line, text, err)
		}
		if strings.Contains(text, "Marked") || strings.Contains(text, "float64") || strings.Contains(text, "json:") {
			t.Errorf("%s is answered with %s", line, text)
		}
	}
	ask(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, "1", 0)
	ask(`{"jsonrpc":"2.0","id":1.5,"method":"Marked"}`, "null", -32600)
	ask(`{"jsonrpc":"2.0","id":null,"method":"Marked"}`, "null", -32600)
	ask(`[{"jsonrpc":"2.0","id":2,"method":"Marked"}]`, "null", -32600)
	ask(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":{"Marked":1}}}`, "2", -32602)
	ask(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":["Marked"]}`, "2", -32602)
	ask(`{"jsonrpc":"2.0","id":2,"method":"Marked"}`, "2", -32601)
	ask(`{"Marked`, "null", -32700)
	// None of these has an answer: the next one is that of the ping.
	ask(`{"jsonrpc":"2.0","method":"Marked"}
{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}
{"jsonrpc":"2.0","method":"notifications/cancelled","params":"Marked"}
{"jsonrpc":"2.0","id":3,"method":"ping"}`, "3", 0)
	if err := in.Close(); err != nil {
		t.Error(err)
	}
	if rest, err := io.ReadAll(lines); err != nil || len(rest) > 0 {
		t.Errorf("at the end it says %q, %v", rest, err)
	}
	if err := process.Wait(); err != nil {
		t.Errorf("it ends with %v", err)
	}
}
