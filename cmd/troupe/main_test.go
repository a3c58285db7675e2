package main

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/troupe-browser/troupe/cmd/troupe/settings"

	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

// The scripts run this test binary under the name troupe, so that they see the real command line: its streams, its exit
// statuses, and the daemon that it starts from itself.
func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"troupe": main}) }

// setup gives a script a state and a configuration of its own and no setting of whoever runs the test.
func setup(env *testscript.Env) error {
	for _, name := range settings.Variables() {
		env.Setenv(name, "")
	}
	for _, name := range []string{program.OwnerVariable, program.OwnerPIDVariable, "CHROME_PATH", "NO_COLOR"} {
		env.Setenv(name, "")
	}
	env.Setenv("TROUPE_STATE_DIR", env.WorkDir+"/s")
	env.Setenv("XDG_CONFIG_HOME", env.WorkDir+"/config")
	// A browser that a script starts inherits the sandbox switch of the test run, as root needs it.
	env.Setenv("TROUPE_SANDBOX", os.Getenv("TROUPE_SANDBOX"))
	return nil
}

// scriptRoot is where a test's scripts work. It goes with the test; the default of testscript leaves its own directory
// behind. Its path is short, since the daemons' sockets are below it.
func scriptRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "s")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// TestScripts runs what needs no browser.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script", WorkdirRoot: scriptRoot(t), Setup: setup, RequireExplicitExec: true, Cmds: scriptCommands})
}

// scriptCommands are commands of the scripts beside the usual ones.
var scriptCommands = map[string]func(*testscript.TestScript, bool, []string){
	"status": checkStatus,
}

// checkStatus runs a command line and holds its exit status against the first argument, as in: status 3 troupe list
func checkStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command...")
	}
	got := "0"
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		got = statusOf(err)
	}
	if got != args[0] {
		ts.Fatalf("the exit status is %s, want %s", got, args[0])
	}
}

// statusOf returns the exit status in an error of running a command.
func statusOf(err error) string {
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		return strconv.Itoa(ended.ExitCode())
	}
	return err.Error()
}
