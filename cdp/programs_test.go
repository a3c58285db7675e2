package cdp

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

// The browser finds a program that says that the browser is the one for every scheme.
func TestLaunch_OutsideProgramsComeFirst(t *testing.T) {
	dir, err := newThrowaway(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := dir.remove(); err != nil {
			t.Error(err)
		}
	}()
	env := environment([]string{"HOME=/h", "PATH=/usr/bin:/bin"}, dir)
	first := dir.programsDir()
	if want := "PATH=" + first + string(os.PathListSeparator) + "/usr/bin:/bin"; !slices.Contains(env, want) {
		t.Errorf("no %q in %q", want, env)
	}
	if runtime.GOOS != "linux" {
		return
	}
	out, err := exec.Command(filepath.Join(first, "xdg-settings"), "check", "default-url-scheme-handler", "foo", "x.desktop").Output()
	if err != nil || string(out) != "yes\n" {
		t.Errorf("xdg-settings says %q, %v", out, err)
	}
	if err := exec.Command(filepath.Join(first, "xdg-open"), "foo:bar").Run(); err == nil {
		t.Error("xdg-open says that it opened something")
	}
}

// A name with the separator in it would be two directories.
func TestWithPrograms(t *testing.T) {
	for _, row := range []struct{ dir, path, want string }{
		{"/a/bin", "/usr/bin", "/a/bin:/usr/bin"},
		{"/a/bin", "", "/a/bin"},
		{"/a:b/bin", "/usr/bin", "/usr/bin"},
	} {
		if got := withPrograms(row.dir, row.path); runtime.GOOS != "windows" && got != row.want {
			t.Errorf("%q before %q: %q", row.dir, row.path, got)
		}
	}
}
