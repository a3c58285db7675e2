package quote

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
)

// hidden are characters that nobody sees or that act on a terminal.
const hidden = "a\x1b[31m\r\n\t\u202e\u2066\u200f\u0085\u009b\u2028\x00\x7f\ufeff\U000E0041"

func FuzzText(f *testing.F) {
	for _, text := range []string{"", "Save", hidden, "\"", `\`, "\"] e1\nbutton", "\xff\xfe", "Grüße 日本 👍🏽"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		shown := Text(text)
		if back, err := strconv.Unquote(shown); err != nil || back != text {
			t.Errorf("%q is read back as %q: %v", text, back, err)
		}
		for _, line := range []string{shown, Line(text), strings.NewReplacer("\n", "", "\t", "").Replace(Lines(text))} {
			for _, r := range line {
				if !strconv.IsPrint(r) {
					t.Errorf("%q is shown with %U in it", text, r)
				}
			}
		}
		encoded, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		var before, after string
		if json.Unmarshal(encoded, &before) != nil || json.Unmarshal([]byte(JSON(string(encoded))), &after) != nil || before != after {
			t.Errorf("JSON of %q means %q", text, after)
		}
	})
}

func TestWord(t *testing.T) {
	for text, want := range map[string]string{
		"button": "button", "graphics-document": "graphics-document", "M-SEARCH": "M-SEARCH", "e1 [click]": `"e1 [click]"`, "": `""`, "a|b": `"a|b"`,
	} {
		if got := Word(text); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	if got, want := Line("a\tb\x1b[0m\u202e"), `a\tb\x1b[0m\u202e`; got != want {
		t.Errorf("it is %s, want %s", got, want)
	}
	if got, want := Lines("a\n\tb\r\x9b"), "a\n\tb\\r\\x9b"; got != want {
		t.Errorf("it is %q, want %q", got, want)
	}
	if got := Line(`C:\ "x" ü`); got != `C:\ "x" ü` {
		t.Errorf("what can be seen is changed: %s", got)
	}
}

func TestAddress(t *testing.T) {
	for text, want := range map[string]string{
		"http://a.example/b?c=%20": "http://a.example/b?c=%20", "/save 200; POST /pay": `"/save 200; POST /pay"`, `/"x"`: `"/\"x\""`, "/\u202e": `"/\u202e"`, "": "",
	} {
		if got := Address(text); got != want {
			t.Errorf("%q is %s, want %s", text, got, want)
		}
	}
}
