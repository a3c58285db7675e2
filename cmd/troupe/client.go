package main

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
)

const (
	// daemonStartTimeout bounds how long a verb waits for the daemon that it started.
	daemonStartTimeout = 15 * time.Second
	// daemonPoll is the pause between two tries to reach it.
	daemonPoll = 25 * time.Millisecond
)

// client is a verb's connection to the daemon.
type client struct {
	connection net.Conn
	reader     *bufio.Reader
	// alive asks the daemon on a connection of its own whether it still answers; nil before the greeting.
	alive func(context.Context) error
}

func (c *client) close() { _ = c.connection.Close() } // the daemon sees the end of the stream

// exchange sends one request and waits for its answer. The end of the context closes the connection, which cancels the
// request at the daemon.
func (c *client) exchange(ctx context.Context, request any) (wireAnswer, error) {
	ctx, done := c.watched(ctx)
	defer done()
	defer context.AfterFunc(ctx, c.close)()
	data, err := json.Marshal(request)
	if err != nil {
		return wireAnswer{}, fmt.Errorf("the request cannot be written: %w", err)
	}
	if _, err := c.connection.Write(append(data, '\n')); err != nil {
		return wireAnswer{}, c.lost(ctx, err)
	}
	line, err := readLine(c.reader)
	if err != nil {
		return wireAnswer{}, c.lost(ctx, err)
	}
	var answer wireAnswer
	if err := json.Unmarshal(line, &answer); err != nil {
		return wireAnswer{}, fmt.Errorf("the daemon's answer cannot be read: %w", err)
	}
	return answer, nil
}

func (c *client) lost(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); errors.Is(cause, errDaemonSilent) || errors.Is(err, os.ErrDeadlineExceeded) {
		return errDaemonSilent
	}
	if ctx.Err() != nil {
		return silentError{exitCancelled}
	}
	return fmt.Errorf("the connection to the daemon was lost: %w", err)
}

// Do sends a command to the daemon. When the daemon is lost after the command went out, an effect may have happened.
func (c *client) Do(ctx context.Context, command messages.Command) (messages.Reply, error) {
	request, err := codec.EncodeCommand(command)
	if err != nil {
		return nil, err
	}
	answer, err := c.exchange(ctx, wireRequest{Command: request})
	if err != nil {
		if _, isEffect := command.(messages.Effect); isEffect && ctx.Err() == nil {
			text := "The daemon was lost before it answered. Look before anything else."
			if errors.Is(err, errDaemonSilent) {
				text = "The effect may have happened. " + errDaemonSilent.Detail
			}
			return nil, messages.UnknownOutcome(messages.CodePartialEffectOutcomeUnknown, "%s", text)
		}
		return nil, err
	}
	return codec.DecodeAnswer(answer.Answer)
}

// dialRaw connects and greets without naming settings.
func (a *app) dialRaw(ctx context.Context) (*client, error) { return a.dialWith(ctx, nil) }

// dial connects to the running daemon and greets it with the settings that flags of this command name.
func (a *app) dial(ctx context.Context) (*client, error) {
	return a.dialWith(ctx, a.settings.Flagged())
}

func (a *app) dialWith(ctx context.Context, named map[string]string) (*client, error) {
	connection, err := (&net.Dialer{Timeout: helloTimeout}).DialContext(ctx, "unix", a.socketPath())
	if err != nil {
		if errors.Is(err, syscall.EAGAIN) { // the queue of those that it has not taken is full
			return nil, errDaemonSilent
		}
		return nil, err
	}
	c := &client{connection: connection, reader: bufio.NewReader(connection)}
	if err := connection.SetDeadline(time.Now().Add(helloTimeout)); err != nil {
		c.close()
		return nil, c.lost(ctx, err)
	}
	answer, err := c.exchange(ctx, wireHello{Protocol: protocolName, Version: version(), Owner: a.owner, Settings: named, wireSession: a.session})
	if err != nil {
		c.close()
		return nil, err
	}
	if answer.Error != nil {
		c.close()
		return nil, answer.Error.Decode()
	}
	if err := connection.SetDeadline(time.Time{}); err != nil {
		c.close()
		return nil, c.lost(ctx, err)
	}
	c.alive = func(ctx context.Context) error {
		other, err := a.dialWith(ctx, nil)
		if err == nil {
			other.close()
		}
		return err
	}
	return c, nil
}

// connect connects to the daemon, and starts one first where none runs.
func (a *app) connect(ctx context.Context) (*client, error) {
	c, err := a.dial(ctx)
	if err == nil || !unreachable(err) {
		return c, err
	}
	ended, err := a.spawnDaemon()
	if err != nil {
		return nil, err
	}
	waiting, cancel := context.WithTimeout(ctx, daemonStartTimeout)
	defer cancel()
	for {
		if c, err = a.dial(ctx); err == nil || !unreachable(err) {
			return c, err
		}
		select {
		case failed := <-ended:
			if failed != nil {
				return nil, messages.NewError(messages.CodeStateUnavailable, "The daemon did not start.").WithOperator(lastLine(a.logFile()))
			}
			ended = nil // another one came first; it will listen soon
		case <-waiting.Done():
			return nil, messages.NewError(messages.CodeStateUnavailable, "The daemon did not start in time.").WithOperator("Its log is " + a.logFile())
		case <-time.After(daemonPoll):
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
func (a *app) spawnDaemon() (<-chan error, error) {
	if err := settings.PrivateDirectory(a.state); err != nil {
		return nil, err
	}
	executable, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("the daemon cannot be started: %w", err)
	}
	log, err := openLog(a.logFile())
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }() // the daemon has its own copy
	cmd := exec.Command(executable, append([]string{"serve", "--background", "--state-dir", a.state}, a.daemonFlags...)...)
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
