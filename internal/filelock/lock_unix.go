//go:build unix

package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Supported says that there are such locks on this system.
const Supported = true

// TryLock takes the exclusive lock of an open file without waiting. It ends with the
// file's closing or the process. It returns ErrHeld, or the system's error.
func TryLock(file *os.File) error {
	err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return ErrHeld
	}
	return err
}
