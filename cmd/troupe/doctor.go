package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/cmd/troupe/settings"
	"github.com/troupe-browser/troupe/messages"
)

// finding is the result of one check of the doctor.
type finding struct {
	Check string `json:"check"`
	// State is ok, warning or problem. A problem keeps the browser from working.
	State string `json:"state"`
	Says  string `json:"says"`
	Fix   string `json:"fix,omitempty"`
}

const (
	stateOK      = "ok"
	stateWarning = "warning"
	stateProblem = "problem"
)

func (a *app) doctorCommand() *cobra.Command {
	var asJSON, noLaunch bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Look at what Troupe needs here, and say what to do about each problem",
		Long: "Check the engine, its sandbox and the state directory, then start a browser and end it again. The status is 0\n" +
			"when a browser can be driven here.",
		Example: "  troupe doctor\n  troupe doctor --no-sandbox\n  troupe doctor --json",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			findings := a.diagnose(cmd.Context(), !noLaunch)
			if err := a.printFindings(findings, asJSON); err != nil {
				return err
			}
			for _, f := range findings {
				if f.State == stateProblem {
					return silentError{exitUnavailable}
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	cmd.Flags().BoolVar(&noLaunch, "no-launch", false, "only look, start no browser")
	return cmd
}

func (a *app) printFindings(findings []finding, asJSON bool) error {
	if asJSON {
		encoder := json.NewEncoder(a.out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(findings)
	}
	for _, f := range findings {
		mark := map[string]string{stateOK: "ok     ", stateWarning: "warning", stateProblem: "PROBLEM"}[f.State]
		fmt.Fprintf(a.out, "%s  %-16s %s\n", mark, f.Check, f.Says)
		if f.Fix != "" {
			fmt.Fprintf(a.out, "         %-16s → %s\n", "", f.Fix)
		}
	}
	return nil
}

func (a *app) diagnose(ctx context.Context, launch bool) []finding {
	var out []finding
	engine, found := a.diagnoseEngine(ctx)
	out = append(out, found, a.diagnoseSandbox(), a.diagnoseState(), a.diagnoseLeftovers())
	if a.settings.Is("headed") {
		out = append(out, diagnoseDisplay())
	}
	if found.State == stateOK && launch {
		out = append(out, a.diagnoseLaunch(ctx, engine))
	}
	return out
}

// discover finds the engine as the runtime does.
func (a *app) discover() (cdp.Engine, error) {
	path := a.settings.Text("browser")
	if a.settings.Source("browser") == "TROUPE_BROWSER" {
		path = "" // discovery reads the environment itself, in its place of the order
	}
	return cdp.Discover(cdp.DiscoverOptions{Path: path})
}

func (a *app) diagnoseEngine(ctx context.Context) (cdp.Engine, finding) {
	engine, err := a.discover()
	var launchError *cdp.LaunchError
	switch {
	case errors.As(err, &launchError) && launchError.Cause == cdp.CauseOverride:
		return engine, finding{"engine", stateProblem, operatorText(err), "correct or unset it; without it a browser is searched for"}
	case err != nil:
		return engine, finding{"engine", stateProblem, "no Chromium-family browser was found", engineFix()}
	}
	version, err := engine.Version(ctx)
	if err != nil {
		return engine, finding{"engine", stateProblem, engine.Path + " does not tell its version", "run it by hand, or name another with --browser or TROUPE_BROWSER"}
	}
	return engine, finding{"engine", stateOK, fmt.Sprintf("%s, %s (%s)", version, engine.Path, engine.Source), ""}
}

func engineFix() string {
	if runtime.GOOS == "linux" {
		return "install one, as with: apt-get install chromium; or name one with --browser or TROUPE_BROWSER"
	}
	return "install Chrome, Edge, Brave or Chromium, or name one with --browser or TROUPE_BROWSER"
}

// The kernel's switches that keep an unprivileged sandbox from working, and the value that does.
var namespaceSwitches = []struct{ file, value, fix string }{
	{"/proc/sys/kernel/unprivileged_userns_clone", "0", "sysctl -w kernel.unprivileged_userns_clone=1"},
	{"/proc/sys/user/max_user_namespaces", "0", "sysctl -w user.max_user_namespaces=10000"},
	{"/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1", "give the browser an AppArmor profile, or: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"},
}

func (a *app) diagnoseSandbox() finding {
	off, isRoot := a.settings.SandboxOff(), os.Getuid() == 0
	switch {
	case off && isRoot:
		return finding{"sandbox", stateWarning, "off by " + a.settings.Source("sandbox") + ", as root needs it", "run as another user to keep it on"}
	case off:
		return finding{"sandbox", stateWarning, "off by " + a.settings.Source("sandbox"), "turn it on where untrusted pages are opened"}
	case isRoot:
		return finding{"sandbox", stateProblem, "on, but a browser refuses to run as root with its sandbox on", "run as another user, or give --no-sandbox or TROUPE_SANDBOX=off"}
	}
	for _, s := range namespaceSwitches {
		if text, err := os.ReadFile(s.file); err == nil && strings.TrimSpace(string(text)) == s.value {
			return finding{"sandbox", stateWarning, "on, but " + s.file + " is " + s.value, s.fix}
		}
	}
	return finding{"sandbox", stateOK, "on", ""}
}

func (a *app) diagnoseState() finding {
	if err := settings.PrivateDirectory(a.state); err != nil {
		return finding{"state directory", stateProblem, err.Error(), "name another with --state-dir or TROUPE_STATE_DIR"}
	}
	probe, err := os.CreateTemp(a.state, "doctor-*")
	if err != nil {
		return finding{"state directory", stateProblem, a.state + " cannot be written to: " + cause(err), "free space, mend its permissions, or name another with --state-dir"}
	}
	defer func() { _ = os.Remove(probe.Name()) }()
	if _, err := probe.WriteString("doctor"); err != nil || probe.Close() != nil {
		return finding{"state directory", stateProblem, a.state + " cannot be written to", "free space on its disk, or name another with --state-dir"}
	}
	return finding{"state directory", stateOK, a.state, ""}
}

func cause(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err.Error()
	}
	return err.Error()
}

// diagnoseLeftovers counts what runs that were killed have left; the next start of a runtime removes it.
func (a *app) diagnoseLeftovers() finding {
	left, err := filepath.Glob(filepath.Join(a.throwawayParent(), "troupe-*"))
	if err != nil || len(left) == 0 {
		return finding{"leftovers", stateOK, "none", ""}
	}
	return finding{"leftovers", stateOK, fmt.Sprintf("%d directories of browsers, running or left by runs that were killed; the next start removes the dead ones", len(left)), ""}
}

func diagnoseDisplay() finding {
	if runtime.GOOS != "linux" || os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != "" {
		return finding{"display", stateOK, "there is one", ""}
	}
	return finding{"display", stateProblem, "windows are asked for, and there is no display", "leave --headed out, or set DISPLAY"}
}

// doctorLaunchTimeout bounds the trial start.
const doctorLaunchTimeout = messages.LaunchTimeout

func (a *app) diagnoseLaunch(ctx context.Context, engine cdp.Engine) finding {
	started := time.Now()
	process, err := cdp.Launch(ctx, cdp.LaunchConfig{
		Engine: engine, ThrowawayParent: a.throwawayParent(), Headless: !a.settings.Is("headed"),
		NoSandbox: a.settings.SandboxOff(), Args: a.settings.List("browser_args"), Timeout: doctorLaunchTimeout,
	})
	if err != nil {
		known := messages.AsError(err)
		return finding{"launch", stateProblem, operatorText(err), known.Detail}
	}
	took := time.Since(started).Round(time.Millisecond)
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout)
	defer cancel()
	if err := process.Close(closing, false); err != nil {
		return finding{"launch", stateProblem, "started, but did not end: " + operatorText(err), "look for its processes"}
	}
	return finding{"launch", stateOK, fmt.Sprintf("a browser started in %v and ended", took), ""}
}

// operatorText returns what only the operator may read of an error, else the error's own text.
func operatorText(err error) string {
	var known *messages.Error
	if errors.As(err, &known) && known.Operator != "" {
		return known.Operator
	}
	return err.Error()
}
