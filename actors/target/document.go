package target

import (
	"errors"
	"strings"

	"github.com/troupe-browser/troupe/cdp"
)

// ErrDocumentGone says that the document that a call named was replaced before
// anything ran in it: nothing happened.
var ErrDocumentGone = errors.New("the document was replaced before the page function ran")

// ErrDocumentLeft says that the page went away while a function ran in it: what the
// function did is not known.
var ErrDocumentLeft = errors.New("the document was left while the page function ran")

// gonePhrases are the browser's words for a document that is not there (Chromium
// 156). untouched marks those with which the browser refuses before it runs
// anything: it looked up what the call names and did not find it.
var gonePhrases = []struct {
	words     string
	untouched bool
}{
	{"uniqueContextId not found", true},
	{"Cannot find context with specified id", true},
	{"Argument should belong to the same JavaScript world", true},
	{"No frame for given id found", true},
	{"Frame with the given id was not found", true},
	{"Frame with the given id is not found", true},
	{"Inspected target navigated or closed", false},
	{"Execution context was destroyed", false},
	{"Promise was collected", false},
}

// DocumentError returns an error that matches ErrDocumentGone or ErrDocumentLeft
// when the browser refused a call because the document is not there; any other
// error is returned as it is.
func DocumentError(err error) error {
	var call *cdp.CallError
	if DocumentLost(err) || !errors.As(err, &call) || call.Kind != cdp.KindRefused {
		return err
	}
	for _, phrase := range gonePhrases {
		switch {
		case !strings.Contains(call.Message, phrase.words):
		case phrase.untouched:
			return ErrDocumentGone
		default:
			return ErrDocumentLeft
		}
	}
	return err
}

// DocumentLost reports whether an error says that the document is not there any
// more, before or while something ran in it.
func DocumentLost(err error) bool {
	return errors.Is(err, ErrDocumentGone) || errors.Is(err, ErrDocumentLeft)
}
