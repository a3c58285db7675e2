package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// Supported says that there are such locks on this system.
const Supported = true

// TryLock takes the exclusive lock of an open file without waiting. It ends with the
// file's closing or the process. It returns ErrHeld, or the system's error.
func TryLock(file *os.File) error {
	// The locked byte lies beyond the content, which must stay readable.
	err := windows.LockFileEx(windows.Handle(file.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY,
		0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrHeld
	}
	return err
}
