package diagnostics

import (
	"fmt"
	"strings"
	"time"

	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/internal/cut"
	"github.com/troupe-browser/troupe/messages"
)

// record is one hop of one request.
type record struct {
	chain *chain
	hop   int // counted from 1
	// cursor is the ledger's cursor at the record's last change.
	cursor  uint64
	at      time.Time
	started float64 // the browser's monotonic clock, seconds

	method string
	url    string
	urlCut bool
	kind   string // the engine's resource type in lower case

	status   int
	reason   string // why loading failed, empty when it did not
	pending  bool
	redirect bool // the server sent the request on to the next hop
	encoded  int64
	decoded  int64
	ms       int

	operation messages.OperationID

	requestHeaders  map[string]string
	responseHeaders map[string]string
	rawRequest      bool // requestHeaders are what went over the wire
	rawResponse     bool

	// bytes is the text that the record keeps, as the ledger's bound counts it.
	bytes int
}

// id returns the record's id: that of its chain, and for a hop that was
// redirected its number too, so that each hop can be asked for while the chain's
// id always means the newest (R138).
func (r *record) id() messages.RequestID {
	if r.redirect {
		return messages.RequestID(fmt.Sprintf("req_%d.%d", r.chain.number, r.hop))
	}
	return messages.RequestID(fmt.Sprintf("req_%d", r.chain.number))
}

// failed reports whether the request counts as failed (R142).
func (r *record) failed() bool { return r.reason != "" || r.status >= 400 }

// visible returns the URL as the reader may see it.
func (r *record) visible(view View) string {
	if view.Operator {
		return r.url
	}
	return VisibleURL(r.url)
}

func (r *record) entry(view View) messages.NetworkEntry {
	return messages.NetworkEntry{
		Cursor: r.cursor, RequestID: r.id(), At: r.at,
		Method: r.method, URL: r.visible(view), URLCut: r.urlCut, Type: r.kind,
		Status: r.status, Failed: r.failed(), Failure: r.reason,
		Pending: r.pending, Redirect: r.redirect,
		Bytes: r.encoded, MS: r.ms, OperationID: r.operation,
	}
}

// measure counts the record's text and returns by how much it grew.
func (r *record) measure() int {
	size := len(r.url) + len(r.method) + len(r.kind) + len(r.reason) + len(r.operation)
	for _, headers := range []map[string]string{r.requestHeaders, r.responseHeaders} {
		for name, value := range headers {
			size += len(name) + len(value)
		}
	}
	grown := size - r.bytes
	r.bytes = size
	return grown
}

// chain is one request of the protocol with all its redirect hops.
type chain struct {
	number   uint64
	protocol string
	// session is the one that spoke of the request last; it holds the body.
	session cdp.SessionID
	// records are the hops that the ledger still holds, oldest first.
	records []*record
	hops    int
}

func (c *chain) newest() *record { return c.records[len(c.records)-1] }

// boundHeaders returns a copy with lower-case names within the bounds of R141.
// Of too many headers those first in the alphabet are kept, so that the choice
// does not change from one look to the next.
func boundHeaders(headers map[string]string) map[string]string {
	names := make([]string, 0, len(headers))
	for name := range headers {
		names = append(names, name)
	}
	names = firstOf(names, messages.NetworkHeadersMax)
	out := make(map[string]string, len(names))
	for _, name := range names {
		value, _ := cut.Chars(headers[name], messages.NetworkHeaderCharsMax)
		short, _ := cut.Chars(strings.ToLower(name), headerNameCharsMax)
		out[short] = value
	}
	return out
}
