package cdptest

import (
	"encoding/json"
	"errors"
	"sync"

	"github.com/troupe-browser/troupe/cdp"
)

// Call is a call that the browser got. It is answered at most once, by Reply or
// Error, at any time and from any goroutine; a call that is never answered stays
// pending for the connection.
type Call struct {
	Method  string
	Session cdp.SessionID
	Params  json.RawMessage // nil when there were none

	browser *Browser
	id      int64
	once    sync.Once
}

// parseCall parses a message of the connection, strictly.
func parseCall(b *Browser, message []byte) (*Call, error) {
	var wire struct {
		ID      int64           `json:"id"`
		Method  string          `json:"method"`
		Params  json.RawMessage `json:"params"`
		Session cdp.SessionID   `json:"sessionId"`
	}
	if err := json.Unmarshal(message, &wire); err != nil {
		return nil, err
	}
	if wire.ID <= 0 || wire.Method == "" {
		return nil, errors.New("no id or no method")
	}
	return &Call{Method: wire.Method, Session: wire.Session, Params: wire.Params, browser: b, id: wire.ID}, nil
}

// Decode decodes the parameters into v; a mismatch fails the test.
func (c *Call) Decode(v any) {
	c.browser.tb.Helper()
	if len(c.Params) == 0 {
		return
	}
	if err := json.Unmarshal(c.Params, v); err != nil {
		c.browser.tb.Errorf("cdptest: parameters of %s: %v", c.Method, err)
	}
}

// Reply answers with a result, {} if it is nil.
func (c *Call) Reply(result any) {
	c.browser.tb.Helper()
	c.answer("result", orEmpty(result))
}

// Error refuses the call with a protocol error.
func (c *Call) Error(code int, message string) {
	c.browser.tb.Helper()
	c.answer("error", map[string]any{"code": code, "message": message})
}

func (c *Call) answer(member string, value any) {
	c.browser.tb.Helper()
	c.once.Do(func() {
		message := map[string]any{"id": c.id, member: value}
		if c.Session != "" {
			message["sessionId"] = c.Session
		}
		c.browser.send(message)
	})
}

// Browser returns the browser that got the call.
func (c *Call) Browser() *Browser { return c.browser }
