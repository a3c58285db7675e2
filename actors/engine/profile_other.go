//go:build !unix

package engine

import (
	"os"

	"github.com/troupe-browser/troupe/messages"
)

// lockProfile refuses: on this system no lock is known that dies with its holder.
func lockProfile(string) (*os.File, error) {
	return nil, messages.NewError(messages.CodeNotSupported, "Managed profiles are not available on this system.")
}
