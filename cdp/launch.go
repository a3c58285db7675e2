package cdp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/troupe-browser/troupe/messages"
)

// LaunchConfig says how to start a browser. All of it is the operator's (R14).
type LaunchConfig struct {
	Engine Engine

	// ThrowawayParent is the directory below which the browser gets a directory of
	// its own for everything that does not outlive it: the profile of an ephemeral
	// browser and temporary files. It is made, private, if it does not exist.
	ThrowawayParent string

	// DataDir is the data directory of a managed profile. It stays. Empty means an
	// ephemeral profile (R10). Whoever sets it holds the profile's own lock (R178).
	DataDir string

	Headless bool
	// NoSandbox turns the browser's sandbox off. It is never turned off here.
	NoSandbox bool
	// Args are further switches of the operator, such as a proxy.
	Args []string

	// WindowWidth and WindowHeight are in CSS pixels; zero means 1280 and 800.
	WindowWidth, WindowHeight int

	// Timeout bounds the launch; zero means messages.LaunchTimeout. The context can
	// only shorten it.
	Timeout time.Duration
}

// Version is what a browser says about itself.
type Version struct {
	Product   string `json:"product"` // such as "Chrome/156.0.8078.108"
	Protocol  string `json:"protocolVersion"`
	UserAgent string `json:"userAgent"`
}

// exitWait bounds how long a browser that closed its pipe may take to exit. At the
// bound it counts as a program that is no browser.
const exitWait = 2 * time.Second

// exitProfileInUse is the exit code of a browser whose profile another one has.
const exitProfileInUse = 21

// Launch starts a browser and returns when it answers. It is driven over a pipe:
// there is no port, and it ends by itself when this process does, whatever ends it.
// A launch that fails or is cancelled leaves no process and no directory (R196).
// The error is a *LaunchError.
func Launch(ctx context.Context, config LaunchConfig) (*Process, error) {
	if err := checkArguments(config.Args); err != nil {
		return nil, err
	}
	if config.DataDir != "" && inUse(config.DataDir) {
		return nil, launchError(CauseProfileInUse, "the profile's lock belongs to a process that runs or cannot be verified")
	}
	return launch(ctx, config)
}

func launch(ctx context.Context, config LaunchConfig) (*Process, error) {
	config.fill()
	dir, err := newThrowaway(config.ThrowawayParent)
	if err != nil {
		if errors.Is(err, errTempTooLong) {
			return nil, launchError(CauseTempDir, err.Error())
		}
		return nil, launchError(CauseProfileCreate, err.Error())
	}
	p, err := start(&config, dir)
	if err != nil {
		return nil, withRemoval(err, dir.remove())
	}
	if err := p.awaitReady(ctx, config.Timeout); err != nil {
		// The context of the launch may have ended; the clean-up has its own bounds.
		return nil, withRemoval(err, p.Close(context.WithoutCancel(ctx), false))
	}
	return p, nil
}

func (c *LaunchConfig) fill() {
	if c.WindowWidth <= 0 || c.WindowHeight <= 0 {
		c.WindowWidth, c.WindowHeight = messages.ViewportWidthDefault, messages.ViewportHeightDefault
	}
	if c.Timeout <= 0 {
		c.Timeout = messages.LaunchTimeout
	}
}

// withRemoval adds to a launch error, for the operator, that something was left.
func withRemoval(err error, left error) error {
	var e *LaunchError
	if left == nil || !errors.As(err, &e) {
		return err
	}
	return launchError(e.Cause, e.Report.Operator+"; afterwards: "+left.Error())
}

// start starts the process with its pipes, and nothing is left if it fails.
func start(config *LaunchConfig, dir *throwaway) (*Process, error) {
	files, err := newPipes()
	if err != nil {
		return nil, launchError(CauseNotExecutable, err.Error())
	}
	dataDir := config.DataDir
	if dataDir == "" {
		dataDir = dir.dataDir()
	}
	cmd := exec.Command(config.Engine.Path)
	switches := attachPipes(cmd, files.childRead, files.childWrite)
	cmd.Args = append(cmd.Args, config.arguments(dataDir, switches)...)
	cmd.Env = environment(os.Environ(), dir)
	cmd.Stderr = files.childStderr
	t, err := startTree(cmd)
	closeAll(files.childRead, files.childWrite, files.childStderr)
	if err != nil {
		closeAll(files.read, files.write, files.stderr)
		return nil, launchError(CauseNotExecutable, err.Error())
	}
	p := newProcess(t, newPipe(files.read, files.write), files.stderr, dir, dataDir)
	// Without the note a sweep would not end the browser of a dead owner; the pipe
	// and the parent-death signal do that already.
	_ = dir.noteBrowser(t.pgid)
	return p, nil
}

// pipes are the three pipes between this process and a browser.
type pipes struct {
	read, write, stderr                *os.File // ours
	childRead, childWrite, childStderr *os.File // the browser's
}

func newPipes() (p pipes, err error) {
	var open []*os.File
	pair := func(r, w **os.File) {
		if err == nil {
			if *r, *w, err = os.Pipe(); err == nil {
				open = append(open, *r, *w)
			}
		}
	}
	pair(&p.childRead, &p.write)
	pair(&p.read, &p.childWrite)
	pair(&p.stderr, &p.childStderr)
	if err != nil {
		closeAll(open...)
	}
	return p, err
}

func closeAll(files ...*os.File) {
	for _, f := range files {
		_ = f.Close() // nothing was written that closing could lose
	}
}

// environment returns the browser's environment: ours, its own directories for
// temporary files and crash reports, a PATH that leads to no program for a page, and the
// statement that there are no Google API keys, without which a visible browser shows a bar.
func environment(base []string, dir *throwaway) []string {
	env := append(slices.Clone(base), crashDirEnv+"="+dir.crashDir())
	env = append(env, temporaryDirEnv+"="+dir.tempDir())
	path := ""
	for _, e := range base {
		if value, found := strings.CutPrefix(e, "PATH="); found {
			path = value
		}
	}
	env = append(env, "PATH="+withPrograms(dir.programsDir(), path)) // the last of a name counts
	for _, name := range []string{"GOOGLE_API_KEY", "GOOGLE_DEFAULT_CLIENT_ID", "GOOGLE_DEFAULT_CLIENT_SECRET"} {
		if !slices.ContainsFunc(base, func(e string) bool { return strings.HasPrefix(e, name+"=") }) {
			env = append(env, name+"=no")
		}
	}
	return env
}

// awaitReady waits until the browser has answered its first question.
func (p *Process) awaitReady(ctx context.Context, timeout time.Duration) error {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	answered := make(chan error, 1)
	go func() {
		var err error
		p.version, err = askVersion(p.pipe)
		answered <- err
	}()
	var failure *LaunchError
	select {
	case err := <-answered:
		if err == nil {
			return nil
		}
		return p.diagnose(err)
	case <-ctx.Done():
		failure = launchError(CauseCancelled, context.Cause(ctx).Error())
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			failure = launchError(CauseTimeout, p.stderr.lastLine())
		}
	case <-timer.C:
		failure = launchError(CauseTimeout, p.stderr.lastLine())
	}
	// The exchange uses the pipe; it ends with the browser.
	p.tree.kill()
	_ = p.pipe.Close()
	<-answered
	return failure
}

// askVersion asks for the browser's version over a transport that nobody else uses
// yet. It returns only when the browser has answered or the transport has ended.
func askVersion(t Transport) (Version, error) {
	var v Version
	if err := t.Write([]byte(`{"id":1,"method":"Browser.getVersion"}`)); err != nil {
		return v, err
	}
	for {
		data, err := t.Read()
		if err != nil {
			return v, err
		}
		e, err := decodeEnvelope(data)
		if err != nil {
			return v, err
		}
		if e.hasID && e.id == 1 {
			return v, unmarshal(e.result, &v)
		}
	}
}

// diagnose says why a browser closed its pipe before it answered.
func (p *Process) diagnose(cause error) error {
	select {
	case <-p.tree.exited:
	case <-time.After(exitWait): // it closed the pipe and lives on: not a browser
		return launchError(CausePipeClosed, fmt.Sprintf("no answer on the pipe: %v", cause))
	}
	p.tree.kill()
	<-p.tree.gone
	p.awaitStderr()
	text, code := p.stderr.text(), p.tree.exitCode()
	operator := fmt.Sprintf("exit status %d: %s", code, p.stderr.lastLine())
	has := func(s string) bool { return strings.Contains(text, s) }
	switch {
	case code == exitProfileInUse:
		return launchError(CauseProfileInUse, operator)
	case has("without --no-sandbox is not supported"):
		return launchError(CauseSandboxRoot, operator)
	case has("No usable sandbox"), has("setuid sandbox"), has("SUID sandbox"):
		return launchError(CauseSandbox, operator)
	case has("Missing X server"), has("cannot open display"), has("Failed to connect to Wayland"):
		return launchError(CauseNoDisplay, operator)
	}
	return launchError(CauseEarlyExit, operator)
}
