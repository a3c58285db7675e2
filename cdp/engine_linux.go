package cdp

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// Debian's wrapper script, what it starts, and what it reads.
const (
	debianBinary = "/usr/lib/chromium/chromium"
	debianConfig = "/etc/chromium.d"
)

// debianOwnConfig are the files that Debian itself puts into debianConfig. None of
// them carries a decision of this machine's owner.
var debianOwnConfig = []string{"README", "apikeys", "default-flags", "dev-shm", "extensions"}

// candidates returns the places to look at, in the order of R2.
func candidates(getenv func(string) string) []string {
	names := []string{
		"google-chrome", "google-chrome-stable", "chromium", "chromium-browser",
		"microsoft-edge", "microsoft-edge-stable", "brave-browser",
	}
	var places []string
	for _, name := range names {
		places = append(places, onPath(getenv, name)...)
	}
	return places
}

// withoutWrapper returns the binary that Debian's chromium script starts, if path
// is that script. The script only adds noise on stderr and some time, unless this
// machine's owner configured something in its directory: then it is kept.
func withoutWrapper(path string) string {
	return unwrapDebian(path, debianBinary, debianConfig)
}

func unwrapDebian(path, binary, config string) string {
	if filepath.Base(path) != "chromium" || !startsWith(path, "#!") || !startsWith(binary, "\x7fELF") {
		return path
	}
	if executableFile(binary) != nil {
		return path
	}
	entries, err := os.ReadDir(config)
	if err != nil && !os.IsNotExist(err) {
		return path
	}
	for _, e := range entries {
		if !slices.Contains(debianOwnConfig, e.Name()) {
			return path
		}
	}
	return binary
}

// startsWith reports whether the file begins with the text.
func startsWith(path, text string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(text))
	_, err = io.ReadFull(f, head)
	return err == nil && bytes.Equal(head, []byte(text))
}
