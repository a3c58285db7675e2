//go:build unix

package root

import (
	"errors"

	"golang.org/x/sys/unix"
)

// signals reports whether there is a process of that number, ended ones that were not
// waited for included.
func signals(pid int) bool { return !errors.Is(unix.Kill(pid, 0), unix.ESRCH) }
