// Package diagnostics holds what a page said while nobody looked: its network
// requests, its console and its exceptions, in bounded form.
//
// It is pure data. A NetworkLedger and a ConsoleRing are folded from the events
// of the browser connection's lossy lane and answer questions; they make no
// protocol call (R136), read no clock and start nothing, so that one owner can
// drive them from a mailbox and a test can replay them exactly. Times come in
// with the events.
//
//	events of the lossy lane ──Fold──> NetworkLedger ──Entries──> newest that match
//	                                   ConsoleRing                within the bounds
//
// Both have one cursor that only grows. What was lost, before the ledger or out
// of its far end, is marked until Clear, which is the only thing that empties
// them: neither a navigation nor a reconnect does (R137, R145).
//
// The package knows nothing of grants. It is told when it is made whether header
// values may be stored at all (C3), and with each question whether the operator
// asks, who alone sees query strings (C4) and redirected hops (C21).
package diagnostics
