// Package call is one command on its way through the actors, and what became of the
// calls to the browser that it made: the ticket, which alone says how far it came; its
// admission; the ledger that spends its operation id; the one table that judges a failed
// call, for effects and observations (R71-R75, R209); and the effects that are a
// single protocol call.
//
// It knows the kernel and the vocabulary. Who queues a command, runs it or passes it on
// is decided above.
package call
