package diagnostics

import (
	"cmp"
	"slices"
	"time"

	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// changeCount counts the changes of the ledgers of one page together, so that a cursor of
// one means the same for the other and for both.
type changeCount struct{ cursor uint64 }

func (s *changeCount) next() uint64 {
	s.cursor++
	return s.cursor
}

// Page is both ledgers of one page, as their owner drives them.
type Page struct {
	Network *NetworkLedger
	Console *ConsoleRing
}

// NewPage returns empty ledgers; storeHeaders as for NewNetworkLedger.
func NewPage(storeHeaders bool) *Page {
	network := NewNetworkLedger(storeHeaders)
	return &Page{Network: network, Console: &ConsoleRing{stream: network.stream}}
}

// Resume goes on behind ledgers that are lost, so that no cursor and no request_id
// is used twice, and marks the gap (R145).
func (p *Page) Resume(network, console uint64) {
	// A chain is minted with at least one change, so the cursor is never behind it.
	p.Network.stream.cursor = max(network, console)
	p.Network.minted = network
	p.Network.Lost(1)
	p.Console.Lost(1)
}

// Fold takes in a batch of the lossy lane that came at the given time. dropped
// events were lost right before it; of which ledger is not known, so both are
// marked. It reports whether a count of the page's summary changed (R142, R143).
func (p *Page) Fold(batch []cdp.Event, dropped uint64, at time.Time) bool {
	p.Network.Lost(dropped)
	p.Console.Lost(dropped)
	changed := false
	for _, e := range batch {
		if p.Network.Fold(e, at) || p.Console.Fold(e, at) {
			changed = true
		}
	}
	return changed
}

// Navigated says that the main frame shows another document, at the place seq in
// the stream of the connection (C20).
func (p *Page) Navigated(seq uint64, url string, at time.Time) {
	p.Network.Navigated()
	p.Console.Navigated(seq, url, at)
}

// NavigatedWithin says that the main frame changed its address and kept its
// document, at the place seq in the stream of the connection (C20).
func (p *Page) NavigatedWithin(seq uint64, url string, at time.Time) {
	p.Console.NavigatedWithin(seq, url, at)
}

// Clear is clear_diagnostics: both ledgers are emptied with their counts and gap
// marks. What is folded afterwards is new (R144, R145).
func (p *Page) Clear() {
	p.Network.Clear()
	p.Console.Clear()
}

// Counted returns the figures of both ledgers without entries (R143).
func (p *Page) Counted() *messages.Diagnostics {
	network, console := p.Network.Counts(), p.Console.Counts()
	return &messages.Diagnostics{
		Cursor:        network.Cursor,
		ConsoleCursor: console.Cursor, NetworkCursor: network.Cursor,
		ConsoleEntries: console.Entries, ConsoleErrors: console.Errors,
		Requests: network.Requests, FailedRequests: network.Failed, Pending: network.Pending,
		Gap: network.Gap || console.Gap,
		// Lost events are counted in both ledgers and were lost once.
		DroppedEvents: network.Lost + network.Evicted + console.Evicted,
	}
}

// Diagnostics answers GetDiagnostics: the newest entries of both ledgers that match,
// by their cursors, at most NetworkShownMax and DiagnosticsBytesMax (R144). The error
// is invalid_diagnostics_cursor.
func (p *Page) Diagnostics(filter messages.DiagnosticsFilter, view View) (*messages.Diagnostics, *messages.Error) {
	out := p.Counted()
	if err := checkCursor(filter.SinceCursor, out.Cursor); err != nil {
		return nil, err
	}
	entries := []messages.DiagnosticsEntry{}
	if filter.Status == "" && filter.Method == "" && len(filter.Types) == 0 && !filter.Failed {
		for _, l := range p.Console.matching(filter, view) {
			entries = append(entries, messages.DiagnosticsEntry{Cursor: l.Cursor, Console: &l.ConsoleEntry})
		}
	}
	if filter.Level == "" {
		for _, r := range p.Network.matching(filter, view) {
			entries = append(entries, messages.DiagnosticsEntry{Cursor: r.Cursor, Request: &r})
		}
	}
	slices.SortFunc(entries, func(a, b messages.DiagnosticsEntry) int { return cmp.Compare(a.Cursor, b.Cursor) })
	out.Entries, out.Truncated = newest(entries, limitOf(filter, messages.NetworkShownMax))
	return out, nil
}
