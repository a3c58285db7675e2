package settings

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

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

// Values are the effective values by key.
type Values map[string]value

// Text returns the value of a text or of one of its choices.
func (s Values) Text(key string) string { return s[key].text }

// List returns the parts of a list.
func (s Values) List(key string) []string { return s[key].list }

// Table returns a table, which is the receiver's own.
func (s Values) Table(key string) map[string]string { return s[key].table }

// Is returns a switch.
func (s Values) Is(key string) bool { return s[key].text == "true" }

// SandboxOff reports whether the browser runs without its own sandbox.
func (s Values) SandboxOff() bool { return s["sandbox"].text == "off" }

// Number returns a number. Its form was checked when it was read.
func (s Values) Number(key string) int { n, _ := strconv.Atoi(s[key].text); return n }

// Duration returns a duration. Its form was checked when it was read.
func (s Values) Duration(key string) time.Duration {
	d, _ := time.ParseDuration(s[key].text)
	return d
}

// Source returns the layer that said a value: "default", the name of the variable, the path of the file, or "flag --name".
func (s Values) Source(key string) string { return s[key].source }

// Flagged returns the values that flags of this command named, as they are shown. The state directory is left out: it
// says which daemon is meant, and not how it runs.
func (s Values) Flagged() map[string]string {
	out := map[string]string{}
	for key, v := range s {
		if strings.HasPrefix(v.source, fromFlag+" ") && key != "state_dir" {
			out[key] = v.show()
		}
	}
	return out
}

// Differs returns the first key, in the order of the alphabet, of which others holds another value than these, or which
// is no setting; "" when there is none.
func (s Values) Differs(others map[string]string) string {
	for _, key := range slices.Sorted(maps.Keys(others)) {
		if named(key) == nil || s[key].show() != others[key] {
			return key
		}
	}
	return ""
}

// show returns a value as `troupe config` prints it.
func (v value) show() string {
	switch {
	case v.list != nil:
		return strings.Join(v.list, ", ")
	case v.table != nil:
		var pairs []string
		for _, name := range slices.Sorted(maps.Keys(v.table)) {
			pairs = append(pairs, name+"="+v.table[name])
		}
		return strings.Join(pairs, ", ")
	}
	return v.text
}
