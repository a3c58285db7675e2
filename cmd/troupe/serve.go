package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/troupe-browser/troupe/cmd/troupe/settings"
	"github.com/troupe-browser/troupe/internal/filelock"
	"github.com/troupe-browser/troupe/messages"
)

// socketPathBytesMax is the length that the system allows for the address of a socket.
const socketPathBytesMax = 107

// logBytesMax bounds the daemon's log file. A start that finds a larger one puts it aside, where it replaces the one
// before.
const logBytesMax = 4 << 20

func (a *app) serveCommand() *cobra.Command {
	var stop, status, metrics, background, asJSON bool
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Run the daemon that the verbs and MCP clients share",
		Long: `Serve the command line and MCP clients on a private socket in the state directory. The verbs start it on demand;
it ends by itself when it had no client and no browser for serve_idle. A second start finds the first and ends.

MCP clients connect to the same socket, or with troupe mcp --shared. With --http it also offers MCP over streamable
HTTP on a loopback address, at /mcp, for whoever knows the token in http.token in the state directory; what they may
do stands in http_grants, and nothing is allowed by default. The same address has what the daemon counted, at /metrics
in the text form of Prometheus, behind the same token; --metrics prints it without a port.`,
		Example: "  troupe serve\n  troupe serve --status\n  troupe serve --metrics\n  troupe serve --stop\n  troupe serve --http 127.0.0.1:7411",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case stop:
				return a.stopDaemon(cmd.Context())
			case status:
				return a.printStatus(cmd.Context(), asJSON)
			case metrics:
				return a.printMetrics(cmd.Context())
			}
			return a.serve(cmd.Context(), background)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&stop, "stop", false, "end the running daemon and every browser of it")
	flags.BoolVar(&status, "status", false, "say whether a daemon runs, and what it has")
	flags.BoolVar(&metrics, "metrics", false, "print what the running daemon counted: operations, outcomes, times")
	flags.BoolVar(&asJSON, "json", false, "print the status as JSON")
	settings.AddFlags(flags, cmd.Name())
	flags.BoolVar(&background, "background", false, "say nothing on the terminal")
	// The verbs use it; a person has no need to.
	_ = flags.MarkHidden("background")
	return cmd
}

func (a *app) serve(ctx context.Context, background bool) error {
	if err := settings.PrivateDirectory(a.state); err != nil {
		return err
	}
	lock, err := lockFile(filepath.Join(a.state, "serve.lock"))
	if errors.Is(err, filelock.ErrHeld) {
		fmt.Fprintln(a.out, "A daemon runs already.")
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = lock.Close() }() // closing gives the lock back
	listener, err := listenPrivate(a.socketPath())
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(a.socketPath()) }()
	if err := a.cleanStaging(); err != nil {
		return err
	}
	if background {
		a.ownerPID = 0 // whoever started it on demand is one client of many
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	return a.withHost(ctx, "serve", func(ctx context.Context, h *host) error {
		d := newDaemon(a, h, listener, cancel)
		if err := d.serveHTTP(ctx); err != nil {
			_ = listener.Close() // nobody has been told of it
			d.drivers.leave()
			return err
		}
		if !background {
			fmt.Fprintf(a.out, "Serving on %s. Ctrl-C ends it.\n", a.socketPath())
			if d.httpAddr != "" {
				fmt.Fprintf(a.out, "MCP over HTTP on http://%s/mcp, token in %s\n", d.httpAddr, a.tokenFile())
			}
		}
		return d.serve(ctx)
	})
}

// lockFile takes an exclusive lock that ends with the file's closing or the process.
func lockFile(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock file: %w", err)
	}
	if err := filelock.TryLock(file); err != nil {
		_ = file.Close() // nothing was written to it
		return nil, fmt.Errorf("lock file: %w", err)
	}
	return file, nil
}

// listenPrivate listens on a socket that only this user can reach. The caller holds the daemon's lock, so a socket that
// is there belongs to nobody.
func listenPrivate(path string) (net.Listener, error) {
	if len(path) > socketPathBytesMax {
		return nil, fmt.Errorf("the state directory's path is too long for a socket (%d bytes, at most %d): name a shorter one with --state-dir", len(path), socketPathBytesMax)
	}
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return nil, fmt.Errorf("socket: %w", err)
	}
	// The directory is private already; the mask makes the socket so from its first moment.
	old := syscall.Umask(0o177)
	listener, err := net.Listen("unix", path)
	syscall.Umask(old)
	if err != nil {
		return nil, fmt.Errorf("socket: %w", err)
	}
	return listener, nil
}

func openLog(path string) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && info.Size() > logBytesMax {
		if err := os.Rename(path, path+".1"); err != nil {
			return nil, fmt.Errorf("log file: %w", err)
		}
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, fmt.Errorf("log file: %w", err)
	}
	return file, nil
}

func (a *app) printStatus(ctx context.Context, asJSON bool) error {
	c, err := a.dial(ctx)
	if errors.Is(err, errDaemonSilent) {
		return err
	}
	if err != nil {
		if asJSON {
			fmt.Fprintln(a.out, `{"running":false}`)
		} else {
			fmt.Fprintln(a.out, "No daemon runs. The verbs start one on demand.")
		}
		return silentError{exitUnavailable}
	}
	defer c.close()
	answer, err := c.exchange(ctx, wireRequest{Daemon: "status"})
	if err != nil {
		return err
	}
	if asJSON {
		_, err := io.WriteString(a.out, string(answer.Daemon)+"\n")
		return err
	}
	var s daemonStatus
	if err := json.Unmarshal(answer.Daemon, &s); err != nil {
		return fmt.Errorf("the daemon's status cannot be read: %w", err)
	}
	fmt.Fprintf(a.out, "pid       %d\nversion   %s\nsince     %s\nsocket    %s\nlog       %s\nclients   %d\nbrowsers  %d\n",
		s.PID, s.Version, s.Started.Format(time.DateTime), s.Socket, s.Log, s.Clients, s.Browsers)
	if s.HTTP != "" {
		fmt.Fprintf(a.out, "http      http://%s/mcp\n", s.HTTP)
	}
	return nil
}

// stopDaemon asks the daemon to end and waits until it has.
func (a *app) stopDaemon(ctx context.Context) error {
	c, err := a.dialRaw(ctx)
	if errors.Is(err, errDaemonSilent) {
		return err
	}
	if err != nil {
		fmt.Fprintln(a.out, "No daemon runs.")
		return nil
	}
	defer c.close()
	if _, err := c.exchange(ctx, wireRequest{Daemon: "stop"}); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, shutdownTimeout+messages.GracefulTimeout)
	defer cancel()
	for {
		lock, err := lockFile(filepath.Join(a.state, "serve.lock"))
		if err == nil {
			return lock.Close()
		}
		select {
		case <-ctx.Done():
			return messages.NewError(messages.CodeShutdownFailed, "The daemon has not ended in time. Its log is %s.", a.logFile())
		case <-time.After(daemonPoll):
		}
	}
}
