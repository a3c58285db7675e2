package cdp

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// outsidePrograms stand before the system's own in the PATH of a browser on Linux. It asks
// xdg-settings whether it is itself the program for a scheme such as mailto:, and drops the
// page's request on a yes, since it would only start itself. Otherwise it shows a prompt,
// in a headless browser too, and the prompt takes every later input of the page. mailto:
// has no prompt and starts the user's mail program through xdg-open.
var outsidePrograms = map[string]string{
	"xdg-settings": "#!/bin/sh\necho yes\n",
	"xdg-open":     "#!/bin/sh\nexit 1\n",
}

// makePrograms makes a directory with the outside programs. Where nothing in it may be
// executed, the browser goes on to the next directory of its PATH.
func makePrograms(dir string) error {
	failed := os.Mkdir(dir, 0o700)
	if failed != nil || runtime.GOOS != "linux" {
		return failed
	}
	for name, script := range outsidePrograms {
		failed = errors.Join(failed, os.WriteFile(filepath.Join(dir, name), []byte(script), 0o700))
	}
	return failed
}

// withPrograms returns a PATH that begins with the directory of the outside programs. A
// directory whose name has a separator can't stand in it.
func withPrograms(dir, path string) string {
	if strings.ContainsRune(dir, os.PathListSeparator) {
		return path
	}
	return strings.TrimSuffix(dir+string(os.PathListSeparator)+path, string(os.PathListSeparator))
}
