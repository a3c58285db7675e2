package root

import (
	"time"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/messages"
)

// Message is everything that the root's machine takes. Each message says who
// sends it and what follows.
type Message interface{ ToRoot() }

// Call is a command from the gateway. It is answered, begun, or forwarded to
// the browser that it names. freshID is the id of the browser that it may make, owner
// the process that a launch names as its owner.
type Call struct {
	Call    *call.Call
	At      time.Time
	FreshID messages.BrowserID
	Owner   process
}

// Begun is the answer to beginAtRoot: the operation id is spent and the effect
// is under way, or refused.
type Begun struct {
	call    *call.Call
	browser messages.BrowserID
	refusal *messages.Error
	at      time.Time
}

// Withdraw comes from the gateway when a caller gave a call up; it frees the
// call's place in its queue.
type Withdraw struct{ Call *call.Call }

// reapTick comes from the reaping timer, with the browsers that have open calls.
type reapTick struct {
	at   time.Time
	busy map[messages.BrowserID]bool
}

// reaperStarted comes when the reaping timer runs.
type reaperStarted struct{ at time.Time }

// ownersEnded names processes that were owners and have ended.
type ownersEnded struct{ processes []process }

// process is one process of this machine: its number and, since numbers are used
// again, when it started, in a unit of the system's own. Zero is none.
type process struct {
	pid     int
	started uint64
}

// actorFailed comes from the supervisor: an actor of ours below the root has failed.
type actorFailed struct{}

// shutdownBegan begins the shutdown, or joins it. inFlight are the calls that it ended.
type shutdownBegan struct {
	at, deadline time.Time
	inFlight     map[messages.ExecutionState]int
}

// shutdownElapsed comes from the timer of startShutdownTimer.
type shutdownElapsed struct{ at time.Time }

func (*Call) ToRoot()            {}
func (*Begun) ToRoot()           {}
func (*Withdraw) ToRoot()        {}
func (*reapTick) ToRoot()        {}
func (*reaperStarted) ToRoot()   {}
func (*ownersEnded) ToRoot()     {}
func (*actorFailed) ToRoot()     {}
func (*shutdownBegan) ToRoot()   {}
func (*shutdownElapsed) ToRoot() {}

// Effect is everything that the root's machine can ask its shell to do.
type Effect interface{ isEffect() }

type (
	// answerCall ends an observation with its reply.
	answerCall struct {
		call  *call.Call
		reply messages.Reply
	}
	// finishCall ends an effect with a receipt that is known to be true.
	finishCall struct {
		call    *call.Call
		receipt *messages.Receipt
	}
	// failCall ends a call with what its ticket proves.
	failCall struct {
		call *call.Call
		err  *messages.Error
	}
	// beginAtRoot spends the call's operation id; Begun comes back.
	beginAtRoot struct {
		call    *call.Call
		browser messages.BrowserID
	}
	// forward passes the call to a browser.
	forward struct {
		browser messages.BrowserID
		call    *call.Call
	}
	// tellBrowser sends a message to a browser.
	tellBrowser struct {
		browser messages.BrowserID
		message any
	}
	// spawnBrowser starts the actor of a browser, which connects by itself.
	spawnBrowser struct {
		browser messages.BrowserID
		call    *call.Call
		mode    messages.LaunchMode
		launch  *messages.Launch
	}
	// stopBrowserActor stops the actor of a browser that has ended.
	stopBrowserActor struct{ browser messages.BrowserID }
	// describeEngine looks for the engine and answers GetEngine, or GetTargets when
	// targets is set.
	describeEngine struct {
		call    *call.Call
		targets *messages.Targets
	}
	// publishEvent hands an event to the journal.
	publishEvent struct{ event messages.Event }
	// startShutdownTimer sends shutdownElapsed at the deadline.
	startShutdownTimer struct{ deadline time.Time }
	// startReaper starts a reaper that is missing.
	startReaper struct{}
	// reportShutdown answers the callers of a shutdown, all that wait.
	reportShutdown struct {
		report ShutdownReport
		// owed are the browsers that are reported as pending by this report for the
		// first time.
		owed []messages.BrowserID
	}
)

func (*answerCall) isEffect()         {}
func (*startReaper) isEffect()        {}
func (*finishCall) isEffect()         {}
func (*failCall) isEffect()           {}
func (*beginAtRoot) isEffect()        {}
func (*forward) isEffect()            {}
func (*tellBrowser) isEffect()        {}
func (*spawnBrowser) isEffect()       {}
func (*stopBrowserActor) isEffect()   {}
func (*describeEngine) isEffect()     {}
func (*publishEvent) isEffect()       {}
func (*startShutdownTimer) isEffect() {}
func (*reportShutdown) isEffect()     {}
