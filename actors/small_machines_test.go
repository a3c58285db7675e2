package actors

import (
	"fmt"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/messages"
)

func TestSupervision_Budgets(t *testing.T) {
	at := func(seconds int) time.Time { return noon.Add(time.Duration(seconds) * time.Second) }
	for name, c := range map[string]struct {
		budget  budget
		earlier []time.Time
		at      time.Time
		ending  bool
		want    directive
		keep    int
	}{
		"first":                    {pageBudget, nil, at(0), false, restart, 1},
		"third in the window":      {pageBudget, []time.Time{at(0), at(1)}, at(2), false, restart, 3},
		"fourth in the window":     {pageBudget, []time.Time{at(0), at(1), at(2)}, at(9), false, stop, 3},
		"fourth, the first is old": {pageBudget, []time.Time{at(0), at(1), at(2)}, at(10), false, restart, 3},
		"browser's third":          {browserBudget, []time.Time{at(0), at(30)}, at(59), false, stop, 2},
		"browser's third, later":   {browserBudget, []time.Time{at(0), at(30)}, at(60), false, restart, 2},
		"ending already":           {pageBudget, nil, at(0), true, stop, 0},
	} {
		got, recent := c.budget.decide(c.earlier, c.at, c.ending)
		if got != c.want || len(recent) != c.keep {
			t.Errorf("%s: directive %d with %d to remember, want %d with %d", name, got, len(recent), c.want, c.keep)
		}
	}
}

// An id is good once for ever, whatever becomes of it and wherever it comes again
// (R153, R154, R157).
func TestLedger_SpendsOnce(t *testing.T) {
	m := newLedgerMachine(false)
	m.perBrowserMax, m.totalMax = 3, 5
	code := func(e *messages.Error) messages.Code {
		if e == nil {
			return ""
		}
		return e.Code
	}
	for i, c := range []struct {
		browser         messages.BrowserID
		id              messages.OperationID
		minted, looksIt bool
		want            messages.Code
	}{
		{"a", "one", false, false, ""},
		{"a", "one", false, false, messages.CodeOperationIDSpent},
		{"b", "one", false, false, messages.CodeOperationIDSpent},
		{"a", "op_x_1", true, true, ""},
		{"b", "op_x_1", false, true, messages.CodeOperationIDSpent},
		{"a", "two", false, false, ""},
		{"a", "three", false, false, messages.CodeOperationLedgerFull},
		{"a", "op_x_2", true, true, messages.CodeOperationLedgerFull},
		{"b", "three", false, false, ""},
		{"b", "four", false, false, ""},
		{"c", "five", false, false, ""},
		{"c", "six", false, false, messages.CodeOperationLedgerFull},
	} {
		if got := code(m.spend(c.browser, c.id, c.minted, c.looksIt)); got != c.want {
			t.Errorf("step %d: %q, want %q", i, got, c.want)
		}
	}
	strict := newLedgerMachine(true)
	if got := code(strict.spend("a", "op_x_1", true, true)); got != messages.CodeOperationIDRequired {
		t.Errorf("without an id of the caller's: %q", got)
	}
}

func TestJournal_RingMarksWhatIsGone(t *testing.T) {
	m := newJournalMachine()
	for range messages.JournalEventsMax + 10 {
		m.record(messages.Event{Kind: messages.EventPageOpened})
	}
	all := m.since(0)
	if len(all) != messages.JournalEventsMax+1 || all[0].Kind != messages.EventGap || all[0].Count != 10 || all[0].Sequence != 10 || all[1].Sequence != 11 {
		t.Errorf("%d events, the first %+v", len(all), all[0])
	}
	last := m.since(messages.JournalEventsMax + 8)
	if len(last) != 2 || last[1].Sequence != messages.JournalEventsMax+10 {
		t.Errorf("the last are %+v", last)
	}
}

// A slow subscriber misses events and is told how many, in their place.
func TestJournal_SubscribersGetGapMarks(t *testing.T) {
	m := newJournalMachine()
	event := func() messages.Event { return m.record(messages.Event{Kind: messages.EventPageOpened}) }
	var got []string
	for _, free := range []int{2, 1, 0, 0, 1, 2, 1} {
		for _, e := range m.due(7, free, event()) {
			got = append(got, fmt.Sprintf("%s/%d/%d", e.Kind, e.Sequence, e.Count))
		}
	}
	want := "[page_opened/1/0 page_opened/2/0 gap/5/3 page_opened/6/0 page_opened/7/0]"
	if fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
}
