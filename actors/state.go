package actors

import "path/filepath"

// State directories below Config.StateDir.
const (
	throwawayDirName = "run"
	browserDirName   = "browser"
	profilesDirName  = "profiles"
	profileDataName  = "data"
	profileLockName  = "lock"
	downloadsDirName = "downloads"
)

// downloadsDir is where the browsers of a runtime download to, one directory each,
// beside the profiles and not inside them (R129).
func downloadsDir(config Config) string {
	return filepath.Join(config.StateDir, browserDirName, downloadsDirName)
}
