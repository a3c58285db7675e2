package diagnostics

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// Entries answers a question about the ledger: the newest records that match,
// oldest first, at most NetworkShownMax and DiagnosticsBytesMax (R141, R144).
// SinceCursor leaves out what has not changed since, so that a request whose
// answer came later is shown again. The error is invalid_diagnostics_cursor.
func (l *NetworkLedger) Entries(filter messages.DiagnosticsFilter, view View) (*messages.NetworkEntries, *messages.Error) {
	if err := checkCursor(filter.SinceCursor, l.stream.cursor); err != nil {
		return nil, err
	}
	entries := l.matching(filter, view)
	kept, cut := newest(entries, limitOf(filter, messages.NetworkShownMax))
	return &messages.NetworkEntries{Entries: kept, Cursor: l.stream.cursor, Gap: l.gap(), Truncated: cut}, nil
}

// matching returns the records that match, oldest first.
func (l *NetworkLedger) matching(filter messages.DiagnosticsFilter, view View) []messages.NetworkEntry {
	entries := []messages.NetworkEntry{}
	for _, r := range l.records {
		if r.matches(filter, view) {
			entries = append(entries, r.entry(view))
		}
	}
	return entries
}

func (r *record) matches(filter messages.DiagnosticsFilter, view View) bool {
	switch {
	case r.cursor <= filter.SinceCursor,
		r.redirect && !view.Operator,
		filter.Failed && !r.failed(),
		filter.Method != "" && !strings.EqualFold(filter.Method, r.method),
		filter.Status != "" && !statusMatches(filter.Status, r.status),
		filter.Text != "" && !containsFold(r.visible(view), filter.Text),
		len(filter.Types) > 0 && !slices.ContainsFunc(filter.Types, func(kind string) bool { return strings.EqualFold(kind, r.kind) }):
		return false
	}
	return true
}

// statusMatches compares a status with "404" or "4xx".
func statusMatches(want string, status int) bool {
	have := strconv.Itoa(status)
	if class, ok := strings.CutSuffix(want, "xx"); ok {
		return len(have) == 3 && have[:1] == class
	}
	return have == want
}

// Body is what has to be known to read a body live: the request's id in the
// protocol, the session that holds it, and how large it is. It stays inside the
// runtime (R4).
type Body struct {
	Session  cdp.SessionID
	Protocol string
	// Encoded and Decoded are the bytes over the wire and after decompression, as
	// far as events of them came.
	Encoded, Decoded int64
	Pending          bool
	// None says why there is no body to read, or is empty.
	None string
}

// Detail answers a question about one record: its headers where they are stored,
// and where its body is to be found (R139). The id of a chain means its newest
// hop; "req_3.1" is the first hop of the third, once that was redirected. The
// error is browser_invalid_request.
func (l *NetworkLedger) Detail(id messages.RequestID, view View) (*messages.NetworkDetail, Body, *messages.Error) {
	i := slices.IndexFunc(l.records, func(r *record) bool { return r.id() == id })
	if i < 0 {
		return nil, Body{}, messages.NewError(messages.CodeInvalidRequest,
			"The network ledger holds no such request_id: it was never given, or has gone from the ledger since.")
	}
	r := l.records[i]
	body := Body{
		Session: r.chain.session, Protocol: r.chain.protocol,
		Encoded: r.encoded, Decoded: r.decoded, Pending: r.pending,
	}
	switch {
	case r.redirect:
		body.None = "a redirected request has no body of its own"
	case r.kind == "websocket":
		body.None = "a web socket has no body"
	case r.reason != "":
		body.None = "loading failed"
	}
	return &messages.NetworkDetail{
		NetworkEntry:    r.entry(view),
		RequestHeaders:  maps.Clone(r.requestHeaders),
		ResponseHeaders: maps.Clone(r.responseHeaders),
		HeadersStored:   l.storeHeaders,
	}, body, nil
}

// Counts are the ledger's figures since the last Clear (R143).
type Counts struct {
	Cursor   uint64
	Requests int
	Failed   int
	Pending  int
	// Lost counts events that the lane dropped, Evicted records that went at the
	// ledger's bound. Gap says that there are any.
	Lost    uint64
	Evicted uint64
	Gap     bool
}

// Counts returns the figures. Pending counts the records that are still held.
func (l *NetworkLedger) Counts() Counts {
	pending := 0
	for _, r := range l.records {
		if r.pending {
			pending++
		}
	}
	return Counts{Cursor: l.stream.cursor, Requests: l.requests, Failed: l.failures, Pending: pending, Lost: l.lost, Evicted: l.evicted, Gap: l.gap()}
}
