package diagnostics

import (
	"strings"
	"unicode/utf8"
)

// cutBytes returns at most limit bytes of s, cut on a character boundary, and
// whether anything was cut. A cut text does not keep the whole one in memory.
func cutBytes(s string, limit int) (string, bool) {
	if len(s) <= limit {
		return s, false
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return strings.Clone(s[:limit]), true
}

// cutChars returns at most limit characters of s and whether anything was cut.
func cutChars(s string, limit int) (string, bool) {
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

// VisibleURL returns a URL as every reader may see it: without user information,
// query and fragment, and of a data URL only its type (C4, R206).
func VisibleURL(url string) string {
	if strings.HasPrefix(url, "data:") {
		head, _, _ := strings.Cut(url, ",")
		return head
	}
	if i := strings.IndexAny(url, "?#"); i >= 0 {
		url = url[:i]
	}
	scheme, rest, ok := strings.Cut(url, "://")
	if !ok {
		return url
	}
	authority, _, _ := strings.Cut(rest, "/")
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		return scheme + "://" + authority[i+1:] + strings.TrimPrefix(rest, authority)
	}
	return url
}

// containsFold reports whether s contains needle, case ignored.
func containsFold(s, needle string) bool {
	return strings.Contains(strings.ToLower(s), strings.ToLower(needle))
}
