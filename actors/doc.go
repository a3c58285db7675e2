// Package actors is the runtime: who owns what, for how long, and what happens
// when any part of it dies.
//
// This package is the API. The actors are in rooms below it, which stand in one order:
// kernel, call, journal, engine, page, browser, root. Each knows only those before it.
//
// A room is made of pairs. A file named *_machine.go decides: it is pure, takes one
// message and returns effects, and knows no clock, no network and no actor
// system. The file beside it is the shell: a protoactor actor that owns the
// context, feeds the machine and carries its effects out. No shell ever blocks; what
// takes time runs in a runner goroutine, which reports back with a message that
// names what asked for it.
//
//	root                 registry, admission, reaping, shutdown
//	├─ journal           events in a ring, subscribers, the audit file
//	├─ ledger            spent operation ids
//	└─ browser/<id>      process or connection, page set, ownership of pages
//	   └─ page/<id>      queue, one operation in flight, fence, dialogs
//
// # What a call can rely on
//
// Every call is one ticket that caller, actors and runner share. Its state is
// one atomic word, so "was it started" has exactly one answer whoever dies: what
// was not begun is not_started, what is begun and has no known end is
// outcome_unknown. An actor that stops or restarts answers everything that it holds,
// and its parent answers what was still in its mailbox, so that nobody waits for a
// dead actor.
//
// # Embedding
//
// [Start] makes a runtime with an actor system of its own. A host that has one
// already spawns the root in it with [SpawnRoot] and sends it [Request] messages.
// Both answer in the vocabulary of package messages.
//
// The package knows nothing of MCP, command lines or live views: those hold a
// messages.Gateway, which [Runtime] is.
package actors
