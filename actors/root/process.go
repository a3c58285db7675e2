package root

import "github.com/troupe-browser/troupe/messages"

// neverStarted is the start of a process that was not there when it was named.
const neverStarted = ^uint64(0)

// NamedOwner returns the process that a launch names as its owner, as it is now. One
// that has ended already is noted as such: its browser ends with the next look.
func NamedOwner(command messages.Command) process {
	launch, ok := command.(*messages.Launch)
	if !ok || launch.OwnerPID <= 0 {
		return process{}
	}
	started, alive := startOf(launch.OwnerPID)
	if !alive {
		started = neverStarted
	}
	return process{pid: launch.OwnerPID, started: started}
}

// endedProcesses returns those of the processes that have ended. A number that
// belongs to another process by now counts as ended, and so does a process that only
// its parent has not waited for yet (R23).
func endedProcesses(processes []process) []process {
	var ended []process
	for _, p := range processes {
		if started, alive := startOf(p.pid); !alive || started != p.started {
			ended = append(ended, p)
		}
	}
	return ended
}
