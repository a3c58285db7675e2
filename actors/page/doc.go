// Package page is one page target: its actor, the runner of one operation, and the
// diagnostics below it.
//
// The machine decides whose turn it is, what an element id is still good for (the fence),
// who answers a dialog and what a crash leaves. The shell carries its effects out. What a
// page tells its browser are the types of reports_machine.go.
//
// It knows the link of its target and the environment. It knows no other page, and nothing
// of its browser but an address to report to.
package page
