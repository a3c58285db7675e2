package cdp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"github.com/troupe-browser/troupe/messages"
)

// endpoint is a DevTools endpoint: a description, and a socket that answers every
// call with its own parameters.
type endpoint struct {
	*httptest.Server
	describe func(socket string) string // nil: as a browser does
	reply    func(id int64) []byte      // nil: an empty result
	origin   string                     // of the last socket
}

func newEndpoint(t *testing.T) *endpoint {
	e := &endpoint{}
	mux := http.NewServeMux()
	mux.HandleFunc("/json/version", func(w http.ResponseWriter, r *http.Request) {
		socket := "ws://" + r.Host + "/devtools/browser/0123"
		if e.describe != nil {
			fmt.Fprint(w, e.describe(socket))
			return
		}
		fmt.Fprintf(w, `{"Browser":"Chrome/1","webSocketDebuggerUrl":%q}`, socket)
	})
	mux.HandleFunc("/devtools/browser/", func(w http.ResponseWriter, r *http.Request) {
		e.origin = r.Header.Get("Origin")
		upgrader := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}
		socket, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			t.Error(err)
			return
		}
		defer socket.Close()
		e.serve(socket)
	})
	e.Server = httptest.NewServer(mux)
	t.Cleanup(e.Close)
	return e
}

func (e *endpoint) serve(socket *websocket.Conn) {
	for {
		_, data, err := socket.ReadMessage()
		if err != nil {
			return
		}
		var call struct {
			ID     int64  `json:"id"`
			Method string `json:"method"`
		}
		if json.Unmarshal(data, &call) != nil || call.Method == "Browser.close" {
			return
		}
		reply := fmt.Appendf(nil, `{"id":%d,"result":{}}`, call.ID)
		if e.reply != nil {
			reply = e.reply(call.ID)
		}
		if socket.WriteMessage(websocket.TextMessage, reply) != nil {
			return
		}
	}
}

func TestDialEndpoint(t *testing.T) {
	e := newEndpoint(t)
	// A proxy that would break everything is not asked.
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	t.Setenv("http_proxy", "http://127.0.0.1:1")
	for _, address := range []string{
		e.URL, e.URL + "/",
		strings.Replace(e.URL, "127.0.0.1", "localhost", 1),
		strings.Replace(e.URL, "http", "ws", 1) + "/devtools/browser/0123",
	} {
		transport, err := Dial(t.Context(), EndpointConfig{URL: address})
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		c := NewConn(transport, Options{})
		if err := c.Root().Execute(t.Context(), "Browser.getVersion", nil, nil); err != nil {
			t.Error(err)
		}
		if e.origin != "" {
			t.Errorf("sent the origin %q", e.origin)
		}
		// The far side goes: the connection says so.
		err = c.Root().Execute(t.Context(), "Browser.close", nil, nil)
		if !errors.Is(err, ErrClosed) {
			t.Errorf("got %v", err)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestDialRefuses(t *testing.T) {
	e := newEndpoint(t)
	describing := func(text string) func(string) string { return func(string) string { return text } }
	for _, row := range []struct {
		name     string
		url      string
		remote   bool
		describe func(string) string
		cause    Cause
	}{
		{"no address", "", false, nil, CauseEndpointInvalid},
		{"no host", "http://", false, nil, CauseEndpointInvalid},
		{"no scheme", "127.0.0.1:9222", false, nil, CauseEndpointInvalid},
		{"another scheme", "file://localhost/x", false, nil, CauseEndpointInvalid},
		{"a remote name", "http://browser.example:9222", false, nil, CauseEndpointRemote},
		{"a remote address", "ws://192.0.2.1/devtools/browser/1", false, nil, CauseEndpointRemote},
		{"a name that looks local", "http://127.0.0.1.example:9222", false, nil, CauseEndpointRemote},
		{"a name below localhost", "http://a.localhost:9222", false, nil, CauseEndpointRemote},
		{"all addresses", "http://0.0.0.0:9222", false, nil, CauseEndpointRemote},
		{"nobody listens", "http://127.0.0.1:1", false, nil, CauseConnect},
		{"nobody listens on the socket", "ws://[::1]:1/devtools/browser/1", false, nil, CauseConnect},
		{"reports a remote socket", e.URL, false, describing(`{"webSocketDebuggerUrl":"ws://192.0.2.1/devtools/browser/1"}`), CauseEndpointRemote},
		{"reports no browser socket", e.URL, false, describing(`{"webSocketDebuggerUrl":"ws://127.0.0.1/devtools/page/1"}`), CauseEndpointInvalid},
		{"reports another scheme", e.URL, true, describing(`{"webSocketDebuggerUrl":"http://127.0.0.1/devtools/browser/1"}`), CauseEndpointInvalid},
		{"reports nothing", e.URL, false, describing(`{}`), CauseEndpointInvalid},
		{"is no browser", e.URL, false, describing(`<html>`), CauseConnect},
		{"floods", e.URL, false, describing(strings.Repeat(" ", versionReplyMax+1)), CauseConnect},
		{"has no such path", e.URL + "/elsewhere", false, nil, CauseConnect},
		{"is no socket", strings.Replace(e.URL, "http", "ws", 1) + "/json/version", false, nil, CauseConnect},
	} {
		t.Run(row.name, func(t *testing.T) {
			e.describe = row.describe
			_, err := Dial(t.Context(), EndpointConfig{URL: row.url, AllowRemote: row.remote})
			var got *LaunchError
			if !errors.As(err, &got) || got.Cause != row.cause {
				t.Fatalf("got %v, want cause %s", err, row.cause)
			}
			// The text that everybody sees holds no address.
			var report *messages.Error
			if !errors.As(err, &report) || strings.ContainsAny(report.Detail, ":/") && strings.Contains(report.Detail, "//") {
				t.Errorf("report %+v", report)
			}
		})
	}
}

func TestDialHonoursItsContext(t *testing.T) {
	e := newEndpoint(t)
	ctx, cancel := context.WithCancel(t.Context())
	e.describe = func(string) string {
		cancel()
		<-t.Context().Done()
		return ""
	}
	// The handler above hangs until the test ends, so only the context can help.
	done := make(chan error, 1)
	go func() {
		_, err := Dial(ctx, EndpointConfig{URL: e.URL})
		done <- err
	}()
	var got *LaunchError
	if err := <-done; !errors.As(err, &got) || got.Cause != CauseConnect {
		t.Errorf("got %v", err)
	}
}

// A name that passes as local but stands for another machine is stopped when the
// connection is made.
func TestDialChecksTheRealAddress(t *testing.T) {
	control := dialer(false).Control
	for address, allowed := range map[string]bool{
		"127.0.0.1:80": true, "[::1]:80": true, "[::ffff:127.0.0.1]:80": true,
		"192.0.2.1:80": false, "[2001:db8::1]:80": false, "0.0.0.0:80": false, "x": false,
	} {
		if err := control("tcp", address, nil); (err == nil) != allowed {
			t.Errorf("%s: %v", address, err)
		}
	}
	if dialer(true).Control != nil {
		t.Error("a remote endpoint that is allowed is checked")
	}
}

func TestSocketMessageTooLarge(t *testing.T) {
	e := newEndpoint(t)
	e.reply = func(id int64) []byte {
		return fmt.Appendf(nil, `{"id":%d,"result":{"x":%q}}`, id, strings.Repeat("x", 1<<20))
	}
	transport, err := Dial(t.Context(), EndpointConfig{URL: e.URL})
	if err != nil {
		t.Fatal(err)
	}
	transport.(*socketTransport).socket.SetReadLimit(1 << 16)
	c := NewConn(transport, Options{})
	defer c.Close()
	err = c.Root().Execute(t.Context(), "A.b", nil, nil)
	var closed *CloseError
	if !errors.As(err, &closed) || closed.Reason != ReasonMessageTooLarge {
		t.Errorf("got %v", err)
	}
}
