package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// StateDirectory returns the private directory of all state, as configured or below the XDG state directory.
func StateDirectory(configured string) (string, error) {
	if configured != "" {
		return filepath.Abs(configured)
	}
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "troupe"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("no state directory: set TROUPE_STATE_DIR or HOME: %w", err)
	}
	return filepath.Join(home, ".local", "state", "troupe"), nil
}

// PrivateDirectory makes the directory, or checks that one which is there is a directory of this user's that nobody else
// can enter. A link is refused, since its target may be anybody's.
func PrivateDirectory(dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return fmt.Errorf("state directory: %w", err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !os.IsExist(err) {
		return fmt.Errorf("state directory: %w", err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("state directory: %w", err)
	}
	if !info.IsDir() {
		return fmt.Errorf("state directory %s is not a directory; name another with --state-dir", dir)
	}
	if owner, ok := info.Sys().(*syscall.Stat_t); ok && int(owner.Uid) != os.Getuid() {
		return fmt.Errorf("state directory %s belongs to user %d; name another with --state-dir", dir, owner.Uid)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("state directory %s is open to others (%v); run: chmod 700 %s", dir, info.Mode().Perm(), dir)
	}
	return nil
}
