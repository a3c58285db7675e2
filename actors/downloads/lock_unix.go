//go:build unix

package downloads

import (
	"os"

	"golang.org/x/sys/unix"
)

// canLock says that lock works here.
const canLock = true

// lock takes an exclusive lock that ends with the file's closing or the process.
func lock(file *os.File) error { return unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB) }
