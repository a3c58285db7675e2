package browser

import (
	"time"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/page"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// Message is everything that a browser's machine takes.
type Message interface{ ToBrowser() }

// Started begins an incarnation. attached are the pages that a former one had,
// with the ids that they get now; ready says that the engine is connected already.
type Started struct {
	Attached  []engine.TargetAttached
	Ready     bool
	Ownership messages.Ownership
	// Unknown counts the creations under way whose callers were told, when the former
	// incarnation ended, that the outcome is unknown.
	Unknown uint64
	At      time.Time
}

// Call is a call that names this browser, from the root. It is answered
// here or forwarded to the page that it names.
type Call struct{ Call *call.Call }

// EngineReady and EngineFailed come from the runner that connects.
type (
	// EngineReady says that the browser answers.
	EngineReady struct {
		Ownership messages.Ownership
		At        time.Time
	}
	// EngineFailed says that it could not be connected.
	EngineFailed struct {
		Err *messages.Error
		At  time.Time
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

// TargetCreated comes from the runner of CreateTarget. call is nil for the page that
// the browser makes for itself. An error without unknown proves that no page was made.
type TargetCreated struct {
	Call    *call.Call
	Target  cdp.TargetID
	context string
	Err     *messages.Error
	At      time.Time
}

// attachFailed comes from the runner of attachTarget.
type attachFailed struct {
	target cdp.TargetID
	at     time.Time
}

// creationOverdue comes from the timer of a creation whose page has not shown up.
type creationOverdue struct{ call *call.Call }

// TargetsListed comes from the runner of ListTargets, with what the browser process
// says of its pages; none when it did not answer. doubts is that of ListTargets.
type TargetsListed struct {
	Call     *call.Call
	infos    []engine.TargetInfo
	Answered bool
	Doubts   uint64
}

// Close comes from the root and ends the browser.
type Close struct {
	Reason   messages.Code
	Graceful bool
}

// EngineClosed comes from the runner that ends the engine.
type EngineClosed struct {
	failure *messages.Error
	At      time.Time
}

func (*Started) ToBrowser()          {}
func (*Call) ToBrowser()             {}
func (*EngineReady) ToBrowser()      {}
func (*EngineFailed) ToBrowser()     {}
func (*firstPageDue) ToBrowser()     {}
func (*firstPageOverdue) ToBrowser() {}
func (*pageEnded) ToBrowser()        {}
func (*TargetCreated) ToBrowser()    {}
func (*creationOverdue) ToBrowser()  {}
func (*attachFailed) ToBrowser()     {}
func (*TargetsListed) ToBrowser()    {}
func (*Close) ToBrowser()            {}
func (*EngineClosed) ToBrowser()     {}

// Effect is everything that a browser's machine can ask its shell to do.
type Effect interface{ isEffect() }

type (
	// Connect starts the browser in a runner; EngineReady or EngineFailed comes back.
	Connect struct{}
	// AnswerCall ends an observation with its reply.
	AnswerCall struct {
		Call  *call.Call
		Reply messages.Reply
	}
	// FinishCall ends an effect with a receipt that is known to be true.
	FinishCall struct {
		Call    *call.Call
		Receipt *messages.Receipt
	}
	// FailCall ends a call with what its ticket proves.
	FailCall struct {
		Call *call.Call
		Err  *messages.Error
	}
	// ForwardToPage passes a call to a page. as is the command to run in its place.
	ForwardToPage struct {
		Page messages.PageID
		Call *call.Call
		As   messages.Command
	}
	// tellPage sends a message to a page.
	tellPage struct {
		page    messages.PageID
		message any
	}
	// SpawnPage starts the actor of a page.
	SpawnPage struct {
		Page   messages.PageID
		target engine.PageTarget
		owner  page.PageOwner
		opener messages.PageID
	}
	// EndPage tells a page that its target is gone, and stops its actor behind that.
	EndPage struct {
		Page  messages.PageID
		Cause *messages.Error
	}
	// CreateTarget makes a page target in a runner; TargetCreated comes back.
	CreateTarget struct {
		Call      *call.Call
		temporary bool
	}
	// attachTarget attaches a page target of a browser that is not ours; engine.TargetAttached
	// or attachFailed comes back.
	attachTarget struct{ target cdp.TargetID }
	// CloseUnwanted closes a page that is over the bound or can't be driven any more.
	CloseUnwanted struct{ Target cdp.TargetID }
	// ListTargets asks the browser process for the pages' addresses and titles, which
	// it tells on its own only when a page navigates; TargetsListed comes back. doubts
	// is how many uncertain creations an answer reconciles (R43).
	ListTargets struct {
		Call   *call.Call
		Doubts uint64
	}
	// disposeContext ends the browser context of a temporary page.
	disposeContext struct{ context string }
	// CloseEngine ends the engine in a runner; EngineClosed comes back.
	CloseEngine struct{ graceful bool }
	// ReportToRoot sends a message to the root.
	ReportToRoot struct{ Message any }
	// PublishEvent hands an event to the journal.
	PublishEvent struct{ event messages.Event }
	// SendLater sends the message back after a time.
	SendLater struct {
		After   time.Duration
		Message Message
	}
)

func (*Connect) isEffect()        {}
func (*AnswerCall) isEffect()     {}
func (*FinishCall) isEffect()     {}
func (*FailCall) isEffect()       {}
func (*ForwardToPage) isEffect()  {}
func (*tellPage) isEffect()       {}
func (*SpawnPage) isEffect()      {}
func (*EndPage) isEffect()        {}
func (*CreateTarget) isEffect()   {}
func (*attachTarget) isEffect()   {}
func (*CloseUnwanted) isEffect()  {}
func (*disposeContext) isEffect() {}
func (*ListTargets) isEffect()    {}
func (*CloseEngine) isEffect()    {}
func (*ReportToRoot) isEffect()   {}
func (*PublishEvent) isEffect()   {}
func (*SendLater) isEffect()      {}
