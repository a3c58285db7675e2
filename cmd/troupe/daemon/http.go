package daemon

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/tools"

	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

const (
	// httpHeaderTimeout bounds how long a client may take for its headers, httpBodyTimeout for the body behind them.
	httpHeaderTimeout = 5 * time.Second
	httpBodyTimeout   = 10 * time.Second
	// httpIdleTimeout bounds how long a connection may be kept without a request on it.
	httpIdleTimeout = time.Minute
	// httpConnectionsMax bounds the connections that are open at a time; more wait in the system's queue.
	httpConnectionsMax = 256
	// httpHeaderBytesMax bounds a request's headers.
	httpHeaderBytesMax = 16 << 10
	// httpCloseTimeout bounds the end of the requests in flight, whose calls are cancelled before.
	httpCloseTimeout = 2 * time.Second
	// tokenCharsMin is the length below which a token file is not accepted.
	tokenCharsMin = 26
)

// TokenFile holds the bearer token of HTTP clients.
func TokenFile(a *program.App) string { return filepath.Join(a.State, "http.token") }

// serveHTTP offers MCP over streamable HTTP where it is configured, until the context ends.
func (d *daemon) serveHTTP(ctx context.Context) error {
	address := d.app.Settings.Text("serve_http")
	if address == "" {
		return nil
	}
	if err := checkLoopback(address); err != nil {
		return err
	}
	token, err := readToken(TokenFile(d.app))
	if err != nil {
		return err
	}
	grants, err := messages.ParseGrants(d.app.Settings.List("http_grants"))
	if err != nil {
		return program.UsageError{Text: err.Error()}
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("serve_http: %w", err)
	}
	d.httpAddr = listener.Addr().String()
	mcp := tools.NewServer(tools.NewFacade(d.host.Gateway), tools.ServerOptions{Version: program.Version(), Grants: grants})
	mux := http.NewServeMux()
	mux.Handle("/mcp", mcp.Handler())
	mux.Handle("GET /metrics", d.metrics)
	server := newHTTPServer(ctx, guardHTTP(d.httpAddr, token, wholeBody(httpBodyTimeout, mux)))
	d.serving.Go(func() {
		// It returns when the server is closed; until then a failing accept is waited out.
		_ = server.Serve(limitListener(patientListener{listener, ctx}, httpConnectionsMax))
	})
	d.serving.Go(func() {
		<-ctx.Done()
		mcp.Close()
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), httpCloseTimeout)
		defer cancel()
		if server.Shutdown(closing) != nil {
			_ = server.Close() // what did not end by itself is cut off
		}
	})
	return nil
}

func newHTTPServer(ctx context.Context, handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: httpHeaderTimeout,
		IdleTimeout:       httpIdleTimeout,
		MaxHeaderBytes:    httpHeaderBytesMax,
		// The end of the daemon cancels the calls and not the requests, which carry their answers.
		BaseContext: func(net.Listener) context.Context { return context.WithoutCancel(ctx) },
	}
}

// checkLoopback refuses an address that others than this machine can reach.
func checkLoopback(address string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return program.Usagef("serve_http: %q is not an address such as 127.0.0.1:7411", address)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return program.Usagef("serve_http: %q is not a loopback address; only programs on this machine may connect", address)
	}
	return nil
}

// readToken returns the token of the file, and makes the file with a new one of 256 bits or more when there is none. A
// file that others can read is refused.
func readToken(path string) (string, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err == nil {
		token := rand.Text() + rand.Text()
		_, err = file.WriteString(token + "\n")
		return token, errors.Join(err, file.Close())
	}
	if !os.IsExist(err) {
		return "", fmt.Errorf("token file: %w", err)
	}
	info, err := os.Lstat(path)
	if err != nil {
		return "", fmt.Errorf("token file: %w", err)
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !info.Mode().IsRegular() || info.Mode().Perm()&0o077 != 0 || ok && int(owner.Uid) != os.Getuid() {
		return "", fmt.Errorf("token file %s must be a file of yours that nobody else can read; run: chmod 600, or remove it", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("token file: %w", err)
	}
	token := strings.TrimSpace(string(text))
	if len(token) < tokenCharsMin {
		return "", fmt.Errorf("the token in %s is shorter than %d characters; remove the file to get a new one", path, tokenCharsMin)
	}
	return token, nil
}

// guardHTTP lets a request through only when Host names this very listener, Origin is absent or names it too, and the
// token is right. Host and Origin stand before the token: a page that reaches the port by another name is told nothing.
func guardHTTP(address, token string, next http.Handler) http.Handler {
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		port = ""
	}
	hosts := map[string]bool{net.JoinHostPort("127.0.0.1", port): true, net.JoinHostPort("localhost", port): true, net.JoinHostPort("::1", port): true, address: true}
	want := sha256.Sum256([]byte("Bearer " + token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		refuse := func(text string, status int) {
			// The connection ends with the answer, and nothing waits for the body: without a deadline the server would read it
			// after the answer. A connection that takes none is gone.
			w.Header().Set("Connection", "close")
			_ = http.NewResponseController(w).SetReadDeadline(time.Now())
			http.Error(w, text, status)
		}
		if !hosts[r.Host] || !sameOrigin(r.Header.Values("Origin"), hosts) {
			refuse("forbidden", http.StatusForbidden)
			return
		}
		got := sha256.Sum256([]byte(r.Header.Get("Authorization")))
		if subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
			w.Header().Set("WWW-Authenticate", `Bearer realm="troupe"`)
			refuse("unauthorized", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// wholeBody reads the body of a request in bounded time and size before anybody works on it. The time-out of the server
// itself would go on through the answer, which may be a stream that lasts.
func wholeBody(limit time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		if err := control.SetReadDeadline(time.Now().Add(limit)); err != nil {
			http.Error(w, "no deadline can be set", http.StatusInternalServerError)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, wireLineBytesMax))
		if err != nil {
			status, large := http.StatusRequestTimeout, (*http.MaxBytesError)(nil)
			if errors.As(err, &large) {
				status = http.StatusRequestEntityTooLarge
			}
			w.Header().Set("Connection", "close")
			http.Error(w, http.StatusText(status), status)
			return
		}
		if err := control.SetReadDeadline(time.Time{}); err != nil {
			return // the connection is gone
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}

func sameOrigin(origins []string, hosts map[string]bool) bool {
	for _, origin := range origins {
		u, err := url.Parse(origin)
		if err != nil || u.Scheme != "http" || !hosts[u.Host] {
			return false
		}
	}
	return true
}
