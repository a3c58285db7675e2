package cdp

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
)

// The states of a call until it ends. The writer and whoever gives the call up
// compete for the one step out of queued, so "not sent" is always true.
const (
	callQueued uint32 = iota
	callCommitted
	callAbandoned
)

// Pending is a call that was handed to the connection. It always ends.
type Pending struct {
	conn    *Conn
	session *Session
	method  string
	params  []byte
	live    func() bool

	id      int64 // guarded by conn.mu, zero until the call is registered
	state   atomic.Uint32
	ended   atomic.Bool
	written chan struct{} // closed when the message is on the wire
	done    chan struct{} // closed after the fields below are set

	timer       *time.Timer
	stopContext func() bool

	result []byte
	seq    uint64
	err    *CallError
}

func newPending(s *Session, method string, live func() bool) *Pending {
	return &Pending{
		conn: s.conn, session: s, method: method, live: live,
		written: make(chan struct{}), done: make(chan struct{}),
	}
}

// start sends the call and returns when it is on the wire or has ended.
func (p *Pending) start(ctx context.Context, params any) {
	if err := p.encode(params); err != nil {
		p.finishNotSent(err)
		return
	}
	if ctx.Err() != nil {
		p.finishNotSent(context.Cause(ctx))
		return
	}
	p.timer = time.AfterFunc(p.conn.ceiling, func() { p.giveUp(context.DeadlineExceeded, context.DeadlineExceeded) })
	p.stopContext = context.AfterFunc(ctx, func() { p.giveUp(ctx.Err(), context.Cause(ctx)) })
	select {
	case p.conn.queue <- p:
	case <-p.conn.down:
		p.finishNotSent(p.conn.Err())
	case <-p.done:
	}
	select {
	case <-p.written:
	case <-p.done:
	}
	if p.ended.Load() {
		p.release()
	}
}

// encode sets params to the JSON object to send, or leaves it nil.
func (p *Pending) encode(params any) error {
	if !plain(p.method) || !plain(string(p.session.id)) {
		return errors.New("method or session id that cannot be quoted as it is")
	}
	if params == nil {
		return nil
	}
	data, err := jsonv2.Marshal(params)
	if err != nil {
		return fmt.Errorf("encoding parameters: %w", err)
	}
	p.params = data
	return nil
}

// plain reports whether s can stand between JSON quotes as it is.
func plain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

// giveUp ends the call because its context or its ceiling did.
func (p *Pending) giveUp(err, cause error) {
	if p.state.CompareAndSwap(callQueued, callAbandoned) {
		p.finishNotSent(cause)
		return
	}
	p.finish(nil, 0, &CallError{Kind: contextKind(err), Method: p.method, Err: cause})
}

func (p *Pending) finishNotSent(cause error) {
	p.finish(nil, 0, &CallError{Kind: KindNotSent, Method: p.method, Err: cause})
}

// finish ends the call once; later attempts, such as a late reply, do nothing.
func (p *Pending) finish(result []byte, seq uint64, err *CallError) {
	if !p.ended.CompareAndSwap(false, true) {
		return
	}
	p.result, p.seq, p.err = result, seq, err
	close(p.done)
	p.conn.forgetCall(p)
	select {
	case <-p.written: // start has set the timers and returned, or is about to
		p.release()
	default: // start releases
	}
}

// release stops the timers of a call that has ended.
func (p *Pending) release() {
	if p.timer != nil {
		p.timer.Stop()
	}
	if p.stopContext != nil {
		p.stopContext()
	}
}

// Done is closed when the call has ended.
func (p *Pending) Done() <-chan struct{} { return p.done }

// Method returns the name of the command.
func (p *Pending) Method() string { return p.method }

// Seq returns the position of the reply in the inbound stream of the connection
// (see Event.Seq), or 0 when the call ended without one. Call it after Done.
func (p *Pending) Seq() uint64 { return p.seq }

// Wait waits until the call has ended and decodes its result into result, which
// may be nil. A *jsonv2.Value gets the raw result without a copy. The error is a
// *CallError. Wait may be called more than once.
func (p *Pending) Wait(result any) error {
	<-p.done
	if p.err != nil {
		return p.err
	}
	switch out := result.(type) {
	case nil:
		return nil
	case *jsonv2.Value:
		*out = p.result
		return nil
	}
	if err := unmarshal(p.result, result); err != nil {
		return &CallError{Kind: KindUndecodable, Method: p.method, Err: withoutText(err)}
	}
	return nil
}

// withoutText keeps where a decoding error happened and drops the text, which
// can quote what the page said.
func withoutText(err error) error {
	var syntax *jsonv2.SyntacticError
	if errors.As(err, &syntax) {
		return fmt.Errorf("invalid JSON at byte %d", syntax.ByteOffset)
	}
	return errors.New("result of another shape")
}
