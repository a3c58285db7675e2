package root

import (
	"os"
	"os/exec"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/troupe-browser/troupe/messages"
)

// An owner is one process and not a number: one that has ended and was not waited for
// has ended, and so has one whose number another process got (R23).
func TestOwnerProcess(t *testing.T) {
	launchedBy := func(pid int) process { return NamedOwner(&messages.Launch{OwnerPID: pid}) }
	own := launchedBy(os.Getpid())
	if own.started == 0 || own.started == neverStarted {
		t.Fatalf("this process started at %d", own.started)
	}
	child := exec.Command("/bin/cat")
	stdin, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	owner := launchedBy(child.Process.Pid)
	reused := process{pid: os.Getpid(), started: own.started - 1}
	if ended := endedProcesses([]process{own, owner, reused}); len(ended) != 1 || ended[0] != reused {
		t.Errorf("ended are %v, want %v alone", ended, reused)
	}
	_ = stdin.Close() // it reads the end and ends
	if err := unix.Waitid(unix.P_PID, child.Process.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil); err != nil {
		t.Fatal(err) // it is left as a zombie
	}
	if ended := endedProcesses([]process{own, owner}); len(ended) != 1 || ended[0] != owner {
		t.Errorf("ended are %v, want the zombie %v alone", ended, owner)
	}
	if late := launchedBy(child.Process.Pid); late.started != neverStarted || len(endedProcesses([]process{late})) != 1 {
		t.Errorf("a launch by a zombie has the owner %v", late)
	}
	if err := child.Wait(); err != nil {
		t.Error(err)
	}
	if ended := endedProcesses([]process{own, owner}); len(ended) != 1 || ended[0] != owner {
		t.Errorf("ended are %v, want %v alone", ended, owner)
	}
	if none := NamedOwner(&messages.Launch{}); none != (process{}) {
		t.Errorf("a launch without an owner has %v", none)
	}
}
