package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/troupe-browser/troupe/messages"
)

// connect runs a session of a real MCP client against the server, in memory.
func connect(t *testing.T, s *Server) *mcp.ClientSession {
	t.Helper()
	theirs, ours := mcp.NewInMemoryTransports()
	served := make(chan error, 1)
	go func() { served <- s.Serve(context.Background(), ours) }()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(context.Background(), theirs, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = session.Close()
		if err := <-served; err != nil {
			t.Errorf("the session ended with %v", err)
		}
		s.Close()
	})
	return session
}

func toolList(t *testing.T, session *mcp.ClientSession) []byte {
	t.Helper()
	list, err := session.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// The list is what every conversation pays for, so it has a bound; it is the same before and after a browser exists
// (R222).
func TestToolList(t *testing.T) {
	launched := newFake(func(context.Context, messages.Caller, messages.Command) (messages.Reply, error) {
		return &messages.Receipt{ExecutionState: messages.Completed, BrowserID: "b"}, nil
	})
	for name, c := range map[string]struct {
		grants   messages.GrantSet
		tools    int
		bytesMax int
	}{
		"default grants": {messages.DefaultGrants(), 2, 9_000},
		"with inspect":   {messages.DefaultGrants().Union(messages.NewGrantSet(messages.GrantInspect)), 3, ToolListBytesMax},
	} {
		t.Run(name, func(t *testing.T) {
			session := connect(t, NewServer(NewFacade(launched, Options{}), ServerOptions{Grants: c.grants}))
			before := toolList(t, session)
			t.Logf("tools/list has %d bytes", len(before))
			if len(before) >= c.bytesMax {
				t.Errorf("tools/list has %d bytes, at most %d", len(before), c.bytesMax)
			}
			if n := bytes.Count(before, []byte(`"inputSchema"`)); n != c.tools {
				t.Errorf("%d tools are listed, want %d", n, c.tools)
			}
			if _, err := session.CallTool(context.Background(), &mcp.CallToolParams{Name: Control, Arguments: map[string]any{"action": "launch"}}); err != nil {
				t.Fatal(err)
			}
			if after := toolList(t, session); !bytes.Equal(before, after) {
				t.Error("the tool list changed when a browser came")
			}
		})
	}
}
