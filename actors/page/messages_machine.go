package page

import (
	"time"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// Message is everything that a page's machine takes.
type Message interface{ ToPage() }

// started begins an incarnation. What is known of the page comes from its link:
// the numbers to go on with, and the dialog that may be open.
type started struct {
	epoch      messages.Epoch
	nonce      string
	generation messages.Generation
	nextRef    uint64
	dialog     *engine.OpenDialog
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

// Call is a call for this page, from its browser. as, where there is one, is the
// command to run in the call's place: the navigation of a page that was just made.
type Call struct {
	Call *call.Call
	As   messages.Command
}

// PageOwner is whom a page belongs to.
type PageOwner struct {
	Caller messages.CallerID
	// Inspects says that the page was opened under browser:inspect, so that header
	// values may be stored (C3).
	Inspects bool
}

// OwnerChanged tells whose the page is, and whether that caller is still there.
type OwnerChanged struct {
	Owner     PageOwner
	Connected bool
}

// OperationDone comes from the runner of the operation in flight. One of another
// operation than the current is of the past and ignored.
type OperationDone struct {
	Operation uint64
	reply     messages.Reply
	err       *messages.Error
	// snapshot is there when the operation was one.
	snapshot *snapshotResult
	// changed says that the document changed while a snapshot was read (R38).
	changed bool
	Fault   *kernel.Fault
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
	call  *call.Call
	reply messages.Reply
	err   *messages.Error
	fault *kernel.Fault
}

// closeOverdue comes from the timer of a close whose target is not reported gone.
type closeOverdue struct{ call *call.Call }

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

// TargetGone comes from the browser: the page's target is closed or lost. The actor
// is stopped behind it.
type TargetGone struct{ Cause *messages.Error }

// InfoChanged comes from the browser: address and title as the browser process
// knows them.
type InfoChanged struct{ URL, Title string }

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
		dialog *engine.OpenDialog
		at     time.Time
	}
	dialogClosed  struct{ accepted bool }
	downloadBegan struct{ guid string }
	targetCrashed struct{ at time.Time }
	targetRevived struct{}
)

func (*started) ToPage()               {}
func (*prepared) ToPage()              {}
func (*Call) ToPage()                  {}
func (*prepareDue) ToPage()            {}
func (*OwnerChanged) ToPage()          {}
func (*OperationDone) ToPage()         {}
func (*operationSkipped) ToPage()      {}
func (*operationOverdue) ToPage()      {}
func (*besideDone) ToPage()            {}
func (*closeOverdue) ToPage()          {}
func (*dialogAnswered) ToPage()        {}
func (*dialogHoldElapsed) ToPage()     {}
func (*dialogPatienceElapsed) ToPage() {}
func (*documentAwaited) ToPage()       {}
func (*TargetGone) ToPage()            {}
func (*InfoChanged) ToPage()           {}
func (*diagnosticsCounted) ToPage()    {}
func (*frameNavigated) ToPage()        {}
func (*navigatedWithin) ToPage()       {}
func (*documentOpened) ToPage()        {}
func (*frameDetached) ToPage()         {}
func (*loadFired) ToPage()             {}
func (*loadingChanged) ToPage()        {}
func (*worldMade) ToPage()             {}
func (*worldGone) ToPage()             {}
func (*worldsCleared) ToPage()         {}
func (*dialogOpened) ToPage()          {}
func (*dialogClosed) ToPage()          {}
func (*downloadBegan) ToPage()         {}
func (*targetCrashed) ToPage()         {}
func (*targetRevived) ToPage()         {}

// Effect is everything that a page's machine can ask its shell to do.
type Effect interface{ isEffect() }

type (
	// prepare enables the page's domains in a runner; prepared comes back.
	prepare struct{}
	// finishCall ends a call with its real result.
	finishCall struct {
		call  *call.Call
		reply messages.Reply
		err   *messages.Error
	}
	// failCall ends a call with what its ticket proves.
	failCall struct {
		call *call.Call
		err  *messages.Error
	}
	// startOperation runs the operation in a runner; OperationDone comes back, or
	// operationSkipped at once, and operationOverdue when its time is up.
	startOperation struct {
		operation uint64
		call      *call.Call
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
	startBeside struct{ call *call.Call }
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
	// sendLater sends the message back after a time.
	sendLater struct {
		after   time.Duration
		message Message
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
	// publishEvent hands an event to the journal.
	publishEvent struct{ event messages.Event }
	// failActor hands a fault of a runner to the supervisor.
	failActor struct{ fault kernel.Fault }
)

// snapshotRequest is what a snapshot gets from the machine.
type snapshotRequest struct {
	generation messages.Generation
	nextRef    uint64
	prefix     string
	// kept are the generations of other readers that stay alive.
	kept   []messages.Generation
	dialog *messages.Dialog
}

func (*prepare) isEffect()         {}
func (*finishCall) isEffect()      {}
func (*failCall) isEffect()        {}
func (*startOperation) isEffect()  {}
func (*cancelOperation) isEffect() {}
func (*startBeside) isEffect()     {}
func (*answerDialog) isEffect()    {}
func (*publishFence) isEffect()    {}
func (*keepNumbers) isEffect()     {}
func (*openWorld) isEffect()       {}
func (*sendLater) isEffect()       {}
func (*reportSummary) isEffect()   {}
func (*tellPrepared) isEffect()    {}
func (*reportDownload) isEffect()  {}
func (*publishEvent) isEffect()    {}
func (*failActor) isEffect()       {}
