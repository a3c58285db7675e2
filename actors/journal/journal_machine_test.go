package journal

import (
	"fmt"
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

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
