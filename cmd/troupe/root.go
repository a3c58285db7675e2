package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/troupe-browser/troupe/cmd/troupe/settings"

	"github.com/troupe-browser/troupe/cmd/troupe/agents"
	"github.com/troupe-browser/troupe/cmd/troupe/daemon"
	"github.com/troupe-browser/troupe/cmd/troupe/operate"
	"github.com/troupe-browser/troupe/cmd/troupe/program"
	"github.com/troupe-browser/troupe/cmd/troupe/verbs"
)

// run carries out one command line and returns its exit status.
func run(ctx context.Context, args []string, s program.Streams) int {
	a := &program.App{Streams: s}
	root := rootCommand(a)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	var silent program.SilentError
	if err != nil && !errors.As(err, &silent) {
		a.Complain(err)
	}
	return program.ExitStatus(err)
}

func rootCommand(a *program.App) *cobra.Command {
	root := &cobra.Command{
		Use:   "troupe",
		Short: "A supervised browser runtime for AI agents",
		Long: "Troupe drives real Chromium browsers through closed, typed actions, and says of each effect whether it happened.\n\n" +
			"Agents use it over MCP (troupe mcp), programs as lines of JSON (troupe run), people with the verbs below.",
		Example: "  troupe doctor\n  troupe demo\n  troupe mcp\n\n  troupe open http://localhost:3000\n  troupe snapshot browser:1\n" +
			"  troupe fill browser:1 e2 \"Ada\"\n  troupe click browser:1 e10 --snapshot-after\n  troupe close browser:1",
		SilenceErrors:     true,
		SilenceUsage:      true,
		PersistentPreRunE: a.Prepare,
		Args:              unknownCommand,
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	root.SetIn(a.In)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return program.Usagef("%v\nSee: %s --help", err, cmd.CommandPath())
	})
	settings.AddFlags(root.PersistentFlags(), "")
	addGroup(root, "agents", "For agents and programs:", agents.MCPCommand(a), agents.RunCommand(a), daemon.ServeCommand(a))
	addGroup(root, "browsers", "Browsers and pages:", verbs.OpenCommand(a), verbs.ListCommand(a), verbs.CloseCommand(a), verbs.NavigateCommand(a), verbs.PopupCommand(a), verbs.ViewportCommand(a))
	addGroup(root, "look", "Look:", append(verbs.LookCommands(a), verbs.DownloadsCommand(a), verbs.CookiesCommand(a), verbs.StorageCommand(a))...)
	addGroup(root, "act", "Act:", verbs.ActCommands(a)...)
	addGroup(root, "operate", "Operate:", operate.DemoCommand(a), operate.DoctorCommand(a), operate.EngineCommand(a), operate.ConfigCommand(a), operate.AuditCommand(a), operate.VersionCommand(a))
	return root
}

func addGroup(root *cobra.Command, id, title string, commands ...*cobra.Command) {
	root.AddGroup(&cobra.Group{ID: id, Title: title})
	for _, c := range commands {
		c.GroupID = id
	}
	root.AddCommand(commands...)
}

// unknownCommand refuses a word that is no command, with what it may have meant.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	text := fmt.Sprintf("there is no command %q", program.ClampWord(args[0]))
	if strings.HasPrefix(args[0], "browser:") {
		return program.Usagef("%s; the verb comes first, as in: troupe snapshot browser:1\nSee: troupe --help", text)
	}
	cmd.SuggestionsMinimumDistance = 2 // letters
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		text += "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return program.Usagef("%s\nSee: troupe --help", text)
}
