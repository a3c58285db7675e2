package messages

import "slices"

// Key is one key of the closed list with what the browser needs to press it as
// a keyboard would: without the virtual key code Backspace, arrows and Enter do
// nothing (R80, R187).
type Key struct {
	// Key and Code are the values of KeyboardEvent.key and .code.
	Key  string
	Code string
	// VirtualKey is the Windows virtual key code.
	VirtualKey int
	// Text is what the key types, empty for most.
	Text string
}

// namedKeys is the closed list of R80.
var namedKeys = map[string]Key{
	"Enter":      {"Enter", "Enter", 13, "\r"},
	"Tab":        {"Tab", "Tab", 9, ""},
	"Escape":     {"Escape", "Escape", 27, ""},
	"Backspace":  {"Backspace", "Backspace", 8, ""},
	"Delete":     {"Delete", "Delete", 46, ""},
	"ArrowLeft":  {"ArrowLeft", "ArrowLeft", 37, ""},
	"ArrowUp":    {"ArrowUp", "ArrowUp", 38, ""},
	"ArrowRight": {"ArrowRight", "ArrowRight", 39, ""},
	"ArrowDown":  {"ArrowDown", "ArrowDown", 40, ""},
	"Home":       {"Home", "Home", 36, ""},
	"End":        {"End", "End", 35, ""},
	"PageUp":     {"PageUp", "PageUp", 33, ""},
	"PageDown":   {"PageDown", "PageDown", 34, ""},
	"Space":      {" ", "Space", 32, " "},
}

// KeyNames returns the names of the closed list, sorted.
func KeyNames() []string {
	names := make([]string, 0, len(namedKeys))
	for name := range namedKeys {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// LookupKey returns the key for a name of the closed list, or for one ASCII
// letter or digit where ctrl, alt or meta goes with it (R80). With ctrl, alt or
// meta no key types text. ok is false for everything else.
func LookupKey(name string, modifiers []Modifier) (key Key, ok bool) {
	chord := slices.ContainsFunc(modifiers, func(m Modifier) bool { return m != ModifierShift })
	key, ok = namedKeys[name]
	if !ok && chord && len(name) == 1 {
		key, ok = chordKey(name[0], slices.Contains(modifiers, ModifierShift))
	}
	if chord {
		key.Text = ""
	}
	return key, ok
}

// chordKey returns the key of one letter or digit on a US layout.
func chordKey(c byte, shift bool) (Key, bool) {
	switch {
	case c >= '0' && c <= '9':
		return Key{Key: string(c), Code: "Digit" + string(c), VirtualKey: int(c)}, true
	case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		upper := c &^ 0x20
		k := Key{Key: string(upper | 0x20), Code: "Key" + string(upper), VirtualKey: int(upper)}
		if shift {
			k.Key = string(upper)
		}
		return k, true
	}
	return Key{}, false
}
