//go:build unix && !linux

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

// begin starts the leader. There is no signal for the end of the parent here; the
// browser ends when its pipe does.
func (t *tree) begin() error {
	t.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return t.cmd.Start()
}

// awaitLeader waits for the leader and reaps it: there is no portable way to wait
// without reaping. The group is signalled right behind it.
func (t *tree) awaitLeader() { _ = t.cmd.Wait() }

func (t *tree) reapLeader() {}

func (t *tree) alive() bool { return groupAlive(t.pgid) }

func (t *tree) signal() { killGroup(t.pgid) }

func groupAlive(pgid int) bool { return unix.Kill(-pgid, 0) != unix.ESRCH }

func attachPipes(cmd *exec.Cmd, read, write *os.File) (switches []string) {
	cmd.ExtraFiles = []*os.File{read, write}
	return []string{"--remote-debugging-pipe"}
}

const temporaryDirEnv = "TMPDIR"

// processStart tells only whether the process exists; when it started is unknown,
// so no browser of a dead owner is ever killed here.
func processStart(pid int) (start uint64, running bool) {
	return 0, unix.Kill(pid, 0) != unix.ESRCH
}

func bootID() string { return "" }

func sharedMemoryFree() (bytes uint64, known bool) { return 0, false }
