package program

import (
	"context"
	"os"
	"os/exec"
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

// The environment names the process whose end ends a session; what is no process is a wrong call and not nobody (R23).
func TestOwnerPID(t *testing.T) {
	for text, want := range map[string]int{"": 0, "1": 1, "4711": 4711, "0": -1, "-3": -1, "shell": -1} {
		t.Setenv(OwnerPIDVariable, text)
		got, err := ownerPID()
		if (err != nil) != (want < 0) || err == nil && got != want {
			t.Errorf("%q gives %d, %v", text, got, err)
		}
		if err != nil && ExitStatus(err) != ExitUsage {
			t.Errorf("%q has the status %d", text, ExitStatus(err))
		}
	}
}

// A context ends with its owner, also one that had ended before, and not while the owner lives (R23).
func TestWithOwner(t *testing.T) {
	gone := exec.Command(os.Args[0], "-test.run=^$")
	if err := gone.Run(); err != nil {
		t.Fatal(err)
	}
	ended, cancel := WithOwner(context.Background(), gone.Process.Pid)
	defer cancel()
	<-ended.Done()
	for _, pid := range []int{0, os.Getpid()} {
		lives, cancel := WithOwner(context.Background(), pid)
		if lives.Err() != nil {
			t.Errorf("with the owner %d it has ended", pid)
		}
		cancel()
	}
}

// launchSeen is a gateway that remembers the last launch.
type launchSeen struct {
	messages.Gateway
	caller messages.Caller
	launch *messages.Launch
}

func (g *launchSeen) Do(_ context.Context, caller messages.Caller, command messages.Command) (messages.Reply, error) {
	g.caller, g.launch = caller, command.(*messages.Launch)
	return &messages.Receipt{ExecutionState: messages.Completed}, nil
}

// Every launch of an owned session ends with the owner; the caller's own command and grants stay as they are.
func TestOwnedGateway(t *testing.T) {
	seen := &launchSeen{}
	asked := &messages.Launch{URL: "http://x/"}
	model := messages.Caller{ID: "m", Plane: messages.PlaneModel, Grants: messages.DefaultGrants()}
	if _, err := (OwnedGateway{seen, 7}).Do(context.Background(), model, asked); err != nil {
		t.Fatal(err)
	}
	if seen.launch.OwnerPID != 7 || seen.launch.URL != asked.URL || asked.OwnerPID != 0 || seen.caller.ID != "m" || seen.caller.Plane != messages.PlaneOperator {
		t.Errorf("%+v launches %+v", seen.caller, seen.launch)
	}
	if _, err := (OwnedGateway{seen, 0}).Do(context.Background(), model, asked); err != nil || seen.launch != asked || seen.caller.Plane != messages.PlaneModel {
		t.Errorf("without an owner %+v launches %+v, %v", seen.caller, seen.launch, err)
	}
}
