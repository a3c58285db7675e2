package daemon

import (
	"fmt"
	"net"
	"os"
	"syscall"

	"github.com/troupe-browser/troupe/internal/filelock"
)

// socketPathBytesMax is the length that the system allows for the address of a socket.
const socketPathBytesMax = 107

// logBytesMax bounds the daemon's log file. A start that finds a larger one puts it aside, where it replaces the one
// before.
const logBytesMax = 4 << 20

// lockFile takes an exclusive lock that ends with the file's closing or the process.
func lockFile(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock file: %w", err)
	}
	if err := filelock.TryLock(file); err != nil {
		_ = file.Close() // nothing was written to it
		return nil, fmt.Errorf("lock file: %w", err)
	}
	return file, nil
}

// listenPrivate listens on a socket that only this user can reach. The caller holds the daemon's lock, so a socket that
// is there belongs to nobody.
func listenPrivate(path string) (net.Listener, error) {
	if len(path) > socketPathBytesMax {
		return nil, fmt.Errorf("the state directory's path is too long for a socket (%d bytes, at most %d): name a shorter one with --state-dir", len(path), socketPathBytesMax)
	}
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return nil, fmt.Errorf("socket: %w", err)
	}
	// The directory is private already; the mask makes the socket so from its first moment.
	old := syscall.Umask(0o177)
	listener, err := net.Listen("unix", path)
	syscall.Umask(old)
	if err != nil {
		return nil, fmt.Errorf("socket: %w", err)
	}
	return listener, nil
}

func openLog(path string) (*os.File, error) {
	if info, err := os.Stat(path); err == nil && info.Size() > logBytesMax {
		if err := os.Rename(path, path+".1"); err != nil {
			return nil, fmt.Errorf("log file: %w", err)
		}
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY|syscall.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, fmt.Errorf("log file: %w", err)
	}
	return file, nil
}
