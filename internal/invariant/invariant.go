package invariant

import (
	"fmt"
	"path/filepath"
	"runtime"
)

// Violation is what a broken invariant panics with. It tells a supervisor and a test that the program, and not its
// surroundings, is at fault.
type Violation struct {
	// Message says what was expected and what was found. It must hold no page text, as it may be logged.
	Message string
	// Where is the file and line of the check, without a directory.
	Where string
}

// Error returns the message and the place of the check.
func (v *Violation) Error() string {
	return "invariant broken at " + v.Where + ": " + v.Message
}

// Check panics with a *Violation when ok is false and invariants are enabled. The format and its arguments describe the
// broken state; they are evaluated by the caller in every build, so an expensive one belongs behind Enabled.
func Check(ok bool, format string, args ...any) {
	if !Enabled || ok {
		return
	}
	panic(violation(2, format, args))
}

// Unreachable panics with a *Violation when invariants are enabled. It marks a branch that no input may lead to; the
// caller still handles the branch for the builds in which nothing is checked.
func Unreachable(format string, args ...any) {
	if !Enabled {
		return
	}
	panic(violation(2, format, args))
}

// violation describes the check that is skip frames up the stack.
func violation(skip int, format string, args []any) *Violation {
	where := "unknown"
	if _, file, line, ok := runtime.Caller(skip); ok {
		where = fmt.Sprintf("%s:%d", filepath.Base(file), line)
	}
	return &Violation{Message: fmt.Sprintf(format, args...), Where: where}
}
