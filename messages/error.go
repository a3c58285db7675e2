package messages

import (
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Recovery names the call that helps after a refusal: a tool and its arguments,
// both exactly as an MCP client would send them (R73, R210).
type Recovery struct {
	Tool      string         `json:"tool"`
	Arguments map[string]any `json:"arguments,omitempty"`
}

// Error is the one error type of the product (R212): the same code in Go, MCP
// and CLI. Detail is a sentence for a model, free of page text beyond an
// accessible name, typed text, query strings, paths, ports and PIDs (R206).
type Error struct {
	Code     Code
	State    ExecutionState
	Detail   string
	Recovery *Recovery
	// Operator is for the person who runs the process (a path, the last line
	// of the browser's stderr). It never reaches a model, a log or the audit (R4).
	Operator string
}

// NewError returns a refusal that proves nothing was started. The detail is a
// format as in fmt.Sprintf; empty, the code's own sentence is used.
func NewError(code Code, detail string, args ...any) *Error {
	return &Error{Code: code, State: NotStarted, Detail: sentence(code, detail, args)}
}

// UnknownOutcome returns an error whose effect may have happened.
func UnknownOutcome(code Code, detail string, args ...any) *Error {
	return &Error{Code: code, State: OutcomeUnknown, Detail: sentence(code, detail, args)}
}

func sentence(code Code, detail string, args []any) string {
	if detail == "" {
		return code.Info().Meaning
	}
	if len(args) == 0 {
		return detail
	}
	return fmt.Sprintf(detail, args...)
}

// Error returns "code: detail".
func (e *Error) Error() string { return string(e.Code) + ": " + e.Detail }

// Is reports whether target is an *Error of the same canonical code, so that
// errors.Is(err, messages.NewError(messages.CodeBusy, "")) works.
func (e *Error) Is(target error) bool {
	var t *Error
	return errors.As(target, &t) && t.Code.Canonical() == e.Code.Canonical()
}

// WithRecovery returns a copy of the error that names the call that helps.
func (e *Error) WithRecovery(tool string, arguments map[string]any) *Error {
	c := *e
	c.Recovery = &Recovery{Tool: tool, Arguments: maps.Clone(arguments)}
	return &c
}

// WithOperator returns a copy of the error with a text for the operator only.
func (e *Error) WithOperator(text string) *Error {
	c := *e
	c.Operator = text
	return &c
}

// AsUnknown returns a copy of the error whose effect may have happened.
func (e *Error) AsUnknown() *Error {
	c := *e
	c.State = OutcomeUnknown
	return &c
}

// AsError returns err as *Error. Any other error becomes browser_protocol_error
// without its text, since the text of a foreign error may hold anything.
func AsError(err error) *Error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return NewError(CodeProtocolError, "The browser connection failed in a way that has no code of its own.")
}

// Codes returns every canonical code, sorted.
func Codes() []Code {
	return slices.Sorted(maps.Keys(catalogue))
}
