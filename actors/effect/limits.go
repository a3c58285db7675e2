package effect

import (
	"time"

	"github.com/troupe-browser/troupe/messages"
)

// Bounds of one operation.
const (
	// tapEventsMax bounds the events of the page that wait to be read by the
	// operation. At the bound further ones are lost to it, and the receipt says
	// that the page's stability is not known (diagnostic_events_discarded).
	tapEventsMax = 4096

	// requestsTrackedMax bounds the requests that one operation follows. Further
	// ones are counted and not followed.
	requestsTrackedMax = 512

	// aimAttempts is how often an input may be aimed: once, and once more when
	// the guard proved that the first did not arrive (CDP.md 9.5).
	aimAttempts = 2

	// reportReserve is the part of an effect's time that is kept for finding out
	// why there is no answer, and for the receipt.
	reportReserve = 600 * time.Millisecond

	// readTimeout bounds reading back after an effect whose own time is used up.
	readTimeout = 500 * time.Millisecond

	// witnessTimeout bounds asking the browser what opened and what is downloaded.
	witnessTimeout = 500 * time.Millisecond

	// commitGrace is how long the settling of an effect waits for a navigation that
	// the page asked for to commit; at the bound the page counts as loading.
	commitGrace = messages.SettleBudget

	// abortGrace bounds waiting for the word of how a navigation's request ended that
	// the browser has given up; it comes in milliseconds. After it the navigation counts
	// as failed.
	abortGrace = time.Second

	// stopTimeout bounds stopping a load that did not finish; the browser's own process
	// does it. After it the load may go on.
	stopTimeout = 350 * time.Millisecond

	// dialogGrace is how long a dialog that the runtime answers by itself may stay
	// open before it counts as held.
	dialogGrace = time.Second

	// firstFrames is the first look at a page after an effect: so many frames without
	// a mutation, and the page has nothing pending and is settled. Once anything has
	// happened, laterFrames and laterQuiet without a mutation are demanded (CDP.md
	// 9.6).
	firstFrames = 1
	laterFrames = 2
	laterQuiet  = 50 * time.Millisecond

	// answeredQuiet is the time without a mutation after a dialog was answered, so that
	// a next one, a moment later, is still told. Up to messages.SettleBudget is waited
	// for it.
	answeredQuiet = 250 * time.Millisecond

	// widgetClosing is the part of messages.WidgetTimeout that a procedure in the page
	// leaves for closing what it opened and for the last answer.
	widgetClosing = 500 * time.Millisecond

	// dragSteps is the number of moves between the two ends of a drag, so that
	// thresholds of drag libraries are passed and every element on the way sees it.
	dragSteps = 8

	// scrollPart is the part of the viewport that a scroll without amount covers.
	scrollPart = 0.8
)
