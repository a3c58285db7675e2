package agents

import (
	"context"
	"errors"
	"io"
	"net"

	"github.com/spf13/cobra"

	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/tools"

	"github.com/troupe-browser/troupe/cmd/troupe/daemon"
	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

// MCPCommand is `troupe mcp`, which serves one agent on the standard streams (R152).
func MCPCommand(a *program.App) *cobra.Command {
	var shared bool
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Offer the tools to an agent over MCP on standard input and output",
		Long: "Offer observe_browser and control_browser over MCP (stdio). The grants are browser:read, browser:launch and\n" +
			"browser:control; everything else is switched on by name with --grant. It ends, and every browser with it, when\n" +
			"the input ends. With --shared the session is one of the daemon's, which the verbs of the command line use too: the\n" +
			"operator sees what the agent does, and the browsers stay, unless TROUPE_OWNER_PID names the process that they end with.",
		Example: "  troupe mcp\n  troupe mcp --grant files:upload --upload-root docs=./docs\n  troupe mcp --grant browser:inspect\n  troupe mcp --shared",
		Args:    program.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if shared {
				return joinMCP(cmd.Context(), a)
			}
			return a.WithHost(cmd.Context(), "mcp", func(ctx context.Context, h *program.Host) error { return serveMCP(ctx, a, h) })
		},
	}
	cmd.Flags().BoolVar(&shared, "shared", false, "be a session of the daemon's, and start it on demand")
	return cmd
}

// joinMCP passes lines between the standard streams and the daemon until either ends.
func joinMCP(ctx context.Context, a *program.App) error {
	ctx, cancel := program.WithOwner(ctx, a.OwnerPID)
	defer cancel()
	a.Session = program.WireSession{MCP: true, OwnerPID: a.OwnerPID}
	greeted, err := daemon.Connect(ctx, a) // starts the daemon and checks that it runs with these settings
	if err != nil {
		return err
	}
	defer greeted.Close()
	ctx, done := greeted.Watched(ctx)
	defer done()
	connection := greeted.Connection
	defer context.AfterFunc(ctx, greeted.Close)()
	go func() {
		// The end of the input ends the session: the daemon sees the end of the stream. A failed copy ends it as well.
		_, _ = io.Copy(connection, a.In)
		if half, ok := connection.(*net.UnixConn); ok {
			_ = half.CloseWrite() // answers that are under way still arrive
		}
	}()
	// How the stream ended does not matter: it is the end of the session either way.
	_, _ = io.Copy(a.Out, greeted.Reader)
	if cause := context.Cause(ctx); errors.Is(cause, daemon.ErrDaemonSilent) {
		return daemon.ErrDaemonSilent
	}
	return nil
}

func serveMCP(ctx context.Context, a *program.App, h *program.Host) error {
	server := tools.NewServer(tools.NewFacade(h.Gateway), tools.ServerOptions{
		Version: program.Version(), Grants: a.Grants(messages.DefaultGrants()), Owner: a.Owner,
	})
	defer server.Close()
	err := server.ServeStream(ctx, io.NopCloser(a.In), nopWriteCloser{a.Out})
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		// The end of the input, and a signal, are how a session ends.
		return nil
	}
	return err
}

type nopWriteCloser struct{ io.Writer }

func (nopWriteCloser) Close() error { return nil }
