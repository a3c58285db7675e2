//go:build headed

package actors

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A visible browser has accelerators that a headless one has not: it takes the same chords
// (C36). `make headed` runs it; without an Xvfb it fails.
func TestHeaded_C36KeysStayInTheDocument(t *testing.T) {
	display(t)
	config := chromiumConfig(t)
	config.Visible = true
	keysStay(newRig(t, config))
}

// display starts an X server without a screen and points the browser to it. The server
// picks a free number and tells it.
func display(t *testing.T) {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = read.Close() }() // only read from
	server := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1280x1024x24", "-nolisten", "tcp")
	server.ExtraFiles = []*os.File{write}
	err = server.Start()
	_ = write.Close() // the server has its own
	if err != nil {
		t.Fatalf("an X server is needed (Debian: apt-get install xvfb): %v", err)
	}
	t.Cleanup(func() {
		_ = server.Process.Kill() // it is gone already, or ends now
		_ = server.Wait()         // its end by a signal is what was asked for
	})
	number, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatalf("the X server tells no display: %v", err)
	}
	t.Setenv("DISPLAY", ":"+strings.TrimSpace(number))
	t.Setenv("WAYLAND_DISPLAY", "")
}
