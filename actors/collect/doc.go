// Package collect carries out the observations of one page: snapshots,
// screenshots, waits and single fields. It makes the protocol calls, hands what
// they answer to package snapshot, which decides, and registers in the page what
// was admitted.
//
// It is run by the runner of one operation. It owns no state between calls and
// never changes the page (R44). A document that was replaced while it was read
// ends in [ErrDocumentChanged]: what was read is never published (R38).
package collect
