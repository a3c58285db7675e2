package cdp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// websocketBuffer is the size in bytes of the read and write buffers of a socket.
const websocketBuffer = 32 << 10

// socketTransport carries messages over a websocket, one message in each text
// message.
type socketTransport struct {
	socket  *websocket.Conn
	closing sync.Once
}

// dialSocket opens the websocket of an address that was checked. No Origin header
// is sent: a browser refuses those it does not know.
func dialSocket(ctx context.Context, u *url.URL, allowRemote bool) (Transport, error) {
	d := websocket.Dialer{
		NetDialContext:   dialer(allowRemote).DialContext,
		HandshakeTimeout: dialTimeout,
		ReadBufferSize:   websocketBuffer,
		WriteBufferSize:  websocketBuffer,
	}
	socket, response, err := d.DialContext(ctx, u.String(), nil)
	if err != nil {
		operator := err.Error()
		if response != nil {
			operator = fmt.Sprintf("%s (status %d)", operator, response.StatusCode)
		}
		return nil, launchError(CauseConnect, operator)
	}
	socket.SetReadLimit(MessageBytesMax)
	return &socketTransport{socket: socket}, nil
}

// Write sends one message within WriteStallTimeout.
func (s *socketTransport) Write(message []byte) error {
	if err := s.socket.SetWriteDeadline(time.Now().Add(WriteStallTimeout)); err != nil {
		return err
	}
	return s.socket.WriteMessage(websocket.TextMessage, message)
}

// Read returns the next message.
func (s *socketTransport) Read() ([]byte, error) {
	_, data, err := s.socket.ReadMessage()
	var closed *websocket.CloseError
	switch {
	case err == nil:
		return data, nil
	case errors.Is(err, websocket.ErrReadLimit):
		return nil, ErrMessageTooLarge
	case errors.As(err, &closed), errors.Is(err, net.ErrClosed):
		return nil, io.EOF
	}
	return nil, err
}

// Close closes the connection without a farewell: the browser stays, and what it
// would answer is not waited for.
func (s *socketTransport) Close() error {
	var err error
	s.closing.Do(func() { err = s.socket.Close() })
	return err
}
