package root

import "golang.org/x/sys/unix"

// zombie is the state of a process that has ended and was not waited for (SZOMB of
// <sys/proc.h>).
const zombie = 5

// startOf returns when a process started, in microseconds, and whether it is alive. A
// process that has ended and was not waited for is not.
func startOf(pid int) (started uint64, alive bool) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return 0, signals(pid)
	}
	if info.Proc.P_stat == zombie {
		return 0, false
	}
	at := info.Proc.P_starttime
	return uint64(at.Sec)*1_000_000 + uint64(at.Usec), true
}
