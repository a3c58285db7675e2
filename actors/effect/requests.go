package effect

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// requests follows the requests that were sent since the operation began and
// tells those that the page sends anyway from the rest, by their keys (CDP.md
// 9.6). It claims "seen after", never "caused by".
type requests struct {
	background map[string]struct{}
	byID       map[string]*request
	order      []*request
	// count, failed and known are the receipt's figures, also of what is not followed.
	count, failed, known int
	// pending is the number of followed requests without an end that are not known.
	pending int
	// last is when something last changed.
	last time.Time
}

type request struct {
	digest messages.RequestDigest
	known  bool
	// document is the frame whose next document it is, "" for any other request.
	document string
	ended    bool
	// stream is set for what is open for as long as the page likes.
	stream bool
}

func (r *requests) init(background map[string]struct{}) {
	r.background = background
	r.byID = make(map[string]*request)
}

// requestEvent is what is read of the events that follow a request.
type requestEvent struct {
	RequestID string `json:"requestId"`
	Type      string `json:"type"`
	Response  struct {
		Status int `json:"status"`
	} `json:"response"`
	Canceled bool `json:"canceled"`
}

func (r *requests) note(e cdp.Event) {
	if e.Method == "Network.requestWillBeSent" {
		var sent target.RequestSent
		if e.Decode(&sent) == nil {
			r.sent(&sent)
		}
		return
	}
	var event requestEvent
	if e.Decode(&event) != nil {
		return
	}
	known := r.byID[event.RequestID]
	if known == nil {
		return
	}
	switch e.Method {
	case "Network.responseReceived":
		known.digest.Status = event.Response.Status
		if event.Type == "EventSource" {
			r.stream(known)
		}
		if event.Response.Status >= 400 {
			r.fail(known)
		}
	case "Network.loadingFinished":
		r.end(known)
	case "Network.loadingFailed":
		if !event.Canceled {
			r.fail(known)
		}
		r.end(known)
	}
}

// sent begins to follow a request, or follows a known one to its next hop.
func (r *requests) sent(s *target.RequestSent) {
	if !strings.HasPrefix(s.Request.URL, "http") {
		return // data: and blob: addresses are no requests
	}
	if hop := r.byID[s.RequestID]; hop != nil {
		r.redirected(hop, s)
		return
	}
	_, known := r.background[s.Key()]
	// What the browser fetches by itself, such as the page's icon, nobody caused.
	known = known || s.Type == "Other" && s.Initiator.Type == "other"
	if known {
		r.known++
	} else {
		r.count++
	}
	if len(r.byID) >= requestsTrackedMax {
		return
	}
	one := &request{known: known, digest: messages.RequestDigest{Method: s.Request.Method, Path: target.PathOf(s.Request.URL)}}
	if s.Type == "Document" {
		one.document = s.FrameID
	}
	r.byID[s.RequestID] = one
	if known {
		return
	}
	r.order = append(r.order, one)
	r.pending++
	r.last = time.Now()
	// A ping is sent for good when it is sent; nobody waits for its answer.
	if s.Type == "Ping" || s.Type == "EventSource" || s.Type == "WebSocket" {
		r.stream(one)
	}
}

// redirected goes on with a request that was answered by another address. Each hop is
// a request of its own to its server, so each is counted and listed.
func (r *requests) redirected(hop *request, s *target.RequestSent) {
	if !hop.known && s.Redirect.Status != 0 && len(r.order) < requestsTrackedMax {
		passed := &request{digest: hop.digest, ended: true}
		passed.digest.Status = s.Redirect.Status
		at := slices.Index(r.order, hop)
		r.order = slices.Insert(r.order, max(at, 0), passed)
		r.count++
		r.last = time.Now()
	}
	hop.digest = messages.RequestDigest{Method: s.Request.Method, Path: target.PathOf(s.Request.URL)}
}

func (r *requests) fail(one *request) {
	if !one.digest.Failed && !one.known {
		r.failed++
	}
	one.digest.Failed = true
}

// stream takes a request that has no end of its own out of the waiting.
func (r *requests) stream(one *request) {
	if !one.known && !one.ended && !one.stream {
		r.pending--
	}
	one.stream = true
}

func (r *requests) end(one *request) {
	if !one.known && !one.ended && !one.stream {
		r.pending--
	}
	if !one.known {
		r.last = time.Now()
	}
	one.ended = true
}

// awaited reports whether a frame's next document was asked for and not answered yet.
func (r *requests) awaited(frame string) bool {
	for _, one := range r.byID {
		if one.document == frame && frame != "" && !one.ended && one.digest.Status == 0 {
			return true
		}
	}
	return false
}

// over reports whether a request that was seen has its end.
func (r *requests) over(id string) bool { return r.byID[id] != nil && r.byID[id].ended }

// withoutContent reports whether a request was answered with nothing to show, which
// leaves a page where it is.
func (r *requests) withoutContent(id string) bool {
	one := r.byID[id]
	return one != nil && (one.digest.Status == http.StatusNoContent || one.digest.Status == http.StatusResetContent)
}

// digest is the receipt's part, nil when nothing was seen.
func (r *requests) digest() *messages.Requests {
	if r.count == 0 && r.known == 0 {
		return nil
	}
	out := &messages.Requests{Count: r.count, Failed: r.failed, Background: r.known}
	for _, one := range r.order[:min(len(r.order), messages.ReceiptRequestsMax)] {
		out.List = append(out.List, one.digest)
	}
	return out
}
