package diagnostics

import (
	"slices"
	"strings"
	"time"

	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/internal/cut"
	"github.com/troupe-browser/troupe/messages"
)

// NetworkLedger is what is known of the requests of one page (R135-R143, C4).
//
// It keeps at most NetworkRecordsMax records and ledgerBytesMax bytes of their
// text; the oldest go first and leave the gap marked. The zero value is not
// usable; see NewNetworkLedger. It has one owner and is not safe for concurrent use.
type NetworkLedger struct {
	storeHeaders bool

	stream  *changeCount
	minted  uint64 // chains so far
	records []*record
	chains  map[string]*chain
	bytes   int
	early   []earlyExtra

	windows    windows
	background background

	requests int    // since the last Clear
	failures int    // since the last Clear
	lost     uint64 // events that never came, since the last Clear
	evicted  uint64 // records that went at the bound, since the last Clear
}

// NewNetworkLedger returns an empty ledger. storeHeaders says that the page was
// opened under browser:inspect; without it no header is ever stored (C3).
func NewNetworkLedger(storeHeaders bool) *NetworkLedger {
	return &NetworkLedger{storeHeaders: storeHeaders, stream: &changeCount{}, chains: make(map[string]*chain)}
}

// Fold takes in one event of the lossy lane, which came at the given time. An
// event that is not about the network, or that cannot be read, changes nothing.
// It reports whether the failure count changed, which is to be made known, since
// nothing else would say so (R142).
func (l *NetworkLedger) Fold(e cdp.Event, at time.Time) bool {
	before := l.failures
	switch e.Method {
	case "Network.requestWillBeSent":
		l.sent(e, at)
	case "Network.responseReceived":
		l.response(e)
	case "Network.dataReceived":
		l.data(e)
	case "Network.loadingFinished":
		l.finished(e)
	case "Network.loadingFailed":
		l.loadingFailed(e)
	case "Network.requestWillBeSentExtraInfo":
		l.extra(e, false)
	case "Network.responseReceivedExtraInfo":
		l.extra(e, true)
	case "Network.webSocketCreated":
		l.socketCreated(e, at)
	case "Network.webSocketHandshakeResponseReceived":
		l.socketHandshake(e)
	case "Network.webSocketClosed", "Network.webSocketFrameError":
		l.socketClosed(e)
	}
	return l.failures != before
}

// Lost marks that the lane dropped n events before the next one (R145).
func (l *NetworkLedger) Lost(n uint64) { l.lost += n }

// gap reports whether anything was lost since the last Clear.
func (l *NetworkLedger) gap() bool { return l.lost > 0 || l.evicted > 0 }

// Begin opens the time of an operation: requests made from now on belong to it
// unless they are known to come by themselves.
func (l *NetworkLedger) Begin(operation messages.OperationID, at time.Time) {
	l.windows.begin(operation, at)
}

// End closes the time of an operation. An operation that was not begun, or whose
// beginning is forgotten, changes nothing.
func (l *NetworkLedger) End(operation messages.OperationID, at time.Time) {
	l.windows.end(operation, at)
}

// Navigated says that the main frame shows another document: what came by itself
// in the old one is forgotten. The records stay (R137).
func (l *NetworkLedger) Navigated() { l.background.forget() }

// Background returns the keys of the requests that come while no effect runs, for
// target.Page.Background. The map is the caller's.
func (l *NetworkLedger) Background() map[string]struct{} { return l.background.keys() }

// BackgroundVersion changes whenever Background does.
func (l *NetworkLedger) BackgroundVersion() uint64 { return l.background.version }

// StoreHeaders changes whether headers of coming events are stored, when the page
// is given to another caller before it is used (C3).
func (l *NetworkLedger) StoreHeaders(store bool) { l.storeHeaders = store }

// Clear empties the ledger, its counts and its gap mark. The cursor goes on, so
// that no cursor is ever used again, and a request that still runs is forgotten.
func (l *NetworkLedger) Clear() {
	l.records, l.early, l.bytes = nil, nil, 0
	l.chains = make(map[string]*chain)
	l.requests, l.failures, l.lost, l.evicted = 0, 0, 0, 0
}

func (l *NetworkLedger) sent(e cdp.Event, at time.Time) {
	var sent requestWillBeSent
	if e.Decode(&sent) != nil || sent.RequestID == "" {
		return
	}
	made := clock(sent.WallTime, at)
	operation := l.attribute(&sent, made)
	c := l.chains[sent.RequestID]
	if c != nil && sent.Redirect != nil {
		operation = c.newest().operation
		l.redirected(c, &sent, e)
		l.chains[sent.RequestID] = c // also when its last hop has just been evicted
	} else {
		c = l.mint(sent.RequestID)
	}
	c.session = e.Session
	l.add(c, &record{
		at: made, started: sent.Timestamp, pending: true, operation: operation,
		method: cutTo(sent.Request.Method, methodBytesMax),
		kind:   kindOf(sent.Type),
	}, sent.Request.URL)
	if l.storeHeaders {
		l.sentHeaders(c, e)
	}
}

// attribute returns the operation that the request belongs to, or learns that it
// came while none ran.
func (l *NetworkLedger) attribute(sent *requestWillBeSent, made time.Time) messages.OperationID {
	operation, during := l.windows.at(made)
	switch {
	case !during:
		if sent.Redirect == nil {
			l.background.saw(sent.Key())
		}
		return ""
	case l.background.knows(sent.Key()):
		return ""
	}
	return operation
}

// redirected ends the newest hop of a chain with the answer that sent it on. At
// hopsMax the hop is kept as it was and the next one takes its place.
func (l *NetworkLedger) redirected(c *chain, sent *requestWillBeSent, e cdp.Event) {
	r := c.newest()
	r.pending, r.redirect = false, true
	r.status = int(count(sent.Redirect.Status))
	r.encoded = count(sent.Redirect.Encoded)
	r.ms = took(r.started, sent.Timestamp)
	if l.storeHeaders && !r.rawResponse {
		var headers sentHeaders
		if e.Decode(&headers) == nil && headers.Redirect != nil {
			r.responseHeaders = boundHeaders(headers.Redirect.Headers)
		}
	}
	l.changed(r)
	if len(c.records) >= hopsMax {
		l.drop(c.records[0])
	}
}

// mint starts a new chain. A protocol id that comes again without a redirect, as
// after a restart of the renderer, means a new request.
func (l *NetworkLedger) mint(protocol string) *chain {
	l.minted++
	c := &chain{number: l.minted, protocol: protocol}
	l.chains[protocol] = c
	return c
}

func (l *NetworkLedger) add(c *chain, r *record, url string) {
	r.url, r.urlCut = cut.Chars(url, messages.NetworkURLCharsMax)
	c.hops++
	r.chain, r.hop = c, c.hops
	c.records = append(c.records, r)
	l.records = append(l.records, r)
	l.requests++
	l.changed(r)
	for len(l.records) > messages.NetworkRecordsMax {
		l.evict()
	}
}

// changed gives the record the next cursor and keeps the ledger within its bytes.
func (l *NetworkLedger) changed(r *record) {
	r.cursor = l.stream.next()
	l.account(r)
}

// account counts the record's text and evicts while there is too much of it. The
// newest record always stays.
func (l *NetworkLedger) account(r *record) {
	l.bytes += r.measure()
	for l.bytes > ledgerBytesMax && len(l.records) > 1 {
		l.evict()
	}
}

// evict drops the oldest record and marks the gap.
func (l *NetworkLedger) evict() {
	l.drop(l.records[0])
}

func (l *NetworkLedger) drop(r *record) {
	i := slices.Index(l.records, r)
	if i == 0 {
		l.records[0] = nil
		l.records = l.records[1:]
	} else if i > 0 {
		l.records = slices.Delete(l.records, i, i+1)
	}
	l.bytes -= r.bytes
	l.evicted++
	c := r.chain
	c.records = slices.DeleteFunc(c.records, func(other *record) bool { return other == r })
	if len(c.records) == 0 && l.chains[c.protocol] == c {
		delete(l.chains, c.protocol)
	}
}

// current returns the newest record of a protocol id, or nil when the ledger does
// not hold it: it was cleared, evicted, or its beginning was lost (R138).
func (l *NetworkLedger) current(protocol string, session cdp.SessionID) *record {
	c := l.chains[protocol]
	if c == nil {
		return nil
	}
	c.session = session
	return c.newest()
}

// update changes a record and counts it when it has just become a failed one.
func (l *NetworkLedger) update(r *record, change func()) {
	before := r.failed()
	change()
	if !before && r.failed() {
		l.failures++
	}
	l.changed(r)
}

func (l *NetworkLedger) response(e cdp.Event) {
	var got responseReceived
	if e.Decode(&got) != nil {
		return
	}
	r := l.current(got.RequestID, e.Session)
	if r == nil {
		return
	}
	l.update(r, func() {
		r.status = int(count(got.Response.Status))
		if got.Type != "" {
			r.kind = kindOf(got.Type)
		}
		if l.storeHeaders && !r.rawResponse {
			var headers receivedHeaders
			if e.Decode(&headers) == nil {
				r.responseHeaders = boundHeaders(headers.Response.Headers)
			}
		}
	})
}

// data adds up bytes. It moves no cursor: a large body would do it thousands of
// times and say nothing new.
func (l *NetworkLedger) data(e cdp.Event) {
	var got dataReceived
	if e.Decode(&got) != nil {
		return
	}
	if r := l.current(got.RequestID, e.Session); r != nil && r.pending {
		r.decoded += count(got.Decoded)
		r.encoded += count(got.Encoded)
	}
}

func (l *NetworkLedger) finished(e cdp.Event) {
	var got loadingFinished
	if e.Decode(&got) != nil {
		return
	}
	r := l.current(got.RequestID, e.Session)
	if r == nil || !r.pending {
		return
	}
	l.update(r, func() {
		r.pending = false
		r.ms = took(r.started, got.Timestamp)
		r.encoded = max(r.encoded, count(got.Encoded))
	})
}

func (l *NetworkLedger) loadingFailed(e cdp.Event) {
	var got loadingFailed
	if e.Decode(&got) != nil {
		return
	}
	r := l.current(got.RequestID, e.Session)
	if r == nil || !r.pending {
		return
	}
	l.update(r, func() {
		r.pending = false
		r.reason = cutTo(got.reason(), reasonBytesMax)
		r.ms = took(r.started, got.Timestamp)
		if got.Type != "" {
			r.kind = kindOf(got.Type)
		}
	})
}

func kindOf(kind string) string { return strings.ToLower(cutTo(kind, typeBytesMax)) }

func cutTo(s string, limit int) string {
	s, _ = cut.Bytes(s, limit)
	return s
}

// firstOf sorts names and returns the first of them.
func firstOf(names []string, limit int) []string {
	slices.Sort(names)
	return names[:min(len(names), limit)]
}
