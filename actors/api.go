package actors

import (
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/root"
)

// What an embedding program names. The types live in the rooms that use them.
type (
	// Config is the operator's configuration of a runtime.
	Config = kernel.Config
	// DialogPolicy says who answers a JavaScript dialog (R121).
	DialogPolicy = kernel.DialogPolicy
	// Connector gives the runtime a browser to drive, in the place of starting one.
	Connector = kernel.Connector
	// ConnectPlan says what kind of browser a launch wants.
	ConnectPlan = kernel.ConnectPlan
	// Connection is a browser that answers, with what ends it.
	Connection = kernel.Connection
	// Request is a command as a message, for hosts that are actors themselves.
	Request = root.Request
	// Answer is what messages.Gateway.Do returns, as a message.
	Answer = root.Answer
	// ShutdownReport says what a shutdown ended and how (R193).
	ShutdownReport = root.ShutdownReport
	// LateEnds counts the browsers that ended after the report that named them pending.
	LateEnds = kernel.LateEnds
)

// The policies of Config.Dialogs. Empty means hold.
const (
	// DialogsHold keeps a dialog for the connected caller, at most messages.DialogHold.
	DialogsHold = kernel.DialogsHold
	// DialogsAuto accepts beforeunload and dismisses everything else at once.
	DialogsAuto = kernel.DialogsAuto
)
