package daemon

import (
	"context"
	"errors"
	"net"
	"sync"
	"syscall"
	"time"
)

// Pauses after an accept that failed for lack of something that comes back.
const (
	acceptPauseMin = 10 * time.Millisecond
	acceptPauseMax = time.Second
)

// patientListener waits out a failing accept until the context ends.
type patientListener struct {
	net.Listener
	ctx context.Context
}

// Accept returns the next connection. An error is for good.
func (l patientListener) Accept() (net.Conn, error) {
	for pause := acceptPauseMin; ; pause = min(2*pause, acceptPauseMax) {
		connection, err := l.Listener.Accept()
		if err == nil || !passing(err) {
			return connection, err
		}
		select {
		case <-l.ctx.Done():
			return nil, net.ErrClosed
		case <-time.After(pause):
		}
	}
}

// passing reports whether an accept may succeed later: the client is gone again, or descriptors or memory are short.
func passing(err error) bool {
	for _, cause := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.ECONNABORTED, syscall.EINTR} {
		if errors.Is(err, cause) {
			return true
		}
	}
	return false
}

// limitListener returns a listener that accepts no more while most connections of it are open.
func limitListener(l net.Listener, most int) net.Listener {
	return &limitedListener{Listener: l, places: make(chan struct{}, most), closed: make(chan struct{})}
}

type limitedListener struct {
	net.Listener
	places chan struct{}
	closed chan struct{}
	once   sync.Once
}

// Accept waits for a place, then for a connection.
func (l *limitedListener) Accept() (net.Conn, error) {
	select {
	case l.places <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	connection, err := l.Listener.Accept()
	if err != nil {
		<-l.places
		return nil, err
	}
	return &placedConn{Conn: connection, leave: sync.OnceFunc(func() { <-l.places })}, nil
}

// Close closes the listener and ends an Accept that waits for a place.
func (l *limitedListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// placedConn gives its place back when it is closed.
type placedConn struct {
	net.Conn
	leave func()
}

// Close closes the connection.
func (c *placedConn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}
