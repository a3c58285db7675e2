//go:build unix

package filelock

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestTryLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	opened := func() *os.File {
		file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { file.Close() })
		return file
	}
	first, second := opened(), opened()
	if err := TryLock(first); err != nil {
		t.Fatal(err)
	}
	if err := TryLock(second); !errors.Is(err, ErrHeld) {
		t.Errorf("a second lock gives %v", err)
	}
	first.Close()
	if err := TryLock(second); err != nil {
		t.Errorf("after the first was closed: %v", err)
	}
}
