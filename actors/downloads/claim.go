package downloads

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// claimSuffix is the end of the name of the file beside a directory whose files go with
// their browser. A lock on the file lives as long as the process that the browser
// belongs to, so that whoever gets the lock has the proof that this process is gone.
const claimSuffix = ".session"

// claimTries bounds how often a claim is made anew because a sweep took the file away
// in the moment between its making and its locking.
const claimTries = 3

// Claim is the proof that a directory belongs to a process that lives. The zero value
// claims nothing.
type Claim struct{ file *os.File }

// Take claims the store's directory, which must not be there before. Where the system
// has no such locks nothing is claimed, and what a dead process leaves goes by its age.
func (c *Claim) Take(s Store) error {
	if c.file != nil || !canLock {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(s.Dir), directoryMode); err != nil {
		return err
	}
	for range claimTries {
		file, err := os.OpenFile(s.Dir+claimSuffix, os.O_CREATE|os.O_RDWR, fileMode)
		if err != nil {
			return err
		}
		if err = lock(file); err == nil && sameFile(file, s.Dir+claimSuffix) {
			c.file = file
			return nil
		}
		_ = file.Close() // nothing was written to it
	}
	return errors.New("the downloads directory could not be claimed")
}

func sameFile(file *os.File, path string) bool {
	held, err := file.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(path)
	return err == nil && os.SameFile(held, named)
}

// Release gives the claim up, after the directory is gone.
func (c *Claim) Release(s Store) {
	if c.file == nil {
		return
	}
	_ = os.Remove(s.Dir + claimSuffix) // what stays is swept at the next start
	_ = c.file.Close()                 // nothing was written to it
	c.file = nil
}

// SweepClaimed deletes the directories below parent that were to go with their browser
// and whose process is gone without having removed them, as after SIGKILL. Proof is the
// lock on the file beside the directory; without that file, or while the lock is held,
// nothing is touched.
func SweepClaimed(parent string) (Swept, error) {
	var swept Swept
	root, err := os.OpenRoot(parent)
	if errors.Is(err, fs.ErrNotExist) || !canLock {
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
		dir, claimed := strings.CutSuffix(entry.Name(), claimSuffix)
		if !claimed || dir == "" || !entry.Type().IsRegular() {
			continue
		}
		removed, err := removeAbandoned(root, dir)
		switch {
		case err != nil:
			swept.Failed++
		case removed:
			swept.Removed++
		default:
			swept.Kept++
		}
	}
	return swept, nil
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
	if lock(claim) != nil {
		return false, nil
	}
	if err := root.RemoveAll(dir); err != nil {
		return false, err
	}
	return true, root.Remove(dir + claimSuffix)
}
