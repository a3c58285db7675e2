package program

import (
	"strings"
	"testing"
)

// A text of a page cannot write on the terminal, break the table, or pass for a column of ours.
func TestSaid(t *testing.T) {
	for given, want := range map[string]string{
		"Orders":                      `"Orders"`,
		"x\npg_2  complete  \"Bank\"": `"x\npg_2  complete  \"Bank\""`,
		strings.Repeat("x", 200):      `"` + strings.Repeat("x", 100) + `"...`,
	} {
		if got := Said(given); got != want {
			t.Errorf("%q becomes %s, want %s", given, got, want)
		}
	}
}

// A text cannot write on the terminal or break the table.
func TestCell(t *testing.T) {
	for given, want := range map[string]string{
		"plain":                   "plain",
		"two\nlines\tand a tab":   `two\nlines\tand a tab`,
		"\x1b[31mred\x07\u009b1m": `\x1b[31mred\a\u009b1m`,
		"evil\u202egnp.exe":       `evil\u202egnp.exe`,
		strings.Repeat("x", 200):  strings.Repeat("x", 100) + "...",
		strings.Repeat("漢", 60):   strings.Repeat("漢", 50) + "...",
	} {
		if got := Cell(given); got != want {
			t.Errorf("%q becomes %q, want %q", given, got, want)
		}
	}
}
