package operate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/cmd/troupe/settings"
	"github.com/troupe-browser/troupe/messages"

	"github.com/troupe-browser/troupe/cmd/troupe/program"
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

// DoctorCommand is `troupe doctor`, which tells what is missing on this machine and how to mend it.
func DoctorCommand(a *program.App) *cobra.Command {
	var asJSON, noLaunch bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Look at what Troupe needs here, and say what to do about each problem",
		Long: "Check the engine, its sandbox and the state directory, then start a browser and end it again. The status is 0\n" +
			"when a browser can be driven here.",
		Example: "  troupe doctor\n  troupe doctor --no-sandbox\n  troupe doctor --json",
		Args:    program.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			findings := diagnose(cmd.Context(), a, !noLaunch)
			if err := printFindings(a, findings, asJSON); err != nil {
				return err
			}
			for _, f := range findings {
				if f.State == stateProblem {
					return program.SilentError{Status: program.ExitUnavailable}
				}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	cmd.Flags().BoolVar(&noLaunch, "no-launch", false, "only look, start no browser")
	return cmd
}

func printFindings(a *program.App, findings []finding, asJSON bool) error {
	if asJSON {
		encoder := json.NewEncoder(a.Out)
		encoder.SetIndent("", "  ")
		return encoder.Encode(findings)
	}
	for _, f := range findings {
		mark := map[string]string{stateOK: "ok     ", stateWarning: "warning", stateProblem: "PROBLEM"}[f.State]
		fmt.Fprintf(a.Out, "%s  %-16s %s\n", mark, f.Check, f.Says)
		if f.Fix != "" {
			fmt.Fprintf(a.Out, "         %-16s → %s\n", "", f.Fix)
		}
	}
	return nil
}

func diagnose(ctx context.Context, a *program.App, launch bool) []finding {
	var out []finding
	engine, found := diagnoseEngine(ctx, a)
	out = append(out, found, diagnoseSandbox(a), diagnoseState(a), diagnoseLeftovers(a))
	if a.Settings.Is("headed") {
		out = append(out, diagnoseDisplay())
	}
	if found.State == stateOK && launch {
		out = append(out, diagnoseLaunch(ctx, a, engine))
	}
	return out
}

// discover finds the engine as the runtime does.
func discover(a *program.App) (cdp.Engine, error) {
	path := a.Settings.Text("browser")
	if a.Settings.Source("browser") == "TROUPE_BROWSER" {
		path = "" // discovery reads the environment itself, in its place of the order
	}
	return cdp.Discover(cdp.DiscoverOptions{Path: path})
}

func diagnoseEngine(ctx context.Context, a *program.App) (cdp.Engine, finding) {
	engine, err := discover(a)
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

func diagnoseSandbox(a *program.App) finding {
	off, isRoot := a.Settings.SandboxOff(), os.Getuid() == 0
	switch {
	case off && isRoot:
		return finding{"sandbox", stateWarning, "off by " + a.Settings.Source("sandbox") + ", as root needs it", "run as another user to keep it on"}
	case off:
		return finding{"sandbox", stateWarning, "off by " + a.Settings.Source("sandbox"), "turn it on where untrusted pages are opened"}
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

func diagnoseState(a *program.App) finding {
	if err := settings.PrivateDirectory(a.State); err != nil {
		return finding{"state directory", stateProblem, err.Error(), "name another with --state-dir or TROUPE_STATE_DIR"}
	}
	probe, err := os.CreateTemp(a.State, "doctor-*")
	if err != nil {
		return finding{"state directory", stateProblem, a.State + " cannot be written to: " + program.Cause(err), "free space, mend its permissions, or name another with --state-dir"}
	}
	defer func() { _ = os.Remove(probe.Name()) }()
	if _, err := probe.WriteString("doctor"); err != nil || probe.Close() != nil {
		return finding{"state directory", stateProblem, a.State + " cannot be written to", "free space on its disk, or name another with --state-dir"}
	}
	return finding{"state directory", stateOK, a.State, ""}
}

// diagnoseLeftovers counts what runs that were killed have left; the next start of a runtime removes it.
func diagnoseLeftovers(a *program.App) finding {
	left, err := filepath.Glob(filepath.Join(a.ThrowawayParent(), "troupe-*"))
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

func diagnoseLaunch(ctx context.Context, a *program.App, engine cdp.Engine) finding {
	started := time.Now()
	process, err := cdp.Launch(ctx, cdp.LaunchConfig{
		Engine: engine, ThrowawayParent: a.ThrowawayParent(), Headless: !a.Settings.Is("headed"),
		NoSandbox: a.Settings.SandboxOff(), Args: a.Settings.List("browser_args"), Timeout: doctorLaunchTimeout,
	})
	if err != nil {
		known := messages.AsError(err)
		return finding{"launch", stateProblem, operatorText(err), known.Detail}
	}
	took := time.Since(started).Round(time.Millisecond)
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), program.ShutdownTimeout)
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
