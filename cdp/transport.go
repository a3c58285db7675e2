package cdp

import (
	"errors"
	"io"
)

// Transport carries whole protocol messages to and from a browser.
//
// A Conn calls Write from one goroutine and Read from another; neither is called
// twice at once. Close may be called at any time, more than once, and makes a
// blocked Read and Write return.
type Transport interface {
	// Write sends one message and does not keep the slice. After an error the
	// stream is unusable.
	Write(message []byte) error
	// Read returns the next message, whose slice is the caller's. It returns
	// io.EOF when the far side ended the stream and ErrMessageTooLarge when a
	// message passes MessageBytesMax.
	Read() ([]byte, error)
	Close() error
}

// ErrMessageTooLarge is returned by Transport.Read for a message of more than
// MessageBytesMax bytes.
var ErrMessageTooLarge = errors.New("cdp: message too large")

// readReason maps an error of Transport.Read to why the connection closed.
func readReason(err error) Reason {
	switch {
	case errors.Is(err, ErrMessageTooLarge):
		return ReasonMessageTooLarge
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return ReasonDisconnected
	}
	return ReasonReadFailed
}
