package cdp

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// The links by which a Chromium marks its data directory as in use.
const (
	singletonLock   = "SingletonLock"   // -> <host>-<pid>
	singletonSocket = "SingletonSocket" // -> <temporary directory>/SingletonSocket
	singletonCookie = "SingletonCookie"
)

// inUse reports whether the data directory belongs to a browser that runs, or to
// one that cannot be proved dead (R178): a lock of another host, or one that does
// not name a process.
func inUse(dataDir string) bool {
	target, err := os.Readlink(filepath.Join(dataDir, singletonLock))
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	if err != nil {
		return true
	}
	i := strings.LastIndexByte(target, '-')
	if i < 0 {
		return true
	}
	pid, err := strconv.Atoi(target[i+1:])
	if err != nil || pid <= 0 {
		return true
	}
	if host, err := os.Hostname(); err != nil || host != target[:i] {
		return true
	}
	_, running := processStart(pid)
	return running
}

// sweepSingleton removes the links of a browser that is known to be gone, and the
// temporary directory of its socket, which a killed browser leaves behind. It
// removes only what has the form of such a directory and belongs to this user. pid
// is as for socketOf.
func sweepSingleton(dataDir string, pid int) {
	if namesAnother(dataDir, pid) {
		return
	}
	sweepSocketDir(socketOf(dataDir, pid))
	for _, name := range []string{singletonLock, singletonSocket, singletonCookie} {
		path := filepath.Join(dataDir, name)
		if info, err := os.Lstat(path); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			_ = os.Remove(path) // a stale link does no harm, the next browser replaces it
		}
	}
}

// socketOf returns the path of a browser's socket, "" if it has none. pid is the
// number of the browser; if the lock names another one, the directory is another
// browser's. 0 means that the directory cannot be anybody else's.
func socketOf(dataDir string, pid int) string {
	if namesAnother(dataDir, pid) {
		return ""
	}
	socket, err := os.Readlink(filepath.Join(dataDir, singletonSocket))
	if err != nil {
		return ""
	}
	return socket
}

func namesAnother(dataDir string, pid int) bool {
	if pid == 0 {
		return false
	}
	lock, err := os.Readlink(filepath.Join(dataDir, singletonLock))
	return err != nil || !strings.HasSuffix(lock, "-"+strconv.Itoa(pid))
}

func sweepSocketDir(socket string) {
	dir := filepath.Dir(socket)
	name := strings.TrimPrefix(filepath.Base(dir), ".")
	ours := strings.HasPrefix(name, "org.chromium.Chromium.") || strings.HasPrefix(name, "com.google.Chrome.") ||
		strings.HasPrefix(name, "com.microsoft.Edge.") || strings.HasPrefix(name, "com.brave.Browser.")
	if !filepath.IsAbs(socket) || filepath.Base(socket) != singletonSocket || !ours {
		return
	}
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || !ownedByUs(info) {
		return
	}
	// Removing the two files by name and then the directory cannot take along
	// anything that is not a browser's.
	_ = os.Remove(socket)
	_ = os.Remove(filepath.Join(dir, singletonCookie))
	_ = os.Remove(dir)
}
