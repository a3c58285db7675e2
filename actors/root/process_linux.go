package root

import (
	"bytes"
	"os"
	"strconv"
)

// The fields of /proc/<pid>/stat behind the command's name, counted from 0
// (proc_pid_stat(5) counts from 1, and this is behind the second).
const (
	statState = 0
	statStart = 19 // in clock ticks since the machine started
)

// startOf returns when a process started, in clock ticks since the machine did, and
// whether it is alive. A process that has ended and was not waited for is not. One of
// which nothing can be read although it is there counts as alive since 0.
func startOf(pid int) (started uint64, alive bool) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, !os.IsNotExist(err) && signals(pid)
	}
	// The name can hold spaces and brackets; nothing behind it can.
	fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
	if len(fields) <= statStart {
		return 0, signals(pid)
	}
	if state := fields[statState][0]; state == 'Z' || state == 'X' {
		return 0, false
	}
	started, err = strconv.ParseUint(string(fields[statStart]), 10, 64)
	return started, err == nil
}
