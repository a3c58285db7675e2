//go:build !unix

package root

// signals knows of no way to ask on this system: every process counts as alive.
func signals(int) bool { return true }
