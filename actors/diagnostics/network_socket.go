package diagnostics

import (
	"time"

	"github.com/troupe-browser/troupe/cdp"
)

// A web socket is one record that stays pending until it is closed. Its messages
// are not counted.

func (l *NetworkLedger) socketCreated(e cdp.Event, at time.Time) {
	var got webSocketCreated
	if e.Decode(&got) != nil || got.RequestID == "" {
		return
	}
	var sent requestWillBeSent
	sent.Request.Method, sent.Request.URL = "GET", got.URL
	if got.Initiator != nil {
		sent.Initiator = *got.Initiator
	}
	operation := l.attribute(&sent, at)
	c := l.mint(got.RequestID)
	c.session = e.Session
	l.add(c, &record{at: at, pending: true, operation: operation, method: "GET", kind: "websocket"}, got.URL)
}

func (l *NetworkLedger) socketHandshake(e cdp.Event) {
	var got webSocketHandshake
	if e.Decode(&got) != nil {
		return
	}
	r := l.current(got.RequestID, e.Session)
	if r == nil {
		return
	}
	l.update(r, func() {
		r.status = int(count(got.Response.Status))
		r.started = got.Timestamp
		if l.storeHeaders {
			var headers receivedHeaders
			if e.Decode(&headers) == nil {
				r.responseHeaders = boundHeaders(headers.Response.Headers)
			}
		}
	})
}

func (l *NetworkLedger) socketClosed(e cdp.Event) {
	var got webSocketClosed
	if e.Decode(&got) != nil {
		return
	}
	r := l.current(got.RequestID, e.Session)
	if r == nil || !r.pending {
		return
	}
	l.update(r, func() {
		if got.Error != "" {
			r.reason = cutTo(got.Error, reasonBytesMax)
		}
		if e.Method == "Network.webSocketClosed" {
			r.pending = false
			if r.started > 0 {
				r.ms = took(r.started, got.Timestamp)
			}
		}
	})
}
