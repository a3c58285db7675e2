package verbs

import (
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

// A request is told by its status when it got one, else by what failed: an answer of 500 is no failure
// of the network.
func TestRequestStatus(t *testing.T) {
	for want, e := range map[string]messages.NetworkEntry{
		"500":                    {Status: 500, Failed: true},
		"200 net::ERR_ABORTED":   {Status: 200, Failed: true, Failure: "net::ERR_ABORTED"},
		"failed net::ERR_FAILED": {Failed: true, Failure: "net::ERR_FAILED"},
		"failed":                 {Failed: true},
		"pending":                {Pending: true},
		"200 pending":            {Status: 200, Pending: true},
		"-":                      {},
	} {
		if got := requestStatus(e); got != want {
			t.Errorf("%+v is shown as %q, want %q", e, got, want)
		}
	}
}

// An entry of the console says where it comes from, without the origin and the query.
func TestPlaceOf(t *testing.T) {
	e := messages.ConsoleEntry{Stack: []messages.StackFrame{{URL: "http://127.0.0.1:8000", Line: 1, Column: 391}}}
	if got := placeOf(e); got != "at /:1:391" {
		t.Errorf("placed %q", got)
	}
	if got := placeOf(messages.ConsoleEntry{}); got != "" {
		t.Errorf("an entry without a stack is placed %q", got)
	}
}

// A body cannot write on the terminal, or pass for a line of ours.
func TestIndented(t *testing.T) {
	if got, want := indented("a\ntroupe: done\x1b[0m"), "  a\n  troupe: done\\x1b[0m"; got != want {
		t.Errorf("a body is shown as %q, want %q", got, want)
	}
}
