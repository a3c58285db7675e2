package daemon

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/messages/codec"
	"github.com/troupe-browser/troupe/tools"

	"github.com/troupe-browser/troupe/cmd/troupe/driver"
	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

// clientsMax bounds the connections that the daemon serves at a time; one more is closed at once.
const clientsMax = 64

// HelloTimeout bounds how long a connection may take for its first line.
const HelloTimeout = 5 * time.Second

// answerWriteTimeout bounds how long a client may take to read its last answer when the daemon ends.
const answerWriteTimeout = 2 * time.Second

// idleLook is how often the daemon looks whether anybody still needs it.
const idleLook = time.Second

// daemon serves the command line and MCP clients on one private socket.
type daemon struct {
	app      *program.App
	host     *program.Host
	drivers  *driver.Drivers
	mcp      *tools.Server
	listener net.Listener
	started  time.Time
	// clients counts open connections; lastSeen is when the last one ended, in Unix nanoseconds.
	clients  atomic.Int64
	lastSeen atomic.Int64
	serving  sync.WaitGroup
	stop     context.CancelFunc
	httpAddr string
	// metrics answers with the counts since the daemon's start.
	metrics http.Handler
}

func newDaemon(a *program.App, h *program.Host, listener net.Listener, stop context.CancelFunc) *daemon {
	d := &daemon{
		app: a, host: h, listener: listener, started: time.Now(), stop: stop, metrics: h.Runtime.Metrics(),
		drivers: &driver.Drivers{System: h.System, Host: h.Gateway},
		mcp: tools.NewServer(tools.NewFacade(h.Gateway), tools.ServerOptions{
			Version: program.Version(), Grants: a.Grants(messages.DefaultGrants()),
		}),
	}
	// Whoever started the daemon has the time to reach it, however short serve_idle is.
	d.lastSeen.Store(time.Now().Add(max(0, daemonStartTimeout-a.Settings.Duration("serve_idle"))).UnixNano())
	return d
}

// serve takes connections until the context ends, then closes them and waits.
func (d *daemon) serve(ctx context.Context) error {
	defer context.AfterFunc(ctx, func() {
		// The error is that of a listener which is closed already.
		_ = d.listener.Close()
	})()
	d.serving.Go(func() { d.watchIdle(ctx) })
	var failed error
	for {
		connection, err := patientListener{d.listener, ctx}.Accept()
		if err != nil {
			if ctx.Err() == nil {
				failed = fmt.Errorf("the socket takes no connections any more: %w", err)
				d.stop()
			}
			break
		}
		if d.clients.Add(1) > clientsMax {
			d.clients.Add(-1)
			_ = connection.Close() // one too many; it sees the end of the stream
			continue
		}
		d.serving.Go(func() {
			defer func() {
				d.clients.Add(-1)
				d.lastSeen.Store(time.Now().UnixNano())
			}()
			d.connection(ctx, connection)
		})
	}
	d.mcp.Close()
	d.serving.Wait()
	d.drivers.End()
	return failed
}

// watchIdle ends the daemon once it has had no client and no browser for the configured time.
func (d *daemon) watchIdle(ctx context.Context) {
	limit := d.app.Settings.Duration("serve_idle")
	ticker := time.NewTicker(min(idleLook, limit))
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if d.clients.Load() > 0 || d.httpAddr != "" {
			continue
		}
		if count, err := d.browsers(ctx); err != nil || count > 0 {
			d.lastSeen.Store(time.Now().UnixNano())
			continue
		}
		if time.Since(time.Unix(0, d.lastSeen.Load())) >= limit {
			d.stop()
			return
		}
	}
}

func (d *daemon) browsers(ctx context.Context) (int, error) {
	caller := messages.Caller{ID: messages.CallerHost, Plane: messages.PlaneOperator, Grants: messages.NewGrantSet(messages.GrantRead)}
	reply, err := d.host.Gateway.Do(ctx, caller, &messages.ListBrowsers{})
	list, ok := reply.(*messages.BrowserList)
	if err != nil || !ok {
		return 0, errors.Join(err, errors.New("the browsers could not be listed"))
	}
	return len(list.Browsers), nil
}

// connection serves one client: its first line says whether it is the command line or an MCP client.
func (d *daemon) connection(ctx context.Context, connection net.Conn) {
	defer func() { _ = connection.Close() }() // the other end sees the end of the stream
	// At the daemon's end no more is read, and what is in flight has its answer written.
	stopReading := context.AfterFunc(ctx, func() {
		_ = connection.SetReadDeadline(time.Now())                          // the error is that of a connection
		_ = connection.SetWriteDeadline(time.Now().Add(answerWriteTimeout)) // which is gone already
	})
	defer stopReading()
	if err := connection.SetReadDeadline(time.Now().Add(HelloTimeout)); err != nil {
		return
	}
	reader := bufio.NewReaderSize(connection, 64<<10)
	first, err := readLine(reader)
	if err != nil || connection.SetReadDeadline(time.Time{}) != nil || ctx.Err() != nil {
		return
	}
	var hello wireHello
	if json.Unmarshal(first, &hello) != nil || hello.Protocol == "" {
		stopReading() // a session ends itself with the context
		replayed := io.MultiReader(bytes.NewReader(append(first, '\n')), reader)
		// How the session ended is the client's affair.
		_ = d.mcp.ServeStream(ctx, struct {
			io.Reader
			io.Closer
		}{replayed, connection}, connection)
		return
	}
	if refused := d.greet(hello); refused != nil {
		d.answer(connection, refusedAnswer(refused))
		return
	}
	if hello.MCP {
		stopReading()
		d.answer(connection, wireAnswer{})
		d.ownedSession(ctx, connection, reader, hello)
		return
	}
	own := d.drivers.Of(messages.Caller{
		ID: messages.CallerID("cli:" + string(hello.Owner)), Plane: messages.PlaneOperator, Grants: d.app.DaemonGrants(), Owner: hello.Owner,
	})
	d.answer(connection, wireAnswer{})
	d.commands(ctx, connection, reader, own)
}

// ownedSession serves an MCP session that says for which agent and process it works. It has a server of its own, since
// those are the same for all sessions of one server.
func (d *daemon) ownedSession(ctx context.Context, connection net.Conn, reader *bufio.Reader, hello wireHello) {
	server := tools.NewServer(tools.NewFacade(program.OwnedGateway{Gateway: d.host.Gateway, PID: hello.OwnerPID}), tools.ServerOptions{
		Version: program.Version(), Grants: d.app.Grants(messages.DefaultGrants()), Owner: hello.Owner,
	})
	defer server.Close()
	// How the session ended is the client's affair.
	_ = server.ServeStream(ctx, struct {
		io.Reader
		io.Closer
	}{reader, connection}, connection)
}

// greet refuses a command line of another build, or one whose flags ask for other settings than the daemon runs with.
func (d *daemon) greet(hello wireHello) *messages.Error {
	if hello.Protocol != protocolName || hello.Version != program.Version() {
		return messages.NewError(messages.CodeNotSupported, "The daemon is of another version (%s). End it with: troupe serve --stop", program.Version())
	}
	if key := d.app.Settings.Differs(hello.Settings); key != "" {
		return messages.NewError(messages.CodeInvalidRequest, "The daemon runs with another value of %s. Leave the flag out, or end the daemon with: troupe serve --stop", program.ClampWord(key))
	}
	return nil
}

// commands serves the requests of a command line, one at a time. While one runs, the connection is watched: its end
// cancels the request.
func (d *daemon) commands(ctx context.Context, connection net.Conn, reader *bufio.Reader, own *driver.Driver) {
	lines := make(chan []byte)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	d.serving.Go(func() {
		defer cancel()
		defer close(lines)
		for {
			line, err := readLine(reader)
			if err != nil {
				return
			}
			select {
			case lines <- line:
			case <-ctx.Done():
				return
			}
		}
	})
	for line := range lines {
		if !d.request(ctx, connection, own, line) {
			return
		}
	}
}

// request carries out one line; false ends the connection. Without a driver only the daemon's own requests are.
func (d *daemon) request(ctx context.Context, connection net.Conn, own *driver.Driver, line []byte) bool {
	var request WireRequest
	if err := json.Unmarshal(line, &request); err != nil {
		return d.answer(connection, refusedAnswer(messages.NewError(messages.CodeInvalidRequest, "The request cannot be read.")))
	}
	switch request.Daemon {
	case "":
	case "status":
		data, err := json.Marshal(d.status(ctx))
		return err == nil && d.answer(connection, wireAnswer{Daemon: data})
	case "metrics":
		text, err := d.metricsText(ctx)
		if err != nil {
			return d.answer(connection, refusedAnswer(messages.AsError(err)))
		}
		data, err := json.Marshal(text)
		return err == nil && d.answer(connection, wireAnswer{Daemon: data})
	case "stop":
		defer d.stop()
		return d.answer(connection, wireAnswer{})
	default:
		return d.answer(connection, refusedAnswer(messages.NewError(messages.CodeInvalidRequest, "The daemon knows no such request.")))
	}
	if own == nil {
		return d.answer(connection, refusedAnswer(messages.NewError(messages.CodeBusy, "The daemon has served %d agents and takes no other. End it with: troupe serve --stop", driver.Max)))
	}
	command, refused := codec.DecodeCommand(request.Command)
	if refused != nil {
		return d.answer(connection, refusedAnswer(refused))
	}
	reply, refused := tools.NewFacade(own).Answer(ctx, own.Caller, command)
	var failed error
	if refused != nil {
		failed = refused
	}
	return d.answer(connection, wireAnswer{Answer: codec.EncodeAnswer(reply, failed)})
}

func (d *daemon) answer(connection net.Conn, answer wireAnswer) bool {
	data, err := json.Marshal(answer)
	if err != nil {
		return false
	}
	_, err = connection.Write(append(data, '\n'))
	return err == nil
}

// DaemonStatus is what `troupe serve --status` prints.
type DaemonStatus struct {
	PID      int       `json:"pid"`
	Version  string    `json:"version"`
	Started  time.Time `json:"started"`
	Socket   string    `json:"socket"`
	HTTP     string    `json:"http,omitempty"`
	Clients  int64     `json:"clients"`
	Browsers int       `json:"browsers"`
	Log      string    `json:"log"`
}

func (d *daemon) status(ctx context.Context) DaemonStatus {
	count, err := d.browsers(ctx)
	if err != nil {
		count = -1
	}
	return DaemonStatus{
		PID: os.Getpid(), Version: program.Version(), Started: d.started, Socket: d.listener.Addr().String(), HTTP: d.httpAddr,
		Clients: d.clients.Load(), Browsers: count, Log: logFile(d.app),
	}
}

// readLine reads one line without its end, at most wireLineBytesMax bytes.
func readLine(reader *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := reader.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > wireLineBytesMax:
			return nil, fmt.Errorf("a line is longer than %d bytes", wireLineBytesMax)
		case err == nil:
			return line[:len(line)-1], nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// socketPath is the daemon's socket. Its directory is the private one of all state.
func socketPath(a *program.App) string { return filepath.Join(a.State, "troupe.sock") }

func logFile(a *program.App) string { return filepath.Join(a.State, "serve.log") }
