package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/troupe-browser/troupe/messages"
)

// form is the form of a setting's value.
type form int

const (
	formText form = iota
	formSwitch
	formNumber
	formDuration
	formList
	formTable
)

// setting is one thing that the operator can configure.
type setting struct {
	// key is the name in the file; the environment has it as TROUPE_ and upper case.
	key  string
	form form
	// initial is the value where no layer names one, in the form of the environment.
	initial string
	// choices closes a text; nil leaves it open.
	choices []string
	// fileFirst puts the file before the environment. It holds for the browser's path alone, whose order is fixed (R2).
	fileFirst bool
	says      string
}

// environment is the setting's variable.
func (s *setting) environment() string { return "TROUPE_" + strings.ToUpper(s.key) }

// The settings, in the order in which `troupe config` prints them.
var allSettings = []setting{
	{key: "browser", fileFirst: true, says: "path of the Chromium-family executable; empty: look for one"},
	{key: "browser_args", form: formList, says: "further arguments of the browser, such as a proxy"},
	{key: "sandbox", initial: "on", choices: []string{"on", "off"}, says: "the browser's own sandbox"},
	{key: "headed", form: formSwitch, initial: "false", says: "show windows also for throwaway browsers"},
	{key: "headless", form: formSwitch, initial: "false", says: "show no window for managed profiles either"},
	{key: "endpoint", says: "DevTools address of a running browser that launch connects to"},
	{key: "allow_remote_endpoint", form: formSwitch, initial: "false", says: "allow an endpoint that is not on this machine"},
	{key: "state_dir", says: "private directory for profiles, artifacts, logs and the socket"},
	{key: "grants", form: formList, says: "grants beyond those that a command starts with"},
	{key: "upload_roots", form: formTable, says: "directories from which files may be uploaded, by name"},
	{key: "dialogs", initial: "hold", choices: []string{"hold", "auto"}, says: "hold a dialog for the caller, or answer it at once"},
	{key: "same_document", initial: "stale", choices: []string{"stale", "keep"}, says: "what a navigation within a document does to element ids"},
	{key: "clickables", initial: "strict", choices: []string{"strict", "broad"}, says: "which elements without a role admit a click"},
	{key: "typing", initial: "insert", choices: []string{"insert", "keys"}, says: "type text at once, or key by key"},
	{key: "takeover", choices: []string{"", "strict", "observe", "off"}, says: "what a person's own input in a page does; empty: strict for visible browsers"},
	{key: "popup", initial: "present", choices: []string{"present", "background"}, says: "whether a popup is presented to viewers"},
	{key: "require_operation_id", form: formSwitch, initial: "false", says: "refuse an effect without an operation_id"},
	{key: "browsers_max", form: formNumber, initial: strconv.Itoa(messages.BrowsersMaxDefault), says: "number of browsers"},
	{key: "pages_max", form: formNumber, initial: strconv.Itoa(messages.PagesPerBrowserMaxDefault), says: "number of pages of one browser"},
	{key: "idle", form: formDuration, initial: messages.IdleMax.String(), says: "a browser that nothing used for so long is closed"},
	{key: "lifetime", form: formDuration, initial: messages.LifetimeMax.String(), says: "a browser is closed after so long"},
	{key: "retention", initial: "session", choices: []string{"session", "7d"}, says: "how long downloads stay: as long as their browser, or seven days"},
	{key: "audit", form: formSwitch, initial: "true", says: "keep a log of calls in the state directory, without any content"},
	{key: "log_level", initial: "warn", choices: []string{"debug", "info", "warn", "error", "off"}, says: "what the log holds"},
	{key: "serve_idle", form: formDuration, initial: serveIdleDefault.String(), says: "the daemon ends when it had no client and no browser for so long"},
	{key: "serve_http", says: "loopback address for MCP over HTTP, such as 127.0.0.1:7411; empty: none"},
	{key: "http_grants", form: formList, says: "grants of MCP over HTTP; empty allows nothing"},
}

// serveIdleDefault is how long the daemon outlives its last client and browser.
const serveIdleDefault = 15 * time.Minute

func settingNamed(key string) *setting {
	for i := range allSettings {
		if allSettings[i].key == key {
			return &allSettings[i]
		}
	}
	return nil
}

// value is a setting's effective value and the layer that said it.
type value struct {
	text   string
	list   []string
	table  map[string]string
	source string
}

// The names of the layers; the file's is followed by its path.
const (
	fromDefault = "default"
	fromFlag    = "flag"
)

// settings are the effective values by key.
type settings map[string]value

func (s settings) text(key string) string             { return s[key].text }
func (s settings) list(key string) []string           { return s[key].list }
func (s settings) table(key string) map[string]string { return s[key].table }
func (s settings) is(key string) bool                 { return s[key].text == "true" }
func (s settings) sandboxOff() bool                   { return s["sandbox"].text == "off" }
func (s settings) number(key string) int              { n, _ := strconv.Atoi(s[key].text); return n }
func (s settings) duration(key string) time.Duration {
	d, _ := time.ParseDuration(s[key].text)
	return d
}

// fromText reads a value in the form of the environment and of a flag. Lists are separated by commas, tables are
// name=path pairs.
func (s *setting) fromText(text, source string) (value, error) {
	v := value{text: text, source: source}
	switch s.form {
	case formList:
		v.list, v.text = splitList(text), ""
	case formTable:
		v.table, v.text = map[string]string{}, ""
		for _, pair := range splitList(text) {
			name, path, ok := strings.Cut(pair, "=")
			if !ok || name == "" || path == "" {
				return v, fmt.Errorf("%s (%s): %q is not name=path", s.key, source, pair)
			}
			v.table[name] = path
		}
	case formSwitch:
		on, err := strconv.ParseBool(onOff(text))
		if err != nil {
			return v, fmt.Errorf("%s (%s): %q is not true or false", s.key, source, text)
		}
		v.text = strconv.FormatBool(on)
	}
	return v, s.check(v)
}

func onOff(text string) string {
	switch strings.ToLower(text) {
	case "on", "yes":
		return "true"
	case "off", "no":
		return "false"
	}
	return text
}

func splitList(text string) []string {
	var out []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// check applies the rules that hold whichever layer a value came from.
func (s *setting) check(v value) error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("%s (%s): %s", s.key, v.source, fmt.Sprintf(format, args...))
	}
	switch {
	case s.form == formNumber:
		if n, err := strconv.Atoi(v.text); err != nil || n < 1 || n > settingNumberMax {
			return fail("%q is not a number from 1 to %d", v.text, settingNumberMax)
		}
	case s.form == formDuration:
		if d, err := time.ParseDuration(v.text); err != nil || d <= 0 {
			return fail("%q is not a duration such as 30m", v.text)
		}
	case s.choices != nil && !slices.Contains(s.choices, v.text):
		return fail("%q is not one of %s", v.text, strings.Join(s.choices, ", "))
	case s.key == "grants" || s.key == "http_grants":
		if _, err := messages.ParseGrants(v.list); err != nil {
			return fail("%v", err)
		}
	}
	return nil
}

// settingNumberMax bounds the counts that an operator can configure.
const settingNumberMax = 1000

// show returns a value as `troupe config` prints it.
func (v value) show() string {
	switch {
	case v.list != nil:
		return strings.Join(v.list, ", ")
	case v.table != nil:
		var pairs []string
		for _, name := range sortedKeys(v.table) {
			pairs = append(pairs, name+"="+v.table[name])
		}
		return strings.Join(pairs, ", ")
	}
	return v.text
}

// configHome returns the directory of the configuration file.
func configHome() string {
	if dir := os.Getenv("XDG_CONFIG_HOME"); dir != "" {
		return dir
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	return home + "/.config"
}
