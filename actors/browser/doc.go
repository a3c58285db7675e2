// Package browser is one browser: the set of its pages and whose each of them is, how one
// more is made, its downloads, and what is left to do when it ends.
//
// The machine decides and the shell carries out. The shell spawns and supervises the pages
// and holds the engine, which survives a restart. What a browser tells the root are the
// types of reports_machine.go.
//
// It knows pages and the engine. It knows no other browser, and nothing of the root but an
// address to report to.
package browser
