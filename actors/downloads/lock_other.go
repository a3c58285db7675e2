//go:build !unix

package downloads

import (
	"errors"
	"os"
)

// canLock says that there are no locks which end with their process.
const canLock = false

func lock(*os.File) error { return errors.ErrUnsupported }
