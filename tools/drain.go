package tools

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// drainMax is how long the calls in flight may go on when the client has ended its side of the stream. A client that
	// only ended its input, as at the end of a pipe, still reads what comes within it; then the calls are cancelled, and
	// answered with what is known of them.
	drainMax = time.Second
	// answerMax bounds the wait for the answers of calls that were cancelled. The runtime gives each
	// messages.CancelGrace to say how it ended; what is not written by then is lost.
	answerMax = time.Second
)

// openCalls counts calls without an answer.
type openCalls struct {
	mu      sync.Mutex
	count   int
	changed chan struct{} // closed when the count goes down
}

func (o *openCalls) add(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.count += n
	if n < 0 && o.changed != nil {
		close(o.changed)
		o.changed = nil
	}
}

// await waits until no call is open, and reports whether that came within the time and before the end of done.
func (o *openCalls) await(limit time.Duration, done <-chan struct{}) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		o.mu.Lock()
		if o.count == 0 {
			o.mu.Unlock()
			return true
		}
		if o.changed == nil {
			o.changed = make(chan struct{})
		}
		changed := o.changed
		o.mu.Unlock()
		select {
		case <-changed:
		case <-done:
			return false
		case <-timer.C:
			return false
		}
	}
}

// counted counts the requests that carry calls. The others, which wait for what the server says by itself, have no end
// of their own.
func (o *openCalls) counted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			o.add(1)
			defer o.add(-1)
		}
		next.ServeHTTP(w, r)
	})
}

// drained is a transport whose session hears of the end of its input only when every call was answered: the SDK writes no
// answer any more once it has heard.
type drained struct {
	mcp.Transport
	// cancel ends the session's calls.
	cancel context.CancelFunc
	calls  *openCalls
	// refuse answers a message that the session is not shown; nil where there is no stream to write to.
	refuse func(verdict) error
}

// Connect connects the transport.
func (t *drained) Connect(ctx context.Context) (mcp.Connection, error) {
	connection, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &drainedConnection{Connection: connection, drained: t, closed: make(chan struct{})}, nil
}

type drainedConnection struct {
	mcp.Connection
	drained *drained
	running idsInUse
	closing sync.Once
	closed  chan struct{}
}

// Read reads the next message, and holds the end of the input back while calls are open.
func (c *drainedConnection) Read(ctx context.Context) (jsonrpc.Message, error) {
	message, err := c.next(ctx)
	if errors.Is(err, io.EOF) && !c.drained.calls.await(drainMax, c.closed) {
		c.drained.cancel()
		c.drained.calls.await(answerMax, c.closed)
	}
	if request, ok := message.(*jsonrpc.Request); ok && err == nil && request.IsCall() {
		c.drained.calls.add(1)
	}
	return message, err
}

// next reads up to a message that is no call with an id in use. The end of a call that is not running is dropped: the SDK
// would keep it for the next call with that id.
func (c *drainedConnection) next(ctx context.Context) (jsonrpc.Message, error) {
	for {
		message, err := c.Connection.Read(ctx)
		request, ok := message.(*jsonrpc.Request)
		if err == nil && ok {
			if id, is := cancelled(request); is && !c.running.has(id) {
				continue
			}
		}
		if err != nil || !ok || !request.IsCall() || c.running.take(idKey(request.ID)) {
			return message, err
		}
		if c.drained.refuse != nil {
			if err := c.drained.refuse(repeatedID()); err != nil {
				return nil, err
			}
		}
	}
}

// Write writes a message. A call counts as answered after that, whatever became of it.
func (c *drainedConnection) Write(ctx context.Context, message jsonrpc.Message) error {
	response, answers := message.(*jsonrpc.Response)
	if answers {
		// Whoever has read the answer may use the id again.
		c.running.give(idKey(response.ID))
	}
	err := c.Connection.Write(ctx, plainAnswer(message))
	if answers {
		c.drained.calls.add(-1)
	}
	return err
}

// Close closes the connection and wakes a reader that waits for answers.
func (c *drainedConnection) Close() error {
	c.closing.Do(func() { close(c.closed) })
	return c.Connection.Close()
}
