package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/cmd/troupe/settings"
	"github.com/troupe-browser/troupe/messages"

	"github.com/troupe-browser/troupe/cmd/troupe/daemon"
	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

// silentDaemon listens where the daemon would, greets so many connections and then answers nothing.
func silentDaemon(t *testing.T, greeted int) (state string) {
	t.Helper()
	state = shortState(t)
	if err := settings.PrivateDirectory(state); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("unix", filepath.Join(state, "troupe.sock"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { _ = c.Close() })
			if greeted--; greeted >= 0 {
				_, _ = bufio.NewReader(c).ReadString('\n')
				fmt.Fprintln(c, `{}`)
			}
		}
	}()
	return state
}

// Every verb ends in bounded time when the daemon is stopped or hangs, and says what to do.
func TestVerbsOfASilentDaemon(t *testing.T) {
	for _, name := range settings.Variables() {
		t.Setenv(name, "")
	}
	state := silentDaemon(t, 0)
	var verbs sync.WaitGroup
	for _, args := range []string{"list", "open http://127.0.0.1:1/", "snapshot browser:1", "click browser:1 e1", "press browser:1 Enter", "close browser:1",
		"serve --status", "serve --stop", "serve --metrics", "mcp --shared"} {
		verbs.Go(func() {
			var out, said bytes.Buffer
			began := time.Now()
			status := run(t.Context(), append(strings.Fields(args), "--state-dir", state), program.Streams{In: strings.NewReader(""), Out: &out, Err: &said})
			if took := time.Since(began); took > 6*daemon.HelloTimeout {
				t.Errorf("%s took %v", args, took)
			}
			if status != program.ExitUnavailable || !strings.Contains(said.String(), "kill -CONT") {
				t.Errorf("%s ends with %d and says %q, %q", args, status, out.String(), said.String())
			}
		})
	}
	verbs.Wait()
}

// A daemon that is stopped in the middle of a request is noticed. An effect may have happened by then.
func TestDaemonFallsSilent(t *testing.T) {
	for _, c := range []struct {
		name    string
		command messages.Command
		code    messages.Code
	}{
		{"an observation", &messages.ListBrowsers{}, messages.CodeStateUnavailable},
		{"an effect", &messages.Launch{}, messages.CodePartialEffectOutcomeUnknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a := &program.App{State: silentDaemon(t, 1), Streams: program.Streams{Out: io.Discard, Err: io.Discard}}
			connection, err := daemon.DialRaw(t.Context(), a)
			if err != nil {
				t.Fatal(err)
			}
			defer connection.Close()
			ctx, cancel := context.WithTimeout(t.Context(), 6*(daemon.AliveInterval+daemon.HelloTimeout))
			defer cancel()
			_, err = connection.Do(ctx, c.command)
			var refusal *messages.Error
			if !errors.As(err, &refusal) || refusal.Code != c.code || !strings.Contains(refusal.Detail, "kill -CONT") {
				t.Errorf("the call ends with %v", err)
			}
		})
	}
}
