package actors

import (
	"time"

	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// browserMessage is everything that a browser's machine takes.
type browserMessage interface{ browserMessage() }

// browserStarted begins an incarnation. attached are the pages that a former one had,
// with the ids that they get now; ready says that the engine is connected already.
type browserStarted struct {
	attached  []targetAttached
	ready     bool
	ownership messages.Ownership
	// unknown counts the creations under way whose callers were told, when the former
	// incarnation ended, that the outcome is unknown.
	unknown uint64
	at      time.Time
}

// browserCall is a call that names this browser, from the root. It is answered
// here or forwarded to the page that it names.
type browserCall struct {
	call *call
	at   time.Time
}

// engineReady and engineFailed come from the runner that connects.
type (
	engineReady struct {
		ownership messages.Ownership
		at        time.Time
	}
	engineFailed struct {
		err *messages.Error
		at  time.Time
	}
)

// firstPageDue comes from the timer that is started when the engine is ready, and when
// its only page is gone before it was prepared.
type firstPageDue struct{}

// firstPageOverdue comes from the timer that bounds how long a browser may take to
// have a page that can be used. since is when that began: a former incarnation's timer
// says nothing about this one.
type firstPageOverdue struct{ since, at time.Time }

// pageEnded comes from the shell when a page's actor has ended.
type pageEnded struct{ page messages.PageID }

// targetCreated comes from the runner of createTarget. call is nil for the page that
// the browser makes for itself. An error without unknown proves that no page was made.
type targetCreated struct {
	call    *call
	target  cdp.TargetID
	context string
	err     *messages.Error
	at      time.Time
}

// attachFailed comes from the runner of attachTarget.
type attachFailed struct {
	target cdp.TargetID
	at     time.Time
}

// creationOverdue comes from the timer of a creation whose page has not shown up.
type creationOverdue struct{ call *call }

// targetsListed comes from the runner of listTargets, with what the browser process
// says of its pages; none when it did not answer. doubts is that of listTargets.
type targetsListed struct {
	call     *call
	infos    []targetInfo
	answered bool
	doubts   uint64
}

// closeBrowser comes from the root and ends the browser.
type closeBrowser struct {
	reason   messages.Code
	graceful bool
}

// engineClosed comes from the runner that ends the engine.
type engineClosed struct {
	failure *messages.Error
	at      time.Time
}

func (*browserStarted) browserMessage()   {}
func (*browserCall) browserMessage()      {}
func (*engineReady) browserMessage()      {}
func (*engineFailed) browserMessage()     {}
func (*firstPageDue) browserMessage()     {}
func (*firstPageOverdue) browserMessage() {}
func (*pageEnded) browserMessage()        {}
func (*targetCreated) browserMessage()    {}
func (*creationOverdue) browserMessage()  {}
func (*attachFailed) browserMessage()     {}
func (*targetsListed) browserMessage()    {}
func (*closeBrowser) browserMessage()     {}
func (*engineClosed) browserMessage()     {}

// browserEffect is everything that a browser's machine can ask its shell to do.
type browserEffect interface{ browserEffect() }

type (
	// connect starts the browser in a runner; engineReady or engineFailed comes back.
	connect struct{}
	// browserAnswer ends an observation with its reply.
	browserAnswer struct {
		call  *call
		reply messages.Reply
	}
	// browserFinish ends an effect with a receipt that is known to be true.
	browserFinish struct {
		call    *call
		receipt *messages.Receipt
	}
	// browserFail ends a call with what its ticket proves.
	browserFail struct {
		call *call
		err  *messages.Error
	}
	// forwardToPage passes a call to a page. as is the command to run in its place.
	forwardToPage struct {
		page messages.PageID
		call *call
		as   messages.Command
		at   time.Time
	}
	// tellPage sends a message to a page.
	tellPage struct {
		page    messages.PageID
		message any
	}
	// spawnPage starts the actor of a page.
	spawnPage struct {
		page   messages.PageID
		target pageTarget
		owner  pageOwner
		opener messages.PageID
	}
	// endPage tells a page that its target is gone, and stops its actor behind that.
	endPage struct {
		page  messages.PageID
		cause *messages.Error
	}
	// createTarget makes a page target in a runner; targetCreated comes back.
	createTarget struct {
		call      *call
		temporary bool
	}
	// attachTarget attaches a page target of a browser that is not ours; targetAttached
	// or attachFailed comes back.
	attachTarget struct{ target cdp.TargetID }
	// closeUnwanted closes a page that is over the bound or can't be driven any more.
	closeUnwanted struct{ target cdp.TargetID }
	// listTargets asks the browser process for the pages' addresses and titles, which
	// it tells on its own only when a page navigates; targetsListed comes back. doubts
	// is how many uncertain creations an answer reconciles (R43).
	listTargets struct {
		call   *call
		doubts uint64
	}
	// disposeContext ends the browser context of a temporary page.
	disposeContext struct{ context string }
	// closeEngine ends the engine in a runner; engineClosed comes back.
	closeEngine struct{ graceful bool }
	// reportToRoot sends a message to the root.
	reportToRoot struct{ message any }
	// browserPublish hands an event to the journal.
	browserPublish struct{ event messages.Event }
	// browserTimer sends the message back after a time.
	browserTimer struct {
		after   time.Duration
		message browserMessage
	}
)

func (*connect) browserEffect()        {}
func (*browserAnswer) browserEffect()  {}
func (*browserFinish) browserEffect()  {}
func (*browserFail) browserEffect()    {}
func (*forwardToPage) browserEffect()  {}
func (*tellPage) browserEffect()       {}
func (*spawnPage) browserEffect()      {}
func (*endPage) browserEffect()        {}
func (*createTarget) browserEffect()   {}
func (*attachTarget) browserEffect()   {}
func (*closeUnwanted) browserEffect()  {}
func (*disposeContext) browserEffect() {}
func (*listTargets) browserEffect()    {}
func (*closeEngine) browserEffect()    {}
func (*reportToRoot) browserEffect()   {}
func (*browserPublish) browserEffect() {}
func (*browserTimer) browserEffect()   {}
