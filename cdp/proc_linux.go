package cdp

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// procStat is what /proc/<pid>/stat says about a process.
type procStat struct {
	state byte
	group int
	start uint64 // clock ticks since boot
}

// zombie reports whether the process has ended and only waits to be reaped.
func (s procStat) zombie() bool { return s.state == 'Z' || s.state == 'X' }

// readStat reads the stat line of a process.
func readStat(pid int) (procStat, error) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return procStat{}, err
	}
	return parseStat(data)
}

// parseStat parses a stat line. The command name stands in parentheses and may hold
// anything, so the fields are counted from the last closing one: state is field 3
// of the line, the process group 5 and the start time 22.
func parseStat(line []byte) (procStat, error) {
	i := bytes.LastIndexByte(line, ')')
	if i < 0 {
		return procStat{}, errors.New("not a stat line")
	}
	fields := strings.Fields(string(line[i+1:]))
	if len(fields) < 20 || len(fields[0]) != 1 {
		return procStat{}, errors.New("not a stat line")
	}
	group, err := strconv.Atoi(fields[2])
	if err != nil {
		return procStat{}, err
	}
	start, err := strconv.ParseUint(fields[19], 10, 64)
	if err != nil {
		return procStat{}, err
	}
	return procStat{state: fields[0][0], group: group, start: start}, nil
}

// processStart returns when the process started and whether it is running. A
// zombie is not.
func processStart(pid int) (start uint64, running bool) {
	s, err := readStat(pid)
	if err != nil {
		// Without /proc a process that exists counts as running, from nobody knows when.
		return 0, !os.IsNotExist(err) || (!procMounted() && unix.Kill(pid, 0) != unix.ESRCH)
	}
	return s.start, !s.zombie()
}

func procMounted() bool {
	_, err := os.Stat("/proc/self/stat")
	return err == nil
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
	if err != nil || !procMounted() {
		return unix.Kill(-pgid, 0) != unix.ESRCH
	}
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if s, err := readStat(pid); err == nil && s.group == pgid && !s.zombie() {
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
