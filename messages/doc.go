// Package messages is the vocabulary of Troupe: ids, commands, replies,
// events, outcomes, errors, grants and limits, and the Gateway port through
// which every surface reaches the runtime.
//
// It imports the standard library only and holds nothing that could not cross
// a wire: no actor reference, no protocol type of the browser, no open file.
// Surfaces (MCP, CLI, live view) hold a Gateway and speak these types; the
// runtime in package actors implements it.
//
// Commands are sealed: the set in this package is the whole of what a caller
// can ask for. Observations never change anything and answer with their own
// reply type. Effects answer with a Receipt, also when they are refused, whose
// ExecutionState says truthfully what happened (R71).
package messages
