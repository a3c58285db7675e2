//go:build unix

package engine

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/messages"
)

// A profile whose place is a link or open to others is not used (R178).
func TestLockProfile(t *testing.T) {
	for name, spoil := range map[string]func(root, dir string) error{
		"a profile that is a link": func(_, dir string) error { return os.Symlink(t.TempDir(), dir) },
		"data that is a link": func(_, dir string) error {
			if err := os.Mkdir(dir, 0o700); err != nil {
				return err
			}
			return os.Symlink(t.TempDir(), filepath.Join(dir, kernel.ProfileDataName))
		},
		"a profile open to others": func(_, dir string) error {
			if err := os.Mkdir(dir, 0o700); err != nil {
				return err
			}
			return os.Chmod(dir, 0o750)
		},
		"profiles open to others": func(root, _ string) error { return os.Chmod(root, 0o777) },
		"profiles of somebody else": func(root, _ string) error {
			if os.Geteuid() != 0 {
				return os.Chmod(root, 0o755) // only root can give a directory away
			}
			return os.Chown(root, 1, 1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), kernel.ProfilesDirName)
			dir := filepath.Join(root, "work")
			if err := os.Mkdir(root, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := spoil(root, dir); err != nil {
				t.Fatal(err)
			}
			lock, err := lockProfile(dir)
			var refusal *messages.Error
			if !errors.As(err, &refusal) || refusal.Code != messages.CodeStateUnavailable {
				t.Errorf("refused with %v, want %s", err, messages.CodeStateUnavailable)
			}
			if lock != nil {
				_ = lock.Close()
			}
		})
	}
}
