package settings

import (
	"fmt"
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

// setting describes one thing that the operator can configure. The flags with their help, the variables, the keys of the
// file and what `troupe config` prints are all made from it.
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
	// flag is the name of its flag, "" for none, and command the only command that has the flag, "" for every one.
	flag, command string
	// flagMeans is the value that a flag without one of its own stands for, and flagSays what its help says then.
	flagMeans, flagSays string
	says                string
}

// environment is the setting's variable.
func (s *setting) environment() string { return "TROUPE_" + strings.ToUpper(s.key) }

// all are the settings, in the order in which `troupe config` prints them.
var all = []setting{
	{key: "browser", flag: "browser", fileFirst: true, says: "path of the Chromium-family executable; empty: look for one"},
	{key: "browser_args", form: formList, says: "further arguments of the browser, such as a proxy"},
	{key: "sandbox", flag: "no-sandbox", flagMeans: "off", flagSays: "turn the browser's own sandbox off, as root needs it", initial: "on", choices: []string{"on", "off"}, says: "the browser's own sandbox"},
	{key: "headed", flag: "headed", form: formSwitch, initial: "false", says: "show windows also for throwaway browsers"},
	{key: "headless", form: formSwitch, initial: "false", says: "show no window for managed profiles either"},
	{key: "endpoint", flag: "endpoint", says: "DevTools address of a running browser that launch connects to"},
	{key: "allow_remote_endpoint", form: formSwitch, initial: "false", says: "allow an endpoint that is not on this machine"},
	{key: "state_dir", flag: "state-dir", says: "private directory for profiles, artifacts, logs and the socket"},
	{key: "grants", flag: "grant", form: formList, says: "grants beyond those that a command starts with"},
	{key: "upload_roots", flag: "upload-root", form: formTable, says: "directories from which files may be uploaded, by name"},
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
	{key: "log_level", flag: "log-level", initial: "warn", choices: []string{"debug", "info", "warn", "error", "off"}, says: "what the log holds"},
	{key: "serve_idle", form: formDuration, initial: ServeIdleDefault.String(), says: "the daemon ends when it had no client and no browser for so long"},
	{key: "serve_http", flag: "http", command: "serve", says: "loopback address for MCP over HTTP, such as 127.0.0.1:7411; empty: none"},
	{key: "http_grants", form: formList, says: "grants of MCP over HTTP; empty allows nothing"},
}

// ServeIdleDefault is how long the daemon outlives its last client and browser.
const ServeIdleDefault = 15 * time.Minute

func named(key string) *setting {
	for i := range all {
		if all[i].key == key {
			return &all[i]
		}
	}
	return nil
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
