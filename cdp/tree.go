package cdp

import (
	"errors"
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// killWait bounds how long the members of a killed tree may take to be gone. At
	// the bound the tree counts as not ended and its directory is kept.
	killWait = 5 * time.Second

	// strayGrace is how long children may outlive a browser that ended by itself,
	// before they are killed: they are flushing what the user's profile keeps.
	strayGrace = 500 * time.Millisecond
)

// errTreeAlive is the error of a tree that survived being killed.
var errTreeAlive = errors.New("processes of the browser are left after they were killed")

// tree is a browser's process tree: the leader that was started and the group it
// leads.
//
// A number of a process or group may only be signalled while it is certain whose
// it is. The leader is therefore not reaped when it exits: as a zombie it holds
// the number of its group until no other member is left, and only then is it
// reaped and the number given up for good (over).
type tree struct {
	//lint:ignore U1000 the tree of Windows keeps its job object there
	treeSystem
	cmd    *exec.Cmd
	pgid   int
	exited chan struct{} // closed when the leader has exited
	gone   chan struct{} // closed when no member is left; err is set before
	gentle atomic.Bool   // the leader was asked to end, so children get strayGrace
	err    error

	mu   sync.Mutex
	over bool
}

// startTree starts the command as the leader of a group of its own. The goroutine
// that starts it keeps its thread until the tree is gone, because the kernel takes
// the end of that thread for the end of the parent (Pdeathsig).
func startTree(cmd *exec.Cmd) (*tree, error) {
	t := &tree{cmd: cmd, exited: make(chan struct{}), gone: make(chan struct{})}
	started := make(chan error, 1)
	go t.keep(started)
	if err := <-started; err != nil {
		return nil, err
	}
	return t, nil
}

func (t *tree) keep(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := t.begin(); err != nil {
		started <- err
		return
	}
	t.pgid = t.cmd.Process.Pid
	started <- nil
	t.awaitLeader()
	close(t.exited)
	t.clear()
	t.mu.Lock()
	t.over = true
	t.mu.Unlock()
	t.reapLeader()
	close(t.gone)
}

// clear waits until no member but the leader is left, and helps.
func (t *tree) clear() {
	begin := time.Now()
	poll := time.NewTicker(groupPoll)
	defer poll.Stop()
	for t.alive() {
		waited := time.Since(begin)
		if waited > strayGrace+killWait {
			t.err = errTreeAlive
			return
		}
		if !t.gentle.Load() || waited > strayGrace {
			t.kill()
		}
		<-poll.C
	}
}

// kill ends every member at once. It does nothing once the tree is gone.
func (t *tree) kill() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.over {
		t.signal()
	}
}

// exitCode returns the leader's exit code, -1 if a signal ended it. Call it after gone.
func (t *tree) exitCode() int { return t.cmd.ProcessState.ExitCode() }
