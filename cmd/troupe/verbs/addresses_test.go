package verbs

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

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
