package messages

import (
	"slices"
	"strings"
)

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

// namedKeys are the keys of R80 that are neither letter nor digit.
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

// keySpellings are other common names of the named keys, in lower case.
var keySpellings = map[string]string{
	"esc": "Escape", "return": "Enter", "del": "Delete", "bs": "Backspace", "spacebar": "Space", " ": "Space",
	"left": "ArrowLeft", "up": "ArrowUp", "right": "ArrowRight", "down": "ArrowDown",
	"page_up": "PageUp", "pgup": "PageUp", "page_down": "PageDown", "pgdn": "PageDown", "pgdown": "PageDown",
}

// modifierSpellings are the names of the modifiers, in lower case. One that means
// "ctrl or command, whatever the platform has" is ctrl, which every platform takes.
var modifierSpellings = map[string]Modifier{
	"alt": ModifierAlt, "option": ModifierAlt, "opt": ModifierAlt,
	"ctrl": ModifierCtrl, "control": ModifierCtrl, "ctl": ModifierCtrl,
	"controlormeta": ModifierCtrl, "cmdorctrl": ModifierCtrl, "commandorcontrol": ModifierCtrl, "mod": ModifierCtrl,
	"meta": ModifierMeta, "cmd": ModifierMeta, "command": ModifierMeta, "super": ModifierMeta,
	"shift": ModifierShift,
}

const (
	digits  = "0123456789"
	letters = "abcdefghijklmnopqrstuvwxyz"
	// digitsShifted is what the digits type with shift, on a US layout.
	digitsShifted = ")!@#$%^&*("
)

// chordGroup is a set of keys that may go with exactly these modifiers.
type chordGroup struct {
	held []Modifier
	// named are names of namedKeys, characters letters and digits.
	named      []string
	characters string
}

var arrows = []string{"ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"}

// chordGroups is the closed list of R80 and C36: what acts inside a document on each
// platform. What a browser takes on any platform is not in it: alt with an arrow to
// the side and meta with one go through the history, ctrl with Tab, PageUp or a digit
// changes the tab, shift+Escape opens the task manager, ctrl+shift+Delete the form
// that clears the browsing data, and alt with a letter the menus.
var chordGroups = []chordGroup{
	{nil, KeyNames(), letters + digits},
	{[]Modifier{ModifierShift}, without(KeyNames(), "Escape"), letters + digits},
	{[]Modifier{ModifierCtrl}, append(slices.Clone(arrows), "Home", "End", "Backspace", "Delete", "Enter", "Space"), "abcivxyz"},
	{[]Modifier{ModifierCtrl, ModifierShift}, append(slices.Clone(arrows), "Home", "End", "Enter"), "vz"},
	{[]Modifier{ModifierAlt}, []string{"ArrowUp", "ArrowDown", "Enter"}, ""},
	{[]Modifier{ModifierMeta}, []string{"Enter"}, "abcivxz"},
	{[]Modifier{ModifierMeta, ModifierShift}, nil, "z"},
}

// AllowedKeys says in one sentence what a key may be (C36).
const AllowedKeys = "Allowed are Enter, Tab, Escape, Backspace, Delete, ArrowUp, ArrowDown, ArrowLeft, ArrowRight, Home, End, PageUp, PageDown, Space, " +
	"one letter or digit, each also with shift (Escape without); " +
	"ctrl with a, b, c, i, v, x, y, z, an arrow, Home, End, Backspace, Delete, Enter or Space; ctrl+shift with v, z, an arrow, Home, End or Enter; " +
	"alt with ArrowUp, ArrowDown or Enter; meta with a, b, c, i, v, x, z or Enter; meta+shift+z."

// KeyNames returns the names of the keys that are neither letter nor digit, sorted.
func KeyNames() []string {
	names := make([]string, 0, len(namedKeys))
	for name := range namedKeys {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func without(names []string, name string) []string {
	return slices.DeleteFunc(names, func(n string) bool { return n == name })
}

// Chord is a key with the modifiers that are held.
type Chord struct {
	Key       Key
	Modifiers []Modifier
	// Command is what an editor does on the chord, by the name of the browser's own
	// editing command; empty for most. Input that comes by the protocol does not bring
	// it by itself.
	Command string
}

// editing are the editing commands of letters with ctrl or meta.
var editing = map[string]string{
	"a": "selectAll", "b": "toggleBold", "c": "copy", "i": "toggleItalic", "v": "paste", "x": "cut", "y": "redo", "z": "undo",
}

// editingShifted are those with shift as well.
var editingShifted = map[string]string{"v": "pasteAndMatchStyle", "z": "redo"}

// LookupChord returns the chord of the closed list for a key and the modifiers that
// go with it (R80, C36). The key may bring modifiers along (Control+a) and be spelled
// in the ways that are common (ctrl+A, Esc, Return, Down). A capital letter alone is
// the letter with shift. With ctrl, alt or meta no key types text. ok is false for
// everything else.
func LookupChord(name string, modifiers []Modifier) (chord Chord, ok bool) {
	held := slices.Clone(modifiers)
	for {
		i := strings.IndexByte(name, '+')
		if i < 0 {
			break
		}
		m, known := modifierSpellings[strings.ToLower(name[:i])]
		if !known || slices.Contains(held, m) {
			return Chord{}, false
		}
		held, name = append(held, m), name[i+1:]
	}
	name = canonical(name)
	if len(name) == 1 && name[0] >= 'A' && name[0] <= 'Z' {
		if len(held) == 0 {
			held = []Modifier{ModifierShift}
		}
		name = strings.ToLower(name)
	}
	if checkModifiers(held) != nil || !listed(held, name) {
		return Chord{}, false
	}
	slices.Sort(held)
	return makeChord(name, held), true
}

// canonical returns the name of the list for a spelling: a named key, a letter or
// digit, also by its physical code (KeyA, Digit1). What it does not know stays.
func canonical(name string) string {
	low := strings.ToLower(name)
	if other, known := keySpellings[low]; known {
		return other
	}
	for known := range namedKeys {
		if strings.ToLower(known) == low {
			return known
		}
	}
	if c, isLetter := strings.CutPrefix(low, "key"); isLetter && len(c) == 1 {
		return c
	}
	if c, isDigit := strings.CutPrefix(low, "digit"); isDigit && len(c) == 1 {
		return c
	}
	return name
}

// listed reports whether the list has the key with exactly these modifiers.
func listed(held []Modifier, name string) bool {
	return slices.ContainsFunc(chordGroups, func(g chordGroup) bool {
		if len(g.held) != len(held) || slices.ContainsFunc(g.held, func(m Modifier) bool { return !slices.Contains(held, m) }) {
			return false
		}
		return slices.Contains(g.named, name) || len(name) == 1 && strings.Contains(g.characters, name)
	})
}

func makeChord(name string, held []Modifier) Chord {
	shift := slices.Contains(held, ModifierShift)
	key, named := namedKeys[name]
	if !named {
		key = CharacterKey(name[0], shift)
	}
	out := Chord{Key: key, Modifiers: held}
	if slices.ContainsFunc(held, func(m Modifier) bool { return m != ModifierShift }) {
		out.Key.Text = ""
		out.Command = editing[name]
		if shift {
			out.Command = editingShifted[name]
		}
	}
	return out
}

// CharacterKey returns the key of one ASCII letter or digit on a US layout, with what
// it types.
func CharacterKey(c byte, shift bool) Key {
	if c >= '0' && c <= '9' {
		typed := string(c)
		if shift {
			typed = string(digitsShifted[c-'0'])
		}
		return Key{Key: typed, Code: "Digit" + string(c), VirtualKey: int(c), Text: typed}
	}
	upper := c &^ 0x20
	typed := string(upper | 0x20)
	if shift {
		typed = string(upper)
	}
	return Key{Key: typed, Code: "Key" + string(upper), VirtualKey: int(upper), Text: typed}
}

// Chords returns the whole closed list, each in the form that LookupChord takes.
func Chords() []string {
	var all []string
	for _, g := range chordGroups {
		var prefix strings.Builder
		for _, m := range g.held {
			prefix.WriteString(string(m) + "+")
		}
		for _, name := range g.named {
			all = append(all, prefix.String()+name)
		}
		for _, c := range g.characters {
			all = append(all, prefix.String()+string(c))
		}
	}
	return all
}
