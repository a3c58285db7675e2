package diagnostics

import "strings"

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
