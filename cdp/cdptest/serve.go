package cdptest

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// script is a script that runs.
type script struct {
	steps []step
	next  int
	call  *Call // of the last expect, until it is dealt with
	held  map[string]*Call
}

// Script sets what must happen next. A script that is not at its end yet is
// continued. A mistake in the text fails the test.
func (b *Browser) Script(text string) {
	b.tb.Helper()
	steps, err := parseScript(text)
	if err != nil {
		b.tb.Errorf("cdptest: script: %v", err)
		return
	}
	b.mu.Lock()
	if b.script == nil {
		b.script = &script{held: make(map[string]*Call)}
	}
	b.script.steps = append(b.script.steps, steps...)
	b.mu.Unlock()
	select {
	case b.advance <- struct{}{}:
	default:
	}
}

// Wait blocks until the script is at its end or the stream has ended.
func (b *Browser) Wait() {
	for {
		b.mu.Lock()
		s := b.script
		done := s == nil || s.next >= len(s.steps)
		moved := b.moved
		b.mu.Unlock()
		if done {
			return
		}
		select {
		case <-moved:
		case <-b.gone:
			return
		}
	}
}

// position describes the step at which the script is, or "" when it is at its end.
func (b *Browser) position() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.positionLocked()
}

func (b *Browser) positionLocked() string {
	s := b.script
	if s == nil || s.next >= len(s.steps) {
		return ""
	}
	at := s.steps[s.next]
	return fmt.Sprintf("at line %d: %s", at.line, at.text)
}

// serve is the browser's goroutine: it runs the steps of the script that need no
// call, and takes calls.
func (b *Browser) serve() {
	defer close(b.finished)
	for {
		b.runScript()
		select {
		case c := <-b.calls:
			b.take(c)
		case <-b.advance:
		case <-b.gone:
			return
		}
	}
}

// runScript runs steps up to the next expect.
func (b *Browser) runScript() {
	for {
		b.mu.Lock()
		s := b.script
		if s == nil || s.next >= len(s.steps) || s.steps[s.next].verb == "expect" {
			b.mu.Unlock()
			return
		}
		at := s.steps[s.next]
		b.mu.Unlock()
		if !b.run(s, &at) {
			return
		}
		b.mu.Lock()
		s.next++
		b.announce()
		b.mu.Unlock()
	}
}

// announce tells Wait that the script moved. mu is held.
func (b *Browser) announce() {
	close(b.moved)
	b.moved = make(chan struct{})
}

// run carries out one step. It reports false when the stream ended meanwhile.
func (b *Browser) run(s *script, at *step) bool {
	switch at.verb {
	case "reply":
		s.call.Reply(result(at))
	case "error":
		s.call.Error(at.code, at.message)
	case "hold":
		s.held[at.name] = s.call
	case "release":
		if at.refuse {
			s.held[at.name].Error(at.code, at.message)
		} else {
			s.held[at.name].Reply(result(at))
		}
	case "event":
		b.Emit(at.session, at.method, result(at))
	case "raw":
		b.SendRaw([]byte(at.message))
	case "close":
		if at.message == "" {
			b.Close()
		} else {
			b.CloseWith(errors.New(at.message))
		}
	case "delay":
		timer := time.NewTimer(at.delay)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-b.gone:
			return false
		}
	}
	return true
}

// result returns the JSON of a step as a value, nil when it has none.
func result(at *step) any {
	if at.json == nil {
		return nil
	}
	return at.json
}

// take gives a call to whoever answers it.
func (b *Browser) take(c *Call) {
	b.mu.Lock()
	if len(b.record) < callsKept {
		b.record = append(b.record, Record{Method: c.Method, Session: c.Session, Params: c.Params})
	}
	handler := b.handlers[c.Method]
	if handler == nil {
		handler = b.rest
	}
	s := b.script
	expected := s != nil && s.next < len(s.steps) && s.steps[s.next].method == c.Method
	at := b.positionLocked()
	var mismatch string
	if expected {
		mismatch = s.steps[s.next].mismatch(c)
		s.call = c
		s.next++
		b.announce()
	}
	b.mu.Unlock()

	switch {
	case mismatch != "":
		b.tb.Errorf("cdptest: call %s of session %q is not what the script expects %s: %s", c.Method, c.Session, at, mismatch)
	case expected:
	case handler != nil:
		handler(c)
	default:
		if at == "" {
			at = "at its end"
		}
		b.tb.Errorf("cdptest: unexpected call %s of session %q with %s; the script is %s", c.Method, c.Session, c.Params, at)
		c.Error(-32601, "'"+c.Method+"' is not in the script")
	}
}

// mismatch says in which way a call of the right method differs, or "".
func (s *step) mismatch(c *Call) string {
	if s.session != c.Session {
		return fmt.Sprintf("session %q, want %q", c.Session, s.session)
	}
	if s.json == nil {
		return ""
	}
	var want, got any
	if err := json.Unmarshal(s.json, &want); err != nil {
		return err.Error()
	}
	if len(c.Params) > 0 {
		if err := json.Unmarshal(c.Params, &got); err != nil {
			return err.Error()
		}
	}
	if !contains(want, got) {
		return fmt.Sprintf("parameters %s", c.Params)
	}
	return ""
}
