package main

import (
	"context"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/troupe-browser/troupe/fixtures"

	"github.com/troupe-browser/troupe/cmd/troupe/daemon"
	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

// TestChromiumScripts runs the scripts that drive a real browser over the fixtures' server. SITE is its address and HOST
// the same without a scheme. Each script's daemon is ended with it.
func TestChromiumScripts(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	site := fixtures.Serve(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/browser", WorkdirRoot: scriptRoot(t), RequireExplicitExec: true, Cmds: scriptCommands,
		Setup: func(env *testscript.Env) error {
			address := strings.TrimSuffix(site.URL("/"), "/")
			env.Setenv("SITE", address)
			env.Setenv("HOST", strings.TrimPrefix(address, "http://"))
			if err := setup(env); err != nil {
				return err
			}
			a := &program.App{State: env.WorkDir + "/s", Streams: program.Streams{Out: discard{}, Err: discard{}}}
			env.Defer(func() {
				if err := daemon.StopDaemon(context.Background(), a); err != nil {
					t.Errorf("the daemon does not end: %v", err)
				}
			})
			return nil
		},
	})
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
