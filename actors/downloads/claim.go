package downloads

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/troupe-browser/troupe/internal/filelock"
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
	if c.file != nil || !filelock.Supported {
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
		if err = filelock.TryLock(file); err == nil && sameFile(file, s.Dir+claimSuffix) {
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
