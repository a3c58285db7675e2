//go:build !unix

package actors

import (
	"os"

	"github.com/troupe-browser/troupe/messages"
)

// lockProfile refuses: on this system no lock is known that dies with its holder.
func lockProfile(string) (*os.File, error) {
	return nil, messages.NewError(messages.CodeNotSupported, "Managed profiles are not available on this system.")
}

// endedProcesses knows of none on this system.
func endedProcesses([]int) []int { return nil }
