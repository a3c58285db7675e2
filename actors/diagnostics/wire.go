package diagnostics

import (
	"time"

	"github.com/troupe-browser/troupe/actors/target"
)

// The parts of the browser's events that are read. Everything else in them is
// skipped by the decoder.

type callFrame struct {
	Function string `json:"functionName"`
	URL      string `json:"url"`
	Line     int    `json:"lineNumber"`
	Column   int    `json:"columnNumber"`
}

type stackTrace struct {
	Frames []callFrame `json:"callFrames"`
}

type responsePart struct {
	Status  float64 `json:"status"`
	Encoded float64 `json:"encodedDataLength"`
}

type requestWillBeSent struct {
	target.RequestSent
	Timestamp float64       `json:"timestamp"`
	WallTime  float64       `json:"wallTime"`
	Redirect  *responsePart `json:"redirectResponse"`
}

// sentHeaders is requestWillBeSent read for its headers.
type sentHeaders struct {
	Request struct {
		Headers map[string]string `json:"headers"`
	} `json:"request"`
	Redirect *struct {
		Headers map[string]string `json:"headers"`
	} `json:"redirectResponse"`
}

type responseReceived struct {
	RequestID string       `json:"requestId"`
	Type      string       `json:"type"`
	Response  responsePart `json:"response"`
}

type receivedHeaders struct {
	Response struct {
		Headers map[string]string `json:"headers"`
	} `json:"response"`
}

type extraInfo struct {
	RequestID string            `json:"requestId"`
	Headers   map[string]string `json:"headers"`
}

type dataReceived struct {
	RequestID string  `json:"requestId"`
	Decoded   float64 `json:"dataLength"`
	Encoded   float64 `json:"encodedDataLength"`
}

type loadingFinished struct {
	RequestID string  `json:"requestId"`
	Timestamp float64 `json:"timestamp"`
	Encoded   float64 `json:"encodedDataLength"`
}

type loadingFailed struct {
	RequestID string  `json:"requestId"`
	Timestamp float64 `json:"timestamp"`
	Type      string  `json:"type"`
	Error     string  `json:"errorText"`
	Canceled  bool    `json:"canceled"`
	Blocked   string  `json:"blockedReason"`
}

// reason returns why a request failed: what blocked it, else the engine's text,
// else that it was given up, else that it failed (FACTS 2.6).
func (f *loadingFailed) reason() string {
	switch {
	case f.Blocked != "":
		return "blocked: " + f.Blocked
	case f.Error != "":
		return f.Error
	case f.Canceled:
		return "canceled"
	}
	return "failed"
}

type webSocketCreated struct {
	RequestID string            `json:"requestId"`
	URL       string            `json:"url"`
	Initiator *target.Initiator `json:"initiator"`
}

type webSocketHandshake struct {
	RequestID string       `json:"requestId"`
	Timestamp float64      `json:"timestamp"`
	Response  responsePart `json:"response"`
}

type webSocketClosed struct {
	RequestID string  `json:"requestId"`
	Timestamp float64 `json:"timestamp"`
	Error     string  `json:"errorMessage"`
}

// clock returns the browser's wall time in seconds as a time, or arrival when the
// browser gave none or its clock is too far from ours.
func clock(seconds float64, arrival time.Time) time.Time {
	if !(seconds > 0 && seconds < 1<<33) {
		return arrival
	}
	whole := int64(seconds)
	t := time.Unix(whole, int64((seconds-float64(whole))*1e9)).UTC()
	if skew := t.Sub(arrival); skew > clockSkewMax || skew < -clockSkewMax {
		return arrival
	}
	return t
}

// count returns a number of the protocol as a count: never negative, and never
// more than an exact integer of a float can be.
func count(f float64) int64 {
	if !(f > 0) {
		return 0
	}
	return int64(min(f, 1<<53))
}

// took returns the whole milliseconds between two monotonic times in seconds.
func took(from, to float64) int {
	return int(min(count((to-from)*1000), 1<<31-1))
}

type consoleAPICalled struct {
	Type      string         `json:"type"`
	Args      []remoteObject `json:"args"`
	Timestamp float64        `json:"timestamp"`
	Stack     *stackTrace    `json:"stackTrace"`
}

type exceptionThrown struct {
	Timestamp float64 `json:"timestamp"`
	Details   struct {
		Text      string        `json:"text"`
		URL       string        `json:"url"`
		Line      int           `json:"lineNumber"`
		Column    int           `json:"columnNumber"`
		Stack     *stackTrace   `json:"stackTrace"`
		Exception *remoteObject `json:"exception"`
	} `json:"exceptionDetails"`
}

type entryAdded struct {
	Entry struct {
		Level     string      `json:"level"`
		Text      string      `json:"text"`
		Timestamp float64     `json:"timestamp"`
		URL       string      `json:"url"`
		Line      int         `json:"lineNumber"`
		Stack     *stackTrace `json:"stackTrace"`
	} `json:"entry"`
}
