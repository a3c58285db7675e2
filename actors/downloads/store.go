package downloads

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

const (
	// directoryMode and fileMode keep downloads private (R152).
	directoryMode fs.FileMode = 0o700
	fileMode      fs.FileMode = 0o600

	// numberMax is the largest number that a name gets when it is taken (R128).
	// Beyond it the file keeps its GUID.
	numberMax = 999
)

// Store is the directory that one browser downloads to. It holds nothing open; every
// method may fail with an error of the file system, whose text can hold the path and
// is for the operator only.
type Store struct{ Dir string }

// Prepare makes the directory, private to the user.
func (s Store) Prepare() error {
	if err := os.MkdirAll(s.Dir, directoryMode); err != nil {
		return err
	}
	return os.Chmod(s.Dir, directoryMode)
}

// Settle gives a finished file its suggested name, with a number where that is
// taken; it never overwrites (R128, R130). The suggestion is made harmless again,
// whoever made it. It returns the name that the file has now, also with an error:
// then that is the GUID.
func (s Store) Settle(guid, suggested string) (string, error) {
	root, err := os.OpenRoot(s.Dir)
	if err != nil {
		return guid, err
	}
	defer func() { _ = root.Close() }() // nothing is written through it
	info, err := root.Lstat(guid)
	if err != nil {
		return guid, err
	}
	if !info.Mode().IsRegular() {
		return guid, errors.New("the downloaded file is no regular file")
	}
	// What the page sent is nobody else's business and never a program.
	_ = root.Chmod(guid, fileMode) // a file system without modes has none to set
	name := SafeName(suggested)
	for n := 1; n <= numberMax; n++ {
		candidate := name
		if n > 1 {
			candidate = numbered(name, n)
		}
		err := move(root, guid, candidate)
		if !errors.Is(err, fs.ErrExist) {
			if err != nil {
				return guid, err
			}
			return candidate, nil
		}
	}
	return guid, nil
}

// move renames a file and fails when the new name is taken. A link says so in one
// step; where links are not to be had, the name is taken by an empty file first.
func move(root *os.Root, from, to string) error {
	err := root.Link(from, to)
	if err == nil {
		return root.Remove(from)
	}
	if errors.Is(err, fs.ErrExist) {
		return err
	}
	taken, err := root.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, fileMode)
	if err != nil {
		return err
	}
	if err := taken.Close(); err != nil {
		return err
	}
	return root.Rename(from, to)
}

// Remove deletes files of the directory by name. One that is not there counts as
// deleted.
func (s Store) Remove(names []string) error {
	root, err := os.OpenRoot(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // nothing is written through it
	var failed []error
	for _, name := range names {
		if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}

// Path returns where a file of the directory lies, for the operator.
func (s Store) Path(name string) string { return filepath.Join(s.Dir, name) }

// Discard deletes the directory with everything in it.
func (s Store) Discard() error { return os.RemoveAll(s.Dir) }

// DiscardEmpty deletes the directory when nothing is in it. What is in it is kept, and
// whatever else keeps it from being deleted leaves it to a sweep.
func (s Store) DiscardEmpty() { _ = os.Remove(s.Dir) }
