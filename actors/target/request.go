package target

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/troupe-browser/troupe/messages"
)

// Initiator is what DevTools says of the code or markup that made a request. Lines
// and columns count from 0.
type Initiator struct {
	Type   string `json:"type"`
	URL    string `json:"url"`
	Line   int    `json:"lineNumber"`
	Column int    `json:"columnNumber"`
	Stack  struct {
		Frames []struct {
			URL    string `json:"url"`
			Line   int    `json:"lineNumber"`
			Column int    `json:"columnNumber"`
		} `json:"callFrames"`
	} `json:"stack"`
}

// RequestSent is the part of a Network.requestWillBeSent event by which a request is
// told from others: by the page's ledger, which learns what a page sends anyway, and
// by the runner of an effect, which leaves that out of its receipt (R76).
type RequestSent struct {
	RequestID string `json:"requestId"`
	Type      string `json:"type"`
	FrameID   string `json:"frameId"`
	Request   struct {
		URL    string `json:"url"`
		Method string `json:"method"`
	} `json:"request"`
	// Redirect is the answer that led on to this request, with the same id, without a
	// status for a request that begins.
	Redirect struct {
		Status int `json:"status"`
	} `json:"redirectResponse"`
	Initiator Initiator `json:"initiator"`
}

// Key returns the key by which the same request is known when it is sent again: its
// method, its path, and the place in the page's code that made it (R76).
func (s *RequestSent) Key() string {
	place, line, column := s.Initiator.URL, s.Initiator.Line, s.Initiator.Column
	if frames := s.Initiator.Stack.Frames; len(frames) > 0 {
		place, line, column = frames[0].URL, frames[0].Line, frames[0].Column
	}
	return strings.Join([]string{s.Request.Method, PathOf(s.Request.URL), PathOf(place), strconv.Itoa(line), strconv.Itoa(column)}, " ")
}

// PathOf returns the path of an address, at most messages.NetworkURLCharsMax bytes of
// it, without the query, the fragment and the origin, which may hold credentials. Of
// an address without a path it returns the scheme, of a malformed one "" (R206).
func PathOf(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	if u.Opaque != "" {
		return u.Scheme + ":"
	}
	path := u.EscapedPath()
	if path == "" {
		return "/"
	}
	return path[:min(len(path), messages.NetworkURLCharsMax)]
}
