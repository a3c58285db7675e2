package procstat

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"strings"
)

// Stat is what is used of a process's stat line.
type Stat struct {
	State byte
	Group int
	// Start is when the process started, in clock ticks since boot.
	Start uint64
}

// Ended reports whether the process has ended and only waits to be reaped.
func (s Stat) Ended() bool { return s.State == 'Z' || s.State == 'X' }

// Read returns the stat of a process. The error is os.ErrNotExist where there is no
// such process, or no /proc.
func Read(pid int) (Stat, error) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return Stat{}, err
	}
	return parse(data)
}

// Mounted reports whether there is a /proc.
func Mounted() bool {
	_, err := os.Stat("/proc/self/stat")
	return err == nil
}

// The fields behind the command's name, counted from 0. proc_pid_stat(5) counts from
// 1, and the name is the second.
const (
	fieldState = 0
	fieldGroup = 2
	fieldStart = 19
)

// parse reads a stat line. The command's name stands in parentheses and may hold
// anything, so the fields are counted from the last closing one.
func parse(line []byte) (Stat, error) {
	broken := errors.New("not a stat line")
	i := bytes.LastIndexByte(line, ')')
	if i < 0 {
		return Stat{}, broken
	}
	fields := strings.Fields(string(line[i+1:]))
	if len(fields) <= fieldStart || len(fields[fieldState]) != 1 {
		return Stat{}, broken
	}
	group, err := strconv.Atoi(fields[fieldGroup])
	if err != nil {
		return Stat{}, broken
	}
	start, err := strconv.ParseUint(fields[fieldStart], 10, 64)
	if err != nil {
		return Stat{}, broken
	}
	return Stat{State: fields[fieldState][0], Group: group, Start: start}, nil
}
