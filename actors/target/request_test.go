package target

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

// The key holds neither queries nor origins (R206), and tells places in the code apart (R76).
func TestRequestKeyR76(t *testing.T) {
	long := "http://site.test/" + strings.Repeat("x", 3000)
	for _, c := range []struct{ event, want string }{
		{`{"request":{"url":"http://u:p@site.test/a%20b/c?q=1#f","method":"POST"},"initiator":{"url":"http://site.test/other","stack":{"callFrames":[{"url":"http://site.test/app.js?v=1","lineNumber":4,"columnNumber":2},{"url":"http://site.test/x"}]}}}`,
			"POST /a%20b/c /app.js 4 2"},
		{`{"request":{"url":"http://site.test","method":"GET"},"initiator":{"type":"parser","url":"http://site.test/page?x","lineNumber":9,"columnNumber":3}}`,
			"GET / /page 9 3"},
		{`{"request":{"url":"data:text/plain,x","method":"GET"},"initiator":{"type":"other"}}`, "GET data: / 0 0"},
		{`{"request":{"url":"http://[::1","method":"GET"},"initiator":{"stack":null}}`, "GET  / 0 0"},
		{`{"request":{"url":"` + long + `","method":"GET"}}`, "GET " + long[len("http://site.test"):][:messages.NetworkURLCharsMax] + " / 0 0"},
	} {
		var sent RequestSent
		if err := json.Unmarshal([]byte(c.event), &sent); err != nil {
			t.Fatal(err)
		}
		if got := sent.Key(); got != c.want {
			t.Errorf("%s: %q, want %q", c.event, got, c.want)
		}
	}
}
