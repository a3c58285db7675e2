package downloads

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func newStore(t *testing.T) Store {
	t.Helper()
	s := Store{Dir: filepath.Join(t.TempDir(), "browser", "downloads", "br_1")}
	if err := s.Prepare(); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s Store) put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(s.Path(name), []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

func (s Store) get(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(s.Path(name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A file gets its suggested name, with a number where that is taken; nothing is overwritten (R128, R152).
func TestStore_SettleNeverOverwrites(t *testing.T) {
	s := newStore(t)
	if info, _ := os.Stat(s.Dir); info.Mode().Perm() != directoryMode {
		t.Errorf("the directory has mode %v", info.Mode())
	}
	s.put(t, "a.txt", "old")
	for i, want := range []string{"a (2).txt", "a (3).txt"} {
		guid := string(rune('g' + i))
		s.put(t, guid, guid)
		name, err := s.Settle(guid, "x/../a.txt")
		if err != nil || name != want || s.get(t, want) != guid {
			t.Errorf("settled as %q, %v", name, err)
		}
		if _, err := os.Lstat(s.Path(guid)); !os.IsNotExist(err) {
			t.Errorf("the file is still there by its GUID: %v", err)
		}
		if info, _ := os.Stat(s.Path(want)); info.Mode().Perm() != fileMode {
			t.Errorf("the file has mode %v", info.Mode())
		}
	}
	if s.get(t, "a.txt") != "old" {
		t.Error("the file that had the name was overwritten")
	}
}

// A name that is taken by a link, wherever it leads, is taken.
func TestStore_SettleFollowsNoLink(t *testing.T) {
	s := newStore(t)
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.Symlink(outside, s.Path("a.txt")); err != nil {
		t.Fatal(err)
	}
	s.put(t, "g", "text")
	if name, err := s.Settle("g", "a.txt"); err != nil || name != "a (2).txt" {
		t.Errorf("settled as %q, %v", name, err)
	}
	if _, err := os.Lstat(outside); !os.IsNotExist(err) {
		t.Errorf("something was made outside: %v", err)
	}
	if err := os.Symlink("/etc/hostname", s.Path("link")); err != nil {
		t.Fatal(err)
	}
	if name, err := s.Settle("link", "b.txt"); err == nil || name != "link" {
		t.Errorf("a link was settled as %q, %v", name, err)
	}
	for _, guid := range []string{"../x", "/etc/passwd", "missing"} {
		if name, err := s.Settle(guid, "c.txt"); err == nil || name != guid {
			t.Errorf("%s was settled as %q", guid, name)
		}
	}
}

// A file that cannot be named keeps its GUID (R130).
func TestStore_SettleKeepsTheGUIDWhenEveryNameIsTaken(t *testing.T) {
	s := newStore(t)
	s.put(t, "a.txt", "")
	for n := 2; n <= numberMax; n++ {
		s.put(t, numbered("a.txt", n), "")
	}
	s.put(t, "g", "text")
	if name, err := s.Settle("g", "a.txt"); err != nil || name != "g" || s.get(t, "g") != "text" {
		t.Errorf("settled as %q, %v", name, err)
	}
}

func TestStore_RemoveAndDiscard(t *testing.T) {
	s := newStore(t)
	s.put(t, "a", "")
	s.put(t, "b", "")
	if err := s.Remove([]string{"a", "missing"}); err != nil {
		t.Error(err)
	}
	if err := s.Remove([]string{"../br_1/b"}); err == nil {
		t.Error("a path that leaves the directory was removed")
	}
	if err := s.Discard(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(s.Dir); !os.IsNotExist(err) {
		t.Errorf("the directory is left: %v", err)
	}
	if err := s.Remove([]string{"a"}); err != nil {
		t.Errorf("removing from a directory that is gone: %v", err)
	}
}

// Old directories are removed, and one whose age is not known is kept (R129).
func TestSweep(t *testing.T) {
	parent := t.TempDir()
	now := time.Now()
	old := now.Add(-8 * 24 * time.Hour)
	make := func(name string, at, file time.Time) {
		dir := filepath.Join(parent, name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "file")
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, file, file); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(dir, at, at); err != nil {
			t.Fatal(err)
		}
	}
	make("old", old, old)
	make("young", now, now)
	make("used", old, now)
	make("future", now.Add(24*time.Hour), old)
	if err := os.WriteFile(filepath.Join(parent, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(parent, "link")); err != nil {
		t.Fatal(err)
	}
	swept, err := Sweep(parent, now, 7*24*time.Hour)
	if err != nil || swept != (Swept{Removed: 1, Kept: 3}) {
		t.Errorf("swept %+v, %v", swept, err)
	}
	for name, there := range map[string]bool{"old": false, "young": true, "used": true, "future": true, "file": true, "link": true} {
		if _, err := os.Lstat(filepath.Join(parent, name)); (err == nil) != there {
			t.Errorf("%s is there: %v, want %v", name, err == nil, there)
		}
	}
	if swept, err := Sweep(filepath.Join(parent, "missing"), now, time.Hour); err != nil || swept != (Swept{}) {
		t.Errorf("a parent that is not there: %+v, %v", swept, err)
	}
}
