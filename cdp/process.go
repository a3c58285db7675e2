package cdp

import (
	"context"
	"io"
	"os"
	"sync"
	"time"
)

const (
	// GracefulCloseMax bounds how long a browser that was asked to end may take,
	// whatever the context allows. Then it is killed.
	GracefulCloseMax = 5 * time.Second

	// stderrWait bounds the wait for the rest of a dead browser's stderr.
	stderrWait = time.Second

	// closeCallID is the id of the message that asks a browser to end. No Conn
	// reaches it, so its reply is nobody's.
	closeCallID = "2147483647"
)

// Process is a browser that was started here: its process tree, its pipe and its
// throwaway directory.
type Process struct {
	tree    *tree
	pipe    *pipeTransport
	dir     *throwaway
	dataDir string
	version Version

	stderr      tail
	stderrPipe  *os.File
	stderrEnded chan struct{}

	closing  sync.Once
	hurrying sync.Once
	hurry    chan struct{} // closed when somebody wants no graceful end
	closed   chan struct{}
	closeErr error
}

func newProcess(t *tree, pipe *pipeTransport, stderr *os.File, dir *throwaway, dataDir string) *Process {
	p := &Process{
		tree: t, pipe: pipe, dir: dir, dataDir: dataDir,
		stderrPipe: stderr, stderrEnded: make(chan struct{}),
		hurry: make(chan struct{}), closed: make(chan struct{}),
	}
	go func() {
		defer close(p.stderrEnded)
		_, _ = io.Copy(&p.stderr, stderr) // ends with the last holder, or when closed
	}()
	return p
}

// Transport returns the pipe to the browser. It is for one Conn.
func (p *Process) Transport() Transport { return p.pipe }

// Version returns what the browser said about itself when it was ready.
func (p *Process) Version() Version { return p.version }

// PID returns the number of the browser process, for the operator's measurements
// only (R4). It is the number of its process group too.
func (p *Process) PID() int { return p.tree.pgid }

// DataDir returns the browser's data directory, for this host program only (R4).
func (p *Process) DataDir() string { return p.dataDir }

// Done is closed when the browser has ended and no process of its tree is left,
// whether Close was called or not. Directories are removed by Close only.
func (p *Process) Done() <-chan struct{} { return p.tree.gone }

// ExitCode returns the browser's exit code, or -1 if a signal ended it. Call it
// after Done.
func (p *Process) ExitCode() int { return p.tree.exitCode() }

// Close ends the browser and removes its throwaway directory; a managed data
// directory stays. A graceful close asks the browser to end first and waits for
// that as long as the context, and GracefulCloseMax, allow. Everything after it
// happens whatever the context says, within its own bounds: the process group is
// killed, the end of its last member awaited, then the directory is removed, since a
// dying browser would make it again. It may be called more than once and at the same
// time: all calls return the same error, a call that is not graceful hastens one
// that is. The error is a *LaunchError of CauseShutdown.
func (p *Process) Close(ctx context.Context, graceful bool) error {
	if !graceful {
		p.hurrying.Do(func() { close(p.hurry) })
	}
	p.closing.Do(func() {
		p.closeErr = p.end(ctx, graceful)
		close(p.closed)
	})
	<-p.closed
	return p.closeErr
}

func (p *Process) end(ctx context.Context, graceful bool) error {
	owner := p.tree.pgid
	if p.dataDir == p.dir.dataDir() {
		owner = 0
	}
	// A browser that is killed while it ends by itself may have removed the link to its
	// socket and not yet the socket.
	socket := socketOf(p.dataDir, owner)
	if graceful {
		p.askToEnd(ctx)
	}
	p.tree.kill()
	select {
	case <-p.tree.gone:
	case <-time.After(2*killWait + strayGrace):
		return launchError(CauseShutdown, errTreeAlive.Error())
	}
	_ = p.pipe.Close() // the browser is gone, there is nothing to lose
	p.awaitStderr()
	if p.tree.err != nil {
		return launchError(CauseShutdown, p.tree.err.Error())
	}
	if err := endStrays(p.dir.crashDir()); err != nil {
		return launchError(CauseShutdown, err.Error())
	}
	// A launch that failed because the profile is in use must not take away the lock of
	// the browser that uses it.
	sweepSingleton(p.dataDir, owner)
	sweepSocketDir(socket)
	if err := p.dir.remove(); err != nil {
		return launchError(CauseShutdown, err.Error())
	}
	return nil
}

// askToEnd asks the browser to end and waits for it.
func (p *Process) askToEnd(ctx context.Context) {
	p.tree.gentle.Store(true)
	timer := time.NewTimer(GracefulCloseMax)
	defer timer.Stop()
	go func() {
		// A closed pipe is a request to end too, and a browser that does not read
		// makes this wait until it is killed.
		_ = p.pipe.Write([]byte(`{"id":` + closeCallID + `,"method":"Browser.close"}`))
	}()
	select {
	case <-p.tree.gone:
		return
	case <-timer.C:
	case <-ctx.Done():
	case <-p.hurry:
	}
	p.tree.gentle.Store(false)
}

// awaitStderr waits for the end of stderr and closes our side.
func (p *Process) awaitStderr() {
	select {
	case <-p.stderrEnded:
	case <-time.After(stderrWait):
	}
	_ = p.stderrPipe.Close()
	<-p.stderrEnded
}
