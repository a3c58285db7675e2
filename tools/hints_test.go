package tools

import (
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

// A hint names an action that there is, for a word that is none.
func TestHints(t *testing.T) {
	for word, action := range meant {
		if d := messages.DescribeAction(action); d == nil || d.Tool == "" {
			t.Errorf("%s is said to be %s, which no tool has", word, action)
		}
		if d := messages.DescribeAction(messages.Action(word)); d != nil && d.Tool != "" {
			t.Errorf("%s is an action itself", word)
		}
	}
	if got := hint("eval", Control); got != "" {
		t.Errorf("a script is said to be%s", got)
	}
}
