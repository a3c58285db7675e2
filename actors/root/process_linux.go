package root

import (
	"os"

	"github.com/troupe-browser/troupe/internal/procstat"
)

// startOf returns when a process started, in clock ticks since the machine did, and
// whether it is alive. A process that has ended and was not waited for is not. One of
// which nothing can be read although it is there counts as alive since 0.
func startOf(pid int) (started uint64, alive bool) {
	stat, err := procstat.Read(pid)
	if err != nil {
		return 0, !os.IsNotExist(err) && signals(pid)
	}
	return stat.Start, !stat.Ended()
}
