package kernel

import (
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

// The audit gets ids of our form and nothing else that a caller wrote in the place of one (R206).
func TestAuditedIDs(t *testing.T) {
	good := NewPageID()
	for given, want := range map[messages.PageID]messages.PageID{
		good: good, "": "", "pg_": "invalid", "pg_0123456789abcdef": "pg_0123456789abcdef", "pg_0123456789abcdef0": "invalid",
		"pg_0123456789abcdeI": "invalid", "br_0123456789abcdef": "invalid", "hunter2": "invalid", "http://a:b@c/": "invalid",
	} {
		if got := Audited(given, "pg_"); got != want {
			t.Errorf("%q becomes %q, want %q", given, got, want)
		}
	}
}
