package inspect

import (
	"time"

	"github.com/troupe-browser/troupe/messages"
)

// Bounds of the inspecting functions. Each says what happens at the bound.
const (
	// waitSlice is how long one watcher stays in a page. After it the wait arms
	// a new one, so that a wait which is given up leaves nothing behind for long.
	waitSlice = 5 * time.Second

	// waitCheckGap is the shortest time between two looks at a condition (R58).
	waitCheckGap = 100 * time.Millisecond

	// waitBackstop is the time between two looks in a page that reports no change:
	// styles, and documents that cannot be watched, change without a mutation.
	waitBackstop = 500 * time.Millisecond

	// waitTapEvents bounds the events that a wait has not looked at yet. Beyond it
	// events are lost, which the wait notices and answers with a fresh look.
	waitTapEvents = 256

	// loadGrace is how long a page that was said to be loading may show a complete
	// document without any further event before that is believed: the end of
	// the loading may have come just before the wait began to listen.
	loadGrace = 5 * time.Second

	// fieldBytesMax bounds one field in bytes. What is longer is cut on a
	// character boundary and says so.
	fieldBytesMax = 64 << 10

	// bodyReadBytesMax bounds the body of a response that is read from the browser
	// at all, in bytes after decompression. A larger one is a body_error: the
	// protocol hands out bodies only whole, and the browser keeps none over its own
	// buffer of 5 MiB for each resource (see NetworkBuffers).
	bodyReadBytesMax = 5 << 20

	// resultBytesMax bounds the result of the operator's script in bytes of JSON. What
	// is longer is cut on a character boundary and says so.
	resultBytesMax = 64 << 10

	// cookieBytesMax bounds the text of one answer with cookies in bytes. Further
	// cookies are left out and the answer says so.
	cookieBytesMax = messages.DiagnosticsBytesMax

	// awaitSlice is how long one call waits for the promise of a script; a
	// connection's call ends before that.
	awaitSlice = 20 * time.Second

	// A script is ended before its deadline by a part of the time that is left, so that
	// the answer arrives, on a machine that is short of processors too: one part in
	// answerShare, at most answerMarginMax.
	answerShare     = 5
	answerMarginMax = time.Second
)

// NetworkBuffers are the parameters with which Network.enable must be called on a
// page whose bodies are read: 10 MiB for all, 5 MiB for one. They
// bound what the renderer keeps, and with it the largest message of a body. What a
// page sends is not reported at all.
func NetworkBuffers() map[string]any {
	return map[string]any{"maxTotalBufferSize": 10 << 20, "maxResourceBufferSize": bodyReadBytesMax, "maxPostDataSize": 0}
}
