package diagnostics

import "time"

// Bounds of the ledgers beyond those of package messages. Each says what happens
// at the bound.
const (
	// ledgerBytesMax bounds the text that a network ledger keeps, in bytes. At the
	// bound the oldest records go and the gap is marked.
	ledgerBytesMax = 8 << 20

	// hopsMax bounds the records of one redirect chain that are told apart; the
	// browser itself gives up after 20. A further hop takes over the newest record.
	hopsMax = 24

	// earlyExtrasMax bounds the raw headers that came before their request. At the
	// bound the oldest are dropped; the request keeps its provisional headers.
	earlyExtrasMax = 32

	// headerNameCharsMax bounds a header's name in characters; longer ones are cut.
	headerNameCharsMax = 128

	// methodBytesMax, typeBytesMax and reasonBytesMax bound the short texts of a
	// record in bytes; longer ones are cut.
	methodBytesMax = 32
	typeBytesMax   = 32
	reasonBytesMax = 256

	// stackURLCharsMax and functionCharsMax bound a stack frame in characters.
	stackURLCharsMax = 256
	functionCharsMax = 128

	// previewPropertiesMax bounds the properties of one logged object that are
	// written out; the rest becomes "…".
	previewPropertiesMax = 8

	// previewDepthMax bounds the levels of a logged object that are written out:
	// the rows of a table and their cells. Deeper ones are named by their kind.
	previewDepthMax = 2

	// argumentsMax bounds the arguments of one console call that are written out.
	argumentsMax = 32

	// windowsMax bounds the operations whose time is remembered. At the bound the
	// oldest is forgotten and a late event of its time belongs to no operation.
	windowsMax = 16

	// backgroundKeysMax bounds the requests known to come by themselves. At the
	// bound the one learned first is forgotten.
	backgroundKeysMax = 256

	// backgroundSightings is how often a request must be seen while no effect
	// runs before it counts as coming by itself: a poller repeats, what a page
	// loads once at its start does not.
	backgroundSightings = 2

	// clockSkewMax is how far the browser's clock may be from ours before its
	// times are ignored and the time of arrival is taken.
	clockSkewMax = time.Minute
)
