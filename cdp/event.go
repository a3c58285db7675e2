package cdp

import (
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
)

// SessionID is the protocol's id of a flat session. The empty id is the
// browser-level session.
type SessionID string

// TargetID is the protocol's id of a target.
type TargetID string

// FrameID is the protocol's id of a frame.
type FrameID string

// ContextID is the uniqueId of an execution context. Unlike the numeric id it is
// never used again, so it is the exact identity of a document's world.
type ContextID string

// Event is one event of a session. It is shared by all who get it: nobody may
// change Params.
type Event struct {
	Method  string
	Params  []byte // raw JSON as the browser sent it; nil when there were none
	Session SessionID
	// Seq is the position of the message in the inbound stream of the
	// connection, counted from 1 over events and replies.
	Seq uint64
	// Replaced is, in the frame lane, the number of frames that this one took the
	// place of. The browser still waits for an acknowledgement of each.
	Replaced uint32

	// after makes it a mark in a lane's queue instead of an event; see
	// Session.AfterLifecycle.
	after func()
}

// Decode decodes the parameters into v. Text that is not valid Unicode, which
// a page can produce at will, is decoded with the replacement character.
func (e Event) Decode(v any) error {
	if len(e.Params) == 0 {
		return unmarshal([]byte("{}"), v)
	}
	return unmarshal(e.Params, v)
}

// unmarshal decodes what a browser sent. A lone surrogate in page text is valid
// in the protocol and must not make the whole reply unreadable.
func unmarshal(data []byte, v any) error {
	return jsonv2.Unmarshal(data, v, jsonv2.AllowInvalidUTF8(true))
}
