//go:build !linux

package cdp

// crashDirEnv names where the browser puts its crash reports, where it heeds that.
const crashDirEnv = "BREAKPAD_DUMP_LOCATION"

// endStrays does nothing: other processes' environments cannot be read here.
func endStrays(string) error { return nil }
