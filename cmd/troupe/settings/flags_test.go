package settings

import (
	"io"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// A flag beats the variable, one without a value of its own says what the table gives it, and what flags said is told
// apart from the rest (R13).
func TestFlags(t *testing.T) {
	for _, row := range []struct {
		args    string
		key     string
		want    string
		source  string
		flagged bool
	}{
		{"", "log_level", "error", "TROUPE_LOG_LEVEL", false},
		{"--log-level=info", "log_level", "info", "flag --log-level", true},
		{"--log-level=error", "log_level", "error", "flag --log-level", true},
		{"--no-sandbox", "sandbox", "off", "flag --no-sandbox", true},
		{"--no-sandbox=false", "sandbox", "on", "default", false},
		{"--headed", "headed", "true", "flag --headed", true},
		{"--headed=false", "headed", "false", "flag --headed", true},
		{"--grant=browser:script --grant=browser:inspect", "grants", "browser:script, browser:inspect", "flag --grant", true},
		{"--upload-root=docs=/srv/docs", "upload_roots", "docs=/srv/docs", "flag --upload-root", true},
		{"--state-dir=/tmp/s", "state_dir", "/tmp/s", "flag --state-dir", false},
		{"--http=127.0.0.1:7411", "serve_http", "127.0.0.1:7411", "flag --http", true},
	} {
		values, err := loadWith(t, row.args)
		if err != nil {
			t.Errorf("%s: %v", row.args, err)
			continue
		}
		said, flagged := values.Flagged()[row.key]
		if got := values[row.key].show(); got != row.want || values.Source(row.key) != row.source || flagged != row.flagged || flagged && said != row.want {
			t.Errorf("%q: %s is %q by %q, flagged %v %q", row.args, row.key, got, values.Source(row.key), flagged, said)
		}
	}
	for args, says := range map[string]string{
		"--log-level=loud":      "log_level (flag --log-level): \"loud\" is not one of",
		"--grant=all":           "unknown grant",
		"--upload-root=nowhere": "is not name=path",
	} {
		if _, err := loadWith(t, args); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s gives %v", args, err)
		}
	}
}

// Two command lines agree when each value that one names is what the other has.
func TestDiffers(t *testing.T) {
	values, err := loadWith(t, "--headed --log-level=info")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		others map[string]string
		want   string
	}{
		{nil, ""},
		{map[string]string{"headed": "true", "log_level": "info"}, ""},
		{map[string]string{"headed": "false", "log_level": "info"}, "headed"},
		{map[string]string{"headed": "false", "dialogs": "auto"}, "dialogs"},
		{map[string]string{"colour": "blue"}, "colour"},
	} {
		if got := values.Differs(row.others); got != row.want {
			t.Errorf("%v: it is %q, want %q", row.others, got, row.want)
		}
	}
}

// Keys, variables and flags are each given once.
func TestTableIsOfOneMind(t *testing.T) {
	seen := map[string]bool{configFlag: true}
	for i := range all {
		s := &all[i]
		if s.says == "" || seen["key "+s.key] || s.flag != "" && seen[s.flag] {
			t.Errorf("%s says nothing or is there twice", s.key)
		}
		seen["key "+s.key], seen[s.flag] = true, true
		if (s.flagMeans == "") != (s.flagSays == "") || s.flag == "" && (s.command != "" || s.flagMeans != "") {
			t.Errorf("%s describes half a flag", s.key)
		}
		if s.initial != "" {
			if _, err := s.fromText(s.initial, fromDefault); err != nil {
				t.Errorf("its own default is refused: %v", err)
			}
		}
	}
}

func loadWith(t *testing.T, args string) (Values, error) {
	t.Helper()
	for _, name := range Variables() {
		t.Setenv(name, "")
	}
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("TROUPE_LOG_LEVEL", "error")
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.SetOutput(io.Discard)
	AddFlags(flags, "")
	AddFlags(flags, "serve")
	if err := flags.Parse(strings.Fields(args)); err != nil {
		t.Fatal(err)
	}
	return Load(flags)
}
