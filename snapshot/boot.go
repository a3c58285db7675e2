package snapshot

import _ "embed" // The script below.

//go:generate go run ../internal/pagebuild

//go:embed page/bundle/world.js
var bootSource string

// BootSource returns the script that the runtime installs in an isolated world
// of every document (Page.addScriptToEvaluateOnNewDocument with worldName and
// runImmediately), before the page's first script. Its one global there is
// `troupe`; page/api.js describes it (R33, R35, R41, R158).
func BootSource() string {
	return bootSource
}
