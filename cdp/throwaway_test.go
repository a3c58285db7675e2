//go:build linux

package cdp

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/internal/filelock"
)

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

func TestThrowaway(t *testing.T) {
	parent := filepath.Join(t.TempDir(), "a", "b")
	d, err := newThrowaway(parent)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{parent, d.path, d.dataDir(), filepath.Join(d.path, tempDirName)} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
	// While it lives, no sweep takes it, not even one of this process.
	if r, err := SweepOrphans(parent); err != nil || r.Kept != 1 || r.Removed != 0 {
		t.Errorf("swept %+v, %v", r, err)
	}
	if err := os.WriteFile(filepath.Join(d.dataDir(), "x"), nil, 0o400); err != nil {
		t.Fatal(err)
	}
	if err := d.remove(); err != nil || exists(d.path) {
		t.Errorf("not removed: %v", err)
	}
	if err := d.remove(); err != nil {
		t.Errorf("removing what is gone: %v", err)
	}
}

// shortTempDir gives the test a TMPDIR of its own with a path that leaves room for a socket.
func shortTempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "t")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	t.Setenv("TMPDIR", dir)
	return dir
}

// Whatever the path of the throwaway directory, a socket fits in the browser's TMPDIR, and what the browser left there
// goes with the directory.
func TestThrowawayTempDir(t *testing.T) {
	system := shortTempDir(t)
	for name, end := range map[string]func(*throwaway) error{
		"removed": (*throwaway).remove,
		"swept": func(d *throwaway) error {
			owner, err := json.Marshal(deadProcess(t, d.id))
			if err != nil {
				return err
			}
			if err := errors.Join(d.lock.Close(), os.WriteFile(filepath.Join(d.path, ownerFile), owner, 0o600)); err != nil {
				return err
			}
			_, err = SweepOrphans(filepath.Dir(d.path))
			return err
		},
	} {
		for _, parent := range []string{filepath.Join(system, "a"), filepath.Join(system, strings.Repeat("x", 80))} {
			d, err := newThrowaway(parent)
			if err != nil {
				t.Fatal(err)
			}
			temp := d.tempDir()
			if temp == "" || len(temp)+socketPathBelowTemp > socketPathMax {
				t.Fatalf("%q has no room for a socket", temp)
			}
			if err := os.MkdirAll(filepath.Join(temp, "org.chromium.Chromium.XudPAj"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := end(d); err != nil || exists(d.path) || exists(temp) {
				t.Errorf("%s: %v, left: %v %v", name, err, exists(d.path), exists(temp))
			}
		}
	}
}

// Where TMPDIR is too long as well, the system's own directory is used; without one that fits the launch is refused with
// its cause.
func TestThrowawayTempDirTooLong(t *testing.T) {
	long := filepath.Join(shortTempDir(t), strings.Repeat("x", 80))
	if err := os.Mkdir(long, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", long)
	d, err := newThrowaway(filepath.Join(long, "parent"))
	if err != nil {
		t.Fatal(err)
	}
	temp := d.tempDir()
	if !fitsSocket(temp) || !exists(temp) {
		t.Errorf("%q has no room for a socket", temp)
	}
	if err := d.remove(); err != nil || exists(temp) {
		t.Errorf("%v, left: %v", err, exists(temp))
	}
	if err := (&throwaway{path: filepath.Join(long, "d"), id: "0"}).makeTempDir(long, filepath.Join(long, "y")); !errors.Is(err, errTempTooLong) {
		t.Errorf("without a directory that fits: %v", err)
	}
}

// A link to a directory of another name, or to anything else, is not followed.
func TestThrowawayTempDirOfAnother(t *testing.T) {
	system := shortTempDir(t)
	d, err := newThrowaway(filepath.Join(system, strings.Repeat("x", 80)))
	if err != nil {
		t.Fatal(err)
	}
	link, other := filepath.Join(d.path, tempDirName), filepath.Join(system, "mine")
	if err := errors.Join(os.Mkdir(other, 0o700), os.RemoveAll(d.tempDir()), os.Remove(link), os.Symlink(other, link)); err != nil {
		t.Fatal(err)
	}
	if err := d.remove(); err != nil || !exists(other) || exists(d.path) {
		t.Errorf("%v, the other is there: %v", err, exists(other))
	}
}

// deadProcess returns the marker of a process that is gone.
func deadProcess(t *testing.T, id string) marker {
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	m := markerOf(id, cmd.Process.Pid)
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	return m
}

// leftover makes a throwaway directory whose owner the marker describes.
func leftover(t *testing.T, parent string, owner marker) string {
	path := filepath.Join(parent, throwawayPrefix+owner.ID)
	if err := os.MkdirAll(filepath.Join(path, dataDirName, "Default"), 0o700); err != nil {
		t.Fatal(err)
	}
	writeMarker(t, filepath.Join(path, ownerFile), owner)
	return path
}

func writeMarker(t *testing.T, path string, m marker) {
	data, err := json.Marshal(m)
	if err == nil {
		err = os.WriteFile(path, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestSweepOrphans(t *testing.T) {
	const id = "0123456789ab"
	living := markerOf(id, os.Getpid())
	for _, row := range []struct {
		name    string
		make    func(t *testing.T, parent string) string
		removed bool
	}{
		{"a dead owner", func(t *testing.T, parent string) string {
			return leftover(t, parent, deadProcess(t, id))
		}, true},
		{"the number of its owner is another process's now", func(t *testing.T, parent string) string {
			m := living
			m.Start--
			return leftover(t, parent, m)
		}, true},
		{"an owner before the last boot", func(t *testing.T, parent string) string {
			m := living
			m.Boot = "another"
			return leftover(t, parent, m)
		}, true},
		{"a living owner", func(t *testing.T, parent string) string {
			return leftover(t, parent, living)
		}, false},
		{"an owner in another process namespace holds the lock", func(t *testing.T, parent string) string {
			path := leftover(t, parent, deadProcess(t, id))
			f, err := os.Open(filepath.Join(path, ownerFile))
			if err != nil || filelock.TryLock(f) != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { f.Close() })
			return path
		}, false},
		{"no marker", func(t *testing.T, parent string) string {
			path := leftover(t, parent, deadProcess(t, id))
			if err := os.Remove(filepath.Join(path, ownerFile)); err != nil {
				t.Fatal(err)
			}
			old := time.Now().Add(-time.Hour)
			if err := os.Chtimes(path, old, old); err != nil {
				t.Fatal(err)
			}
			return path
		}, false},
		{"a marker of another directory", func(t *testing.T, parent string) string {
			m := deadProcess(t, id)
			path := leftover(t, parent, m)
			m.ID = "ffffffffffff"
			writeMarker(t, filepath.Join(path, ownerFile), m)
			return path
		}, false},
		{"a marker that is none", func(t *testing.T, parent string) string {
			path := leftover(t, parent, deadProcess(t, id))
			if err := os.WriteFile(filepath.Join(path, ownerFile), []byte(strings.Repeat(" ", markerBytesMax+1)), 0o600); err != nil {
				t.Fatal(err)
			}
			return path
		}, false},
		{"a marker that is a link", func(t *testing.T, parent string) string {
			path := leftover(t, parent, deadProcess(t, id))
			other := filepath.Join(t.TempDir(), "marker")
			if err := errors.Join(os.Rename(filepath.Join(path, ownerFile), other), os.Symlink(other, filepath.Join(path, ownerFile))); err != nil {
				t.Fatal(err)
			}
			return path
		}, false},
		{"another name", func(t *testing.T, parent string) string {
			path := leftover(t, parent, deadProcess(t, id))
			other := filepath.Join(parent, "profile")
			if err := os.Rename(path, other); err != nil {
				t.Fatal(err)
			}
			return other
		}, false},
		{"a link to a directory", func(t *testing.T, parent string) string {
			path := leftover(t, t.TempDir(), deadProcess(t, id))
			if err := os.Symlink(path, filepath.Join(parent, throwawayPrefix+id)); err != nil {
				t.Fatal(err)
			}
			return path
		}, false},
		{"an old empty directory", func(t *testing.T, parent string) string {
			path := filepath.Join(parent, throwawayPrefix+id)
			old := time.Now().Add(-time.Hour)
			if err := errors.Join(os.Mkdir(path, 0o700), os.Chtimes(path, old, old)); err != nil {
				t.Fatal(err)
			}
			return path
		}, true},
		{"a new empty directory", func(t *testing.T, parent string) string {
			path := filepath.Join(parent, throwawayPrefix+id)
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
			return path
		}, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			parent := t.TempDir()
			path := row.make(t, parent)
			report, err := SweepOrphans(parent)
			if err != nil || report.Failed != 0 {
				t.Errorf("report %+v, %v", report, err)
			}
			if exists(path) == row.removed || report.Removed == 1 != row.removed {
				t.Errorf("report %+v, still there: %v", report, exists(path))
			}
		})
	}
	if r, err := SweepOrphans(filepath.Join(t.TempDir(), "none")); err != nil || r.Removed+r.Kept+r.Failed != 0 {
		t.Errorf("a parent that does not exist: %+v, %v", r, err)
	}
}

// A browser that outlived its owner is ended before its directory is removed; a
// process that only has its number is not.
func TestSweepEndsTheBrowserOfADeadOwner(t *testing.T) {
	for _, same := range []bool{true, false} {
		cmd := exec.Command("sleep", "60")
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		parent := t.TempDir()
		path := leftover(t, parent, deadProcess(t, "0123456789ab"))
		browser := markerOf("0123456789ab", cmd.Process.Pid)
		if !same {
			browser.Start++
		}
		writeMarker(t, filepath.Join(path, browserFile), browser)
		report, err := SweepOrphans(parent)
		if err != nil || report.Removed != 1 {
			t.Errorf("report %+v, %v", report, err)
		}
		if _, running := processStart(cmd.Process.Pid); running == same {
			t.Errorf("same process %v, running %v", same, running)
		}
		_ = cmd.Process.Kill() // gone already in one of the cases
		<-ended
	}
}

// What a browser started outside its group is ended with it, another browser's is not.
func TestEndStrays(t *testing.T) {
	start := func(dir string) (*exec.Cmd, chan error) {
		cmd := exec.Command("sleep", "60")
		cmd.Env = append(os.Environ(), crashDirEnv+"="+dir)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		return cmd, ended
	}
	dir := t.TempDir()
	_, ours := start(dir)
	other, others := start(dir + "2")
	if err := endStrays(dir); err != nil {
		t.Error(err)
	}
	<-ours
	if _, running := processStart(other.Process.Pid); !running {
		t.Error("another browser's process was ended")
	}
	if err := other.Process.Kill(); err != nil {
		t.Error(err)
	}
	<-others
}

func TestInUse(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		name   string
		target string // "" for no link
		want   bool
	}{
		{"no lock", "", false},
		{"a living process", host + "-" + strconv.Itoa(os.Getpid()), true},
		{"a dead process", host + "-" + strconv.Itoa(deadProcess(t, "x").PID), false},
		{"another machine", "elsewhere-1", true},
		{"no number", host + "-x", true},
		{"no form at all", "x", true},
		{"a group", host + "--1", true},
	} {
		dir := t.TempDir()
		if row.target != "" {
			if err := os.Symlink(row.target, filepath.Join(dir, singletonLock)); err != nil {
				t.Fatal(err)
			}
		}
		if got := inUse(dir); got != row.want {
			t.Errorf("%s: %v", row.name, got)
		}
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, singletonLock), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if !inUse(dir) {
		t.Error("a lock that is no link counts as free")
	}
}

func TestSweepSingleton(t *testing.T) {
	for name, swept := range map[string]bool{
		"org.chromium.Chromium.AbCdEf": true, ".org.chromium.Chromium.AbCdEf": true, "com.google.Chrome.AbCdEf": true, "somebody": false,
	} {
		data, dir := t.TempDir(), filepath.Join(t.TempDir(), name)
		socket := filepath.Join(dir, singletonSocket)
		if err := errors.Join(
			os.Mkdir(dir, 0o700), os.WriteFile(socket, nil, 0o600), os.Symlink("1", filepath.Join(dir, singletonCookie)),
			os.Symlink(socket, filepath.Join(data, singletonSocket)), os.Symlink("h-1", filepath.Join(data, singletonLock)),
		); err != nil {
			t.Fatal(err)
		}
		sweepSingleton(data, 2)
		if !exists(dir) || !exists(filepath.Join(data, singletonLock)) {
			t.Errorf("%s: another browser's mark was removed", name)
		}
		sweepSingleton(data, 1)
		if exists(dir) == swept {
			t.Errorf("%s: still there is %v", name, exists(dir))
		}
		if exists(filepath.Join(data, singletonLock)) {
			t.Errorf("%s: the lock is still there", name)
		}
	}
}
