package program

import (
	"cmp"
	"runtime/debug"
)

// What the linker sets, under the path of this package: -ldflags "-X .../cmd/troupe/program.revision=0123456789ab". The
// Makefile gives the revision.
var release, revision string

// unreleased is the version of a build between releases.
const unreleased = "0.1.0-dev"

// revisionChars is how much of a revision is told.
const revisionChars = 12

// Version returns the release, or what it will be, and behind a + the revision of the source where the build knows it.
func Version() string {
	number, source := cmp.Or(release, unreleased), revision
	if info, ok := debug.ReadBuildInfo(); ok && source == "" {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				source = s.Value[:min(len(s.Value), revisionChars)]
			}
		}
		if v := info.Main.Version; source == "" && release == "" && v != "" && v != "(devel)" {
			return v // of the module, whose revision is in it
		}
	}
	if source == "" {
		return number
	}
	return number + "+" + source
}
