package cdp

import (
	"sync/atomic"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
)

// sink is offered every event of a session by the reader. Its methods are called
// under the session's mutex, so an offer never meets a closed channel.
type sink interface {
	offer(Event)
	end()
}

// Tap is a bounded copy of the events of one session for one operation.
type Tap struct {
	session *Session
	keep    func(method string) bool
	events  chan Event
	dropped atomic.Uint64
}

// C returns the channel. It is closed by Close, or when the session ends.
func (t *Tap) C() <-chan Event { return t.events }

// Dropped returns how many events found the channel full and were lost to this
// tap. An operation that needs them all must treat any as "not known".
func (t *Tap) Dropped() uint64 { return t.dropped.Load() }

// Close ends the tap. It may be called more than once and after the session ended.
func (t *Tap) Close() { t.session.removeSink(t) }

func (t *Tap) offer(e Event) {
	if t.keep != nil && !t.keep(e.Method) {
		return
	}
	select {
	case t.events <- e:
	default:
		t.dropped.Add(1)
	}
}

func (t *Tap) end() { close(t.events) }

// subscription is a sink of the parameters of one method.
type subscription struct {
	method string
	values chan jsonv2.Value
}

func (s *subscription) offer(e Event) {
	if e.Method != s.method {
		return
	}
	select {
	case s.values <- e.Params:
	default:
	}
}

func (s *subscription) end() { close(s.values) }
