//go:build !linux

package cdp

import (
	"path/filepath"
	"runtime"
)

// candidates returns the places to look at, in the order of R2.
func candidates(getenv func(string) string) []string {
	if runtime.GOOS == "windows" {
		return windowsCandidates(getenv)
	}
	var places []string
	for _, app := range []string{"Google Chrome", "Microsoft Edge", "Chromium", "Brave Browser"} {
		bundle := filepath.Join("Applications", app+".app", "Contents", "MacOS", app)
		places = append(places, filepath.Join("/", bundle))
		if home := getenv("HOME"); home != "" {
			places = append(places, filepath.Join(home, bundle))
		}
	}
	return places
}

func windowsCandidates(getenv func(string) string) []string {
	var places []string
	for _, app := range []string{
		`Microsoft\Edge\Application\msedge.exe`,
		`Google\Chrome\Application\chrome.exe`,
		`BraveSoftware\Brave-Browser\Application\brave.exe`,
		`Chromium\Application\chrome.exe`,
	} {
		for _, root := range []string{"ProgramFiles", "ProgramFiles(x86)", "LocalAppData"} {
			if dir := getenv(root); dir != "" {
				places = append(places, filepath.Join(dir, app))
			}
		}
	}
	return places
}

func withoutWrapper(path string) string { return path }
