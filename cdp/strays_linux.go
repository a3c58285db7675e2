package cdp

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// crashDirEnv names where the browser puts its crash reports, which it would
// otherwise write to the user's home. Its value is different for each browser and is
// inherited by everything that the browser starts, so it also tells which
// processes outside the group belong to it: the crash handlers, which make a
// session of their own.
const crashDirEnv = "BREAKPAD_DUMP_LOCATION"

// errStray is the error of such a process that does not end.
var errStray = errors.New("a crash handler of the browser is left")

// endStrays ends what is left of a browser outside its group, when the group is
// gone. The handlers end by themselves when they notice; killing them only makes it
// certain and loses nothing but their reports.
func endStrays(crashDir string) error {
	poll := time.NewTicker(groupPoll)
	defer poll.Stop()
	for deadline := time.Now().Add(killWait); ; <-poll.C {
		found := strays(crashDir)
		if len(found) == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			return errStray
		}
		for _, pid := range found {
			endStray(pid, crashDir)
		}
	}
}

// strays returns the processes, other than this one, that have the directory in
// their environment. A zombie has no environment any more.
func strays(crashDir string) (pids []int) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil // without /proc nothing can be proved to be ours
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err == nil && pid != os.Getpid() && isStray(pid, crashDir) {
			pids = append(pids, pid)
		}
	}
	return pids
}

func isStray(pid int, crashDir string) bool {
	environment, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return false // another user's, or gone
	}
	variable := []byte(crashDirEnv + "=" + crashDir)
	for entry := range bytes.SplitSeq(environment, []byte{0}) {
		if bytes.Equal(entry, variable) {
			return true
		}
	}
	return false
}

// endStray kills one process through a handle, so that it cannot hit another that
// got the number meanwhile.
func endStray(pid int, crashDir string) {
	handle, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return // gone, or a kernel before 5.3: then it is only waited for
	}
	defer unix.Close(handle)
	if isStray(pid, crashDir) {
		_ = unix.PidfdSendSignal(handle, unix.SIGKILL, nil, 0) // whoever polls sees a failure
	}
}
