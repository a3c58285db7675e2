//go:build !unix && !windows

package filelock

import (
	"errors"
	"os"
)

// Supported says that there are such locks on this system.
const Supported = false

// TryLock refuses: no lock is known here that ends with its process.
func TryLock(*os.File) error { return errors.ErrUnsupported }
