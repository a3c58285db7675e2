package tools

import (
	"regexp"
	"strings"
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

// The instructions fit one screen, and every word of the tools in them is one.
func TestInstructions(t *testing.T) {
	if lines := strings.Count(instructions, "\n") + 1; lines > 24 {
		t.Errorf("they have %d lines", lines)
	}
	for _, line := range strings.Split(instructions, "\n") {
		if len(line) > 120 {
			t.Errorf("a line has %d characters: %s", len(line), line)
		}
	}
	for _, state := range []messages.ExecutionState{messages.Completed, messages.NotStarted, messages.OutcomeUnknown} {
		if !strings.Contains(instructions, "- "+string(state)+": ") {
			t.Errorf("%s is not explained", state)
		}
	}
	fields := []string{"browser_id", "page_id", "execution_state", "value_matches", "state_matches", "needs_snapshot", "not_started", "outcome_unknown", Observe, Control}
	for _, word := range regexp.MustCompile("[a-z]+_[a-z_]+").FindAllString(instructions, -1) {
		known := messages.DescribeAction(messages.Action(word)) != nil
		for _, field := range fields {
			known = known || word == field
		}
		if !known {
			t.Errorf("%s is no word of the tools", word)
		}
	}
}
