package cdp

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/troupe-browser/troupe/internal/filelock"
)

// orphanWait bounds how long a sweep waits for the browser of a dead owner to be
// gone after it was killed; then the directory is kept for the next sweep.
const orphanWait = 2 * time.Second

// emptyAge is how old an empty directory without a marker must be to be removed:
// a younger one may be on its way to getting its marker.
const emptyAge = time.Minute

// SweepReport says what a sweep found.
type SweepReport struct {
	Removed int // directories of dead owners that are gone now
	Kept    int // directories whose owner lives, or that cannot be proved to be an orphan
	Failed  int // directories of dead owners that could not be removed
	// Errors say why, for the operator only.
	Errors []error
}

// SweepOrphans removes the throwaway directories below parent that dead runs left
// behind. A directory is removed only if it has our name and belongs to this user,
// its owner file names it and is not locked, and the process that the file
// describes by number, start time and boot is gone. A browser that such a run left
// running is ended first. Anything else is left alone. A parent that does not
// exist holds nothing.
func SweepOrphans(parent string) (SweepReport, error) {
	var report SweepReport
	parent, err := filepath.Abs(parent) // as the browser was told it
	if err != nil {
		return report, err
	}
	entries, err := os.ReadDir(parent)
	if errors.Is(err, fs.ErrNotExist) {
		return report, nil
	}
	if err != nil {
		return report, err
	}
	for _, e := range entries {
		id, ok := throwawayID(e.Name())
		if !ok {
			continue
		}
		removed, err := sweepOne(filepath.Join(parent, e.Name()), id)
		switch {
		case err != nil:
			report.Failed++
			report.Errors = append(report.Errors, err)
		case removed:
			report.Removed++
		default:
			report.Kept++
		}
	}
	return report, nil
}

// sweepOne removes one directory if it is proved to be an orphan.
func sweepOne(path, id string) (removed bool, err error) {
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() || !ownedByUs(info) {
		return false, nil
	}
	owner, err := readMarker(filepath.Join(path, ownerFile), id)
	if errors.Is(err, fs.ErrNotExist) && time.Since(info.ModTime()) > emptyAge {
		// A run that died before it wrote its marker leaves an empty directory;
		// removing one that is not empty fails.
		return os.Remove(path) == nil, nil
	}
	if err != nil || owner.alive() {
		return false, nil
	}
	lock, err := os.OpenFile(filepath.Join(path, ownerFile), os.O_RDWR, 0)
	if err != nil {
		return false, nil
	}
	defer lock.Close()
	if err := filelock.TryLock(lock); err != nil {
		return false, nil // a live owner, perhaps in another process namespace
	}
	if browser, err := readMarker(filepath.Join(path, browserFile), id); err == nil && browser.alive() {
		if err := endOrphan(browser); err != nil {
			return false, fmt.Errorf("%s: %w", path, err)
		}
	}
	if err := endStrays(filepath.Join(path, crashDirName)); err != nil {
		return false, fmt.Errorf("%s: %w", path, err)
	}
	sweepSingleton(filepath.Join(path, dataDirName), 0)
	if err := removeThrowaway(path); err != nil {
		return false, fmt.Errorf("%s: %w", path, err)
	}
	return true, nil
}

// endOrphan ends the process tree of a browser whose owner is dead.
func endOrphan(browser marker) error {
	if browser.Start == 0 {
		return errors.New("the browser of a dead owner cannot be told from another process")
	}
	killGroup(browser.PID)
	poll := time.NewTicker(groupPoll)
	defer poll.Stop()
	for deadline := time.Now().Add(orphanWait); groupAlive(browser.PID); <-poll.C {
		if time.Now().After(deadline) {
			return errors.New("the browser of a dead owner does not end")
		}
	}
	return nil
}
