package program

import (
	"errors"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/troupe-browser/troupe/cmd/troupe/settings"
	"github.com/troupe-browser/troupe/messages"
)

// Every class of the catalogue has its exit status, and an outcome that is not known is never told as less.
func TestExitStatus(t *testing.T) {
	for _, code := range messages.Codes() {
		if _, ok := exitOfClass[code.Info().Class]; !ok {
			t.Errorf("%s is of the class %s, which has no status", code, code.Info().Class)
		}
		if got := ExitStatus(messages.UnknownOutcome(code, "")); got != ExitUncertain {
			t.Errorf("%s with an unknown outcome gives %d", code, got)
		}
	}
	for want, err := range map[int]error{
		ExitOK: nil, ExitUsage: Usagef("x"), ExitFailed: errors.New("x"), 9: SilentError{Status: 9},
		ExitNotFound: messages.NewError(messages.CodeBrowserNotFound, ""), ExitRefused: messages.NewError(messages.CodeNoGrant, ""),
	} {
		if got := ExitStatus(err); got != want {
			t.Errorf("%v gives %d, want %d", err, got, want)
		}
	}
}

// effective returns the settings of a command without flags and without a file.
func effective(t *testing.T) settings.Values {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	values, err := settings.Load(pflag.NewFlagSet("", pflag.ContinueOnError))
	if err != nil {
		t.Fatal(err)
	}
	return values
}

// What each entry starts with, and that everything else is switched on by name (R230).
func TestGrantsOfEntries(t *testing.T) {
	of := func(added ...string) *App {
		t.Setenv("TROUPE_GRANTS", strings.Join(added, ","))
		return &App{Settings: effective(t)}
	}
	initial := messages.NewGrantSet(messages.GrantRead, messages.GrantLaunch, messages.GrantControl)
	daemon := initial.Union(messages.NewGrantSet(messages.GrantUpload, messages.GrantDownload))
	script := messages.NewGrantSet(messages.GrantScript)
	for _, g := range messages.AllGrants() {
		for name, c := range map[string]struct{ got, want messages.GrantSet }{
			"an agent":               {of().Grants(messages.DefaultGrants()), initial},
			"an agent with one more": {of("browser:script").Grants(messages.DefaultGrants()), initial.Union(script)},
			"the daemon's verbs":     {of().DaemonGrants(), daemon},
			"the same with one more": {of("browser:script").DaemonGrants(), daemon.Union(script)},
		} {
			if c.got.Has(g) != c.want.Has(g) {
				t.Errorf("%s: %s is %v", name, g, c.got.Has(g))
			}
		}
	}
}

// Each value of the setting has its meaning in the runtime, and nothing said is the life of the browser (C5).
func TestRetention(t *testing.T) {
	choices := settings.Choices("retention")
	for _, choice := range choices {
		if _, ok := retentions[choice]; !ok {
			t.Errorf("%s means nothing", choice)
		}
	}
	if len(choices) != 2 || choices[0] != "session" || retentions["session"] != 0 || retentions["7d"] != messages.RetentionAge {
		t.Errorf("the choices are %v, of %v", choices, retentions)
	}
}
