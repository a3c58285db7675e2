package daemon

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// Clients that send headers and no body are held in a bounded number, refused without waiting when they know no token,
// and given up in bounded time when they do; a request behind them is answered.
func TestHTTPWithoutBodies(t *testing.T) {
	const token, silent, limit = "0123456789abcdefghijklmnop", 1100, 300 * time.Millisecond
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	echo := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) })
	server := newHTTPServer(t.Context(), guardHTTP(address, token, wholeBody(limit, echo)))
	counted := &countedListener{Listener: listener}
	go func() { _ = server.Serve(limitListener(patientListener{counted, t.Context()}, httpConnectionsMax)) }()
	t.Cleanup(func() { _ = server.Close() })
	ask := func(authorization, body string, length int) net.Conn {
		t.Helper()
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		fmt.Fprintf(c, "POST /mcp HTTP/1.1\r\nHost: %s\r\nAuthorization: %s\r\nContent-Length: %d\r\n\r\n%s", address, authorization, length, body)
		return c
	}
	status := func(c net.Conn) string {
		t.Helper()
		_ = c.SetReadDeadline(time.Now().Add(30 * time.Second))
		line, err := bufio.NewReader(c).ReadString('\n')
		if err != nil {
			t.Fatalf("no answer: %v", err)
		}
		return strings.TrimSpace(line)
	}
	var without []net.Conn
	for i := range silent {
		authorization := "Bearer nothing"
		if i%2 == 0 {
			authorization = "Bearer " + token
		}
		without = append(without, ask(authorization, "", 100))
	}
	if got := status(ask("Bearer "+token, "hello", 5)); got != "HTTP/1.1 200 OK" {
		t.Errorf("a whole request behind them gets %q", got)
	}
	for i, c := range without {
		want := "HTTP/1.1 401 Unauthorized"
		if i%2 == 0 {
			want = "HTTP/1.1 408 Request Timeout"
		}
		if got := status(c); got != want {
			t.Fatalf("client %d gets %q, want %q", i, got, want)
		}
	}
	if most := counted.most.Load(); most > httpConnectionsMax {
		t.Errorf("%d connections were open at a time", most)
	}
}

// countedListener knows how many of its connections were open at a time.
type countedListener struct {
	net.Listener
	open, most atomic.Int64
}

func (l *countedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil {
		l.most.Store(max(l.most.Load(), l.open.Add(1)))
		return &placedConn{Conn: c, leave: sync.OnceFunc(func() { l.open.Add(-1) })}, nil
	}
	return c, err
}

// faultyListener fails some times before it gives a connection.
type faultyListener struct {
	net.Listener
	faults []error
}

func (l *faultyListener) Accept() (net.Conn, error) {
	if len(l.faults) == 0 {
		c, _ := net.Pipe()
		return c, nil
	}
	err := l.faults[0]
	l.faults = l.faults[1:]
	return nil, err
}

// An accept that fails for lack of descriptors is waited out, and one for good is told.
func TestPatientListener(t *testing.T) {
	short := &net.OpError{Op: "accept", Err: syscall.EMFILE}
	l := patientListener{&faultyListener{faults: []error{short, short, syscall.ECONNABORTED}}, t.Context()}
	if c, err := l.Accept(); err != nil || c == nil {
		t.Errorf("the accept gives %v, %v", c, err)
	}
	l = patientListener{&faultyListener{faults: []error{net.ErrClosed}}, t.Context()}
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("a closed listener gives %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	l = patientListener{&faultyListener{faults: []error{short, short}}, ended}
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("at the end of the daemon the accept gives %v", err)
	}
}
