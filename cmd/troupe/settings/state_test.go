package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The state is nobody else's: a directory that is open to others and a link are refused.
func TestPrivateDirectory(t *testing.T) {
	base := t.TempDir()
	fresh := filepath.Join(base, "a", "b")
	if err := PrivateDirectory(fresh); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(fresh); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("it is %v, %v", info.Mode(), err)
	}
	if err := PrivateDirectory(fresh); err != nil {
		t.Errorf("the second time: %v", err)
	}
	open := filepath.Join(base, "open")
	if err := os.Mkdir(open, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := PrivateDirectory(open); err == nil || !strings.Contains(err.Error(), "chmod 700") {
		t.Errorf("an open one gives %v", err)
	}
	link := filepath.Join(base, "link")
	if err := os.Symlink(fresh, link); err != nil {
		t.Fatal(err)
	}
	if err := PrivateDirectory(link); err == nil {
		t.Error("a link is accepted")
	}
}
