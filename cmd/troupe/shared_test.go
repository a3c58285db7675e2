package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/troupe-browser/troupe/tools"

	"github.com/troupe-browser/troupe/cmd/troupe/daemon"
	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

// `troupe mcp --shared` starts the daemon and makes its input and output a session of it: the verbs of the command line
// see the same browsers. A connection that is neither an MCP client nor a command line of this build is refused.
func TestSharedMCP(t *testing.T) {
	state := shortState(t)
	a := &program.App{State: state, Streams: program.Streams{Out: io.Discard, Err: io.Discard}}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(context.Background(), &mcp.CommandTransport{Command: troupe(t, state, "mcp", "--shared")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := daemon.StopDaemon(context.Background(), a); err != nil {
			t.Errorf("the daemon does not end: %v", err)
		}
	}()
	result, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: tools.Observe, Arguments: map[string]any{"action": "browsers"}})
	if err != nil || result.IsError {
		t.Errorf("the session answers %v, %v", result, err)
	}
	status := awaitDaemon(t, a)
	if status.Clients != 2 { // the session, and whoever asks
		t.Errorf("the daemon has %d clients", status.Clients)
	}
	if err := session.Close(); err != nil {
		t.Errorf("the session does not close: %v", err)
	}

	connection, err := net.Dial("unix", status.Socket)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = connection.Close() }()
	fmt.Fprintln(connection, `{"protocol":"troupe-cli/0","version":"older"}`)
	answer, err := io.ReadAll(connection)
	if err != nil || !bytes.Contains(answer, []byte("The daemon is of another version")) {
		t.Errorf("another build is answered with %s, %v", answer, err)
	}
}
