package kernel

import (
	"testing"

	"github.com/asynkron/protoactor-go/actor"
)

// named is a process that counts the system messages that it gets.
type named struct{ system int }

func (n *named) SendUserMessage(*actor.PID, any)   {}
func (n *named) SendSystemMessage(*actor.PID, any) { n.system++ }
func (n *named) Stop(*actor.PID)                   {}

// A watch is taken away from the process that it was put on, and never from another one that has its name by then.
func TestWatch_ReleasesItsOwnProcess(t *testing.T) {
	system := actor.NewActorSystem()
	first, second := &named{}, &named{}
	pid, _ := system.ProcessRegistry.Add(first, "page/diagnostics")
	_, release := Watch(system, pid)
	_, other := Watch(system, pid)
	other()
	if first.system != 3 {
		t.Errorf("the watched process got %d messages, want two watches and the end of one", first.system)
	}
	system.ProcessRegistry.Remove(pid)
	system.ProcessRegistry.Add(second, "page/diagnostics")
	release()
	if second.system != 0 || first.system != 3 {
		t.Errorf("the processes got %d and %d messages, want 3 and none", first.system, second.system)
	}
}
