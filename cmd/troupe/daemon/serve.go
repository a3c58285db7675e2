package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/troupe-browser/troupe/cmd/troupe/settings"
	"github.com/troupe-browser/troupe/internal/filelock"
	"github.com/troupe-browser/troupe/messages"

	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

// ServeCommand is `troupe serve`: it runs the daemon, tells its status, prints its counts, or ends it.
func ServeCommand(a *program.App) *cobra.Command {
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
		Args:    program.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case stop:
				return StopDaemon(cmd.Context(), a)
			case status:
				return printStatus(cmd.Context(), a, asJSON)
			case metrics:
				return printMetrics(cmd.Context(), a)
			}
			return serve(cmd.Context(), a, background)
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

func serve(ctx context.Context, a *program.App, background bool) error {
	if err := settings.PrivateDirectory(a.State); err != nil {
		return err
	}
	lock, err := lockFile(filepath.Join(a.State, "serve.lock"))
	if errors.Is(err, filelock.ErrHeld) {
		fmt.Fprintln(a.Out, "A daemon runs already.")
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = lock.Close() }() // closing gives the lock back
	listener, err := listenPrivate(socketPath(a))
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(socketPath(a)) }()
	if err := a.CleanStaging(); err != nil {
		return err
	}
	if background {
		a.OwnerPID = 0 // whoever started it on demand is one client of many
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	return a.WithHost(ctx, "serve", func(ctx context.Context, h *program.Host) error {
		d := newDaemon(a, h, listener, cancel)
		if err := d.serveHTTP(ctx); err != nil {
			_ = listener.Close() // nobody has been told of it
			d.drivers.End()
			return err
		}
		if !background {
			fmt.Fprintf(a.Out, "Serving on %s. Ctrl-C ends it.\n", socketPath(a))
			if d.httpAddr != "" {
				fmt.Fprintf(a.Out, "MCP over HTTP on http://%s/mcp, token in %s\n", d.httpAddr, TokenFile(a))
			}
		}
		return d.serve(ctx)
	})
}

func printStatus(ctx context.Context, a *program.App, asJSON bool) error {
	c, err := dial(ctx, a)
	if errors.Is(err, ErrDaemonSilent) {
		return err
	}
	if err != nil {
		if asJSON {
			fmt.Fprintln(a.Out, `{"running":false}`)
		} else {
			fmt.Fprintln(a.Out, "No daemon runs. The verbs start one on demand.")
		}
		return program.SilentError{Status: program.ExitUnavailable}
	}
	defer c.Close()
	answer, err := c.Exchange(ctx, WireRequest{Daemon: "status"})
	if err != nil {
		return err
	}
	if asJSON {
		_, err := io.WriteString(a.Out, string(answer.Daemon)+"\n")
		return err
	}
	var s DaemonStatus
	if err := json.Unmarshal(answer.Daemon, &s); err != nil {
		return fmt.Errorf("the daemon's status cannot be read: %w", err)
	}
	fmt.Fprintf(a.Out, "pid       %d\nversion   %s\nsince     %s\nsocket    %s\nlog       %s\nclients   %d\nbrowsers  %d\n",
		s.PID, s.Version, s.Started.Format(time.DateTime), s.Socket, s.Log, s.Clients, s.Browsers)
	if s.HTTP != "" {
		fmt.Fprintf(a.Out, "http      http://%s/mcp\n", s.HTTP)
	}
	return nil
}

// StopDaemon asks the daemon to end and waits until it has.
func StopDaemon(ctx context.Context, a *program.App) error {
	c, err := DialRaw(ctx, a)
	if errors.Is(err, ErrDaemonSilent) {
		return err
	}
	if err != nil {
		fmt.Fprintln(a.Out, "No daemon runs.")
		return nil
	}
	defer c.Close()
	if _, err := c.Exchange(ctx, WireRequest{Daemon: "stop"}); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, program.ShutdownTimeout+messages.GracefulTimeout)
	defer cancel()
	for {
		lock, err := lockFile(filepath.Join(a.State, "serve.lock"))
		if err == nil {
			return lock.Close()
		}
		select {
		case <-ctx.Done():
			return messages.NewError(messages.CodeShutdownFailed, "The daemon has not ended in time. Its log is %s.", logFile(a))
		case <-time.After(Poll):
		}
	}
}
