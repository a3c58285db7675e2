package cdptest

import (
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/troupe-browser/troupe/cdp"
)

// callsKept bounds the record of calls; later ones are answered but not recorded.
const callsKept = 65536

// TB is what a Browser needs of a test; *testing.T, *testing.B and *testing.F have it.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
	Cleanup(func())
}

// Browser is a scripted browser. Its methods may be called from any goroutine.
type Browser struct {
	tb       TB
	calls    chan *Call    // written by the connection, read by serve
	gone     chan struct{} // closed when the stream has ended
	finished chan struct{} // closed when serve has returned
	wake     chan struct{} // there is something to read
	advance  chan struct{} // there are new steps

	mu       sync.Mutex
	ended    error    // why the stream ended, nil while it has not
	outbound [][]byte // messages that the connection has not read
	handlers map[string]func(*Call)
	rest     func(*Call)
	record   []Record
	stalled  chan struct{} // not nil while writes block; closed to let them go
	script   *script
	moved    chan struct{} // closed and replaced whenever the script moves
}

// Record is one call that the browser got.
type Record struct {
	Method  string
	Session cdp.SessionID
	Params  json.RawMessage
}

// New returns a browser. When the test ends, it is closed, and the test fails if
// its script is not at its end.
func New(tb TB) *Browser {
	b := &Browser{
		tb: tb, calls: make(chan *Call), gone: make(chan struct{}), finished: make(chan struct{}),
		wake: make(chan struct{}, 1), advance: make(chan struct{}, 1), moved: make(chan struct{}),
		handlers: make(map[string]func(*Call)),
	}
	go b.serve()
	tb.Cleanup(func() {
		b.Close()
		<-b.finished
		if at := b.position(); at != "" {
			tb.Errorf("cdptest: the test ended before the script did, which is %s", at)
		}
	})
	return b
}

// Transport returns the near side, for one cdp.Conn.
func (b *Browser) Transport() cdp.Transport { return transport{b} }

// Handle lets a function answer the calls of a method. It runs in the browser's one
// goroutine, so calls are handled in their order and none while it blocks. It may
// answer later, from elsewhere, by keeping the call. A second Handle replaces the
// first; nil takes it away.
func (b *Browser) Handle(method string, handler func(*Call)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if handler == nil {
		delete(b.handlers, method)
		return
	}
	b.handlers[method] = handler
}

// HandleRest lets a function answer what neither the script nor a handler takes,
// such as func(c *Call) { c.Reply(nil) } where a test does not care.
func (b *Browser) HandleRest(handler func(*Call)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.rest = handler
}

// Emit sends an event; session "" is the browser's own. Parameters that are nil are
// sent as {}.
func (b *Browser) Emit(session cdp.SessionID, method string, params any) {
	b.tb.Helper()
	message := map[string]any{"method": method, "params": orEmpty(params)}
	if session != "" {
		message["sessionId"] = session
	}
	b.send(message)
}

// Attach announces a flat session of a page target, on the browser's session.
func (b *Browser) Attach(session cdp.SessionID, target cdp.TargetID) {
	b.Emit("", "Target.attachedToTarget", map[string]any{
		"sessionId":          session,
		"targetInfo":         map[string]any{"targetId": target, "type": "page", "title": "", "url": "about:blank", "attached": true, "canAccessOpener": false},
		"waitingForDebugger": false,
	})
}

// Detach announces the end of a session.
func (b *Browser) Detach(session cdp.SessionID) {
	b.Emit("", "Target.detachedFromTarget", map[string]any{"sessionId": session})
}

// Crash announces that the renderer of a session crashed, Revive that it is back.
func (b *Browser) Crash(session cdp.SessionID) { b.Emit(session, "Inspector.targetCrashed", nil) }

// Revive announces that a crashed renderer was reloaded.
func (b *Browser) Revive(session cdp.SessionID) {
	b.Emit(session, "Inspector.targetReloadedAfterCrash", nil)
}

// SendRaw sends bytes as one message, whatever they are.
func (b *Browser) SendRaw(message []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.outbound = append(b.outbound, message)
	b.signal()
}

// Stall makes the connection's writes block, as a browser does that reads no more,
// until Resume or the end of the stream.
func (b *Browser) Stall() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stalled == nil {
		b.stalled = make(chan struct{})
	}
}

// Resume ends a Stall.
func (b *Browser) Resume() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stalled != nil {
		close(b.stalled)
		b.stalled = nil
	}
}

// Close ends the stream as a browser does that exits: the connection reads what was
// sent before and then io.EOF.
func (b *Browser) Close() { b.CloseWith(io.EOF) }

// CloseWith ends the stream with an error of reading. What was sent before is still
// read. Only the first end counts.
func (b *Browser) CloseWith(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended == nil {
		b.ended = err
		close(b.gone)
		b.signal()
	}
}

// Calls returns the calls that the browser got, in order.
func (b *Browser) Calls() []Record {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]Record(nil), b.record...)
}

// Methods returns the methods of the calls that the browser got, in order.
func (b *Browser) Methods() []string {
	var methods []string
	for _, r := range b.Calls() {
		methods = append(methods, r.Method)
	}
	return methods
}

// Gone is closed when the stream has ended, from either side.
func (b *Browser) Gone() <-chan struct{} { return b.gone }

func (b *Browser) send(message any) {
	b.tb.Helper()
	data, err := json.Marshal(message)
	if err != nil {
		b.tb.Errorf("cdptest: a message that cannot be encoded: %v", err)
		return
	}
	b.SendRaw(data)
}

// signal wakes the reader. mu is held.
func (b *Browser) signal() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

func orEmpty(v any) any {
	if v == nil {
		return struct{}{}
	}
	return v
}

// transport is the near side of a browser.
type transport struct{ b *Browser }

var errTransportClosed = errors.New("cdptest: the transport is closed")

// Write hands a call to the browser's goroutine.
func (t transport) Write(message []byte) error {
	b := t.b
	b.mu.Lock()
	stalled := b.stalled
	b.mu.Unlock()
	if stalled != nil {
		select {
		case <-stalled:
		case <-b.gone:
			return errTransportClosed
		}
	}
	c, err := parseCall(b, message)
	if err != nil {
		b.tb.Errorf("cdptest: the connection wrote what is no call: %v: %s", err, message)
		return nil
	}
	select {
	case b.calls <- c:
		return nil
	case <-b.gone:
		return errTransportClosed
	}
}

// Read returns the next message of the browser.
func (t transport) Read() ([]byte, error) {
	b := t.b
	for {
		b.mu.Lock()
		if len(b.outbound) > 0 {
			message := b.outbound[0]
			b.outbound = b.outbound[1:]
			b.mu.Unlock()
			return message, nil
		}
		ended := b.ended
		b.mu.Unlock()
		if ended != nil {
			return nil, ended
		}
		<-b.wake
	}
}

// Close ends the stream from the near side.
func (t transport) Close() error {
	t.b.CloseWith(errTransportClosed)
	return nil
}
