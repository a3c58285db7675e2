package tools

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"net/http/httptest"
	"os"
	"strings"
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
			session := connect(t, NewServer(NewFacade(launched), ServerOptions{Grants: c.grants}))
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

// call makes one call through a real client.
func call(t *testing.T, ctx context.Context, session *mcp.ClientSession, tool string, arguments map[string]any) *mcp.CallToolResult {
	t.Helper()
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func structure(t *testing.T, result *mcp.CallToolResult) map[string]any {
	t.Helper()
	fields, ok := result.StructuredContent.(map[string]any)
	if !ok {
		t.Fatalf("the structure is %T", result.StructuredContent)
	}
	return fields
}

// isError is true only when an effect did not complete or an observation failed; the structure says the same state.
func TestIsError(t *testing.T) {
	answers := map[messages.Action]func() (messages.Reply, error){
		"reload": func() (messages.Reply, error) { return &messages.Receipt{ExecutionState: messages.Completed}, nil },
		"back": func() (messages.Reply, error) {
			e := messages.NewError(messages.CodeHistoryEntryMissing, "")
			return messages.Refusal("", e), e
		},
		"stop": func() (messages.Reply, error) {
			e := messages.UnknownOutcome(messages.CodeCDPReceiveTimeout, "")
			return messages.Refusal("", e), e
		},
		"browsers": func() (messages.Reply, error) { return &messages.BrowserList{}, nil },
		"pages":    func() (messages.Reply, error) { return nil, messages.NewError(messages.CodeBrowserNotFound, "") },
	}
	gateway := newFake(func(_ context.Context, _ messages.Caller, c messages.Command) (messages.Reply, error) {
		return answers[c.Action()]()
	})
	session := connect(t, NewServer(NewFacade(gateway), ServerOptions{Grants: messages.DefaultGrants()}))
	for _, c := range []struct {
		tool, action string
		isError      bool
		state        any
	}{
		{Control, "reload", false, "completed"}, {Control, "back", true, "not_started"}, {Control, "stop", true, "outcome_unknown"},
		{Observe, "browsers", false, nil}, {Observe, "pages", true, "not_started"},
	} {
		arguments := map[string]any{"action": c.action}
		if c.action != "browsers" {
			arguments["browser_id"] = "b"
		}
		if c.tool == Control {
			arguments["page_id"] = "p"
		}
		result := call(t, context.Background(), session, c.tool, arguments)
		if state := structure(t, result)["execution_state"]; result.IsError != c.isError || state != c.state {
			t.Errorf("%s: isError %v and state %v, want %v and %v", c.action, result.IsError, state, c.isError, c.state)
		}
	}
}

// A picture is image content; the structure holds its measures and not its bytes (R149).
func TestScreenshotIsImageContent(t *testing.T) {
	png := []byte("\x89PNG pretended")
	gateway := newFake(func(context.Context, messages.Caller, messages.Command) (messages.Reply, error) {
		return &messages.Screenshot{Bytes: len(png), Width: 4, Height: 3, MIME: "image/png", ContentDelivery: "mcp_image", Image: png, Full: []byte("the whole one")}, nil
	})
	session := connect(t, NewServer(NewFacade(gateway), ServerOptions{Grants: messages.DefaultGrants()}))
	result := call(t, context.Background(), session, Observe, map[string]any{"action": "screenshot", "browser_id": "b", "page_id": "p"})
	if len(result.Content) != 2 {
		t.Fatalf("there are %d contents", len(result.Content))
	}
	image, ok := result.Content[1].(*mcp.ImageContent)
	if !ok || !bytes.Equal(image.Data, png) || image.MIMEType != "image/png" {
		t.Errorf("the second content is %#v", result.Content[1])
	}
	fields := structure(t, result)
	if fields["content_delivery"] != "mcp_image" || fields["bytes"] != float64(len(png)) {
		t.Errorf("the structure is %v", fields)
	}
}

// Each session is a caller of its own, on the model plane, with the server's grants, and the gateway hears when it goes.
func TestSessionsAreCallers(t *testing.T) {
	seen := make(chan messages.Caller, 4)
	gateway := newFake(func(_ context.Context, caller messages.Caller, _ messages.Command) (messages.Reply, error) {
		seen <- caller
		return &messages.BrowserList{}, nil
	})
	server := NewServer(NewFacade(gateway), ServerOptions{Grants: messages.DefaultGrants(), Owner: "agent"})
	defer server.Close()
	var callers []messages.Caller
	for range 2 {
		theirs, ours := mcp.NewInMemoryTransports()
		served := make(chan error, 1)
		go func() { served <- server.Serve(context.Background(), ours) }()
		session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(context.Background(), theirs, nil)
		if err != nil {
			t.Fatal(err)
		}
		call(t, context.Background(), session, Observe, map[string]any{"action": "browsers"})
		call(t, context.Background(), session, Observe, map[string]any{"action": "browsers"})
		first, second := <-seen, <-seen
		if first != second || first.Plane != messages.PlaneModel || first.Grants != messages.DefaultGrants() || first.Owner != "agent" {
			t.Errorf("the calls came from %+v and %+v", first, second)
		}
		if err := session.Close(); err != nil {
			t.Fatal(err)
		}
		if err := <-served; err != nil {
			t.Errorf("the session ended with %v", err)
		}
		if left := <-gateway.left; left != first.ID {
			t.Errorf("%s left, want %s", left, first.ID)
		}
		callers = append(callers, first)
	}
	if callers[0].ID == callers[1].ID {
		t.Error("two sessions are one caller")
	}
}

// blocking answers a call only when its context ends, and says so.
func blocking(began, ended chan<- messages.Action) *fakeGateway {
	return newFake(func(ctx context.Context, _ messages.Caller, command messages.Command) (messages.Reply, error) {
		began <- command.Action()
		<-ctx.Done()
		ended <- command.Action()
		return nil, messages.NewError(messages.CodeCancelled, "")
	})
}

// A call in flight is cancelled by the client's cancellation, by the client's going, by the end of the session's context
// and by the server's Close. None of them waits for the call's own deadline.
func TestCancellation(t *testing.T) {
	waiting := &mcp.CallToolParams{Name: Observe, Arguments: map[string]any{"action": "wait", "browser_id": "b", "page_id": "p", "text": "x"}}
	for name, end := range map[string]func(cancelCall, cancelServe context.CancelFunc, session *mcp.ClientSession, server *Server){
		"the client cancels":       func(cancelCall, _ context.CancelFunc, _ *mcp.ClientSession, _ *Server) { cancelCall() },
		"the session's context":    func(_, cancelServe context.CancelFunc, _ *mcp.ClientSession, _ *Server) { cancelServe() },
		"the server closes":        func(_, _ context.CancelFunc, _ *mcp.ClientSession, server *Server) { server.Close() },
		"the client's stream ends": nil,
	} {
		t.Run(name, func(t *testing.T) {
			began, ended := make(chan messages.Action, 1), make(chan messages.Action, 1)
			gateway := blocking(began, ended)
			server := NewServer(NewFacade(gateway), ServerOptions{Grants: messages.DefaultGrants()})
			requests, client := io.Pipe()
			serverOut, answers := io.Pipe()
			serve, cancelServe := context.WithCancel(context.Background())
			defer cancelServe()
			served := make(chan error, 1)
			go func() { served <- server.ServeStream(serve, requests, answers) }()
			session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(context.Background(), &mcp.IOTransport{Reader: serverOut, Writer: client}, nil)
			if err != nil {
				t.Fatal(err)
			}
			calling, cancelCall := context.WithCancel(context.Background())
			defer cancelCall()
			called := make(chan struct{})
			go func() {
				defer close(called)
				// It ends with whatever ended it; that it ends is what is tested.
				_, _ = session.CallTool(calling, waiting)
			}()
			<-began
			if end == nil {
				client.CloseWithError(io.EOF)
			} else {
				end(cancelCall, cancelServe, session, server)
			}
			<-ended
			client.Close()
			<-served
			<-gateway.left
			server.Close()
			answers.Close()
			<-called
			_ = session.Close()
		})
	}
}

// The transcript of one session over the wire, byte for byte: what a host sends and what it gets.
func TestTranscript(t *testing.T) {
	gateway := newFake(func(_ context.Context, _ messages.Caller, command messages.Command) (messages.Reply, error) {
		return scripted(command)
	})
	server := NewServer(NewFacade(gateway), ServerOptions{Version: "test", Grants: messages.DefaultGrants()})
	script, err := os.ReadFile("testdata/transcript.txt")
	if err != nil {
		t.Fatal(err)
	}
	requests, client := io.Pipe()
	serverOut, answers := io.Pipe()
	served := make(chan error, 1)
	go func() { served <- server.ServeStream(context.Background(), requests, answers) }()
	lines := bufio.NewReader(serverOut)
	var got strings.Builder
	for line := range strings.Lines(string(script)) {
		request, isRequest := strings.CutPrefix(line, "> ")
		switch {
		case isRequest:
			got.WriteString(line)
			if _, err := io.WriteString(client, request); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(request, `"id"`) {
				answer, err := lines.ReadString('\n')
				if err != nil {
					t.Fatal(err)
				}
				got.WriteString("< " + answer)
			}
		case !strings.HasPrefix(line, "< "):
			got.WriteString(line)
		}
	}
	client.Close()
	<-served
	server.Close()
	if *rewrite {
		if err := os.WriteFile("testdata/transcript.txt", []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got.String() != string(script) {
		t.Errorf("the transcript differs; look at the difference and run: go test ./tools -run TestTranscript -rewrite\n%s", got.String())
	}
}

var rewrite = flag.Bool("rewrite", false, "write the golden files anew")

// scripted answers as a runtime would, with one of each form.
func scripted(command messages.Command) (messages.Reply, error) {
	switch c := command.(type) {
	case *messages.GetTargets:
		return &messages.Targets{Capabilities: messages.Capabilities{Observe: true, Control: true}, Engine: messages.EngineState{Available: true, Product: "Chromium/156"}, BrowsersMax: 4}, nil
	case *messages.Launch:
		return &messages.Receipt{ExecutionState: messages.Completed, OperationID: "op_1", BrowserID: "br_1"}, nil
	case *messages.ListPages:
		if c.BrowserID != "br_1" {
			return nil, messages.NewError(messages.CodeBrowserNotFound, "").WithRecovery(Observe, map[string]any{"action": "browsers"})
		}
		return &messages.PageList{BrowserID: "br_1", Pages: []messages.PageSummary{{PageID: "pg_1", URL: "about:blank", LoadState: messages.LoadIdle, Presented: true}}}, nil
	case *messages.TakeSnapshot:
		return &messages.Snapshot{
			BrowserID: "br_1", PageID: "pg_1", Generation: 7, DocumentToken: "doc_1", URL: "http://site/form", Title: "Order \"now\"", Mode: messages.ModeInteractive,
			Nodes: []messages.Node{
				{Role: "heading", Name: "Order", Level: ptr(1)},
				{ElementID: "el_1", Ref: "e1", Role: "textbox", Name: "Email", Value: ptr(""), Actions: []messages.Action{"click", "input_text", "set_value"}, Required: ptr(true), Placeholder: "you@site", Depth: 3},
				{ElementID: "el_2", Ref: "e2", Role: "checkbox", Name: "Line one\nline two", Checked: messages.CheckedFalse, Actions: []messages.Action{"click"}},
				{Role: "button", Name: "Pay", Disabled: ptr(true)},
			},
			Truncated: true, NextNodeOffset: ptr(4), Unseen: []messages.Unseen{{Kind: "frame", Reason: "cross_origin", Count: 1}},
		}, nil
	case *messages.SetValue:
		return &messages.Receipt{
			ExecutionState: messages.Completed, OperationID: "op_2", Observed: &messages.Observed{Value: ptr("ABCDE"), ValueMatches: ptr(false)},
			Document: messages.DocumentSame, Stability: &messages.Stability{Stable: true, Reason: messages.ReasonQuiet},
		}, nil
	case *messages.Click:
		return &messages.Receipt{
			ExecutionState: messages.Completed, OperationID: "op_3", Document: messages.DocumentNavigated, URL: "http://site/done", NeedsSnapshot: true,
			Stability: &messages.Stability{Reason: messages.ReasonDialogOpen}, OpenedPages: []messages.OpenedPage{{PageID: "pg_2", OpenerPageID: "pg_1"}},
			Dialog:   &messages.Dialog{Kind: messages.DialogConfirm, Message: "Sure?", Open: true},
			Requests: &messages.Requests{Count: 1, List: []messages.RequestDigest{{Method: "POST", Path: "/save", Status: 200}}},
		}, nil
	case *messages.Batch:
		e := messages.NewError(messages.CodeControlDisabled, "").WithRecovery(Observe, map[string]any{"action": "snapshot", "browser_id": "br_1", "page_id": "pg_1"})
		return &messages.Receipt{
			ExecutionState: messages.Completed, OperationID: "op_4", Code: e.Code, Message: e.Detail, Recovery: e.Recovery, NeedsSnapshot: true,
			Batch: &messages.BatchProgress{CompletedCount: 1, StoppedAtIndex: ptr(1), StoppedExecutionState: messages.NotStarted, RemainingCount: 1,
				Results: []messages.BatchResult{{ExecutionState: messages.Completed}, {ExecutionState: messages.NotStarted, Code: e.Code}}},
		}, nil
	}
	return nil, messages.NewError(messages.CodeInternalError, "")
}

// The HTTP endpoint is one session as any other.
func TestHTTP(t *testing.T) {
	gateway := newFake(func(_ context.Context, _ messages.Caller, command messages.Command) (messages.Reply, error) {
		return scripted(command)
	})
	server := NewServer(NewFacade(gateway), ServerOptions{Grants: messages.DefaultGrants()})
	web := httptest.NewServer(server.Handler())
	defer web.Close()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(context.Background(), &mcp.StreamableClientTransport{Endpoint: web.URL}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if result := call(t, context.Background(), session, Control, map[string]any{"action": "launch"}); structure(t, result)["browser_id"] != "br_1" {
		t.Errorf("it answers %v", result.StructuredContent)
	}
	if err := session.Close(); err != nil {
		t.Fatal(err)
	}
	<-gateway.left
	server.Close()
}
