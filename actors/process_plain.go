//go:build !unix

package actors

// signals knows of no way to ask on this system: every process counts as alive.
func signals(int) bool { return true }
