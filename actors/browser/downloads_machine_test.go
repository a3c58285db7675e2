package browser

import (
	"fmt"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/downloads"
	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/machinetest"
	"github.com/troupe-browser/troupe/actors/page"
	"github.com/troupe-browser/troupe/messages"
)

// downloading returns the machine of a browser with one running download of its
// first page, whose id is "g".
func downloading(t *testing.T) *Machine {
	t.Helper()
	m := browserWith(t, nil)
	machinetest.WantKinds(t, m.Step(&engine.DownloadSeen{GUID: "g", Frame: "T1", Suggested: "a.txt", At: machinetest.Noon}), "PublishEvent")
	return m
}

func listing(wait time.Duration) *call.Call {
	return machinetest.CallOf(&messages.ListDownloads{BrowserID: "br", Wait: wait})
}

func answerOf(t *testing.T, effects []Effect) *messages.DownloadList {
	t.Helper()
	return machinetest.One[*AnswerCall](t, effects).Reply.(*messages.DownloadList)
}

// Files are named when somebody asks and not when an event comes (R130, C6).
func TestBrowserMachine_DownloadsAreNamedWhenTheyAreRead(t *testing.T) {
	m := downloading(t)
	if got := answerOf(t, m.Step(&Call{Call: listing(0)})); got.Running != 1 || got.Downloads[0].PageID != "pg_1" {
		t.Errorf("got %+v", got)
	}
	machinetest.WantKinds(t, m.Step(&engine.DownloadSeen{GUID: "g", State: "completed", Received: 5, Total: 5, At: machinetest.Noon}), "PublishEvent")
	first, second := listing(0), listing(0)
	machinetest.WantEffects(t, m.Step(&Call{Call: first}), Effect(&settleFiles{[]downloads.Unnamed{{GUID: "g", Suggested: "a.txt"}}}))
	machinetest.WantEffects(t, m.Step(&Call{Call: second}))
	effects := m.Step(&filesDone{named: []downloads.Ended{{GUID: "g", Name: "a (2).txt"}}})
	machinetest.WantKinds(t, effects, "AnswerCall AnswerCall")
	for i, c := range []*call.Call{first, second} {
		answer := effects[i].(*AnswerCall)
		d := answer.Reply.(*messages.DownloadList).Downloads[0]
		if answer.Call != c || d.FileName != "a (2).txt" || d.Path != "" {
			t.Errorf("got %+v", d)
		}
	}
	asked := call.New(t.Context(), machinetest.Operator, &messages.ListDownloads{BrowserID: "br"}, kernel.NewMint(), machinetest.Noon)
	if got := answerOf(t, m.Step(&Call{Call: asked})); got.Downloads[0].Path != m.downloads.store.Path("a (2).txt") {
		t.Errorf("the operator sees %+v", got.Downloads[0])
	}
}

// A listing waits for running downloads as long as it was asked to (R132).
func TestBrowserMachine_AListingWaits(t *testing.T) {
	t.Run("until the last one ends", func(t *testing.T) {
		m := downloading(t)
		m.Step(&engine.DownloadSeen{GUID: "h", Frame: "T1", At: machinetest.Noon})
		c := listing(time.Minute)
		machinetest.WantEffects(t, m.Step(&Call{Call: c}), Effect(&StartListing{c}))
		machinetest.WantEffects(t, m.Step(&ListingStarted{c}), Effect(&SendLater{time.Minute, &listingDue{c}}))
		machinetest.WantKinds(t, m.Step(&engine.DownloadSeen{GUID: "h", State: "canceled", At: machinetest.Noon}), "PublishEvent")
		machinetest.WantKinds(t, m.Step(&engine.DownloadSeen{GUID: "g", State: "canceled", At: machinetest.Noon}), "PublishEvent AnswerCall")
		machinetest.WantEffects(t, m.Step(&listingDue{c}))
	})
	t.Run("as long as it was asked to", func(t *testing.T) {
		m := downloading(t)
		c := listing(time.Second)
		m.Step(&ListingStarted{c})
		if got := answerOf(t, m.Step(&listingDue{c})); got.Running != 1 {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("unless its caller gives up", func(t *testing.T) {
		m := downloading(t)
		c := listing(time.Second)
		m.Step(&ListingStarted{c})
		m.Step(&call.Withdraw{Call: c})
		machinetest.WantEffects(t, m.Step(&listingDue{c}))
		machinetest.WantKinds(t, m.Step(&engine.DownloadSeen{GUID: "g", State: "canceled", At: machinetest.Noon}), "PublishEvent")
	})
	t.Run("for nothing where nothing runs", func(t *testing.T) {
		m := browserWith(t, nil)
		if got := answerOf(t, m.Step(&ListingStarted{listing(time.Minute)})); len(got.Downloads) != 0 {
			t.Errorf("got %+v", got)
		}
	})
}

func TestBrowserMachine_DownloadsBelongToPages(t *testing.T) {
	m := downloading(t)
	m.Step(&engine.DownloadSeen{GUID: "frame", Frame: "a child frame", At: machinetest.Noon.Add(time.Second)})
	m.Step(&page.DownloadSourced{GUID: "frame", Page: "pg_1", Operation: "op_7"})
	m.Step(&page.DownloadSourced{GUID: "gone", Page: "pg_9"})
	got := answerOf(t, m.Step(&Call{Call: listing(0)}))
	if len(got.Downloads) != 2 || got.Downloads[1].PageID != "pg_1" || got.Downloads[1].OperationID != "op_7" {
		t.Errorf("got %+v", got.Downloads)
	}
	other := call.New(t.Context(), messages.Caller{ID: "other", Grants: messages.DefaultGrants()}, &messages.ListDownloads{BrowserID: "br"}, kernel.NewMint(), machinetest.Noon)
	if got := answerOf(t, m.Step(&Call{Call: other})); len(got.Downloads) != 0 {
		t.Errorf("another caller sees %+v", got.Downloads)
	}
	if got := m.witness("pg_1", machinetest.Noon.Add(time.Millisecond)).Downloads; len(got) != 1 || got[0].OperationID != "op_7" {
		t.Errorf("the witness saw %+v", got)
	}
}

func TestBrowserMachine_CancelAndClearDownloads(t *testing.T) {
	m := downloading(t)
	asked := func(command messages.Command) *call.Call {
		return call.New(t.Context(), machinetest.Operator, command, kernel.NewMint(), machinetest.Noon)
	}
	cancel := asked(&messages.CancelDownload{BrowserID: "br", DownloadID: "dl_1"})
	machinetest.WantEffects(t, m.Step(&Call{Call: cancel}), Effect(&cancelDownload{call: cancel, guid: "g"}))
	m.Step(&engine.DownloadSeen{GUID: "g", State: "canceled", At: machinetest.Noon})
	for _, id := range []messages.DownloadID{"dl_1", "dl_2"} {
		refused := machinetest.One[*FailCall](t, m.Step(&Call{Call: asked(&messages.CancelDownload{BrowserID: "br", DownloadID: id})}))
		if refused.Err.Code != messages.CodeInvalidRequest {
			t.Errorf("%s: %v", id, refused.Err)
		}
	}
	first, second := asked(&messages.ClearDownloads{BrowserID: "br"}), asked(&messages.ClearDownloads{BrowserID: "br"})
	ended := []downloads.Ended{{GUID: "g", Name: "g"}}
	machinetest.WantEffects(t, m.Step(&Call{Call: first}), Effect(&removeFiles{first, ended}))
	machinetest.WantEffects(t, m.Step(&Call{Call: second})) // the files have one runner at a time
	receipt := &messages.Receipt{ExecutionState: messages.Completed}
	effects := m.Step(&filesDone{call: first, receipt: receipt, removed: ended})
	machinetest.WantEffects(t, effects, Effect(&FinishCall{first, receipt}), Effect(&removeFiles{second, nil}))
}

// What cannot be tracked is cancelled (R133).
func TestBrowserMachine_TooManyDownloads(t *testing.T) {
	m := browserWith(t, nil)
	for i := range messages.DownloadsTrackedMax {
		m.Step(&engine.DownloadSeen{GUID: fmt.Sprint(i), Frame: "T1", At: machinetest.Noon})
	}
	machinetest.WantEffects(t, m.Step(&engine.DownloadSeen{GUID: "more", Frame: "T1", At: machinetest.Noon}), Effect(&cancelDownload{guid: "more"}))
}

// A restart of the browser's actor keeps the records: the files are still there.
func TestBrowserMachine_DownloadsOutliveARestart(t *testing.T) {
	spec := &Spec{Env: &kernel.Environment{Config: kernel.Config{StateDir: t.TempDir()}.WithDefaults()}, ID: "br",
		Launch: &messages.Launch{}, Call: machinetest.CallOf(&messages.Launch{}), Memory: NewBrowserMemory(machinetest.Agent)}
	NewMachine(spec).Step(&engine.DownloadSeen{GUID: "g", At: machinetest.Noon})
	if list, _ := NewMachine(spec).downloads.book.List(downloads.Filter{}); len(list) != 1 {
		t.Errorf("%d records after a restart", len(list))
	}
}
