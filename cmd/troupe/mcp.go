package main

import (
	"context"
	"errors"
	"io"
	"net"

	"github.com/spf13/cobra"

	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/tools"
)

func (a *app) mcpCommand() *cobra.Command {
	var shared bool
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Offer the tools to an agent over MCP on standard input and output",
		Long: "Offer observe_browser and control_browser over MCP (stdio). The grants are browser:read, browser:launch and\n" +
			"browser:control; everything else is switched on by name with --grant. It ends, and every browser with it, when\n" +
			"the input ends. With --shared the session is one of the daemon's, which the verbs of the command line use too: the\n" +
			"operator sees what the agent does, and the browsers stay, unless TROUPE_OWNER_PID names the process that they end with.",
		Example: "  troupe mcp\n  troupe mcp --grant files:upload --upload-root docs=./docs\n  troupe mcp --grant browser:inspect\n  troupe mcp --shared",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if shared {
				return a.joinMCP(cmd.Context())
			}
			return a.withHost(cmd.Context(), "mcp", a.serveMCP)
		},
	}
	cmd.Flags().BoolVar(&shared, "shared", false, "be a session of the daemon's, and start it on demand")
	return cmd
}

// joinMCP passes lines between the standard streams and the daemon until either ends.
func (a *app) joinMCP(ctx context.Context) error {
	ctx, cancel := withOwner(ctx, a.ownerPID)
	defer cancel()
	a.session = wireSession{MCP: true, OwnerPID: a.ownerPID}
	greeted, err := a.connect(ctx) // starts the daemon and checks that it runs with these settings
	if err != nil {
		return err
	}
	defer greeted.close()
	ctx, done := greeted.watched(ctx)
	defer done()
	connection := greeted.connection
	defer context.AfterFunc(ctx, greeted.close)()
	go func() {
		// The end of the input ends the session: the daemon sees the end of the stream. A failed copy ends it as well.
		_, _ = io.Copy(connection, a.in)
		if half, ok := connection.(*net.UnixConn); ok {
			_ = half.CloseWrite() // answers that are under way still arrive
		}
	}()
	// How the stream ended does not matter: it is the end of the session either way.
	_, _ = io.Copy(a.out, greeted.reader)
	if cause := context.Cause(ctx); errors.Is(cause, errDaemonSilent) {
		return errDaemonSilent
	}
	return nil
}

func (a *app) serveMCP(ctx context.Context, h *host) error {
	server := tools.NewServer(tools.NewFacade(h.gateway), tools.ServerOptions{
		Version: version(), Grants: a.grants(messages.DefaultGrants()), Owner: a.owner,
	})
	defer server.Close()
	err := server.ServeStream(ctx, io.NopCloser(a.in), nopWriteCloser{a.out})
	if errors.Is(err, io.EOF) || ctx.Err() != nil {
		// The end of the input, and a signal, are how a session ends.
		return nil
	}
	return err
}

type nopWriteCloser struct{ io.Writer }

func (nopWriteCloser) Close() error { return nil }
