package messages

import "strconv"

// BrowserID names one browser of one runtime. It is opaque, local to the
// process and never used again (R27, R28).
type BrowserID string

// PageID names one page target of one browser, opaque like BrowserID (R27).
type PageID string

// ElementID names one admitted node of one snapshot generation. It is good for
// exactly one browser, page, document and generation (R29).
type ElementID string

// Ref is the short alias of an ElementID inside one page: "e" and a number
// from 1 that runs on through the life of the page and is never used again (R33).
type Ref string

// ElementHandle is what a caller may write to name an element: an ElementID or
// a Ref (Appendix A of the design). The page decides which it is by its shape.
type ElementHandle string

// DocumentToken is the capability of one snapshot. It dies when the page
// navigates, is replaced, is snapshotted again or a person takes over (R40).
type DocumentToken string

// OperationID names one effect and is good for one use for ever (R153). Letters,
// digits, "_" and "-", 1 to OperationIDCharsMax characters (R154).
type OperationID string

// CallerID names who asks: one MCP session, one CLI process, one Go client.
type CallerID string

// OwnerID names the agent whose end also ends its browsers (R23).
type OwnerID string

// RequestID names one record of a page's network ledger.
type RequestID string

// DownloadID names one download record of a browser.
type DownloadID string

// ArtifactID names one file of the private artifact store (R152).
type ArtifactID string

// AttachmentID names one live offer of the extension bridge (R162).
type AttachmentID string

// Generation counts the snapshots of a page; each snapshot or query makes a
// new one and kills the ids of the one before (R31).
type Generation uint64

// String returns the number in decimal digits.
func (g Generation) String() string { return strconv.FormatUint(uint64(g), 10) }

// Epoch counts the incarnations of a page actor. A restart takes the next one,
// so that nothing left over from the one before can be mistaken for current.
type Epoch uint64
