// Package root is the top of the tree: the registry of browsers, admission of launches,
// the reaping of idle ones, processes that own browsers, and the shutdown with its report.
//
// The machine decides and the shell carries out. The shell spawns and supervises the
// browsers, the journal and the ledger.
//
// It knows browsers. It knows no page and no gateway: how a host's Request is answered is
// given to it.
package root
