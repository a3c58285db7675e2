package cut

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestCuts(t *testing.T) {
	for _, c := range []struct {
		name  string
		cut   func(string, int) (string, bool)
		s     string
		limit int
		want  string
		was   bool
	}{
		{"bytes, short", Bytes, "abc", 3, "abc", false},
		{"bytes", Bytes, "abcd", 3, "abc", true},
		{"bytes, inside a character", Bytes, "aää", 4, "aä", true},
		{"bytes, no room", Bytes, "ä", 1, "", true},
		{"chars, short", Chars, "äää", 3, "äää", false},
		{"chars", Chars, "äääb", 3, "äää", true},
		{"ellipsis, short", Ellipsis, "äää", 3, "äää", false},
		{"ellipsis", Ellipsis, "ab cd", 4, "ab…", true},
	} {
		if got, was := c.cut(c.s, c.limit); got != c.want || was != c.was {
			t.Errorf("%s: %q %t, want %q %t", c.name, got, was, c.want, c.was)
		}
	}
}

func TestEveryCutIsWithinItsBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, limit := rapid.String().Draw(t, "text"), rapid.IntRange(1, 40).Draw(t, "limit")
		bytes, _ := Bytes(s, limit)
		chars, _ := Chars(s, limit)
		ellipsis, _ := Ellipsis(s, limit)
		if len(bytes) > limit || utf8.RuneCountInString(chars) > limit || utf8.RuneCountInString(ellipsis) > limit {
			t.Fatalf("%q at %d: %q %q %q", s, limit, bytes, chars, ellipsis)
		}
		if !strings.HasPrefix(s, bytes) || !strings.HasPrefix(s, chars) || !utf8.ValidString(bytes) || !utf8.ValidString(chars) {
			t.Fatalf("%q at %d: %q %q", s, limit, bytes, chars)
		}
	})
}
