package cdp

import (
	"context"
	"sync"
	"sync/atomic"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
)

// sessionState is what a session can still do. It is guarded by conn.mu.
type sessionState uint8

const (
	sessionLive sessionState = iota
	sessionCrashed
	sessionDetached
)

// Session is one flat session of a connection: the browser (the root session) or
// one attached target. Its methods may be called from any goroutine.
type Session struct {
	conn   *Conn
	id     SessionID
	target TargetID
	parent *Session     // the session on which the attachment was announced, or nil
	state  sessionState // guarded by conn.mu

	lifecycle   eventLane
	diagnostics eventLane
	frames      frameLane
	handlers    struct {
		lifecycle   atomic.Pointer[func(Event)]
		diagnostics atomic.Pointer[func([]Event, uint64)]
		frame       atomic.Pointer[func(Event)]
	}

	mu    sync.Mutex // guards taps and ended
	taps  []sink
	ended bool
}

func newSession(c *Conn, id SessionID, target TargetID, parent *Session) *Session {
	s := &Session{conn: c, id: id, target: target, parent: parent}
	s.lifecycle.init(LifecycleEventsMax, LifecycleBytesMax)
	s.diagnostics.init(DiagnosticsEventsMax, DiagnosticsBytesMax)
	s.frames.init()
	return s
}

// ID returns the protocol's id, empty for the root session.
func (s *Session) ID() SessionID { return s.id }

// Target returns the id of the target, empty when it is not known.
func (s *Session) Target() TargetID { return s.target }

// Conn returns the connection.
func (s *Session) Conn() *Conn { return s.conn }

// Execute sends a command, waits for its result and decodes it into result, which
// may be nil. It ends with the context, but at the latest after CallTimeout. The
// error is a *CallError.
func (s *Session) Execute(ctx context.Context, method string, params, result any) error {
	return s.Send(ctx, method, params).Wait(result)
}

// Call is Execute under the name that cdproto's Session interface gives it, so
// that its typed commands run on a session.
func (s *Session) Call(ctx context.Context, method string, params, result any) error {
	return s.Execute(ctx, method, params, result)
}

// Send sends a command without waiting for its result. When it returns, the
// command is on the wire or the call has ended; commands of one goroutine go out in
// the order of its Sends. The context governs the whole call, not only the sending.
func (s *Session) Send(ctx context.Context, method string, params any) *Pending {
	return s.SendIf(ctx, nil, method, params)
}

// SendIf is Send behind a fence: live is asked once, by the one goroutine that
// writes, when every earlier command is on the wire and right before this one
// would go out. When it says no, the call ends as not sent with ErrFenced. An
// operation that was abandoned can therefore not reach the browser late. live
// must not block and must not use the connection.
func (s *Session) SendIf(ctx context.Context, live func() bool, method string, params any) *Pending {
	p := newPending(s, method, live)
	p.start(ctx, params)
	return p
}

// OnLifecycle sets the handler of lane 1: every event that is not of another
// lane, in order, none dropped. It is called from one goroutine of the session; if
// it falls LifecycleEventsMax behind, the connection closes. Set it before the
// first call that enables a domain; events without a handler are discarded.
func (s *Session) OnLifecycle(handler func(Event)) {
	s.handlers.lifecycle.Store(&handler)
	s.lifecycle.start(func(batch []Event, _ uint64) {
		for _, e := range batch {
			if e.after != nil {
				e.after()
				continue
			}
			(*s.handlers.lifecycle.Load())(e)
		}
	})
}

// AfterLifecycle calls do once the handler of lane 1 has been given every event
// that arrived before this call. What was learnt from a reply or through a tap can
// so be told to whoever follows the lane without overtaking the events themselves.
// do is called in the lane's goroutine, or at once when nothing waits to be handed
// over: there is no handler, or the session has ended. It must not block.
func (s *Session) AfterLifecycle(do func()) {
	if !s.lifecycle.after(do) {
		do()
	}
}

// OnDiagnostics sets the handler of lane 2 (see laneOf for what is in it). It gets
// events in order in batches of at most DiagnosticsBatchMax and may block; when it
// falls behind, the oldest waiting events are dropped. dropped counts those that
// were lost immediately before the batch. Called from one goroutine of the session.
func (s *Session) OnDiagnostics(handler func(batch []Event, dropped uint64)) {
	s.handlers.diagnostics.Store(&handler)
	s.diagnostics.start(func(batch []Event, dropped uint64) {
		(*s.handlers.diagnostics.Load())(batch, dropped)
	})
}

// OnFrame sets the handler of lane 3, Page.screencastFrame. It gets the latest
// frame only and may block. Event.Replaced counts the frames that were passed
// over, which the browser wants acknowledged too. Called from one goroutine of
// the session.
func (s *Session) OnFrame(handler func(Event)) {
	s.handlers.frame.Store(&handler)
	s.frames.start(func(e Event) { (*s.handlers.frame.Load())(e) })
}

// Tap copies the events for which keep returns true, of every lane in the order of
// arrival, into a channel of the given capacity. It begins when Tap returns. keep
// runs in the connection's reader: it must be quick and must not use the
// connection; nil keeps everything. The channel is closed when the session ends.
func (s *Session) Tap(capacity int, keep func(method string) bool) *Tap {
	t := &Tap{session: s, keep: keep, events: make(chan Event, max(capacity, 1))}
	s.addSink(t)
	return t
}

// Subscribe buffers the events of one method, as cdproto's Session interface asks.
// Beyond SubscribeEventsMax unread events further ones are dropped.
func (s *Session) Subscribe(method string) (events <-chan jsonv2.Value, cancel func()) {
	sub := &subscription{method: method, values: make(chan jsonv2.Value, SubscribeEventsMax)}
	s.addSink(sub)
	return sub.values, func() { s.removeSink(sub) }
}

func (s *Session) addSink(k sink) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		k.end()
		return
	}
	s.taps = append(s.taps, k)
}

func (s *Session) removeSink(k sink) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, other := range s.taps {
		if other == k {
			s.taps = append(s.taps[:i:i], s.taps[i+1:]...)
			k.end()
			return
		}
	}
}

// deliver hands an event to its lane and then to the taps, so that who has an event
// from a tap is behind it with AfterLifecycle. It is called by the reader only and
// never blocks. It reports false when the lifecycle lane is full.
func (s *Session) deliver(e Event) bool {
	room := true
	switch laneOf(e.Method) {
	case laneFrame:
		s.frames.put(e)
	case laneDiagnostics:
		s.diagnostics.putLossy(e)
	case laneLifecycle:
		room = s.lifecycle.put(e)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.taps {
		k.offer(e)
	}
	return room
}

// end closes the taps and lets the lanes finish what they hold.
func (s *Session) end() {
	s.mu.Lock()
	s.ended = true
	for _, k := range s.taps {
		k.end()
	}
	s.taps = nil
	s.mu.Unlock()
	s.lifecycle.end()
	s.diagnostics.end()
	s.frames.end()
}

// refuses returns why the session takes no call of the method, or nil. conn.mu
// is held.
func (s *Session) refuses(method string) error {
	switch {
	case s.state == sessionDetached:
		return ErrDetached
	case s.state == sessionCrashed && !answeredAfterCrash[method]:
		return ErrCrashed
	}
	return nil
}

// answeredAfterCrash are the page commands that the browser process answers while
// there is no renderer, which is how a crashed page is revived or left. Any other
// command would never be answered.
var answeredAfterCrash = map[string]bool{
	"Page.reload":                 true,
	"Page.navigate":               true,
	"Page.navigateToHistoryEntry": true,
	"Page.getNavigationHistory":   true,
	"Page.close":                  true,
	"Target.detachFromTarget":     true,
}
