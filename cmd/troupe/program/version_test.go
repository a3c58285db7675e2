package program

import "testing"

// The version names the source that the program was built of.
func TestVersion(t *testing.T) {
	defer func(a, b string) { release, revision = a, b }(release, revision)
	for want, set := range map[string][2]string{
		"v1.2.3+0123456789ab":        {"v1.2.3", "0123456789ab"},
		unreleased + "+0123456789ab": {"", "0123456789ab"},
	} {
		if release, revision = set[0], set[1]; Version() != want {
			t.Errorf("%v gives %s, want %s", set, Version(), want)
		}
	}
}
