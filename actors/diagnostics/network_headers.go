package diagnostics

import (
	"slices"

	"github.com/troupe-browser/troupe/cdp"
)

// earlyExtra are raw request headers that came before their request: the browser
// promises no order between the two.
type earlyExtra struct {
	protocol string
	headers  map[string]string
}

// sentHeaders stores the provisional headers of the newest hop, or the raw ones
// when those came first.
func (l *NetworkLedger) sentHeaders(c *chain, e cdp.Event) {
	r := c.newest()
	if i := slices.IndexFunc(l.early, func(x earlyExtra) bool { return x.protocol == c.protocol }); i >= 0 {
		r.requestHeaders, r.rawRequest = l.early[i].headers, true
		l.early = slices.Delete(l.early, i, i+1)
	} else {
		var headers sentHeaders
		if e.Decode(&headers) != nil {
			return
		}
		r.requestHeaders = boundHeaders(headers.Request.Headers)
	}
	l.account(r)
}

// extra stores raw headers, cookies included, in the first hop that still lacks
// them: they come in the order of the hops. Without browser:inspect at the
// page's opening they are not even read (C3).
func (l *NetworkLedger) extra(e cdp.Event, response bool) {
	if !l.storeHeaders {
		return
	}
	var got extraInfo
	if e.Decode(&got) != nil || got.RequestID == "" {
		return
	}
	headers := boundHeaders(got.Headers)
	if c := l.chains[got.RequestID]; c != nil {
		for _, r := range c.records {
			switch {
			case response && !r.rawResponse:
				r.responseHeaders, r.rawResponse = headers, true
			case !response && !r.rawRequest:
				r.requestHeaders, r.rawRequest = headers, true
			default:
				continue
			}
			l.changed(r)
			return
		}
	}
	if response {
		return
	}
	if len(l.early) == earlyExtrasMax {
		l.early = slices.Delete(l.early, 0, 1)
	}
	l.early = append(l.early, earlyExtra{protocol: got.RequestID, headers: headers})
}
