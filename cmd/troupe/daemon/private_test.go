package daemon

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/troupe-browser/troupe/internal/filelock"
)

// Only one process holds the lock.
func TestLockFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	first, err := lockFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lockFile(path); !errors.Is(err, filelock.ErrHeld) {
		t.Errorf("the second gives %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := lockFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestSocketPathIsChecked(t *testing.T) {
	if _, err := listenPrivate(filepath.Join(t.TempDir(), strings.Repeat("x", 120))); err == nil || !strings.Contains(err.Error(), "--state-dir") {
		t.Errorf("a path that is too long gives %v", err)
	}
}
