//go:build unix

package cdp

import (
	"io/fs"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// groupPoll is how often the members of a process group are looked for while
// waiting for the last to go.
const groupPoll = 10 * time.Millisecond

// killGroup kills every process of a group. The caller has proof that the group is
// its own.
func killGroup(pgid int) {
	// The only errors are that nobody is left and that somebody may not be
	// signalled; whoever waits for the group sees both.
	_ = unix.Kill(-pgid, unix.SIGKILL)
}

// ownedByUs reports whether the file belongs to this process's user.
func ownedByUs(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
