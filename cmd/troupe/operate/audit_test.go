package operate

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/troupe-browser/troupe/cmd/troupe/program"
	"github.com/troupe-browser/troupe/messages"
)

// The audit is read for what was done and by whom: observations are counted and not listed, unless they are asked for.
func TestAuditTailShowsEffects(t *testing.T) {
	var out bytes.Buffer
	a := &program.App{State: t.TempDir(), Streams: program.Streams{Out: &out, Err: &out}}
	path := a.AuditFile("serve")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	for _, e := range []messages.Event{
		{Kind: messages.EventOperationEnded, CallerID: "mcp-1", Action: "click", State: messages.Completed},
		{Kind: messages.EventPageNavigated, PageID: "pg_1"},
		{Kind: messages.EventOperationEnded, CallerID: "cli:", Action: "browsers"},
		{Kind: messages.EventOperationEnded, CallerID: "cli:", Action: "snapshot"},
	} {
		line, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		log.Write(append(line, '\n'))
	}
	if err := os.WriteFile(path, log.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	tail := func(count int, form auditForm) string {
		out.Reset()
		if err := tailAudit(t.Context(), a, "serve", count, false, form); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	shown := tail(2, auditForm{})
	for _, want := range []string{"mcp-1", "click", "completed", "page_navigated", "2 observations are left out; --all shows them."} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is not in\n%s", want, shown)
		}
	}
	if strings.Contains(shown, "snapshot") {
		t.Errorf("an observation is listed:\n%s", shown)
	}
	if shown := tail(4, auditForm{all: true}); !strings.Contains(shown, "snapshot") || strings.Contains(shown, "left out") {
		t.Errorf("all of it is\n%s", shown)
	}
	if shown := tail(4, auditForm{json: true}); strings.Count(shown, "\n") != 4 {
		t.Errorf("the lines are\n%s", shown)
	}
}
