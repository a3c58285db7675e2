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
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/troupe-browser/troupe/cmd/troupe/settings"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/messages/codec"

	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

const (
	// daemonStartTimeout bounds how long a verb waits for the daemon that it started.
	daemonStartTimeout = 15 * time.Second
	// Poll is the pause between two tries to reach it.
	Poll = 25 * time.Millisecond
)

// Client is a verb's connection to the daemon.
type Client struct {
	Connection net.Conn
	Reader     *bufio.Reader
	// alive asks the daemon on a connection of its own whether it still answers; nil before the greeting.
	alive func(context.Context) error
}

// Close ends the connection.
func (c *Client) Close() { _ = c.Connection.Close() } // the daemon sees the end of the stream

// Exchange sends one request and waits for its answer. The end of the context closes the connection, which cancels the
// request at the daemon.
func (c *Client) Exchange(ctx context.Context, request any) (wireAnswer, error) {
	ctx, done := c.Watched(ctx)
	defer done()
	defer context.AfterFunc(ctx, c.Close)()
	data, err := json.Marshal(request)
	if err != nil {
		return wireAnswer{}, fmt.Errorf("the request cannot be written: %w", err)
	}
	if _, err := c.Connection.Write(append(data, '\n')); err != nil {
		return wireAnswer{}, c.lost(ctx, err)
	}
	line, err := readLine(c.Reader)
	if err != nil {
		return wireAnswer{}, c.lost(ctx, err)
	}
	var answer wireAnswer
	if err := json.Unmarshal(line, &answer); err != nil {
		return wireAnswer{}, fmt.Errorf("the daemon's answer cannot be read: %w", err)
	}
	return answer, nil
}

func (c *Client) lost(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); errors.Is(cause, ErrDaemonSilent) || errors.Is(err, os.ErrDeadlineExceeded) {
		return ErrDaemonSilent
	}
	if ctx.Err() != nil {
		return program.SilentError{Status: program.ExitCancelled}
	}
	return fmt.Errorf("the connection to the daemon was lost: %w", err)
}

// Do sends a command to the daemon. When the daemon is lost after the command went out, an effect may have happened.
func (c *Client) Do(ctx context.Context, command messages.Command) (messages.Reply, error) {
	request, err := codec.EncodeCommand(command)
	if err != nil {
		return nil, err
	}
	answer, err := c.Exchange(ctx, WireRequest{Command: request})
	if err != nil {
		if _, isEffect := command.(messages.Effect); isEffect && ctx.Err() == nil {
			text := "The daemon was lost before it answered. Look before anything else."
			if errors.Is(err, ErrDaemonSilent) {
				text = "The effect may have happened. " + ErrDaemonSilent.Detail
			}
			return nil, messages.UnknownOutcome(messages.CodePartialEffectOutcomeUnknown, "%s", text)
		}
		return nil, err
	}
	return codec.DecodeAnswer(answer.Answer)
}

// DialRaw connects and greets without naming settings.
func DialRaw(ctx context.Context, a *program.App) (*Client, error) { return dialWith(ctx, a, nil) }

// dial connects to the running daemon and greets it with the settings that flags of this command name.
func dial(ctx context.Context, a *program.App) (*Client, error) {
	return dialWith(ctx, a, a.Settings.Flagged())
}

func dialWith(ctx context.Context, a *program.App, named map[string]string) (*Client, error) {
	connection, err := (&net.Dialer{Timeout: HelloTimeout}).DialContext(ctx, "unix", socketPath(a))
	if err != nil {
		if errors.Is(err, syscall.EAGAIN) { // the queue of those that it has not taken is full
			return nil, ErrDaemonSilent
		}
		return nil, err
	}
	c := &Client{Connection: connection, Reader: bufio.NewReader(connection)}
	if err := connection.SetDeadline(time.Now().Add(HelloTimeout)); err != nil {
		c.Close()
		return nil, c.lost(ctx, err)
	}
	answer, err := c.Exchange(ctx, wireHello{Protocol: protocolName, Version: program.Version(), Owner: a.Owner, Settings: named, WireSession: a.Session})
	if err != nil {
		c.Close()
		return nil, err
	}
	if answer.Error != nil {
		c.Close()
		return nil, answer.Error.Decode()
	}
	if err := connection.SetDeadline(time.Time{}); err != nil {
		c.Close()
		return nil, c.lost(ctx, err)
	}
	c.alive = func(ctx context.Context) error {
		other, err := dialWith(ctx, a, nil)
		if err == nil {
			other.Close()
		}
		return err
	}
	return c, nil
}

// Connect connects to the daemon, and starts one first where none runs.
func Connect(ctx context.Context, a *program.App) (*Client, error) {
	c, err := dial(ctx, a)
	if err == nil || !unreachable(err) {
		return c, err
	}
	ended, err := spawnDaemon(a)
	if err != nil {
		return nil, err
	}
	waiting, cancel := context.WithTimeout(ctx, daemonStartTimeout)
	defer cancel()
	for {
		if c, err = dial(ctx, a); err == nil || !unreachable(err) {
			return c, err
		}
		select {
		case failed := <-ended:
			if failed != nil {
				return nil, messages.NewError(messages.CodeStateUnavailable, "The daemon did not start.").WithOperator(lastLine(logFile(a)))
			}
			ended = nil // another one came first; it will listen soon
		case <-waiting.Done():
			return nil, messages.NewError(messages.CodeStateUnavailable, "The daemon did not start in time.").WithOperator("Its log is " + logFile(a))
		case <-time.After(Poll):
		}
	}
}

// lastLineBytes is how much of the end of the log is looked at.
const lastLineBytes = 2 << 10

// lastLine returns the last line of a file, for the operator.
func lastLine(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	text = bytes.TrimSpace(text[max(0, len(text)-lastLineBytes):])
	return string(text[bytes.LastIndexByte(text, '\n')+1:])
}

// unreachable reports whether nobody listens on the socket, or whoever did is just ending.
func unreachable(err error) bool {
	return errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// spawnDaemon starts `troupe serve` in a session of its own, so that the terminal's signals and its end do not reach it,
// with the flags that this command was given. The channel gets how it ended, which it does when another came first.
func spawnDaemon(a *program.App) (<-chan error, error) {
	if err := settings.PrivateDirectory(a.State); err != nil {
		return nil, err
	}
	executable, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("the daemon cannot be started: %w", err)
	}
	log, err := openLog(logFile(a))
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }() // the daemon has its own copy
	cmd := exec.Command(executable, append([]string{"serve", "--background", "--state-dir", a.State}, a.DaemonFlags...)...)
	cmd.Args[0] = "troupe" // by whatever path this one was found
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("the daemon cannot be started: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	return ended, nil
}
