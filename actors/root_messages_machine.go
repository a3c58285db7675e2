package actors

import (
	"time"

	"github.com/troupe-browser/troupe/messages"
)

// rootMessage is everything that the root's machine takes. Each message says who
// sends it and what follows.
type rootMessage interface{ rootMessage() }

// rootCall is a command from the gateway. It is answered, begun, or forwarded to
// the browser that it names. freshID is the id of the browser that it may make, owner
// the process that a launch names as its owner.
type rootCall struct {
	call    *call
	at      time.Time
	freshID messages.BrowserID
	owner   process
}

// rootBegun is the answer to beginAtRoot: the operation id is spent and the effect
// is under way, or refused.
type rootBegun struct {
	call    *call
	browser messages.BrowserID
	refusal *messages.Error
	at      time.Time
}

// rootWithdraw comes from the gateway when a caller gave a call up; it frees the
// call's place in its queue.
type rootWithdraw struct{ call *call }

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

func (*rootCall) rootMessage()        {}
func (*rootBegun) rootMessage()       {}
func (*rootWithdraw) rootMessage()    {}
func (*reapTick) rootMessage()        {}
func (*reaperStarted) rootMessage()   {}
func (*ownersEnded) rootMessage()     {}
func (*actorFailed) rootMessage()     {}
func (*shutdownBegan) rootMessage()   {}
func (*shutdownElapsed) rootMessage() {}

// rootEffect is everything that the root's machine can ask its shell to do.
type rootEffect interface{ rootEffect() }

type (
	// rootAnswer ends an observation with its reply.
	rootAnswer struct {
		call  *call
		reply messages.Reply
	}
	// rootFinish ends an effect with a receipt that is known to be true.
	rootFinish struct {
		call    *call
		receipt *messages.Receipt
	}
	// rootFail ends a call with what its ticket proves.
	rootFail struct {
		call *call
		err  *messages.Error
	}
	// beginAtRoot spends the call's operation id; rootBegun comes back.
	beginAtRoot struct {
		call    *call
		browser messages.BrowserID
	}
	// forward passes the call to a browser.
	forward struct {
		browser messages.BrowserID
		call    *call
	}
	// tellBrowser sends a message to a browser.
	tellBrowser struct {
		browser messages.BrowserID
		message any
	}
	// spawnBrowser starts the actor of a browser, which connects by itself.
	spawnBrowser struct {
		browser messages.BrowserID
		call    *call
		mode    messages.LaunchMode
		launch  *messages.Launch
	}
	// stopBrowserActor stops the actor of a browser that has ended.
	stopBrowserActor struct{ browser messages.BrowserID }
	// describeEngine looks for the engine and answers GetEngine, or GetTargets when
	// targets is set.
	describeEngine struct {
		call    *call
		targets *messages.Targets
	}
	// rootPublish hands an event to the journal.
	rootPublish struct{ event messages.Event }
	// startShutdownTimer sends shutdownElapsed at the deadline.
	startShutdownTimer struct{ deadline time.Time }
	// startReaper starts a reaper that is missing.
	startReaper struct{}
	// rootReport answers the callers of a shutdown, all that wait.
	rootReport struct {
		report ShutdownReport
		// owed are the browsers that are reported as pending by this report for the
		// first time.
		owed []messages.BrowserID
	}
)

func (*rootAnswer) rootEffect()         {}
func (*startReaper) rootEffect()        {}
func (*rootFinish) rootEffect()         {}
func (*rootFail) rootEffect()           {}
func (*beginAtRoot) rootEffect()        {}
func (*forward) rootEffect()            {}
func (*tellBrowser) rootEffect()        {}
func (*spawnBrowser) rootEffect()       {}
func (*stopBrowserActor) rootEffect()   {}
func (*describeEngine) rootEffect()     {}
func (*rootPublish) rootEffect()        {}
func (*startShutdownTimer) rootEffect() {}
func (*rootReport) rootEffect()         {}
