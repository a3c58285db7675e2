package page

import (
	"slices"
	"testing"

	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// An effect is refused unless the element's actions name it, whatever the element
// is; an observation of it needs none (R67).
func TestFenceR67OnlyTheActionsThatAreNamed(t *testing.T) {
	named := []messages.Action{"click", "set_value"}
	record := &snapshot.Record{ElementID: "el_n_1_0", Ref: "e1", Actions: named}
	f := (&fence{nonce: "n"}).published("agent", &messages.Snapshot{Generation: 1}, &snapshotResult{records: []snapshot.Record{*record}, nextRef: 2}, 1)
	for _, action := range []messages.Action{"", "click", "set_value", "input_text", "select_option", "select_choice", "set_date", "upload_file", "hover", "scroll", "drag"} {
		for _, handle := range []messages.ElementHandle{"e1", "el_n_1_0"} {
			_, err := f.resolve("agent", handle, action)
			if action == "" || slices.Contains(named, action) {
				if err != nil {
					t.Errorf("%q on %s: %v", action, handle, err)
				}
			} else if err == nil || err.Code != messages.CodeElementActionUnsupported {
				t.Errorf("%q on %s: %v", action, handle, err)
			}
		}
	}
}

// seen is a snapshot that gives out one element, with the number of its generation.
func seen(f *fence, reader messages.CallerID) *fence {
	generation := f.generation + 1
	n := uint64(generation)
	record := snapshot.Record{ElementID: messages.ElementID(f.idPrefix(generation) + "0"), Ref: messages.Ref("e" + generation.String()), Actions: []messages.Action{"click"}}
	return f.published(reader, &messages.Snapshot{Generation: generation, DocumentToken: messages.DocumentToken("doc_" + generation.String())},
		&snapshotResult{records: []snapshot.Record{record}, nextRef: n + 1}, n)
}

// Ids belong to the reader that took the snapshot: looking ends one's own older ids
// and nobody else's, and nobody acts by another's (C40).
func TestFenceC40IdsBelongToTheirReader(t *testing.T) {
	f := seen(seen(seen(&fence{nonce: "n"}, "operator"), "agent"), "operator")
	for _, c := range []struct {
		reader messages.CallerID
		handle messages.ElementHandle
		code   messages.Code
		says   string
	}{
		{"agent", "e2", "", ""},
		{"agent", "el_n_2_0", "", ""},
		{"operator", "e3", "", ""},
		{"operator", "e1", messages.CodeSnapshotStale, "e1 is from an older snapshot; the last is generation 3, which you took. Take a snapshot and use its ids."},
		{"operator", "el_n_1_0", messages.CodeSnapshotStale, "This id is from an older snapshot; the last is generation 3, which you took. Take a snapshot and use its ids."},
		{"agent", "e3", messages.CodeRefDetached, "No element of your last snapshot has this id. Use one that it lists."},
		{"agent", "el_n_3_0", messages.CodeSnapshotStale, "This id is from a snapshot that another caller took; your last is generation 2. Take a snapshot and use its ids."},
		{"stranger", "e2", messages.CodeSnapshotMissing, "The page keeps no snapshot of yours. Ids are good for the caller that took the snapshot, and those of the last 4 callers are kept. Take a snapshot."},
	} {
		_, err := f.resolve(c.reader, c.handle, "click")
		switch {
		case c.code == "" && err != nil, c.code != "" && (err == nil || err.Code != c.code || err.Detail != c.says):
			t.Errorf("%s by %s gives %+v", c.handle, c.reader, err)
		}
	}
	if err := f.checkToken("agent", "doc_2"); err != nil {
		t.Errorf("the agent's token: %v", err)
	}
	if err := f.checkToken("agent", "doc_3"); err == nil || err.Code != messages.CodeSnapshotStale {
		t.Errorf("the token of another: %v", err)
	}
	if kept := f.kept("operator"); !slices.Equal(kept, []messages.Generation{2}) {
		t.Errorf("a look of the operator keeps %v", kept)
	}
	dead := f.dropped("Gone.", anyReading)
	if !dead.stale("agent") || !dead.stale("operator") || dead.stale("stranger") || len(dead.kept("stranger")) != 0 {
		t.Errorf("after the document went: %+v", dead)
	}
}

// A page keeps the ids of PageReadersMax readers; the one that has not looked for
// longest goes.
func TestFenceC40ReadersAreBounded(t *testing.T) {
	f := seen(seen(&fence{nonce: "n"}, "first"), "second")
	f = seen(f, "first")
	for _, reader := range []messages.CallerID{"a", "b", "c"} {
		f = seen(f, reader)
	}
	if len(f.readings) != messages.PageReadersMax || f.of("second") != nil || f.of("first") == nil {
		t.Errorf("%d readings; first %v, second %v", len(f.readings), f.of("first"), f.of("second"))
	}
}
