package tools

import (
	"context"
	"crypto/rand"
	"io"
	"net/http"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/troupe-browser/troupe/messages"
)

// ServerOptions are what the operator decides for every session of a server.
type ServerOptions struct {
	// Version is reported to clients; empty becomes "dev".
	Version string
	// Grants are what every session may do (R230). The zero value allows nothing.
	Grants messages.GrantSet
	// Owner, where given, is the agent whose end closes the browsers (R23).
	Owner messages.OwnerID
}

// Server offers the tools over MCP. Each session is a caller of its own on the model plane: it owns the pages that it
// opens (C27), and the gateway hears when it leaves.
//
// The tool list depends on the grants alone and is fixed when the server is made, so that it stays byte for byte the same
// whatever browsers come and go (R222).
type Server struct {
	facade  *Facade
	options ServerOptions
	mcp     *mcp.Server
	ends    context.Context
	close   context.CancelFunc

	mu       sync.Mutex
	sessions map[*mcp.ServerSession]session
	leaving  sync.WaitGroup
	// posts are the calls over HTTP.
	posts openCalls
	// running are the ids of those, with their sessions.
	running idsInUse
}

// NewServer returns a server of the tools that the grants admit: inspect_browser only with browser:inspect.
func NewServer(facade *Facade, options ServerOptions) *Server {
	if options.Version == "" {
		options.Version = "dev"
	}
	s := &Server{facade: facade, options: options, sessions: make(map[*mcp.ServerSession]session)}
	s.ends, s.close = context.WithCancel(context.Background())
	s.mcp = mcp.NewServer(&mcp.Implementation{Name: "troupe", Title: "Troupe browser", Version: options.Version},
		&mcp.ServerOptions{Instructions: instructions, Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}}})
	for _, t := range allTools {
		if t.name != Inspect || options.Grants.Has(messages.GrantInspect) {
			s.mcp.AddTool(listed(t), s.handler(t.name))
		}
	}
	return s
}

func listed(t *tool) *mcp.Tool {
	yes, no := true, false
	annotations := &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: &yes, DestructiveHint: &no}
	if t.name == Control {
		annotations = &mcp.ToolAnnotations{DestructiveHint: &yes, OpenWorldHint: &yes}
	}
	return &mcp.Tool{
		Name: t.name, Description: description(t), Annotations: annotations,
		InputSchema: inputSchema(t), OutputSchema: outputSchema(t),
	}
}

func (s *Server) handler(name string) mcp.ToolHandler {
	return func(ctx context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		own := s.session(request.Session, s.ends)
		defer context.AfterFunc(own.ends, cancel)()
		return content(s.facade.Call(ctx, own.caller, name, request.Params.Arguments)), nil
	}
}

func content(result Result) *mcp.CallToolResult {
	out := &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: result.Text}},
		StructuredContent: result.Structured,
		IsError:           result.IsError,
	}
	if result.Image != nil {
		out.Content = append(out.Content, &mcp.ImageContent{Data: result.Image, MIMEType: "image/png"})
	}
	return out
}

// session is what the server keeps of an MCP session.
type session struct {
	caller messages.Caller
	// ends cancels the session's calls in flight; the SDK waits for them without cancelling.
	ends context.Context
	// streamed says that Serve runs the session and closes it.
	streamed bool
	// left is closed when the gateway has heard that the caller left.
	left chan struct{}
}

// session returns what is kept of a session; when it is seen for the first time it becomes a caller, which leaves when
// the session ends.
func (s *Server) session(key *mcp.ServerSession, ends context.Context) session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sessionLocked(key, ends, false)
}

func (s *Server) sessionLocked(key *mcp.ServerSession, ends context.Context, streamed bool) session {
	if known, ok := s.sessions[key]; ok {
		return known
	}
	own := session{ends: ends, streamed: streamed, left: make(chan struct{}), caller: messages.Caller{
		ID: messages.CallerID("mcp-" + rand.Text()), Plane: messages.PlaneModel, Grants: s.options.Grants, Owner: s.options.Owner,
	}}
	s.sessions[key] = own
	s.leaving.Go(func() {
		// How the session ended does not matter.
		_ = key.Wait()
		s.mu.Lock()
		delete(s.sessions, key)
		s.mu.Unlock()
		s.facade.gateway.Leave(own.caller.ID)
		close(own.left)
	})
	return own
}

// Serve runs one session over a transport until the client goes, the context ends or the server is closed. Calls in
// flight are cancelled then and answered with what is known of them; where the client has only ended its input, they have
// drainMax before. It returns nil when the client ended the session, after the gateway has heard that the caller left.
func (s *Server) Serve(ctx context.Context, transport mcp.Transport) error {
	return s.serve(ctx, transport, nil)
}

func (s *Server) serve(ctx context.Context, transport mcp.Transport, refuse func(verdict) error) error {
	ends, end := context.WithCancel(ctx)
	defer end()
	defer context.AfterFunc(s.ends, end)()
	calls := &openCalls{}
	connection, own, err := s.connect(ctx, ends, &drained{transport, end, calls, refuse})
	if err != nil {
		return err
	}
	defer context.AfterFunc(ends, func() {
		// A connection that is closed takes no answers. The error is that of a connection which is gone already.
		calls.await(answerMax, nil)
		_ = connection.Close()
	})()
	err = connection.Wait()
	<-own.left
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// connect starts a session under the lock, so that its first call finds the context that ends it.
func (s *Server) connect(ctx, ends context.Context, transport mcp.Transport) (*mcp.ServerSession, session, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	connection, err := s.mcp.Connect(ctx, transport, nil)
	if err != nil {
		return nil, session{}, err
	}
	return connection, s.sessionLocked(connection, ends, true), nil
}

// ServeStream runs one session over a byte stream of newline-delimited JSON, such as a socket or a pair of pipes. A
// line that cannot be read is answered with an error and does not end the session. It closes the stream.
func (s *Server) ServeStream(ctx context.Context, reader io.ReadCloser, writer io.WriteCloser) error {
	locked := &lockedWriter{stream: writer}
	filter := newLineFilter(reader, locked)
	return s.serve(ctx, &mcp.IOTransport{Reader: filter, Writer: locked}, filter.refuse)
}

// Handler returns the streamable HTTP endpoint. A body that is no message is answered as over a stream. It authenticates nobody: whoever mounts it checks the bearer token, Host
// and Origin before.
func (s *Server) Handler() http.Handler {
	return s.posts.counted(judged(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s.mcp },
		&mcp.StreamableHTTPOptions{JSONResponse: true, SessionTimeout: messages.IdleMax}), &s.running))
}

// Close cancels every call in flight, gives their answers the time to be written, and ends every session; it returns when
// the gateway has heard of each leaving.
func (s *Server) Close() {
	s.close()
	s.posts.await(answerMax, nil)
	for session := range s.mcp.Sessions() {
		s.mu.Lock()
		streamed := s.sessions[session].streamed
		s.mu.Unlock()
		if !streamed {
			// The error is that of a connection which is gone already.
			_ = session.Close()
		}
	}
	s.leaving.Wait()
}
