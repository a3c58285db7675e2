package actors

import (
	"time"

	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// pageMessage is everything that a page's machine takes.
type pageMessage interface{ pageMessage() }

// pageStarted begins an incarnation. What is known of the page comes from its link:
// the numbers to go on with, and the dialog that may be open.
type pageStarted struct {
	epoch      messages.Epoch
	nonce      string
	generation messages.Generation
	nextRef    uint64
	dialog     *openDialog
	restarted  bool
	url, title string
	at         time.Time
}

// prepared comes from the runner that enables the page's domains.
type prepared struct {
	mainFrame cdp.FrameID
	url       string
	loading   bool
	err       *messages.Error
}

// prepareDue comes from the timer of a page that could not be prepared in time.
type prepareDue struct{}

// pageCall is a call for this page, from its browser. as, where there is one, is the
// command to run in the call's place: the navigation of a page that was just made.
type pageCall struct {
	call *call
	as   messages.Command
	at   time.Time
}

// pageOwner is whom a page belongs to.
type pageOwner struct {
	caller messages.CallerID
	// inspects says that the page was opened under browser:inspect, so that header
	// values may be stored (C3).
	inspects bool
}

// ownerChanged tells whose the page is, and whether that caller is still there.
type ownerChanged struct {
	owner     pageOwner
	connected bool
}

// operationDone comes from the runner of the operation in flight. One of another
// operation than the current is of the past and ignored.
type operationDone struct {
	operation uint64
	reply     messages.Reply
	err       *messages.Error
	// snapshot is there when the operation was one.
	snapshot *snapshotResult
	// changed says that the document changed while a snapshot was read (R38).
	changed bool
	fault   *panicInfo
	at      time.Time
}

// snapshotResult is what a snapshot makes beside its reply.
type snapshotResult struct {
	records []snapshot.Record
	nextRef uint64
	// framed says that elements of inner frames may have got ids (R107).
	framed bool
}

// operationSkipped comes from the shell when the caller had given up before the
// operation could start.
type operationSkipped struct{ operation uint64 }

// operationOverdue comes from the timer of an operation whose runner has not
// answered although its time is up.
type operationOverdue struct{ operation uint64 }

// besideDone comes from a runner that worked beside the queue.
type besideDone struct {
	call  *call
	reply messages.Reply
	err   *messages.Error
	fault *panicInfo
}

// closeOverdue comes from the timer of a close whose target is not reported gone.
type closeOverdue struct{ call *call }

// dialogAnswered comes from the runner that answered a dialog for the policy.
type dialogAnswered struct {
	number uint64
	err    *messages.Error
}

// dialogHoldElapsed comes from the timer of a held dialog (R121).
type dialogHoldElapsed struct{ number uint64 }

// documentAwaited comes from the timer of a reading that waits for a document.
type documentAwaited struct{ operation uint64 }

// dialogPatienceElapsed comes from the timer of an operation that a dialog
// interrupts.
type dialogPatienceElapsed struct {
	operation, dialog uint64
}

// targetGone comes from the browser: the page's target is closed or lost. The actor
// is stopped behind it.
type targetGone struct{ cause *messages.Error }

// infoChanged comes from the browser: address and title as the browser process
// knows them.
type infoChanged struct{ url, title string }

// personActed comes from a live view: a person has used the page (C16).
type personActed struct{}

// diagnosticsCounted comes from the page's diagnostics when a count of the summary
// changed (R142, R143).
type diagnosticsCounted struct{ consoleErrors, failedRequests int }

// Messages of the page's own session.
type (
	frameNavigated struct {
		frame frame
		seq   uint64 // its place in the stream of the connection
		at    time.Time
	}
	navigatedWithin struct {
		frame cdp.FrameID
		url   string
		seq   uint64
		at    time.Time
	}
	documentOpened struct{ frame cdp.FrameID }
	frameDetached  struct{ frame cdp.FrameID }
	loadFired      struct{}
	loadingChanged struct {
		frame   cdp.FrameID
		loading bool
	}
	worldMade struct {
		name    string
		frame   cdp.FrameID
		context cdp.ContextID
	}
	worldGone     struct{ context cdp.ContextID }
	worldsCleared struct{}
	dialogOpened  struct {
		dialog *openDialog
		at     time.Time
	}
	dialogClosed  struct{ accepted bool }
	downloadBegan struct{ guid string }
	targetCrashed struct{ at time.Time }
	targetRevived struct{}
)

func (*pageStarted) pageMessage()           {}
func (*prepared) pageMessage()              {}
func (*pageCall) pageMessage()              {}
func (*prepareDue) pageMessage()            {}
func (*ownerChanged) pageMessage()          {}
func (*operationDone) pageMessage()         {}
func (*operationSkipped) pageMessage()      {}
func (*operationOverdue) pageMessage()      {}
func (*besideDone) pageMessage()            {}
func (*closeOverdue) pageMessage()          {}
func (*dialogAnswered) pageMessage()        {}
func (*dialogHoldElapsed) pageMessage()     {}
func (*dialogPatienceElapsed) pageMessage() {}
func (*documentAwaited) pageMessage()       {}
func (*targetGone) pageMessage()            {}
func (*infoChanged) pageMessage()           {}
func (*personActed) pageMessage()           {}
func (*diagnosticsCounted) pageMessage()    {}
func (*frameNavigated) pageMessage()        {}
func (*navigatedWithin) pageMessage()       {}
func (*documentOpened) pageMessage()        {}
func (*frameDetached) pageMessage()         {}
func (*loadFired) pageMessage()             {}
func (*loadingChanged) pageMessage()        {}
func (*worldMade) pageMessage()             {}
func (*worldGone) pageMessage()             {}
func (*worldsCleared) pageMessage()         {}
func (*dialogOpened) pageMessage()          {}
func (*dialogClosed) pageMessage()          {}
func (*downloadBegan) pageMessage()         {}
func (*targetCrashed) pageMessage()         {}
func (*targetRevived) pageMessage()         {}

// pageEffect is everything that a page's machine can ask its shell to do.
type pageEffect interface{ pageEffect() }

type (
	// prepare enables the page's domains in a runner; prepared comes back.
	prepare struct{}
	// pageFinish ends a call with its real result.
	pageFinish struct {
		call  *call
		reply messages.Reply
		err   *messages.Error
	}
	// pageFail ends a call with what its ticket proves.
	pageFail struct {
		call *call
		err  *messages.Error
	}
	// startOperation runs the operation in a runner; operationDone comes back, or
	// operationSkipped at once, and operationOverdue when its time is up.
	startOperation struct {
		operation uint64
		call      *call
		command   messages.Command
		// resumed says that the call was taken up before: a snapshot that is read
		// again, or the navigation of a page that was just made.
		resumed bool
		// request is there when the command is a snapshot.
		request *snapshotRequest
	}
	// cancelOperation cancels the context of the operation in flight.
	cancelOperation struct {
		operation uint64
		cause     *messages.Error
	}
	// startBeside runs a command beside the queue; besideDone comes back.
	startBeside struct{ call *call }
	// answerDialog answers the open dialog for the policy; dialogAnswered comes back.
	answerDialog struct {
		number uint64
		accept bool
	}
	// publishFence makes the fence visible to the runners.
	publishFence struct{ fence *fence }
	// keepNumbers stores where a next incarnation goes on.
	keepNumbers struct {
		generation messages.Generation
		nextRef    uint64
	}
	// openWorld lets a person's input into a document: a new one takes none at first,
	// so that input of ours that was meant for the one before it can't hit it.
	openWorld struct{ context cdp.ContextID }
	// pageTimer sends the message back after a time.
	pageTimer struct {
		after   time.Duration
		message pageMessage
	}
	// reportSummary tells the browser what the page looks like from outside.
	reportSummary struct{ summary messages.PageSummary }
	// tellPrepared tells the browser that the page can be used.
	tellPrepared struct{}
	// reportDownload tells the browser what a download came from.
	reportDownload struct {
		guid      string
		operation messages.OperationID
	}
	// pagePublish hands an event to the journal.
	pagePublish struct{ event messages.Event }
	// failActor hands a fault of a runner to the supervisor.
	failActor struct{ fault panicInfo }
)

// snapshotRequest is what a snapshot gets from the machine.
type snapshotRequest struct {
	generation messages.Generation
	nextRef    uint64
	prefix     string
	dialog     *messages.Dialog
}

func (*prepare) pageEffect()         {}
func (*pageFinish) pageEffect()      {}
func (*pageFail) pageEffect()        {}
func (*startOperation) pageEffect()  {}
func (*cancelOperation) pageEffect() {}
func (*startBeside) pageEffect()     {}
func (*answerDialog) pageEffect()    {}
func (*publishFence) pageEffect()    {}
func (*keepNumbers) pageEffect()     {}
func (*openWorld) pageEffect()       {}
func (*pageTimer) pageEffect()       {}
func (*reportSummary) pageEffect()   {}
func (*tellPrepared) pageEffect()    {}
func (*reportDownload) pageEffect()  {}
func (*pagePublish) pageEffect()     {}
func (*failActor) pageEffect()       {}
