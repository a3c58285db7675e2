package cdp

import "time"

// Bounds of a connection. Each says what happens when it is reached.
const (
	// CallTimeout is the ceiling of one call (R198). A context can only shorten
	// it. At the bound the call ends with KindTimeout; a later reply is ignored.
	CallTimeout = 30 * time.Second

	// WriteStallTimeout is how long one message may take to be handed to the
	// operating system. At the bound the connection closes with
	// ReasonWriteStalled, because a message that is partly written can be neither
	// finished nor taken back.
	WriteStallTimeout = 30 * time.Second

	// MessageBytesMax bounds one inbound message. The largest reply seen is 17 MB
	// (the accessibility tree of 20,000 elements). At the bound the connection
	// closes with ReasonMessageTooLarge.
	MessageBytesMax = 64 << 20

	// PendingCallsMax bounds the unanswered calls of a connection. At the bound a
	// new call fails as not sent with ErrTooManyCalls.
	PendingCallsMax = 4096

	// SessionsMax bounds the live sessions of a connection. At the bound the
	// connection closes with ReasonTooManySessions: a session that is not known
	// would have its lifecycle events lost.
	SessionsMax = 4096

	// LifecycleEventsMax and LifecycleBytesMax bound the lifecycle lane of a
	// session. At either bound the connection closes with ReasonLaneOverflow (C22).
	LifecycleEventsMax = 8192
	LifecycleBytesMax  = 64 << 20

	// DiagnosticsEventsMax and DiagnosticsBytesMax bound the diagnostics lane of a
	// session. At either bound the oldest events are dropped and counted.
	DiagnosticsEventsMax = 2048
	DiagnosticsBytesMax  = 16 << 20

	// DiagnosticsBatchMax is the largest batch that a handler gets at once; the
	// rest follows in the next batch.
	DiagnosticsBatchMax = 256

	// SubscribeEventsMax is the buffer of a cdproto subscription. At the bound
	// further events are dropped.
	SubscribeEventsMax = 256

	// writeBufferKeep is the largest write buffer in bytes that is kept for the
	// next message.
	writeBufferKeep = 1 << 20

	// closeWait bounds how long Close waits for the reader and writer to end after
	// the transport was closed. At the bound Close returns nevertheless.
	closeWait = 2 * time.Second
)
