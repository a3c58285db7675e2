//go:build unix

package actors

import (
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"github.com/troupe-browser/troupe/messages"
)

// lockProfile makes the directory of a managed profile and takes its lock, which
// one process holds alone (R178). A link, a foreign owner, or permissions open to
// others make it unusable.
func lockProfile(dir string) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, messages.NewError(messages.CodeProfileCreateFailed, "").WithOperator(err.Error())
	}
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || info.Mode().Perm()&0o077 != 0 {
		return nil, messages.NewError(messages.CodeStateUnavailable, "").WithOperator("the profile's directory is a link or open to others")
	}
	lock, err := os.OpenFile(filepath.Join(dir, profileLockName), os.O_CREATE|os.O_RDWR|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, messages.NewError(messages.CodeProfileCreateFailed, "").WithOperator(err.Error())
	}
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		_ = lock.Close() // the refusal matters, not the closing
		return nil, messages.NewError(messages.CodeProfileBusy, "")
	}
	return lock, nil
}

// endedProcesses returns those of the processes that do not exist any more.
func endedProcesses(pids []int) []int {
	var ended []int
	for _, pid := range pids {
		if errors.Is(unix.Kill(pid, 0), unix.ESRCH) {
			ended = append(ended, pid)
		}
	}
	return ended
}
