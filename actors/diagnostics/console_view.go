package diagnostics

import (
	"slices"

	"github.com/troupe-browser/troupe/messages"
)

// Entries answers a question about the console: the newest entries that match, in
// the order of the stream, at most ConsoleEntriesMax and DiagnosticsBytesMax
// (R144). A navigation mark is shown where neither level nor text is asked for.
// The error is invalid_diagnostics_cursor.
func (c *ConsoleRing) Entries(filter messages.DiagnosticsFilter, view View) (*messages.ConsoleEntries, *messages.Error) {
	if err := checkCursor(filter.SinceCursor, c.changes().cursor); err != nil {
		return nil, err
	}
	matching := c.matching(filter, view)
	slices.SortStableFunc(matching, func(a, b line) int {
		switch {
		case a.seq < b.seq:
			return -1
		case a.seq > b.seq:
			return 1
		}
		return 0
	})
	entries := make([]messages.ConsoleEntry, 0, len(matching))
	for _, l := range matching {
		entries = append(entries, l.ConsoleEntry)
	}
	kept, cut := newest(entries, limitOf(filter, messages.ConsoleEntriesMax))
	return &messages.ConsoleEntries{Entries: kept, Cursor: c.changes().cursor, Gap: c.gap(), Truncated: cut}, nil
}

// matching returns the lines that match, in the order in which they came.
func (c *ConsoleRing) matching(filter messages.DiagnosticsFilter, view View) []line {
	matching := []line{}
	for _, l := range c.lines {
		if c.matches(l, filter, view) {
			matching = append(matching, l)
		}
	}
	return matching
}

func (c *ConsoleRing) matches(l line, filter messages.DiagnosticsFilter, view View) bool {
	switch {
	case l.Cursor <= filter.SinceCursor,
		view.Operator && filter.SinceCursor == 0 && l.seq < c.navigated,
		l.Kind == kindNavigation && (filter.Level != "" || filter.Text != ""),
		filter.Level != "" && filter.Level != l.Level,
		filter.Text != "" && !containsFold(l.Text, filter.Text):
		return false
	}
	return true
}

// ConsoleCounts are the ring's figures.
type ConsoleCounts struct {
	Cursor  uint64
	Entries int
	// Errors counts since the last Clear; DocumentErrors those of the document
	// that is shown, as far as the ring still holds them.
	Errors         int
	DocumentErrors int
	// Lost counts events that the lane dropped, Evicted entries that went at the
	// ring's bound. Gap says that there are any.
	Lost    uint64
	Evicted uint64
	Gap     bool
}

// Counts returns the figures (R143).
func (c *ConsoleRing) Counts() ConsoleCounts {
	document := 0
	for _, l := range c.lines {
		if l.Level == levelError && l.seq >= c.navigated {
			document++
		}
	}
	return ConsoleCounts{Cursor: c.changes().cursor, Entries: len(c.lines), Errors: c.errors, DocumentErrors: document, Lost: c.lost, Evicted: c.evicted, Gap: c.gap()}
}
