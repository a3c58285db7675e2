package program

import (
	"runtime/debug"
)

// release is set by the linker for a release: -ldflags "-X main.release=v1.2.3".
var release = ""

// Version returns the release, else what the build recorded of its source.
func Version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "dev"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "dev-" + s.Value[:12]
		}
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	return "dev"
}
