package cdp

import (
	"context"
	"errors"
	"fmt"
)

// Kind says how a call ended without a result.
type Kind uint8

// The ways in which a call ends without a result.
const (
	// KindRefused: the browser answered with an error (Code, Message).
	KindRefused Kind = iota + 1
	// KindNotSent: the call never went out. The cause says why.
	KindNotSent
	// KindLost: it went out and the connection closed before an answer.
	KindLost
	// KindTimeout: it went out and no answer came in time.
	KindTimeout
	// KindCrashed: it went out and the target crashed before an answer.
	KindCrashed
	// KindDetached: it went out and the session ended before an answer.
	KindDetached
	// KindCancelled: it went out and the caller's context was cancelled.
	KindCancelled
	// KindUndecodable: the answer came and its result could not be decoded.
	KindUndecodable
)

var kindNames = [...]string{
	KindRefused: "refused", KindNotSent: "not sent", KindLost: "connection lost",
	KindTimeout: "timed out", KindCrashed: "target crashed", KindDetached: "session detached",
	KindCancelled: "cancelled", KindUndecodable: "undecodable answer",
}

// String returns the kind in words.
func (k Kind) String() string {
	if int(k) < len(kindNames) && kindNames[k] != "" {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Causes of a call that was not sent; match with errors.Is. A call whose
// context ended before it was written wraps the context's error.
var (
	ErrClosed       = errors.New("cdp: connection closed")
	ErrCrashed      = errors.New("cdp: target crashed")
	ErrDetached     = errors.New("cdp: session detached")
	ErrFenced       = errors.New("cdp: operation abandoned")
	ErrTooManyCalls = errors.New("cdp: too many unanswered calls")
)

// CodeSessionNotFound is the protocol's error code for a session id that the
// browser does not know (any more): no target got the call.
const CodeSessionNotFound = -32001

// CallError is the error of one call. Its text never holds parameters.
type CallError struct {
	Kind    Kind
	Method  string
	Code    int    // the protocol's error code, for KindRefused
	Message string // the protocol's error message, for KindRefused
	Err     error  // the cause, where there is one
}

// Error returns the method and how it ended. The browser's message is part of
// it; it may quote page content, so it belongs in no log.
func (e *CallError) Error() string {
	switch {
	case e.Kind == KindRefused:
		return fmt.Sprintf("%s: %s (%d)", e.Method, e.Message, e.Code)
	case e.Err != nil:
		return fmt.Sprintf("%s: %s: %v", e.Method, e.Kind, e.Err)
	}
	return e.Method + ": " + e.Kind.String()
}

// Unwrap returns the cause.
func (e *CallError) Unwrap() error { return e.Err }

// Sent reports whether the browser can have got the call. False is proof that it
// did not, so nothing was started.
func (e *CallError) Sent() bool { return e.Kind != KindNotSent }

// Reached reports whether a target can have got the call. False is proof that
// none did: it was not sent, or the browser answered that there is no such session.
func (e *CallError) Reached() bool {
	return e.Sent() && (e.Kind != KindRefused || e.Code != CodeSessionNotFound)
}

// contextKind returns the kind of a sent call that its context ended.
func contextKind(err error) Kind {
	if errors.Is(err, context.Canceled) {
		return KindCancelled
	}
	return KindTimeout
}

// Reason says why a connection closed.
type Reason string

// The reasons.
const (
	ReasonClosed          Reason = "closed"            // Close was called here
	ReasonDisconnected    Reason = "disconnected"      // the far side ended the stream
	ReasonReadFailed      Reason = "read_failed"       // the transport could not be read
	ReasonWriteFailed     Reason = "write_failed"      // the transport could not be written
	ReasonWriteStalled    Reason = "write_stalled"     // WriteStallTimeout
	ReasonMessageTooLarge Reason = "message_too_large" // MessageBytesMax
	ReasonMalformed       Reason = "malformed"         // a message that is no protocol message
	ReasonLaneOverflow    Reason = "lane_overflow"     // LifecycleEventsMax or LifecycleBytesMax
	ReasonTooManySessions Reason = "too_many_sessions" // SessionsMax
)

// CloseError is why a connection closed. It matches ErrClosed.
type CloseError struct {
	Reason Reason
	Err    error
}

// Error returns the reason without the cause, which can hold an address.
func (e *CloseError) Error() string { return "cdp: connection closed: " + string(e.Reason) }

// Unwrap returns the cause.
func (e *CloseError) Unwrap() error { return e.Err }

// Is makes a CloseError match ErrClosed.
func (e *CloseError) Is(target error) bool { return target == ErrClosed }
