package lint

import (
	"bytes"
	"fmt"
	"regexp"
	"sort"
	"testing"
)

// The patterns are put together from halves, so that this file does not find itself.
var textRules = []struct {
	pattern *regexp.Regexp
	why     string
}{
	{regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X|HA` + `CK)\b`), "a mark is a promise that nobody keeps. Do it, or write it down where plans are kept"},
	{regexp.MustCompile(`(^|[^A-Za-z0-9_.~-])/(wo` + `rk|fa` + `rm|ro` + `ot)/`), "a path of somebody's machine. Make it relative, or take it from the environment"},
	{regexp.MustCompile(`/ho` + `me/[a-z]`), "a path of somebody's machine. Make it relative, or take it from the environment"},
	{regexp.MustCompile(`/tm` + `p/(bash|team|go-build)`), "a path of somebody's machine. Use a directory of the test"},
	{regexp.MustCompile(`pro` + `xy\.golang|sum\.gol` + `ang|registry\.np` + `mjs|deb\.deb` + `ian|py` + `pi\.org`), "a registry host. The clients know their own"},
	{regexp.MustCompile(`(?m)^(<{7}|>{7}|={7})( |$)`), "a mark of an unfinished merge"},
}

// textExceptions names "path" entries that the text rules leave alone, each with the reason.
var textExceptions = map[string]string{
	"go.sum": "it is written by the go command and holds hashes",
}

func textFindings(name string, text []byte) []finding {
	if textExceptions[name] != "" {
		return nil
	}
	var found []finding
	for _, rule := range textRules {
		for _, place := range rule.pattern.FindAllIndex(text, -1) {
			line := 1 + bytes.Count(text[:place[0]], []byte("\n"))
			found = append(found, finding{fmt.Sprintf("%s:%d", name, line), fmt.Sprintf("%q: %s", bytes.TrimSpace(text[place[0]:place[1]]), rule.why)})
		}
	}
	return found
}

func TestTexts(t *testing.T) {
	found, err := wholeTree()
	if err != nil {
		t.Fatal(err)
	}
	names := make([]string, 0, len(found.texts))
	for name := range found.texts {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		for _, f := range textFindings(name, found.texts[name]) {
			t.Error(f)
		}
	}
}

func TestTextRules(t *testing.T) {
	for _, c := range []struct {
		text     string
		findings int
	}{
		{"// TO" + "DO: later", 1},
		{"HA" + "CK", 1},
		{"mastodons and hackers, todo lists", 0},
		{"cd /wo" + "rk/main", 1},
		{"/net/wo" + "rk/x is a path of a page", 0},
		{"https://example.com/wo" + "rk/", 0},
		{"/ho" + "me/ada/.config", 1},
		{"https://pro" + "xy.golang" + ".org", 1},
		{"<<<<<<" + "< HEAD", 1},
	} {
		if found := textFindings("a.md", []byte(c.text)); len(found) != c.findings {
			t.Errorf("%q gives %d findings, want %d: %v", c.text, len(found), c.findings, found)
		}
	}
}
