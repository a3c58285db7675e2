package actors

import (
	"fmt"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/actors/downloads"
	"github.com/troupe-browser/troupe/messages"
)

// downloading returns the machine of a browser with one running download of its
// first page, whose id is "g".
func downloading(t *testing.T) *browserMachine {
	t.Helper()
	m := browserWith(t, nil)
	wantKinds(t, m.step(&downloadSeen{guid: "g", frame: "T1", suggested: "a.txt", at: noon}), "browserPublish")
	return m
}

func listing(wait time.Duration) *call {
	return callOf(&messages.ListDownloads{BrowserID: "br", Wait: wait})
}

func answerOf(t *testing.T, effects []browserEffect) *messages.DownloadList {
	t.Helper()
	return one[*browserAnswer](t, effects).reply.(*messages.DownloadList)
}

// Files are named when somebody asks and not when an event comes (R130, C6).
func TestBrowserMachine_DownloadsAreNamedWhenTheyAreRead(t *testing.T) {
	m := downloading(t)
	if got := answerOf(t, m.step(&browserCall{call: listing(0)})); got.Running != 1 || got.Downloads[0].PageID != "pg_1" {
		t.Errorf("got %+v", got)
	}
	wantKinds(t, m.step(&downloadSeen{guid: "g", state: "completed", received: 5, total: 5, at: noon}), "browserPublish")
	first, second := listing(0), listing(0)
	wantEffects(t, m.step(&browserCall{call: first}), browserEffect(&settleFiles{[]downloads.Unnamed{{GUID: "g", Suggested: "a.txt"}}}))
	wantEffects(t, m.step(&browserCall{call: second}))
	effects := m.step(&filesDone{named: []downloads.Ended{{GUID: "g", Name: "a (2).txt"}}})
	wantKinds(t, effects, "browserAnswer browserAnswer")
	for i, c := range []*call{first, second} {
		answer := effects[i].(*browserAnswer)
		d := answer.reply.(*messages.DownloadList).Downloads[0]
		if answer.call != c || d.FileName != "a (2).txt" || d.Path != "" {
			t.Errorf("got %+v", d)
		}
	}
	asked := newCall(t.Context(), operator, &messages.ListDownloads{BrowserID: "br"}, newMint(), noon)
	if got := answerOf(t, m.step(&browserCall{call: asked})); got.Downloads[0].Path != m.downloads.store.Path("a (2).txt") {
		t.Errorf("the operator sees %+v", got.Downloads[0])
	}
}

// A listing waits for running downloads as long as it was asked to (R132).
func TestBrowserMachine_AListingWaits(t *testing.T) {
	t.Run("until the last one ends", func(t *testing.T) {
		m := downloading(t)
		m.step(&downloadSeen{guid: "h", frame: "T1", at: noon})
		c := listing(time.Minute)
		wantEffects(t, m.step(&browserCall{call: c}), browserEffect(&startListing{c}))
		wantEffects(t, m.step(&listingStarted{c}), browserEffect(&browserTimer{time.Minute, &listingDue{c}}))
		wantKinds(t, m.step(&downloadSeen{guid: "h", state: "canceled", at: noon}), "browserPublish")
		wantKinds(t, m.step(&downloadSeen{guid: "g", state: "canceled", at: noon}), "browserPublish browserAnswer")
		wantEffects(t, m.step(&listingDue{c}))
	})
	t.Run("as long as it was asked to", func(t *testing.T) {
		m := downloading(t)
		c := listing(time.Second)
		m.step(&listingStarted{c})
		if got := answerOf(t, m.step(&listingDue{c})); got.Running != 1 {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("unless its caller gives up", func(t *testing.T) {
		m := downloading(t)
		c := listing(time.Second)
		m.step(&listingStarted{c})
		m.step(&withdraw{call: c})
		wantEffects(t, m.step(&listingDue{c}))
		wantKinds(t, m.step(&downloadSeen{guid: "g", state: "canceled", at: noon}), "browserPublish")
	})
	t.Run("for nothing where nothing runs", func(t *testing.T) {
		m := browserWith(t, nil)
		if got := answerOf(t, m.step(&listingStarted{listing(time.Minute)})); len(got.Downloads) != 0 {
			t.Errorf("got %+v", got)
		}
	})
}

func TestBrowserMachine_DownloadsBelongToPages(t *testing.T) {
	m := downloading(t)
	m.step(&downloadSeen{guid: "frame", frame: "a child frame", at: noon.Add(time.Second)})
	m.step(&downloadSourced{guid: "frame", page: "pg_1", operation: "op_7"})
	m.step(&downloadSourced{guid: "gone", page: "pg_9"})
	got := answerOf(t, m.step(&browserCall{call: listing(0)}))
	if len(got.Downloads) != 2 || got.Downloads[1].PageID != "pg_1" || got.Downloads[1].OperationID != "op_7" {
		t.Errorf("got %+v", got.Downloads)
	}
	other := newCall(t.Context(), messages.Caller{ID: "other", Grants: messages.DefaultGrants()}, &messages.ListDownloads{BrowserID: "br"}, newMint(), noon)
	if got := answerOf(t, m.step(&browserCall{call: other})); len(got.Downloads) != 0 {
		t.Errorf("another caller sees %+v", got.Downloads)
	}
	if got := m.witness("pg_1", noon.Add(time.Millisecond)).downloads; len(got) != 1 || got[0].OperationID != "op_7" {
		t.Errorf("the witness saw %+v", got)
	}
}

func TestBrowserMachine_CancelAndClearDownloads(t *testing.T) {
	m := downloading(t)
	asked := func(command messages.Command) *call {
		return newCall(t.Context(), operator, command, newMint(), noon)
	}
	cancel := asked(&messages.CancelDownload{BrowserID: "br", DownloadID: "dl_1"})
	wantEffects(t, m.step(&browserCall{call: cancel}), browserEffect(&cancelDownload{call: cancel, guid: "g"}))
	m.step(&downloadSeen{guid: "g", state: "canceled", at: noon})
	for _, id := range []messages.DownloadID{"dl_1", "dl_2"} {
		refused := one[*browserFail](t, m.step(&browserCall{call: asked(&messages.CancelDownload{BrowserID: "br", DownloadID: id})}))
		if refused.err.Code != messages.CodeInvalidRequest {
			t.Errorf("%s: %v", id, refused.err)
		}
	}
	first, second := asked(&messages.ClearDownloads{BrowserID: "br"}), asked(&messages.ClearDownloads{BrowserID: "br"})
	ended := []downloads.Ended{{GUID: "g", Name: "g"}}
	wantEffects(t, m.step(&browserCall{call: first}), browserEffect(&removeFiles{first, ended}))
	wantEffects(t, m.step(&browserCall{call: second})) // the files have one runner at a time
	receipt := &messages.Receipt{ExecutionState: messages.Completed}
	effects := m.step(&filesDone{call: first, receipt: receipt, removed: ended})
	wantEffects(t, effects, browserEffect(&browserFinish{first, receipt}), browserEffect(&removeFiles{second, nil}))
}

// What cannot be tracked is cancelled (R133).
func TestBrowserMachine_TooManyDownloads(t *testing.T) {
	m := browserWith(t, nil)
	for i := range messages.DownloadsTrackedMax {
		m.step(&downloadSeen{guid: fmt.Sprint(i), frame: "T1", at: noon})
	}
	wantEffects(t, m.step(&downloadSeen{guid: "more", frame: "T1", at: noon}), browserEffect(&cancelDownload{guid: "more"}))
}

// A restart of the browser's actor keeps the records: the files are still there.
func TestBrowserMachine_DownloadsOutliveARestart(t *testing.T) {
	spec := &browserSpec{env: &environment{config: Config{StateDir: t.TempDir()}.withDefaults()}, id: "br",
		launch: &messages.Launch{}, call: callOf(&messages.Launch{}), memory: newBrowserMemory(agent)}
	newBrowserMachine(spec).step(&downloadSeen{guid: "g", at: noon})
	if list, _ := newBrowserMachine(spec).downloads.book.List(downloads.Filter{}); len(list) != 1 {
		t.Errorf("%d records after a restart", len(list))
	}
}
