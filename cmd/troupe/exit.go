package main

import (
	"errors"
	"fmt"

	"github.com/troupe-browser/troupe/messages"
)

// Exit statuses. They follow the class of the error code, so that a script can tell what to do without reading a text.
const (
	exitOK          = 0
	exitFailed      = 1   // it was tried and did not work
	exitUsage       = 2   // the call is wrong: correct it
	exitNotFound    = 3   // no such browser or page
	exitRefused     = 4   // refused now: by the page, a grant, a limit or an older snapshot
	exitUncertain   = 5   // it may have happened: look before anything else
	exitUnavailable = 6   // something that is needed is not there
	exitTimeout     = 7   // time ran out before it began
	exitCancelled   = 130 // interrupted
)

var exitOfClass = map[messages.Class]int{
	messages.ClassArgument:    exitUsage,
	messages.ClassNotFound:    exitNotFound,
	messages.ClassStale:       exitRefused,
	messages.ClassRefused:     exitRefused,
	messages.ClassDenied:      exitRefused,
	messages.ClassLimit:       exitRefused,
	messages.ClassUnavailable: exitUnavailable,
	messages.ClassTimeout:     exitTimeout,
	messages.ClassProtocol:    exitFailed,
	messages.ClassUncertain:   exitUncertain,
	messages.ClassFailed:      exitFailed,
	messages.ClassCancelled:   exitCancelled,
}

// usageError is a wrong call of the command line.
type usageError struct{ text string }

// Error returns the text.
func (e usageError) Error() string { return e.text }

func usagef(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

// silentError ends the command with a status after everything was said.
type silentError struct{ status int }

// Error names the status; it is never shown.
func (e silentError) Error() string { return fmt.Sprintf("exit status %d", e.status) }

// exitStatus returns the status of an error. What is known of the effect comes before the class of its code: an outcome
// that is not known is never less than that.
func exitStatus(err error) int {
	var silent silentError
	var usage usageError
	var known *messages.Error
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &silent):
		return silent.status
	case errors.As(err, &usage):
		return exitUsage
	case errors.As(err, &known):
		if known.State == messages.OutcomeUnknown {
			return exitUncertain
		}
		if status, ok := exitOfClass[known.Code.Info().Class]; ok {
			return status
		}
	}
	return exitFailed
}
