package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/troupe-browser/troupe/cmd/troupe/settings"
	"github.com/troupe-browser/troupe/messages"
)

// What a person writes as an address, and what the core gets (R111, C23). An empty want with no code is an empty page.
func TestNormalizeURL(t *testing.T) {
	for _, c := range []struct {
		given, want string
		code        messages.Code
	}{
		{"example.com", "http://example.com", ""},
		{"example.com/a?b=c", "http://example.com/a?b=c", ""},
		{" localhost:3000 ", "http://localhost:3000", ""},
		{"localhost:3000/x", "http://localhost:3000/x", ""},
		{"127.0.0.1:8080", "http://127.0.0.1:8080", ""},
		{"[::1]:8080/", "http://[::1]:8080/", ""},
		{"HTTPS://Example.com/", "HTTPS://Example.com/", ""},
		{"about:blank", "", ""},
		{"", "", messages.CodeInvalidRequest},
		{"javascript:alert(1)", "", messages.CodeInvalidRequest},
		{"JavaScript:alert(1)", "", messages.CodeInvalidRequest},
		{"data:text/html,x", "", messages.CodeInvalidRequest},
		{"file:///etc/passwd", "", messages.CodeInvalidRequest},
		{"javascript:1", "", messages.CodeInvalidRequest},
		{"data:1/x", "", messages.CodeInvalidRequest},
		{"vbscript:x", "", messages.CodeInvalidRequest},
		{"chrome://settings", "", messages.CodeInvalidRequest},
		{"about:config", "", messages.CodeInvalidRequest},
		{"view-source:http://x/", "", messages.CodeInvalidRequest},
		{"foo://x", "", messages.CodeInvalidRequest},
		{"http://", "", messages.CodeInvalidRequest},
		{"http://x/\n", "http://x/", ""},
		{"http://x/\ny", "", messages.CodeInvalidRequest},
	} {
		got, err := normalizeURL(c.given)
		var known *messages.Error
		if errors.As(err, &known); got != c.want || (c.code == "") != (err == nil) || err != nil && known.Code != c.code {
			t.Errorf("%q gives %q, %v, want %q %s", c.given, got, err, c.want, c.code)
		}
		if err == nil && got != "" && messages.CheckURL(got) != nil {
			t.Errorf("%q becomes %q, which the core refuses", c.given, got)
		}
	}
}

// Which of the three cases open means is decided without a socket (R20).
func TestPlanAddress(t *testing.T) {
	for _, c := range []struct {
		given string
		blank bool
		want  addressPlan
		fails bool
	}{
		{"", false, addressPlan{guess: true}, false},
		{"", true, addressPlan{blank: true}, false},
		{"example.com", false, addressPlan{url: "http://example.com"}, false},
		{"about:blank", false, addressPlan{blank: true}, false},
		{"example.com", true, addressPlan{}, true},
		{"javascript:1", false, addressPlan{}, true},
	} {
		got, err := planAddress(c.given, c.blank)
		if got != c.want || (err != nil) != c.fails {
			t.Errorf("%q, %v gives %+v, %v", c.given, c.blank, got, err)
		}
	}
}

func TestPortsIn(t *testing.T) {
	for text, want := range map[string][]int{
		`export default { server: { port: 4567 } }`:                        {4567},
		`"scripts": {"dev": "next dev -p 4001", "api": "run --port=4002"}`: {4001, 4002},
		"PORT=8088\nVITE_PORT='8089'\nOTHER=9":                             {8088, 8089},
		`proxy: "http://localhost:9999/api"`:                               {9999},
		"port: 80":                                                         nil,
		"port: 99999":                                                      nil,
		`"version": "1.2.3000", "report": 5555`:                            nil,
		"port: 3000\nport: 3000":                                           {3000},
	} {
		if got := portsIn(text); !slices.Equal(got, want) {
			t.Errorf("%q declares %v, want %v", text, got, want)
		}
	}
}

// What the workspace declares comes before the customary ports, the candidates have a bound, and the best-ranked one
// that listens wins (R21).
func TestGuessAddress(t *testing.T) {
	workspace := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(workspace, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("package.json", `{"scripts":{"dev":"vite --port 7001"}}`)
	write(".env.local", "PORT=7002\n")
	write("vite.config.ts", "server: { port: 7000 }")
	write("readme.md", "port: 7003")
	write(".env.big", strings.Repeat("#", discoveryHeadBytes)+"\nPORT=7004\n")
	if err := os.Mkdir(filepath.Join(workspace, ".env.d"), 0o700); err != nil {
		t.Fatal(err)
	}
	listening := func(ports ...int) func(context.Context, int) bool {
		return func(_ context.Context, port int) bool { return slices.Contains(ports, port) }
	}
	for _, c := range []struct {
		listening []int
		want      string
	}{
		{[]int{3000, 7001, 7002}, "http://localhost:7001/"},
		{[]int{3000, 7002}, "http://localhost:7002/"},
		{[]int{3000, 7003, 7004}, "http://localhost:3000/"},
		{[]int{8080, 5173}, "http://localhost:5173/"},
		{nil, ""},
	} {
		if got := guessAddress(context.Background(), workspace, listening(c.listening...)); got != c.want {
			t.Errorf("with %v listening it is %q, want %q", c.listening, got, c.want)
		}
	}
	if got := guessAddress(context.Background(), "", listening(7000, 8080)); got != "http://localhost:8080/" {
		t.Errorf("without a workspace it is %q", got)
	}
	var many strings.Builder
	for port := range 100 {
		many.WriteString("PORT=" + strconv.Itoa(20000+port) + "\n")
	}
	if got := candidates([]string{many.String()}); len(got) != discoveryCandidatesMax || got[0] != 20000 {
		t.Errorf("there are %d candidates from %d", len(got), got[0])
	}
}

// A short reference, a whole id, or a prefix that fits one browser only (R22).
func TestFindBrowser(t *testing.T) {
	browsers := []messages.BrowserSummary{{BrowserID: "br_abc1", Short: "browser:1"}, {BrowserID: "br_abd2", Short: "browser:2"}, {BrowserID: "br_x", Short: "browser:12"}}
	for _, c := range []struct {
		address string
		want    messages.BrowserID
		code    messages.Code
	}{
		{"browser:1", "br_abc1", ""}, {"browser:12", "br_x", ""}, {"br_x", "br_x", ""}, {"br_abc", "br_abc1", ""},
		{"br_ab", "", messages.CodeBrowserAmbiguous}, {"nope", "", messages.CodeBrowserNotFound}, {"browser:3", "", messages.CodeBrowserNotFound},
		{"browser:", "", messages.CodeBrowserNotFound}, {"", "", messages.CodeBrowserNotFound},
	} {
		got, err := findBrowser(browsers, c.address)
		if got.BrowserID != c.want || (err == nil) != (c.code == "") || err != nil && err.Code != c.code {
			t.Errorf("%q gives %q, %v", c.address, got.BrowserID, err)
		}
	}
}

func TestFindPage(t *testing.T) {
	pages := []messages.PageSummary{{PageID: "pg_a1"}, {PageID: "pg_b2", Presented: true}}
	for _, c := range []struct {
		address string
		want    messages.PageID
		fails   bool
	}{
		{"", "pg_b2", false}, {"pg_a1", "pg_a1", false}, {"1", "pg_a1", false}, {"2", "pg_b2", false}, {"pg_a", "pg_a1", false},
		{"pg_", "", true}, {"3", "", true},
	} {
		got, err := findPage(pages, c.address)
		if got.PageID != c.want || (err != nil) != c.fails {
			t.Errorf("%q gives %q, %v", c.address, got.PageID, err)
		}
	}
	if _, err := findPage([]messages.PageSummary{{PageID: "a"}, {PageID: "b"}}, ""); err == nil {
		t.Error("one of two pages was chosen")
	}
}

// Every class of the catalogue has its exit status, and an outcome that is not known is never told as less.
func TestExitStatus(t *testing.T) {
	for _, code := range messages.Codes() {
		if _, ok := exitOfClass[code.Info().Class]; !ok {
			t.Errorf("%s is of the class %s, which has no status", code, code.Info().Class)
		}
		if got := exitStatus(messages.UnknownOutcome(code, "")); got != exitUncertain {
			t.Errorf("%s with an unknown outcome gives %d", code, got)
		}
	}
	for want, err := range map[int]error{
		exitOK: nil, exitUsage: usagef("x"), exitFailed: errors.New("x"), 9: silentError{9},
		exitNotFound: messages.NewError(messages.CodeBrowserNotFound, ""), exitRefused: messages.NewError(messages.CodeNoGrant, ""),
	} {
		if got := exitStatus(err); got != want {
			t.Errorf("%v gives %d, want %d", err, got, want)
		}
	}
}

// Every command has a help text with an example.
func TestEveryCommandHasAnExample(t *testing.T) {
	a := &app{streams: streams{out: io.Discard, err: io.Discard}}
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		if c.Example == "" || c.Short == "" {
			t.Errorf("%s has no example or no short text", c.CommandPath())
		}
		for _, line := range strings.Split(c.Example, "\n") {
			if line != "" && !strings.Contains(line, "troupe") {
				t.Errorf("%s: the example %q is no command line", c.CommandPath(), line)
			}
		}
		for _, child := range c.Commands() {
			walk(child)
		}
	}
	walk(a.rootCommand())
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
	of := func(added ...string) *app {
		t.Setenv("TROUPE_GRANTS", strings.Join(added, ","))
		return &app{settings: effective(t)}
	}
	initial := messages.NewGrantSet(messages.GrantRead, messages.GrantLaunch, messages.GrantControl)
	daemon := initial.Union(messages.NewGrantSet(messages.GrantUpload, messages.GrantDownload))
	script := messages.NewGrantSet(messages.GrantScript)
	for _, g := range messages.AllGrants() {
		for name, c := range map[string]struct{ got, want messages.GrantSet }{
			"an agent":               {of().grants(messages.DefaultGrants()), initial},
			"an agent with one more": {of("browser:script").grants(messages.DefaultGrants()), initial.Union(script)},
			"the daemon's verbs":     {of().daemonGrants(), daemon},
			"the same with one more": {of("browser:script").daemonGrants(), daemon.Union(script)},
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
