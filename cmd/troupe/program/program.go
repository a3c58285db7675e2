package program

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/troupe-browser/troupe/cmd/troupe/settings"
	"github.com/troupe-browser/troupe/messages"
)

// Streams are the command's input and outputs.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
}

// App is one run of the command line.
type App struct {
	Streams
	Settings settings.Values
	State    string // the state directory, not yet made
	// Owner and OwnerPID are the agent and the process for whom the command runs. DaemonFlags are what a daemon that it
	// starts is given.
	Owner       messages.OwnerID
	OwnerPID    int
	Session     WireSession // what a connection to the daemon is for beside requests
	DaemonFlags []string
}

// Complain says an error to a person: the code, the sentence, what only the operator may know, and the next step.
func (a *App) Complain(err error) {
	var known *messages.Error
	if !errors.As(err, &known) {
		fmt.Fprintf(a.Err, "troupe: %v\n", err)
		return
	}
	fmt.Fprintf(a.Err, "troupe: %s\n", known.Error())
	if hint := GrantHint(known.Code, known.Detail); hint != "" {
		fmt.Fprintf(a.Err, "  %s\n", hint)
	}
	if known.State == messages.OutcomeUnknown {
		fmt.Fprintln(a.Err, "  It may have happened. Look before anything else.")
	}
	if known.Operator != "" {
		fmt.Fprintf(a.Err, "  %s\n", strings.ReplaceAll(known.Operator, "\n", "\n  "))
	}
}

// Prepare reads the configuration before any command runs.
func (a *App) Prepare(cmd *cobra.Command, _ []string) error {
	effective, err := settings.Load(cmd.Flags())
	if err != nil {
		return UsageError{err.Error()}
	}
	a.Settings = effective
	a.Owner = owner()
	if a.OwnerPID, err = ownerPID(); err != nil {
		return err
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if cmd.Root().PersistentFlags().Lookup(f.Name) == nil || f.Name == "state-dir" {
			return
		}
		a.DaemonFlags = append(a.DaemonFlags, "--"+f.Name+"="+settings.FlagText(f))
	})
	a.State, err = settings.StateDirectory(effective.Text("state_dir"))
	return err
}

// Grants returns what an entry starts with and what the operator added (R230).
func (a *App) Grants(initial messages.GrantSet) messages.GrantSet {
	added, err := messages.ParseGrants(a.Settings.List("grants"))
	if err != nil {
		// The names were checked when the settings were read.
		return initial
	}
	return initial.Union(added)
}

// ShutdownTimeout bounds the orderly end of a command (R193). It is longer than the runtime's own bound, so that the
// runtime's report is heard.
const ShutdownTimeout = messages.ShutdownDefault + 2*time.Second

// WithHost runs a function with a runtime and shuts the runtime down afterwards, whatever came. A problem of the
// shutdown is reported only when nothing else went wrong.
func (a *App) WithHost(ctx context.Context, entry string, f func(context.Context, *Host) error) error {
	if err := settings.PrivateDirectory(a.State); err != nil {
		return err
	}
	ctx, cancelOwned := WithOwner(ctx, a.OwnerPID)
	defer cancelOwned()
	if ctx.Err() != nil {
		return SilentError{Status: ExitCancelled}
	}
	h, err := a.start(ctx, entry)
	if err != nil {
		return err
	}
	failed := f(ctx, h)
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), ShutdownTimeout)
	defer cancel()
	if err := h.stop(closing); err != nil && failed == nil {
		failed = err
	}
	if failed != nil && errors.Is(failed, context.Canceled) && ctx.Err() != nil {
		return SilentError{Status: ExitCancelled}
	}
	return failed
}

// IsTerminal reports whether a stream is a terminal, so that colour is used only there.
func IsTerminal(w any) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// GrantHint says how the person, who is the operator, gives the grant that a refusal names; "" for other refusals.
func GrantHint(code messages.Code, sentence string) string {
	if code != messages.CodeNoGrant {
		return ""
	}
	for _, grant := range messages.AllGrants() {
		if strings.Contains(sentence, "grant "+string(grant)) {
			return "To give it: troupe serve --stop, which ends the browsers, then troupe --grant " + string(grant) + " open ..., or grants in the configuration."
		}
	}
	return ""
}

// Cause returns the text of an error for a person.
func Cause(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err.Error()
	}
	return err.Error()
}

// WireSession says what follows the first line when it is no request of the command line.
type WireSession struct {
	// MCP makes the rest of the stream a session of the tools; OwnerPID, where above 0, is the process with which the
	// browsers of that session end.
	MCP      bool `json:"mcp,omitempty"`
	OwnerPID int  `json:"owner_pid,omitempty"`
}

// DaemonGrants are those of the command line's own callers: the operator's, with uploads and downloads (R230).
func (a *App) DaemonGrants() messages.GrantSet {
	return a.Grants(messages.DefaultGrants().Union(messages.NewGrantSet(messages.GrantUpload, messages.GrantDownload)))
}
