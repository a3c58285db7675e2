// Package effect carries out one admitted action on one page: [Run] makes the
// exact sequence of protocol calls, judges how it ended, and assembles the
// receipt (design sections 4 and 6).
//
// It is pure sequence: the page actor gives it a copy of the page, a way to
// look up element records, and the ticket's [target.Progress]; it holds no
// state between operations and starts no goroutine that outlives Run.
//
// # Certainty
//
// Everything turns on three moments (R71-R75). Before Progress.Begin only
// checks run: a failure is not_started whatever its cause, because nothing that
// was sent can change the page. Between Begin and End input is on its way:
// a failure is outcome_unknown unless it is proved that nothing arrived, as
// when the browser never got the call or the page's own guard says that it
// stopped the event. After End the effect has happened; what goes wrong later
// (settling, reading back) only makes the receipt poorer.
//
// An operation waits for three things at once: the answers of its calls, its
// deadline, and a dialog, which keeps the renderer from answering anything
// (R121). The events come from one tap of the page's session that is opened
// before the first call.
//
// # Page functions
//
// The functions of page/*.js are this package's own. They are installed in our
// isolated world at their first use in a document, next to the world's own
// functions of package snapshot, through which they find their elements. They
// are constants: no text from a caller or a page is ever run.
package effect
