package downloads

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/troupe-browser/troupe/messages"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func begun(guid string) Begun { return Begun{GUID: guid, Suggested: guid + ".txt", At: start} }

func one(t *testing.T, b *Book) messages.Download {
	t.Helper()
	list, _ := b.List(Filter{})
	if len(list) != 1 {
		t.Fatalf("%d records, want 1", len(list))
	}
	return list[0]
}

// A record from the beginning of a download to its name (R130, R133).
func TestBook_ALife(t *testing.T) {
	b := NewBook(false)
	b.Begin(Begun{GUID: "g", Suggested: "../../report.pdf", Origin: Origin{Page: "pg_1", Operation: "op"}, At: start})
	b.Begin(begun("g"))
	if b.Progress(Progress{GUID: "g", State: "inProgress", Received: 10, Total: 100}) {
		t.Error("a running download has ended")
	}
	want := messages.Download{DownloadID: "dl_1", State: messages.DownloadInProgress, Received: 10, Total: 100, Suggested: "report.pdf", PageID: "pg_1", OperationID: "op"}
	if got := one(t, b); got != want {
		t.Errorf("got %+v", got)
	}
	if guid, origin, running, ok := b.Find("dl_1", Filter{}); guid != "g" || origin.Page != "pg_1" || !running || !ok {
		t.Errorf("found %q, %v, %v", guid, running, ok)
	}
	if !b.Progress(Progress{GUID: "g", State: "completed", Received: 100, Total: 100}) {
		t.Error("a completed download has not ended")
	}
	b.Progress(Progress{GUID: "g", State: "canceled"})
	if got := b.Unnamed(); len(got) != 1 || got[0] != (Unnamed{"g", "report.pdf"}) {
		t.Errorf("unnamed are %+v", got)
	}
	b.Named("g", "report (2).pdf")
	if got := one(t, b); got.State != messages.DownloadCompleted || got.FileName != "report (2).pdf" || len(b.Unnamed()) != 0 {
		t.Errorf("got %+v", got)
	}
	b.Begin(begun("runs"))
	ended := b.Ended(Filter{})
	if fmt.Sprint(ended) != "[{g report (2).pdf}]" {
		t.Errorf("ended are %v", ended)
	}
	b.Forget(append(ended, Ended{GUID: "runs"}))
	if got := one(t, b); got.DownloadID != "dl_2" {
		t.Errorf("left is %+v", got)
	}
	b.Progress(Progress{GUID: "runs", State: "canceled"})
	b.Forget(b.Ended(Filter{}))
	if list, _ := b.List(Filter{}); len(list) != 0 {
		t.Errorf("%d records are left", len(list))
	}
}

// The states of a download that did not come (R133, C5).
func TestBook_DeniedAndCanceled(t *testing.T) {
	for denied, want := range map[bool]messages.DownloadState{true: messages.DownloadDenied, false: messages.DownloadCanceled} {
		b := NewBook(denied)
		b.Begin(begun("g"))
		b.Progress(Progress{GUID: "g", State: "canceled"})
		if got := one(t, b); got.State != want || len(b.Unnamed()) != 0 {
			t.Errorf("denied %v: got %+v", denied, got)
		}
	}
}

// The page knows what a download came from, and may say so before the browser announces it.
func TestBook_Attribution(t *testing.T) {
	b := NewBook(false)
	b.Attribute("early", Origin{Page: "pg_1", Owner: "ann", Operation: "op_1"})
	b.Begin(begun("early"))
	b.Begin(Begun{GUID: "late", Origin: Origin{Page: "pg_9"}, At: start.Add(time.Second)})
	b.Attribute("late", Origin{Page: "pg_2", Owner: "bob"})
	list, running := b.List(Filter{})
	if list[0].PageID != "pg_1" || list[0].OperationID != "op_1" || list[1].PageID != "pg_2" || running != 2 {
		t.Errorf("got %+v", list)
	}
	ann := Filter{Sees: func(o Origin) bool { return o.Owner == "ann" }}
	if list, running := b.List(ann); len(list) != 1 || list[0].DownloadID != "dl_1" || running != 1 {
		t.Errorf("ann sees %+v", list)
	}
	if _, _, _, ok := b.Find("dl_2", ann); ok {
		t.Error("ann finds bob's download")
	}
	if list, _ := b.List(Filter{Since: start.Add(time.Millisecond)}); len(list) != 1 || list[0].DownloadID != "dl_2" {
		t.Errorf("since: %+v", list)
	}
	for i := range 3 * attributionsMax {
		b.Attribute(fmt.Sprint("never", i), Origin{})
	}
	if len(b.early) != attributionsMax {
		t.Errorf("%d early attributions, at most %d", len(b.early), attributionsMax)
	}
}

// At most 100 downloads are tracked (R133).
func TestBook_Bound(t *testing.T) {
	b := NewBook(false)
	for i := range messages.DownloadsTrackedMax {
		b.Begin(begun(fmt.Sprint(i)))
	}
	if b.Begin(begun("more")) {
		t.Error("one more than the bound is tracked")
	}
	b.Progress(Progress{GUID: "7", State: "completed"})
	if !b.Begin(begun("more")) {
		t.Error("an ended record keeps its place")
	}
	if _, _, _, ok := b.Find("dl_8", Filter{}); ok {
		t.Error("the ended record is still there")
	}
}

func TestBook_Properties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := NewBook(rapid.Bool().Draw(t, "denied"))
		ended := map[messages.DownloadID]messages.DownloadState{}
		seen := map[messages.DownloadID]bool{}
		for range rapid.IntRange(0, 300).Draw(t, "steps") {
			guid := fmt.Sprint(rapid.IntRange(0, 130).Draw(t, "guid"))
			switch rapid.IntRange(0, 4).Draw(t, "step") {
			case 0, 1:
				b.Begin(begun(guid))
			case 2:
				b.Progress(Progress{GUID: guid, State: rapid.SampledFrom([]string{"inProgress", "completed", "canceled", "?"}).Draw(t, "state")})
			case 3:
				b.Attribute(guid, Origin{Page: "pg"})
			case 4:
				b.Named(guid, "x")
			}
			list, running := b.List(Filter{})
			if len(list) > messages.DownloadsTrackedMax || len(b.early) > attributionsMax {
				t.Fatalf("%d records, %d early", len(list), len(b.early))
			}
			count := 0
			here := map[messages.DownloadID]bool{}
			for _, d := range list {
				if here[d.DownloadID] {
					t.Fatalf("id %s is used twice", d.DownloadID)
				}
				here[d.DownloadID], seen[d.DownloadID] = true, true
				if d.State == messages.DownloadInProgress {
					count++
				}
				if was, ok := ended[d.DownloadID]; ok && was != d.State {
					t.Fatalf("%s went from %s to %s", d.DownloadID, was, d.State)
				}
				if d.State != messages.DownloadInProgress {
					ended[d.DownloadID] = d.State
				}
			}
			if count != running {
				t.Fatalf("%d run, %d counted", count, running)
			}
		}
		if len(seen) > b.minted {
			t.Fatalf("%d ids of %d minted", len(seen), b.minted)
		}
	})
}
