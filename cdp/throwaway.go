package cdp

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/troupe-browser/troupe/internal/filelock"
)

// A throwaway directory holds everything that a browser leaves behind and nothing
// else. Its layout is
//
//	<parent>/troupe-<id>/owner.json    who made it; locked while the owner lives
//	                     browser.json  the browser process, once there is one
//	                     data/         the profile of an ephemeral browser
//	                     tmp/          the browser's TMPDIR, or a link to it
//	                     bin/          the first directory of the browser's PATH
//	                     crash/        its crash reports
//
// The first two are the proof by which SweepOrphans may remove it.
const (
	throwawayPrefix = "troupe-"
	ownerFile       = "owner.json"
	browserFile     = "browser.json"
	dataDirName     = "data"
	tempDirName     = "tmp"
	crashDirName    = "crash"
	programsDirName = "bin"

	// throwawayIDBytes is the size of an id before hex. It is short because a
	// socket path, which must fit in 108 bytes, lies below it.
	throwawayIDBytes = 6

	// removeTries and removePause bound the removal of a directory that something
	// still writes to. After the last try the removal fails.
	removeTries = 20
	removePause = 50 * time.Millisecond

	// markerVersion is the format of the two files.
	markerVersion = 1
	// markerBytesMax bounds what is read of a marker; a longer one proves nothing.
	markerBytesMax = 4 << 10
)

// marker identifies a process beyond the reuse of its number: a process of the
// same number that started at another time, or in another boot, is another one.
type marker struct {
	Version int    `json:"version"`
	ID      string `json:"id"`
	PID     int    `json:"pid"`
	Start   uint64 `json:"start"` // in the system's own unit, 0 when unknown
	Boot    string `json:"boot"`  // id of the boot, empty when unknown
}

// markerOf describes a running process.
func markerOf(id string, pid int) marker {
	start, _ := processStart(pid)
	return marker{Version: markerVersion, ID: id, PID: pid, Start: start, Boot: bootID()}
}

// alive reports whether the process that the marker describes can still be
// running. Where the system does not tell start times, it may be wrong only by
// saying yes.
func (m marker) alive() bool {
	if boot := bootID(); m.Boot != "" && boot != "" && m.Boot != boot {
		return false
	}
	start, running := processStart(m.PID)
	if !running {
		return false
	}
	return start == 0 || m.Start == 0 || start == m.Start
}

// throwaway is a throwaway directory of this process.
type throwaway struct {
	id   string
	path string
	lock *os.File // nil once released
}

// newThrowaway makes a throwaway directory below parent, which is made private if
// it does not exist.
func newThrowaway(parent string) (*throwaway, error) {
	if parent == "" {
		return nil, errors.New("no directory for throwaway profiles was named")
	}
	parent, err := filepath.Abs(parent)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return nil, err
	}
	raw := make([]byte, throwawayIDBytes)
	_, _ = rand.Read(raw) // never fails (crypto/rand)
	t := &throwaway{id: hex.EncodeToString(raw)}
	t.path = filepath.Join(parent, throwawayPrefix+t.id)
	if err := os.Mkdir(t.path, 0o700); err != nil {
		return nil, err
	}
	if err := t.claim(); err != nil {
		return nil, errors.Join(err, t.remove())
	}
	return t, nil
}

// claim writes and locks the owner file and makes the inner directories.
func (t *throwaway) claim() error {
	lock, err := os.OpenFile(filepath.Join(t.path, ownerFile), os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	t.lock = lock
	if err := filelock.TryLock(lock); err != nil {
		return err
	}
	data, err := json.Marshal(markerOf(t.id, os.Getpid()))
	if err != nil {
		return err
	}
	if _, err := lock.Write(data); err != nil {
		return err
	}
	return errors.Join(
		os.Mkdir(filepath.Join(t.path, dataDirName), 0o700),
		t.makeTempDir(os.TempDir(), systemTemp),
		os.Mkdir(t.crashDir(), 0o700),
		makePrograms(t.programsDir()),
	)
}

// errTempTooLong says that no directory leaves room for a socket of the browser.
var errTempTooLong = errors.New("no directory for temporary files has a path short enough for a socket")

// systemTemp is tried where TMPDIR is too long as well.
const systemTemp = "/tmp"

// makeTempDir makes the browser's TMPDIR. Where the path of a socket in it would be
// too long, it lies in one of the system's directories, under the name of the
// throwaway directory, and a link leads there.
func (t *throwaway) makeTempDir(system ...string) error {
	inside := filepath.Join(t.path, tempDirName)
	if fitsSocket(inside) {
		return os.Mkdir(inside, 0o700)
	}
	failed := errTempTooLong
	for _, dir := range system {
		outside := filepath.Join(dir, throwawayPrefix+t.id)
		if !fitsSocket(outside) {
			continue
		}
		if err := os.Mkdir(outside, 0o700); err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		return os.Symlink(outside, inside)
	}
	return failed
}

// noteBrowser records the browser process, so that a sweep can prove that it too
// is gone, or end it.
func (t *throwaway) noteBrowser(pid int) error {
	data, err := json.Marshal(markerOf(t.id, pid))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(t.path, browserFile), data, 0o600)
}

func (t *throwaway) dataDir() string { return filepath.Join(t.path, dataDirName) }

func (t *throwaway) crashDir() string { return filepath.Join(t.path, crashDirName) }

func (t *throwaway) programsDir() string { return filepath.Join(t.path, programsDirName) }

// socketPathMax is the longest path of a unix socket in bytes, and
// socketPathBelowTemp what the browser appends to its TMPDIR to name one.
const (
	socketPathMax       = 107
	socketPathBelowTemp = len("/org.chromium.Chromium.scoped_dir.XXXXXX/SingletonSocket")
)

func fitsSocket(dir string) bool { return len(dir)+socketPathBelowTemp <= socketPathMax }

// tempDir returns the directory to use as the browser's TMPDIR.
func (t *throwaway) tempDir() string {
	dir := filepath.Join(t.path, tempDirName)
	if outside, err := os.Readlink(dir); err == nil {
		dir = outside
	}
	return dir
}

// remove removes the directory and checks that it stays away.
func (t *throwaway) remove() error {
	if t.lock != nil {
		// Some systems do not remove an open file. From here on only this process
		// removes the directory, or, should it die, a sweep.
		_ = t.lock.Close()
		t.lock = nil
	}
	return removeThrowaway(t.path)
}

// removeThrowaway removes a throwaway directory, the markers last: if it is
// interrupted, what is left can still be proved to be ours.
func removeThrowaway(path string) error {
	err := removeOnce(path)
	if err == nil {
		return nil
	}
	pause := time.NewTicker(removePause)
	defer pause.Stop()
	for range removeTries - 1 {
		<-pause.C
		if err = removeOnce(path); err == nil {
			return nil
		}
	}
	return err
}

func removeOnce(path string) error {
	entries, err := os.ReadDir(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == ownerFile || e.Name() == browserFile {
			continue
		}
		if e.Name() == tempDirName {
			if err := removeOutside(path); err != nil {
				return err
			}
		}
		if err := os.RemoveAll(filepath.Join(path, e.Name())); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(path); err != nil {
		return err
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return errors.New("the directory was made again while it was removed")
	}
	return nil
}

// removeOutside removes a TMPDIR that lies outside of the throwaway directory. A link
// to anything that does not bear this directory's name, or is not this user's, is not
// followed.
func removeOutside(path string) error {
	outside, err := os.Readlink(filepath.Join(path, tempDirName))
	if err != nil || !filepath.IsAbs(outside) || filepath.Base(outside) != filepath.Base(path) {
		return nil
	}
	if info, err := os.Lstat(outside); err != nil || !info.IsDir() || !ownedByUs(info) {
		return nil
	}
	return os.RemoveAll(outside)
}

// readMarker reads a marker of the given throwaway id.
func readMarker(path, id string) (marker, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return marker{}, err
	}
	if !info.Mode().IsRegular() || info.Size() > markerBytesMax {
		return marker{}, errors.New("not a marker")
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return marker{}, err
	}
	var m marker
	if err := json.Unmarshal(data, &m); err != nil {
		return marker{}, err
	}
	if m.Version != markerVersion || m.ID != id || m.PID <= 0 {
		return marker{}, fmt.Errorf("not a marker of %s", id)
	}
	return m, nil
}

// throwawayID returns the id in the name of a throwaway directory.
func throwawayID(name string) (string, bool) {
	id, ok := strings.CutPrefix(name, throwawayPrefix)
	if !ok || len(id) != 2*throwawayIDBytes {
		return "", false
	}
	_, err := hex.DecodeString(id)
	return id, err == nil
}
