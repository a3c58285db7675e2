//go:build linux

package cdp

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/messages"
)

// An engine that is a shell script stands for a browser that misbehaves at start.
func TestLaunchFailures(t *testing.T) {
	for _, row := range []struct {
		name     string
		script   string
		cause    Cause
		code     messages.Code
		operator string // is part of what the operator is told
	}{
		{"it exits", "echo first >&2; echo the last line >&2; exit 3", CauseEarlyExit, messages.CodeLaunchFailed, "exit status 3: the last line"},
		{"it exits without a word", "exit 0", CauseEarlyExit, messages.CodeLaunchFailed, "exit status 0"},
		{"its profile is in use", "exit 21", CauseProfileInUse, messages.CodeProfileBusy, "21"},
		{"it is root", "echo '[1:ERROR] Running as root without --no-sandbox is not supported. See x' >&2; exit 1", CauseSandboxRoot, messages.CodeSandboxUnavailable, "Running as root"},
		{"it has no sandbox", "echo '[1:FATAL] No usable sandbox! x' >&2; kill -ABRT $$", CauseSandbox, messages.CodeSandboxUnavailable, "No usable sandbox"},
		{"it has no display", "echo '[1:ERROR:ozone] Missing X server or $DISPLAY' >&2; exit 1", CauseNoDisplay, messages.CodeLaunchFailed, "Missing X"},
		{"it closes the pipe and stays", "exec 4>&-; echo odd >&2; sleep 60", CausePipeClosed, messages.CodeLaunchFailed, "no answer"},
		{"it speaks another language", "printf 'hello\\0' >&4; sleep 60", CausePipeClosed, messages.CodeLaunchFailed, "malformed"},
		{"it never answers", "echo waiting >&2; sleep 60", CauseTimeout, messages.CodeLaunchTimeout, "waiting"},
		{"it leaves a child that holds everything", "sleep 60 & exit 4", CauseEarlyExit, messages.CodeLaunchFailed, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			dir := t.TempDir()
			config := LaunchConfig{
				Engine:          Engine{Path: program(t, filepath.Join(dir, "engine"), "#!/bin/sh\n"+row.script+"\n")},
				ThrowawayParent: filepath.Join(dir, "parent"),
			}
			// They mostly wait. A program that is still open for writing in a process that
			// was forked meanwhile can't be run, so each is written before any runs.
			t.Parallel()
			if row.cause == CauseTimeout {
				config.Timeout = 500 * time.Millisecond
			}
			_, err := Launch(t.Context(), config)
			var e *LaunchError
			if !errors.As(err, &e) || e.Cause != row.cause || e.Report.Code != row.code {
				t.Fatalf("got %v", err)
			}
			if !strings.Contains(e.Report.Operator, row.operator) {
				t.Errorf("the operator is told %q", e.Report.Operator)
			}
			if strings.Contains(e.Error(), dir) || row.operator != "" && strings.Contains(e.Error(), row.operator) {
				t.Errorf("everybody is told %q", e.Error())
			}
			nothingLeft(t, config.ThrowawayParent)
		})
	}
}

// nothingLeft fails the test if there is anything in a parent of throwaway directories.
func nothingLeft(t *testing.T, parent string) {
	t.Helper()
	entries, err := os.ReadDir(parent)
	if err != nil || len(entries) > 0 {
		t.Errorf("left: %v, %v", entries, err)
	}
}

func TestLaunchIsCancelled(t *testing.T) {
	dir := t.TempDir()
	config := LaunchConfig{Engine: Engine{Path: program(t, filepath.Join(dir, "engine"), "#!/bin/sh\nsleep 60\n")}, ThrowawayParent: filepath.Join(dir, "parent")}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(100*time.Millisecond, cancel)
	_, err := Launch(ctx, config)
	var e *LaunchError
	if !errors.As(err, &e) || e.Cause != CauseCancelled {
		t.Errorf("got %v", err)
	}
	nothingLeft(t, config.ThrowawayParent)
	ctx, cancel = context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err = Launch(ctx, config); !errors.As(err, &e) || e.Cause != CauseTimeout {
		t.Errorf("got %v", err)
	}
	nothingLeft(t, config.ThrowawayParent)
}

func TestLaunchRefusals(t *testing.T) {
	dir := t.TempDir()
	engine := Engine{Path: program(t, filepath.Join(dir, "engine"), "#!/bin/sh\nexit 0\n")}
	notRunnable := Engine{Path: program(t, filepath.Join(dir, "text"), "no program")}
	busy := filepath.Join(dir, "busy")
	if err := errors.Join(os.Mkdir(busy, 0o700), os.Symlink("elsewhere-1", filepath.Join(busy, singletonLock))); err != nil {
		t.Fatal(err)
	}
	parent := filepath.Join(dir, "parent")
	for _, row := range []struct {
		config LaunchConfig
		cause  Cause
	}{
		{LaunchConfig{Engine: engine, ThrowawayParent: parent, Args: []string{"--remote-debugging-port=1"}}, CauseArgument},
		{LaunchConfig{Engine: engine, ThrowawayParent: parent, DataDir: busy}, CauseProfileInUse},
		{LaunchConfig{Engine: engine, ThrowawayParent: filepath.Join(engine.Path, "x")}, CauseProfileCreate},
		{LaunchConfig{Engine: notRunnable, ThrowawayParent: parent}, CauseNotExecutable},
		{LaunchConfig{ThrowawayParent: parent}, CauseNotExecutable},
	} {
		_, err := Launch(t.Context(), row.config)
		var e *LaunchError
		if !errors.As(err, &e) || e.Cause != row.cause {
			t.Errorf("got %v, want %s", err, row.cause)
		}
	}
	nothingLeft(t, parent)
}

// A fake browser that answers and then ignores every request to end is killed with
// its children, whatever the context says.
func TestCloseKillsTheWholeTree(t *testing.T) {
	for _, graceful := range []bool{false, true} {
		dir := t.TempDir()
		script := `#!/bin/sh
trap '' TERM HUP INT
head -c 20 <&3 >/dev/null
printf '{"id":1,"result":{"product":"Fake/1"}}\0' >&4
(trap '' TERM HUP; sleep 60) &
while :; do sleep 60; done
`
		config := LaunchConfig{Engine: Engine{Path: program(t, filepath.Join(dir, "engine"), script)}, ThrowawayParent: filepath.Join(dir, "parent")}
		p, err := Launch(t.Context(), config)
		if err != nil {
			t.Fatal(err, err.(*LaunchError).Report.Operator)
		}
		if p.Version().Product != "Fake/1" || !groupAlive(p.PID()) {
			t.Errorf("version %+v", p.Version())
		}
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		begin := time.Now()
		if err := p.Close(ctx, graceful); err != nil {
			t.Error(err)
		}
		cancel()
		if took := time.Since(begin); graceful && took < 200*time.Millisecond || took > 3*time.Second {
			t.Errorf("graceful %v took %v", graceful, took)
		}
		<-p.Done()
		if groupAlive(p.PID()) || p.ExitCode() != -1 {
			t.Errorf("alive after close, exit code %d", p.ExitCode())
		}
		if err := p.Close(t.Context(), true); err != nil {
			t.Error(err)
		}
		nothingLeft(t, config.ThrowawayParent)
	}
}

// A close that is not graceful hastens one that waits.
func TestCloseIsHastened(t *testing.T) {
	dir := t.TempDir()
	script := "#!/bin/sh\nprintf '{\"id\":1,\"result\":{}}\\0' >&4\nsleep 60\n"
	p, err := Launch(t.Context(), LaunchConfig{Engine: Engine{Path: program(t, filepath.Join(dir, "engine"), script)}, ThrowawayParent: dir + "/parent"})
	if err != nil {
		t.Fatal(err)
	}
	slow := make(chan error, 1)
	go func() { slow <- p.Close(t.Context(), true) }()
	begin := time.Now()
	if err := errors.Join(p.Close(t.Context(), false), <-slow); err != nil {
		t.Error(err)
	}
	if took := time.Since(begin); took > GracefulCloseMax/2 {
		t.Errorf("took %v", took)
	}
}
