// Package filelock takes locks on files that end with their process, whatever ends
// it: the kernel gives them back. They hold against other processes and against
// other openings of the file in this one.
package filelock

import "errors"

// ErrHeld says that somebody else holds the lock.
var ErrHeld = errors.New("another process holds the lock")
