//go:build unix

package engine

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/internal/filelock"
	"github.com/troupe-browser/troupe/messages"
)

// lockProfile makes the directory of a managed profile and takes its lock, which
// one process holds alone (R178). The directory, the one of all profiles and the
// profile's data must be private: a link, a foreign owner, or permissions open to
// others make them unusable.
func lockProfile(dir string) (*os.File, error) {
	// What exists already is looked at before anything is made below it.
	root := filepath.Dir(dir)
	for _, path := range []string{root, dir, filepath.Join(dir, kernel.ProfileDataName)} {
		if err := checkPrivate(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, messages.NewError(messages.CodeStateUnavailable, "").WithOperator(err.Error())
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, messages.NewError(messages.CodeProfileCreateFailed, "").WithOperator(err.Error())
	}
	lock, err := os.OpenFile(filepath.Join(dir, kernel.ProfileLockName), os.O_CREATE|os.O_RDWR|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, messages.NewError(messages.CodeProfileCreateFailed, "").WithOperator(err.Error())
	}
	if err := filelock.TryLock(lock); err != nil {
		_ = lock.Close() // the refusal matters, not the closing
		if errors.Is(err, filelock.ErrHeld) {
			return nil, messages.NewError(messages.CodeProfileBusy, "")
		}
		return nil, messages.NewError(messages.CodeStateUnavailable, "").WithOperator(err.Error())
	}
	return lock, nil
}

// checkPrivate refuses a directory that is a link, another user's or open to others.
func checkPrivate(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	stat, known := info.Sys().(*syscall.Stat_t)
	switch {
	case !info.IsDir():
		return errors.New("a directory of managed profiles is a link or a file")
	case info.Mode().Perm()&0o077 != 0:
		return errors.New("a directory of managed profiles is open to others")
	case known && int(stat.Uid) != os.Geteuid():
		return errors.New("a directory of managed profiles belongs to another user")
	}
	return nil
}
