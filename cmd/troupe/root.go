package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/troupe-browser/troupe/cmd/troupe/settings"
	"github.com/troupe-browser/troupe/messages"
)

// streams are the command's input and outputs.
type streams struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// app is one run of the command line.
type app struct {
	streams
	settings settings.Values
	state    string // the state directory, not yet made
	// owner and ownerPID are the agent and the process for whom the command runs, and daemonFlags are what a daemon that it starts is given.
	owner       messages.OwnerID
	ownerPID    int
	session     wireSession // what a connection to the daemon is for beside requests
	daemonFlags []string
}

// run carries out one command line and returns its exit status.
func run(ctx context.Context, args []string, s streams) int {
	a := &app{streams: s}
	root := a.rootCommand()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	var silent silentError
	if err != nil && !errors.As(err, &silent) {
		a.complain(err)
	}
	return exitStatus(err)
}

// complain says an error to a person: the code, the sentence, what only the operator may know, and the next step.
func (a *app) complain(err error) {
	var known *messages.Error
	if !errors.As(err, &known) {
		fmt.Fprintf(a.err, "troupe: %v\n", err)
		return
	}
	fmt.Fprintf(a.err, "troupe: %s\n", known.Error())
	if hint := grantHint(known.Code, known.Detail); hint != "" {
		fmt.Fprintf(a.err, "  %s\n", hint)
	}
	if known.State == messages.OutcomeUnknown {
		fmt.Fprintln(a.err, "  It may have happened. Look before anything else.")
	}
	if known.Operator != "" {
		fmt.Fprintf(a.err, "  %s\n", strings.ReplaceAll(known.Operator, "\n", "\n  "))
	}
}

func (a *app) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "troupe",
		Short: "A supervised browser runtime for AI agents",
		Long: "Troupe drives real Chromium browsers through closed, typed actions, and says of each effect whether it happened.\n\n" +
			"Agents use it over MCP (troupe mcp), programs as lines of JSON (troupe run), people with the verbs below.",
		Example: "  troupe doctor\n  troupe demo\n  troupe mcp\n\n  troupe open http://localhost:3000\n  troupe snapshot browser:1\n" +
			"  troupe fill browser:1 e2 \"Ada\"\n  troupe click browser:1 e10 --snapshot-after\n  troupe close browser:1",
		SilenceErrors:     true,
		SilenceUsage:      true,
		PersistentPreRunE: a.prepare,
		Args:              unknownCommand,
		RunE:              func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.SetIn(a.in)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%v\nSee: %s --help", err, cmd.CommandPath())
	})
	settings.AddFlags(root.PersistentFlags(), "")
	addGroup(root, "agents", "For agents and programs:", a.mcpCommand(), a.runCommand(), a.serveCommand())
	addGroup(root, "browsers", "Browsers and pages:", a.openCommand(), a.listCommand(), a.closeCommand(), a.navigateCommand(), a.popupCommand(), a.viewportCommand())
	addGroup(root, "look", "Look:", append(a.lookCommands(), a.downloadsCommand(), a.cookiesCommand(), a.storageCommand())...)
	addGroup(root, "act", "Act:", a.actCommands()...)
	addGroup(root, "operate", "Operate:", a.demoCommand(), a.doctorCommand(), a.engineCommand(), a.configCommand(), a.auditCommand(), a.versionCommand())
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
	text := fmt.Sprintf("there is no command %q", clampWord(args[0]))
	if strings.HasPrefix(args[0], "browser:") {
		return usagef("%s; the verb comes first, as in: troupe snapshot browser:1\nSee: troupe --help", text)
	}
	cmd.SuggestionsMinimumDistance = 2 // letters
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		text += "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return usagef("%s\nSee: troupe --help", text)
}

// prepare reads the configuration before any command runs.
func (a *app) prepare(cmd *cobra.Command, _ []string) error {
	effective, err := settings.Load(cmd.Flags())
	if err != nil {
		return usageError{err.Error()}
	}
	a.settings = effective
	a.owner = owner()
	if a.ownerPID, err = ownerPID(); err != nil {
		return err
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if cmd.Root().PersistentFlags().Lookup(f.Name) == nil || f.Name == "state-dir" {
			return
		}
		a.daemonFlags = append(a.daemonFlags, "--"+f.Name+"="+settings.FlagText(f))
	})
	a.state, err = settings.StateDirectory(effective.Text("state_dir"))
	return err
}

// grants returns what an entry starts with and what the operator added (R230).
func (a *app) grants(initial messages.GrantSet) messages.GrantSet {
	added, err := messages.ParseGrants(a.settings.List("grants"))
	if err != nil {
		// The names were checked when the settings were read.
		return initial
	}
	return initial.Union(added)
}

// shutdownTimeout bounds the orderly end of a command (R193). It is longer than the runtime's own bound, so that the
// runtime's report is heard.
const shutdownTimeout = messages.ShutdownDefault + 2*time.Second

// withHost runs a function with a runtime and shuts the runtime down afterwards, whatever came. A problem of the
// shutdown is reported only when nothing else went wrong.
func (a *app) withHost(ctx context.Context, entry string, f func(context.Context, *host) error) error {
	if err := settings.PrivateDirectory(a.state); err != nil {
		return err
	}
	ctx, cancelOwned := withOwner(ctx, a.ownerPID)
	defer cancelOwned()
	if ctx.Err() != nil {
		return silentError{exitCancelled}
	}
	h, err := a.start(ctx, entry)
	if err != nil {
		return err
	}
	failed := f(ctx, h)
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	if err := h.stop(closing); err != nil && failed == nil {
		failed = err
	}
	if failed != nil && errors.Is(failed, context.Canceled) && ctx.Err() != nil {
		return silentError{exitCancelled}
	}
	return failed
}

// isTerminal reports whether a stream is a terminal, so that colour is used only there.
func isTerminal(w any) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}
