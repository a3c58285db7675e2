package downloads

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/troupe-browser/troupe/internal/filelock"
)

// Swept is what a sweep did.
type Swept struct {
	Removed int
	// Kept counts directories that a sweep has no right to, yet or at all: they are too
	// young, of an unknown age, or their owner lives.
	Kept   int
	Failed int
}

// Sweep deletes the directories of parent in which nothing has changed for longer
// than age. One whose age can't be determined is kept, and so is whatever is no
// directory (R129). A parent that does not exist holds nothing.
func Sweep(parent string, now time.Time, age time.Duration) (Swept, error) {
	return sweep(parent, func(root *os.Root, entry fs.DirEntry, swept *Swept) {
		if !entry.IsDir() {
			return
		}
		changed, err := lastChange(root, entry.Name())
		if err != nil || now.Sub(changed) <= age {
			swept.Kept++
			return
		}
		swept.count(true, root.RemoveAll(entry.Name()))
	})
}

// SweepClaimed deletes the directories below parent that were to go with their browser
// and whose process is gone without having removed them, as after SIGKILL. Proof is the
// lock on the file beside the directory; without that file, or while the lock is held,
// nothing is touched.
func SweepClaimed(parent string) (Swept, error) {
	if !filelock.Supported {
		return Swept{}, nil
	}
	return sweep(parent, func(root *os.Root, entry fs.DirEntry, swept *Swept) {
		dir, claimed := strings.CutSuffix(entry.Name(), claimSuffix)
		if !claimed || dir == "" || !entry.Type().IsRegular() {
			return
		}
		swept.count(removeAbandoned(root, dir))
	})
}

// sweep shows each entry of parent to one. The directory is opened as a root, so that
// a link in it leads nowhere else.
func sweep(parent string, one func(*os.Root, fs.DirEntry, *Swept)) (Swept, error) {
	var swept Swept
	root, err := os.OpenRoot(parent)
	if errors.Is(err, fs.ErrNotExist) {
		return swept, nil
	}
	if err != nil {
		return swept, err
	}
	defer func() { _ = root.Close() }() // nothing is written through it
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return swept, err
	}
	for _, entry := range entries {
		one(root, entry, &swept)
	}
	return swept, nil
}

func (s *Swept) count(removed bool, err error) {
	switch {
	case err != nil:
		s.Failed++
	case removed:
		s.Removed++
	default:
		s.Kept++
	}
}

// lastChange is the newest time of a directory and of what lies directly in it.
func lastChange(root *os.Root, dir string) (time.Time, error) {
	info, err := root.Lstat(dir)
	if err != nil {
		return time.Time{}, err
	}
	newest := info.ModTime()
	entries, err := fs.ReadDir(root.FS(), dir)
	if err != nil {
		return time.Time{}, err
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			return time.Time{}, err
		}
		if info.ModTime().After(newest) {
			newest = info.ModTime()
		}
	}
	return newest, nil
}

// removeAbandoned deletes a directory when nobody holds the lock of its claim. The
// claim goes last, so that what is left of a failure can still be proved to be ours.
func removeAbandoned(root *os.Root, dir string) (bool, error) {
	claim, err := root.OpenFile(dir+claimSuffix, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil // another sweep was quicker
	}
	if err != nil {
		return false, err
	}
	defer func() { _ = claim.Close() }() // nothing is written to it
	if filelock.TryLock(claim) != nil {
		return false, nil
	}
	if err := root.RemoveAll(dir); err != nil {
		return false, err
	}
	return true, root.Remove(dir + claimSuffix)
}
