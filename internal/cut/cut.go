package cut

import (
	"strings"
	"unicode/utf8"
)

// Bytes returns the longest prefix of whole characters of at most limit bytes, and
// whether anything was cut. A cut text does not keep the whole one in memory.
func Bytes(s string, limit int) (string, bool) {
	if len(s) <= limit {
		return s, false
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return strings.Clone(s[:limit]), true
}

// Chars returns at most limit characters, and whether anything was cut. A cut text
// does not keep the whole one in memory.
func Chars(s string, limit int) (string, bool) {
	if len(s) <= limit {
		return s, false
	}
	count := 0
	for i := range s {
		if count == limit {
			return strings.Clone(s[:i]), true
		}
		count++
	}
	return s, false
}

// Ellipsis returns at most limit characters, and whether anything was cut. Where it
// cuts, the last character is an ellipsis, with no space before it.
func Ellipsis(s string, limit int) (string, bool) {
	if len(s) <= limit || utf8.RuneCountInString(s) <= limit {
		return s, false
	}
	kept, _ := Chars(s, max(limit-1, 0))
	return strings.TrimRight(kept, " ") + "…", true
}
