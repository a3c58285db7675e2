package operate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/troupe-browser/troupe/messages"

	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

// EngineCommand is `troupe engine`, which tells the browser that would be started.
func EngineCommand(a *program.App) *cobra.Command {
	engine := &cobra.Command{
		Use:     "engine",
		Short:   "The browser executable that Troupe drives",
		Example: "  troupe engine status",
		Args:    program.UnknownVerb("ask for it, as in: troupe engine status"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var asJSON bool
	status := &cobra.Command{
		Use:     "status",
		Short:   "Say which executable is used, its version, and what named it",
		Example: "  troupe engine status\n  troupe engine status --json",
		Args:    program.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return printEngine(cmd.Context(), a, asJSON)
		},
	}
	status.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	engine.AddCommand(status)
	return engine
}

// printEngine is one of the two places that show the path (R4). With no engine the status says so and is not 0 (R5).
func printEngine(ctx context.Context, a *program.App, asJSON bool) error {
	found, err := discover(a)
	status := messages.Engine{EngineState: messages.EngineState{Available: err == nil}, Path: found.Path, Source: found.Source}
	if err != nil {
		known := messages.AsError(err)
		status.Code, status.Reason = known.Code, known.Detail
	} else if status.Version, err = found.Version(ctx); err != nil {
		known := messages.NewError(messages.CodeEngineUnavailable, "The executable does not tell its version.")
		status.Available, status.Code, status.Reason = false, known.Code, known.Detail
	}
	if asJSON {
		encoder := json.NewEncoder(a.Out)
		encoder.SetIndent("", "  ")
		if failed := encoder.Encode(status); failed != nil {
			return failed
		}
	} else if status.Available {
		fmt.Fprintf(a.Out, "available  %s\npath       %s\nnamed by   %s\n", status.Version, status.Path, status.Source)
	} else {
		fmt.Fprintf(a.Out, "unavailable  %s\n", status.Reason)
		if text := operatorText(err); err != nil && !errors.Is(err, context.Canceled) {
			fmt.Fprintf(a.Out, "             %s\n", text)
		}
	}
	if !status.Available {
		return program.SilentError{Status: program.ExitUnavailable}
	}
	return nil
}
