// Package target is what the runner of one operation holds of its page target:
// sessions, the isolated worlds of the page's frames, policy, and the one way to
// call a page function under the document fence.
//
// A Page is a copy made by the page actor when an operation starts and is not
// changed afterwards, so runners share no state with actors. That it may be out
// of date is harmless: every call names the exact document by the unique id of
// its isolated world and fails, before running anything, when that is gone.
package target
