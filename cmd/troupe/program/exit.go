package program

import (
	"errors"
	"fmt"

	"github.com/troupe-browser/troupe/messages"
)

// Exit statuses. They follow the class of the error code, so that a script can tell what to do without reading a text.
const (
	ExitOK          = 0
	ExitFailed      = 1   // it was tried and did not work
	ExitUsage       = 2   // the call is wrong: correct it
	ExitNotFound    = 3   // no such browser or page
	ExitRefused     = 4   // refused now: by the page, a grant, a limit or an older snapshot
	ExitUncertain   = 5   // it may have happened: look before anything else
	ExitUnavailable = 6   // something that is needed is not there
	ExitTimeout     = 7   // time ran out before it began
	ExitCancelled   = 130 // interrupted
)

var exitOfClass = map[messages.Class]int{
	messages.ClassArgument:    ExitUsage,
	messages.ClassNotFound:    ExitNotFound,
	messages.ClassStale:       ExitRefused,
	messages.ClassRefused:     ExitRefused,
	messages.ClassDenied:      ExitRefused,
	messages.ClassLimit:       ExitRefused,
	messages.ClassUnavailable: ExitUnavailable,
	messages.ClassTimeout:     ExitTimeout,
	messages.ClassProtocol:    ExitFailed,
	messages.ClassUncertain:   ExitUncertain,
	messages.ClassFailed:      ExitFailed,
	messages.ClassCancelled:   ExitCancelled,
}

// UsageError is a wrong call of the command line.
type UsageError struct{ Text string }

// Error returns the text.
func (e UsageError) Error() string { return e.Text }

// Usagef returns a UsageError with a formatted text.
func Usagef(format string, args ...any) error { return UsageError{fmt.Sprintf(format, args...)} }

// SilentError ends the command with a status after everything was said.
type SilentError struct{ Status int }

// Error names the status; it is never shown.
func (e SilentError) Error() string { return fmt.Sprintf("exit status %d", e.Status) }

// ExitStatus returns the status of an error. What is known of the effect comes before the class of its code: an outcome
// that is not known is never less than that.
func ExitStatus(err error) int {
	var silent SilentError
	var usage UsageError
	var known *messages.Error
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &silent):
		return silent.Status
	case errors.As(err, &usage):
		return ExitUsage
	case errors.As(err, &known):
		if known.State == messages.OutcomeUnknown {
			return ExitUncertain
		}
		if status, ok := exitOfClass[known.Code.Info().Class]; ok {
			return status
		}
	}
	return ExitFailed
}
