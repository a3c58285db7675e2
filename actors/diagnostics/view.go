package diagnostics

import (
	"encoding/json"

	"github.com/troupe-browser/troupe/messages"
)

// View says who asks.
type View struct {
	// Operator sees query strings and every redirected hop, and of the console
	// what came since the last navigation unless it names a cursor. A model sees
	// neither of the first two and the whole console with its marks (C4, C20, C21).
	Operator bool
}

// checkCursor refuses a cursor that the stream has not reached (R144).
func checkCursor(since, cursor uint64) *messages.Error {
	if since > cursor {
		return messages.NewError(messages.CodeInvalidDiagnosticsCursor, "")
	}
	return nil
}

// newest returns the newest of the entries that are within limit and
// DiagnosticsBytesMax as JSON, in their order, and whether any were left out.
func newest[T any](entries []T, limit int) ([]T, bool) {
	first, bytes := len(entries), 0
	for first > 0 && len(entries)-first < limit {
		data, err := json.Marshal(entries[first-1])
		if err != nil {
			break // entries are structs of texts, numbers and times: see messages
		}
		if bytes += len(data) + 1; bytes > messages.DiagnosticsBytesMax {
			break
		}
		first--
	}
	return entries[first:], first > 0
}

// limitOf returns the filter's limit within the view's bound.
func limitOf(filter messages.DiagnosticsFilter, bound int) int {
	if filter.Limit <= 0 || filter.Limit > bound {
		return bound
	}
	return filter.Limit
}
