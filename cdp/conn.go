package cdp

import (
	"cmp"
	"errors"
	"maps"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// Options changes a connection. The zero value is what production uses.
type Options struct {
	// CallTimeout is the ceiling of one call; zero means the constant CallTimeout,
	// which it cannot exceed.
	CallTimeout time.Duration
}

// Stats counts what a connection ignored.
type Stats struct {
	LateReplies     uint64 // replies to calls that had ended
	UnknownSessions uint64 // events of sessions that are not known (any more)
}

// Conn is one connection to a browser: it writes calls, correlates replies by id
// and hands events to sessions. It is the only user of its transport.
type Conn struct {
	transport Transport
	root      *Session
	queue     chan *Pending // unbuffered: a sender waits in it, first come first served
	down      chan struct{} // closed when the connection is latched closed
	ceiling   time.Duration // of one call
	workers   sync.WaitGroup

	lateReplies     atomic.Uint64
	unknownSessions atomic.Uint64

	// mu guards what follows, and Pending.id and Session.state. The reader drains
	// the calls under the same lock under which the writer registers them, so none
	// can slip in behind the drain (R197).
	mu       sync.Mutex
	closed   bool
	err      *CloseError
	calls    map[int64]*Pending
	sessions map[SessionID]*Session

	buffer []byte // the writer's
	nextID int64  // the writer's
	seq    uint64 // the reader's
}

// NewConn takes over the transport and starts to read it.
func NewConn(t Transport, o Options) *Conn {
	ceiling := o.CallTimeout
	if ceiling <= 0 || ceiling > CallTimeout {
		ceiling = CallTimeout
	}
	c := &Conn{
		ceiling:   ceiling,
		transport: t,
		queue:     make(chan *Pending),
		down:      make(chan struct{}),
		calls:     make(map[int64]*Pending),
		sessions:  make(map[SessionID]*Session),
	}
	c.root = newSession(c, "", "", nil)
	c.sessions[""] = c.root
	c.workers.Go(c.write)
	c.workers.Go(c.read)
	return c
}

// Root returns the browser-level session.
func (c *Conn) Root() *Session { return c.root }

// Session returns the session of the id. One that the browser announced is known
// already; another is made. After the connection closed it is a session whose
// calls fail.
func (c *Conn) Session(id SessionID, target TargetID) *Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.adopt(id, target, nil)
}

// adopt returns the session of the id and makes it if need be. mu is held.
func (c *Conn) adopt(id SessionID, target TargetID, parent *Session) *Session {
	if s, ok := c.sessions[id]; ok {
		return s
	}
	s := newSession(c, id, target, parent)
	if c.closed {
		s.end()
		return s
	}
	c.sessions[id] = s
	return s
}

// Forget ends a session after it was detached: its pending calls fail with
// KindDetached, later ones as not sent, its taps close. A session whose detachment
// the browser announced is forgotten already. The root session is never forgotten.
func (c *Conn) Forget(id SessionID) {
	if id != "" {
		c.detach(id)
	}
}

// Done is closed as soon as the connection is closed, from either side.
func (c *Conn) Done() <-chan struct{} { return c.down }

// Err returns nil while the connection is open and a *CloseError afterwards.
func (c *Conn) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		return nil
	}
	return c.err
}

// Stats returns what the connection ignored so far.
func (c *Conn) Stats() Stats {
	return Stats{LateReplies: c.lateReplies.Load(), UnknownSessions: c.unknownSessions.Load()}
}

// Close closes the connection and its transport and waits, at most closeWait, for
// its goroutines. Pending calls fail with KindLost. It may be called more than
// once, but not from a Tap's filter, which runs in the reader.
func (c *Conn) Close() error {
	c.shut(ReasonClosed, nil)
	ended := make(chan struct{})
	go func() {
		c.workers.Wait()
		close(ended)
	}()
	timer := time.NewTimer(closeWait)
	defer timer.Stop()
	select {
	case <-ended:
		return nil
	case <-timer.C:
		return errors.New("cdp: the transport did not let go of its reader or writer")
	}
}

// shut latches the connection closed, once, and ends everything that waits for it.
func (c *Conn) shut(reason Reason, cause error) {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return
	}
	c.closed, c.err = true, &CloseError{Reason: reason, Err: cause}
	calls, sessions := sortedCalls(c.calls), c.sessions
	c.calls, c.sessions = nil, nil
	c.mu.Unlock()

	close(c.down)
	// The reason is known; an error of closing adds nothing to it.
	_ = c.transport.Close()
	for _, p := range calls {
		p.finish(nil, 0, &CallError{Kind: KindLost, Method: p.method, Err: c.err})
	}
	for _, s := range sessions {
		s.end()
	}
}

// write is the writer goroutine. Only it assigns ids, so ids rise on the wire.
func (c *Conn) write() {
	for {
		select {
		case p := <-c.queue:
			c.writeCall(p)
		case <-c.down:
			return
		}
	}
}

func (c *Conn) writeCall(p *Pending) {
	if p.live != nil && !p.live() {
		p.refuse(ErrFenced)
		return
	}
	id := c.nextID + 1
	if err := c.register(p, id); err != nil {
		p.refuse(err)
		return
	}
	if p.state.Load() == callAbandoned {
		return
	}
	c.nextID = id
	c.buffer = appendCall(c.buffer[:0], id, p)
	p.params = nil
	err := c.transport.Write(c.buffer)
	if cap(c.buffer) > writeBufferKeep {
		c.buffer = nil
	}
	if err != nil {
		reason := ReasonWriteFailed
		if errors.Is(err, os.ErrDeadlineExceeded) {
			reason = ReasonWriteStalled
		}
		c.shut(reason, err)
		return
	}
	close(p.written)
}

// register commits a call to being sent. After it, the call counts as sent.
func (c *Conn) register(p *Pending, id int64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closed:
		return c.err
	case len(c.calls) >= PendingCallsMax:
		return ErrTooManyCalls
	}
	if err := p.session.refuses(p.method); err != nil {
		return err
	}
	if p.state.CompareAndSwap(callQueued, callCommitted) {
		p.id = id
		c.calls[id] = p
	}
	return nil
}

// refuse ends a call that the writer will not send.
func (p *Pending) refuse(cause error) {
	if p.state.CompareAndSwap(callQueued, callAbandoned) {
		p.finishNotSent(cause)
	}
}

// appendCall appends the message of a call.
func appendCall(b []byte, id int64, p *Pending) []byte {
	b = strconv.AppendInt(append(b, `{"id":`...), id, 10)
	b = append(append(append(b, `,"method":"`...), p.method...), '"')
	if p.params != nil {
		b = append(append(b, `,"params":`...), p.params...)
	}
	if p.session.id != "" {
		b = append(append(append(b, `,"sessionId":"`...), p.session.id...), '"')
	}
	return append(b, '}')
}

// forgetCall removes an ended call from the table.
func (c *Conn) forgetCall(p *Pending) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p.id != 0 {
		delete(c.calls, p.id)
	}
}

// read is the reader goroutine.
func (c *Conn) read() {
	for {
		data, err := c.transport.Read()
		if err != nil {
			c.shut(readReason(err), err)
			return
		}
		if c.latched() {
			return
		}
		c.seq++
		e, err := decodeEnvelope(data)
		switch {
		case err != nil:
			c.shut(ReasonMalformed, err)
		case e.hasID:
			c.reply(&e)
		case e.method != "":
			c.event(&e)
		default:
			c.shut(ReasonMalformed, errMalformed)
		}
	}
}

func (c *Conn) latched() bool {
	select {
	case <-c.down:
		return true
	default:
		return false
	}
}

func (c *Conn) reply(e *envelope) {
	c.mu.Lock()
	p := c.calls[e.id]
	delete(c.calls, e.id)
	c.mu.Unlock()
	switch {
	case p == nil:
		c.lateReplies.Add(1)
	case e.hasError:
		code, message := e.protocolError()
		p.finish(nil, c.seq, &CallError{Kind: KindRefused, Method: p.method, Code: code, Message: message})
	default:
		p.finish(e.result, c.seq, nil)
	}
}

func (c *Conn) event(e *envelope) {
	c.mu.Lock()
	s := c.sessions[e.session]
	c.mu.Unlock()
	if s == nil {
		c.unknownSessions.Add(1)
		return
	}
	event := Event{Method: e.method, Params: e.params, Session: e.session, Seq: c.seq}
	if err := c.follow(s, event); err != nil {
		c.shut(err.Reason, err.Err)
		return
	}
	if !s.deliver(event) {
		c.shut(ReasonLaneOverflow, nil)
	}
}

// follow keeps the table of sessions in step with the browser, before anybody is
// told of the event.
func (c *Conn) follow(s *Session, event Event) *CloseError {
	switch event.Method {
	case "Inspector.targetCrashed":
		c.crash(s)
	case "Inspector.targetReloadedAfterCrash":
		c.mu.Lock()
		if s.state == sessionCrashed {
			s.state = sessionLive
		}
		c.mu.Unlock()
	case "Target.attachedToTarget", "Target.detachedFromTarget":
		var about struct {
			SessionID  SessionID `json:"sessionId"`
			TargetInfo struct {
				TargetID TargetID `json:"targetId"`
			} `json:"targetInfo"`
		}
		if err := event.Decode(&about); err != nil || about.SessionID == "" {
			return &CloseError{Reason: ReasonMalformed, Err: err}
		}
		if event.Method == "Target.detachedFromTarget" {
			c.detach(about.SessionID)
			return nil
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if len(c.sessions) >= SessionsMax {
			return &CloseError{Reason: ReasonTooManySessions}
		}
		c.adopt(about.SessionID, about.TargetInfo.TargetID, s)
	}
	return nil
}

// crash fails what the session waits for: a crashed target never answers.
func (c *Conn) crash(s *Session) {
	c.mu.Lock()
	if s.state == sessionLive {
		s.state = sessionCrashed
	}
	calls := c.takeCalls(func(p *Pending) bool { return p.session == s })
	c.mu.Unlock()
	for _, p := range calls {
		p.finish(nil, 0, &CallError{Kind: KindCrashed, Method: p.method, Err: ErrCrashed})
	}
}

// detach ends a session and those that were attached through it.
func (c *Conn) detach(id SessionID) {
	c.mu.Lock()
	gone := make(map[*Session]bool)
	if s, ok := c.sessions[id]; ok {
		c.markDetached(s, gone)
	}
	calls := c.takeCalls(func(p *Pending) bool { return gone[p.session] })
	c.mu.Unlock()
	for _, p := range calls {
		p.finish(nil, 0, &CallError{Kind: KindDetached, Method: p.method, Err: ErrDetached})
	}
	for s := range gone {
		s.end()
	}
}

// markDetached latches a session and its descendants. mu is held.
func (c *Conn) markDetached(s *Session, gone map[*Session]bool) {
	s.state = sessionDetached
	gone[s] = true
	delete(c.sessions, s.id)
	for _, child := range c.sessions {
		if child.parent == s {
			c.markDetached(child, gone)
		}
	}
}

// takeCalls removes and returns the calls that match, in the order in which they
// were sent. mu is held.
func (c *Conn) takeCalls(match func(*Pending) bool) []*Pending {
	taken := make(map[int64]*Pending)
	for id, p := range c.calls {
		if match(p) {
			taken[id] = p
			delete(c.calls, id)
		}
	}
	return sortedCalls(taken)
}

func sortedCalls(calls map[int64]*Pending) []*Pending {
	return slices.SortedFunc(maps.Values(calls), func(a, b *Pending) int { return cmp.Compare(a.id, b.id) })
}
