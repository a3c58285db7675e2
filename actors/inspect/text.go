package inspect

import "unicode/utf8"

// cut returns at most limit bytes of s, on a character boundary, and whether
// anything was cut.
func cut(s string, limit int) (string, bool) {
	if len(s) <= limit {
		return s, false
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit], true
}
