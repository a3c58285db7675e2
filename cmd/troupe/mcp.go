package main

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/tools"
)

func (a *app) mcpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Offer the tools to an agent over MCP on standard input and output",
		Long: "Offer observe_browser and control_browser over MCP (stdio). The grants are browser:read, browser:launch and\n" +
			"browser:control; everything else is switched on by name with --grant. It ends, and every browser with it, when\n" +
			"the input ends.",
		Example: "  troupe mcp\n  troupe mcp --grant files:upload --upload-root docs=./docs\n  troupe mcp --grant browser:inspect",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withHost(cmd.Context(), "mcp", a.serveMCP)
		},
	}
}

func (a *app) serveMCP(ctx context.Context, h *host) error {
	server := tools.NewServer(tools.NewFacade(h.gateway, tools.Options{}), tools.ServerOptions{
		Version: version(), Grants: a.grants(messages.DefaultGrants()), Owner: owner(),
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

// ownerVariable names the agent on whose behalf the command runs, where its manager says so (R23).
const ownerVariable = "TROUPE_OWNER"

func owner() messages.OwnerID { return messages.OwnerID(os.Getenv(ownerVariable)) }
