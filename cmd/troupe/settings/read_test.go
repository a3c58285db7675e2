package settings

import (
	"reflect"
	"strings"
	"testing"
)

// The operator's keys, each with its form; an unknown one is refused (R13).
func TestConfigurationFile(t *testing.T) {
	got, err := parseFile([]byte("sandbox = \"off\"\nheaded = true\npages_max = 3\nidle = \"5m\"\ngrants = [\"browser:inspect\"]\n[upload_roots]\ndocs = \"/srv/docs\"\n"), "f")
	if err != nil {
		t.Fatal(err)
	}
	want := Values{
		"sandbox": {text: "off", source: "f"}, "headed": {text: "true", source: "f"}, "pages_max": {text: "3", source: "f"}, "idle": {text: "5m", source: "f"},
		"grants": {list: []string{"browser:inspect"}, source: "f"}, "upload_roots": {table: map[string]string{"docs": "/srv/docs"}, source: "f"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("it is %+v", got)
	}
	for text, says := range map[string]string{
		"sandbx = \"off\"":             `unknown key "sandbx". The keys are browser`,
		"[sandbox]\na = 1":             "sandbox must be",
		"headed = \"true\"":            "headed must be",
		"pages_max = \"3\"":            "pages_max must be",
		"pages_max = 0":                "not a number from 1",
		"idle = \"soon\"":              "not a duration",
		"grants = [\"all\"]":           "unknown grant",
		"grants = \"browser:inspect\"": "grants must be a list",
		"dialogs = \"ask\"":            "not one of hold, auto",
		"x = ":                         "f:1:4",
	} {
		if _, err := parseFile([]byte(text), "f"); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q gives %v, want %q in it", text, err, says)
		}
	}
}
