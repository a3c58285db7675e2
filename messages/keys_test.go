package messages

import (
	"slices"
	"strings"
	"testing"
)

// What a browser takes on any platform is refused, however it is spelled (R80, C36).
func TestLookupChordRefusesTheBrowsersOwn(t *testing.T) {
	refused := []string{
		"F1", "F3", "F5", "F6", "F7", "F10", "F11", "F12", "shift+F10", "ctrl+F4", "ctrl+F5", "alt+F4", "Insert", "BrowserBack", "ContextMenu", "MediaPlayPause",
		"shift+Escape", "alt+Escape", "ctrl+Tab", "ctrl+shift+Tab", "alt+Tab", "meta+Tab", "ctrl+PageUp", "ctrl+PageDown", "ctrl+shift+PageUp", "alt+PageUp",
		"alt+ArrowLeft", "alt+ArrowRight", "alt+Home", "alt+Left", "alt+Backspace", "alt+Space", "meta+ArrowLeft", "meta+ArrowRight", "meta+Left",
		"ctrl+shift+Delete", "ctrl+shift+Backspace", "meta+shift+Backspace", "ctrl+shift+Space", "ctrl+Escape",
		"shift+alt+t", "ctrl+alt+a", "ctrl+meta+f", "", "+", "ctrl+", "ctrl++", "a+ctrl", "ctrl+ctrl+a", "control+ctrl+a", "hyper+a", "é", "ab", "keyab", "digita1", "!", "-", "ctrl+-", "ctrl+=",
	}
	for _, c := range "defghjklmnopqrstuw" {
		refused = append(refused, "ctrl+"+string(c), "Control+"+strings.ToUpper(string(c)))
	}
	refused = slices.DeleteFunc(refused, func(s string) bool { return strings.HasSuffix(strings.ToLower(s), "+i") })
	for _, c := range letters {
		refused = append(refused, "alt+"+string(c), "alt+shift+"+string(c), "ctrl+alt+"+string(c))
		if c != 'v' && c != 'z' {
			refused = append(refused, "ctrl+shift+"+string(c))
		}
		if !strings.ContainsRune("abcivxz", c) {
			refused = append(refused, "meta+"+string(c), "cmd+"+string(c))
		}
		if c != 'z' {
			refused = append(refused, "meta+shift+"+string(c))
		}
	}
	for _, c := range digits {
		refused = append(refused, "ctrl+"+string(c), "alt+"+string(c), "meta+"+string(c), "ctrl+shift+"+string(c))
	}
	for _, chord := range refused {
		if got, ok := LookupChord(chord, nil); ok {
			t.Errorf("%q is taken as %+v", chord, got)
		}
	}
	e := Validate(&PressKey{OnElement: OnElement{PageAddress: PageAddress{BrowserID: "br_a", PageID: "pg_a"}}, Key: "ctrl+w"})
	if e == nil || e.Code != CodeInvalidKey || !strings.Contains(e.Detail, AllowedKeys) {
		t.Errorf("ctrl+w is refused with %v, which does not name what is allowed", e)
	}
}

// The common spellings of one chord mean the same.
func TestLookupChordSpellings(t *testing.T) {
	for want, spellings := range map[string][]string{
		"a KeyA ctrl selectAll":                {"ctrl+a", "Control+a", "CTRL+A", "ctl+KeyA", "ControlOrMeta+a", "mod+a"},
		"z KeyZ meta undo":                     {"meta+z", "cmd+z", "Command+Z", "super+z"},
		"Z KeyZ ctrl+shift redo":               {"ctrl+shift+z", "Shift+Control+Z"},
		"V KeyV ctrl+shift pasteAndMatchStyle": {"ctrl+shift+v"},
		"Escape Escape  ":                      {"Escape", "esc", "ESC"},
		"Enter Enter  ":                        {"enter", "Return"},
		"ArrowDown ArrowDown  ":                {"Down", "arrowdown"},
		"PageUp PageUp  ":                      {"Page_Up", "pgup", "pageup"},
		"  Space  ":                            {"Space", "spacebar", " "},
		"q KeyQ  ":                             {"q", "KeyQ"},
		"Q KeyQ shift ":                        {"Q", "shift+q", "Shift+Q"},
		"5 Digit5  ":                           {"5", "Digit5"},
		"% Digit5 shift ":                      {"shift+5"},
		"ArrowLeft ArrowLeft ctrl+shift ":      {"ctrl+shift+Left", "shift+ctrl+ArrowLeft"},
	} {
		for _, spelling := range spellings {
			c, ok := LookupChord(spelling, nil)
			var held []string
			for _, m := range c.Modifiers {
				held = append(held, string(m))
			}
			if got := strings.Join([]string{c.Key.Key, c.Key.Code, strings.Join(held, "+"), c.Command}, " "); !ok || got != want {
				t.Errorf("%q is %q, want %q", spelling, got, want)
			}
		}
	}
}

// AllowedKeys and the list say the same.
func TestAllowedKeysNamesTheList(t *testing.T) {
	for _, name := range KeyNames() {
		if !strings.Contains(AllowedKeys, name) {
			t.Errorf("%s is not named", name)
		}
	}
	for _, chord := range Chords() {
		c, ok := LookupChord(chord, nil)
		if !ok {
			t.Errorf("%s is listed and refused", chord)
		}
		if typing := len(c.Modifiers) == 0 || c.Modifiers[0] == ModifierShift; !typing && c.Key.Text != "" {
			t.Errorf("%s types %q", chord, c.Key.Text)
		}
	}
}
