package kernel

import "path/filepath"

// State directories below Config.StateDir.
const (
	ThrowawayDirName = "run"
	BrowserDirName   = "browser"
	ProfilesDirName  = "profiles"
	ProfileDataName  = "data"
	ProfileLockName  = "lock"
	downloadsDirName = "downloads"
)

// DownloadsDir is where the browsers of a runtime download to, one directory each,
// beside the profiles and not inside them (R129).
func DownloadsDir(config Config) string {
	return filepath.Join(config.StateDir, BrowserDirName, downloadsDirName)
}
