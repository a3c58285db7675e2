package program

import (
	"os"
	"testing"
)

// The null device is a character device as a terminal is, and nobody reads colours there.
func TestNullDeviceIsNoTerminal(t *testing.T) {
	file, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }() // nothing was written
	if IsTerminal(file) {
		t.Error("it is taken for a terminal")
	}
}
