package cdp

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/troupe-browser/troupe/internal/procstat"
)

// processStart returns when the process started and whether it is running. A
// zombie is not.
func processStart(pid int) (start uint64, running bool) {
	s, err := procstat.Read(pid)
	if err != nil {
		// Without /proc a process that exists counts as running, from nobody knows when.
		return 0, !os.IsNotExist(err) || (!procstat.Mounted() && unix.Kill(pid, 0) != unix.ESRCH)
	}
	return s.Start, !s.Ended()
}

// bootID returns the id of this boot, or "".
func bootID() string {
	data, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}

// groupAlive reports whether a process of the group runs. Zombies do not count,
// which is why signal 0 to the group, to which they answer, does not do. Without
// /proc it can only use that.
func groupAlive(pgid int) bool {
	dir, err := os.Open("/proc")
	if err != nil {
		return unix.Kill(-pgid, 0) != unix.ESRCH
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil || !procstat.Mounted() {
		return unix.Kill(-pgid, 0) != unix.ESRCH
	}
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if s, err := procstat.Read(pid); err == nil && s.Group == pgid && !s.Ended() {
			return true
		}
	}
	return false
}

// sharedMemoryFree returns the free bytes of /dev/shm.
func sharedMemoryFree() (bytes uint64, known bool) {
	var fs unix.Statfs_t
	if err := unix.Statfs("/dev/shm", &fs); err != nil {
		return 0, true
	}
	return fs.Bavail * uint64(fs.Bsize), true
}
