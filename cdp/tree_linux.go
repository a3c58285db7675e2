package cdp

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// treeSystem is what this system keeps for a tree: nothing, the group is enough.
//
//lint:ignore U1000 it is embedded on every system
type treeSystem struct{}

// begin starts the leader. It dies with the thread that runs this, whatever ends
// this process.
func (t *tree) begin() error {
	t.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	return t.cmd.Start()
}

// awaitLeader blocks until the leader has exited and leaves it as a zombie.
func (t *tree) awaitLeader() {
	for {
		err := unix.Waitid(unix.P_PID, t.pgid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			return
		}
	}
}

// reapLeader reaps the leader and, where this process is the one that orphans
// fall to (process 1 of a container), the other zombies of the group.
func (t *tree) reapLeader() {
	_ = t.cmd.Wait() // the exit code is in ProcessState, whatever it is
	for {
		pid, err := unix.Wait4(-t.pgid, nil, unix.WNOHANG, nil)
		if err == unix.EINTR {
			continue
		}
		if err != nil || pid <= 0 {
			return
		}
	}
}

func (t *tree) alive() bool { return groupAlive(t.pgid) }

func (t *tree) signal() { killGroup(t.pgid) }

// attachPipes gives the browser its ends as descriptors 3 and 4, which the switch
// --remote-debugging-pipe stands for.
func attachPipes(cmd *exec.Cmd, read, write *os.File) (switches []string) {
	cmd.ExtraFiles = []*os.File{read, write}
	return []string{"--remote-debugging-pipe"}
}

// temporaryDirEnv is the variable that moves the browser's temporary files.
const temporaryDirEnv = "TMPDIR"
