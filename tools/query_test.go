package tools

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/troupe-browser/troupe/actors"
	"github.com/troupe-browser/troupe/messages"
)

// A query is checked twice, each time whole: by the tools, behind which a bad one never comes, and by the runtime, which does
// not trust them. Whoever asks for none gets a command without any (R51).
func TestR51QueryIsCheckedTwice(t *testing.T) {
	runtime, err := actors.Start(t.Context(), actors.Config{StateDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.Shutdown(context.Background())
	long := strings.Repeat("x", messages.QueryTermCharsMax+1)
	for name, query := range map[string]messages.Query{
		"blank": {Text: " "}, "long": {Section: long}, "one of two": {Role: "button", Group: long}, "not text": {Text: "\xff"},
	} {
		arguments, err := json.Marshal(map[string]any{
			"action": "snapshot", "browser_id": "b", "page_id": "p",
			"query": map[string]any{"text": query.Text, "role": query.Role, "group": query.Group, "section": query.Section},
		})
		if err != nil {
			t.Fatal(err)
		}
		result := NewFacade(unreachable(t)).Call(t.Context(), modelCaller(), Observe, arguments)
		if !result.IsError {
			t.Errorf("%s: the tools let it pass", name)
		}
		command := &messages.TakeSnapshot{PageAddress: onB, Query: query}
		if result := NewFacade(unreachable(t)).Do(t.Context(), modelCaller(), command); result.Err == nil || result.Err.Code != messages.CodeInvalidQuery {
			t.Errorf("%s: a surface's own command ends with %v", name, result.Err)
		}
		if _, err := runtime.Do(t.Context(), modelCaller(), command); err == nil || messages.AsError(err).Code != messages.CodeInvalidQuery {
			t.Errorf("%s: the runtime says %v", name, err)
		}
	}
	if _, err := runtime.Do(t.Context(), modelCaller(), &messages.TakeSnapshot{PageAddress: onB, Query: messages.Query{Text: "x"}}); messages.AsError(err).Code == messages.CodeInvalidQuery {
		t.Errorf("a good query is refused: %v", err)
	}
	reply, err := runtime.Do(t.Context(), modelCaller(), &messages.GetTargets{})
	if targets, ok := reply.(*messages.Targets); err != nil || !ok || !targets.Capabilities.SemanticQuery {
		t.Errorf("the capability is not told: %+v %v", reply, err)
	}
	var plain messages.Command
	fake := newFake(func(_ context.Context, _ messages.Caller, command messages.Command) (messages.Reply, error) {
		plain = command
		return &messages.Snapshot{}, nil
	})
	NewFacade(fake).Call(t.Context(), modelCaller(), Observe, json.RawMessage(`{"action":"snapshot","browser_id":"b","page_id":"p"}`))
	if snapshot, ok := plain.(*messages.TakeSnapshot); !ok || !snapshot.Query.Empty() {
		t.Errorf("a snapshot without a query became %+v", plain)
	}
}
