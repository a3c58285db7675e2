package journal

import "github.com/troupe-browser/troupe/messages"

// journalMachine numbers events and keeps the latest of them. For every
// subscriber it knows how many events it missed, so that a gap is always marked and
// never silent.
type journalMachine struct {
	next  uint64
	ring  []messages.Event
	first int // the oldest event's place in ring, once it is full
	// missed counts, by subscriber, the events that found its buffer full.
	missed map[uint64]int
}

func newJournalMachine() *journalMachine {
	return &journalMachine{missed: make(map[uint64]int)}
}

// record numbers the event, keeps it and returns it.
func (m *journalMachine) record(e messages.Event) messages.Event {
	m.next++
	e.Sequence = m.next
	if len(m.ring) < messages.JournalEventsMax {
		m.ring = append(m.ring, e)
		return e
	}
	m.ring[m.first] = e
	m.first = (m.first + 1) % len(m.ring)
	return e
}

// since returns copies of the kept events after a sequence number, oldest first.
// When older ones are gone already the first is a gap mark.
func (m *journalMachine) since(sequence uint64) []messages.Event {
	oldest := m.next - uint64(len(m.ring)) + 1
	var out []messages.Event
	if sequence+1 < oldest {
		out = append(out, gapMark(int(oldest-sequence-1), oldest-1))
	}
	for i := range m.ring {
		if e := m.ring[(m.first+i)%len(m.ring)]; e.Sequence > sequence {
			out = append(out, e)
		}
	}
	return out
}

// due returns what a subscriber with room for free events is to get for e: nothing
// when the buffer is full, the gap mark and e when it had been, else e alone. A gap
// mark needs room beside it.
func (m *journalMachine) due(subscriber uint64, free int, e messages.Event) []messages.Event {
	missed := m.missed[subscriber]
	if free < 1 || missed > 0 && free < 2 {
		m.missed[subscriber] = missed + 1
		return nil
	}
	if missed == 0 {
		return []messages.Event{e}
	}
	delete(m.missed, subscriber)
	return []messages.Event{gapMark(missed, e.Sequence-1), e}
}

// forget drops a subscriber.
func (m *journalMachine) forget(subscriber uint64) { delete(m.missed, subscriber) }

func gapMark(count int, sequence uint64) messages.Event {
	return messages.Event{Sequence: sequence, Kind: messages.EventGap, Count: count}
}
