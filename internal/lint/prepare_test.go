package lint

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A machine is a PATH with a few real tools and whatever a case adds, so that what .ci/prepare does on a bare machine,
// as root and as somebody else, is seen on any.
type machine struct {
	t   *testing.T
	dir string
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	m := &machine{t: t, dir: t.TempDir()}
	for _, tool := range []string{"sh", "sed", "sort", "tail", "dirname", "mktemp", "rm", "timeout", "chmod", "cat"} {
		real, err := exec.LookPath(tool)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(real, filepath.Join(m.dir, tool)); err != nil {
			t.Fatal(err)
		}
	}
	m.user("1000")
	return m
}

// add puts a command on the machine.
func (m *machine) add(name, script string) {
	m.t.Helper()
	if err := os.WriteFile(filepath.Join(m.dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
		m.t.Fatal(err)
	}
}

// user says who the machine thinks that runs it.
func (m *machine) user(id string) { m.add("id", "echo "+id) }

// prepare runs .ci/prepare there and returns what it printed and whether it was content.
func (m *machine) prepare(environment []string, needs ...string) (output string, ok bool) {
	m.t.Helper()
	root, err := moduleRoot()
	if err != nil {
		m.t.Fatal(err)
	}
	command := exec.CommandContext(m.t.Context(), filepath.Join(root, ".ci", "prepare"), needs...)
	command.Env = append([]string{"PATH=" + m.dir, "TMPDIR=" + m.t.TempDir()}, environment...)
	text, err := command.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		m.t.Fatal(err)
	}
	return string(text), err == nil
}

// aptGet is a package manager that brings one command, or fails when its lists can't be had.
func (m *machine) aptGet(brings string, works bool) {
	if !works {
		m.add("apt-get", `echo "could not resolve the archive"; exit 100`)
		return
	}
	m.add("apt-get", `case "$*" in *install*) echo "#!/bin/sh" >"`+m.dir+"/"+brings+`"; chmod 700 "`+m.dir+"/"+brings+`";; esac`)
}

func TestPrepare(t *testing.T) {
	for name, c := range map[string]struct {
		set         func(*machine)
		environment []string
		needs       []string
		ok          bool
		says        string
	}{
		"no Go":                       {needs: []string{"go"}, says: "Go is missing"},
		"an old Go":                   {set: func(m *machine) { m.add("go", "echo go1.19.2") }, needs: []string{"go"}, says: "or newer is needed, this is go1.19.2"},
		"a Go that refuses":           {set: func(m *machine) { m.add("go", "echo toolchain not available; exit 1") }, needs: []string{"go"}, says: "toolchain not available"},
		"a new Go":                    {set: func(m *machine) { m.add("go", "echo go9.1") }, needs: []string{"go"}, ok: true},
		"a Go of the day":             {set: func(m *machine) { m.add("go", "echo devel +abc") }, needs: []string{"go"}, ok: true},
		"a browser":                   {set: func(m *machine) { m.add("chromium", "") }, needs: []string{"browser"}, ok: true},
		"an override":                 {set: func(m *machine) { m.add("mine", "") }, environment: []string{"TROUPE_BROWSER=MACHINE/mine"}, needs: []string{"browser"}, ok: true},
		"an override of nothing":      {set: func(m *machine) { m.add("chromium", "") }, environment: []string{"CHROME_PATH=MACHINE/gone"}, needs: []string{"browser"}, says: "CHROME_PATH is set but names no file"},
		"an empty override":           {set: func(m *machine) { m.add("chromium", "") }, environment: []string{"TROUPE_BROWSER="}, needs: []string{"browser"}, ok: true},
		"no browser and no root":      {set: func(m *machine) { m.aptGet("chromium", true) }, needs: []string{"browser"}, says: "apt-get install chromium"},
		"no browser and root":         {set: func(m *machine) { m.user("0"); m.aptGet("chromium", true) }, needs: []string{"browser"}, ok: true, says: "installing chromium"},
		"no browser and no network":   {set: func(m *machine) { m.user("0"); m.aptGet("", false) }, needs: []string{"browser"}, says: "could not resolve the archive"},
		"an empty browser package":    {set: func(m *machine) { m.user("0"); m.aptGet("transition", true) }, needs: []string{"browser"}, says: "brought no browser"},
		"no package manager":          {set: func(m *machine) { m.user("0") }, needs: []string{"browser"}, says: "or set TROUPE_BROWSER"},
		"no compiler and no root":     {needs: []string{"compiler", "race"}, ok: true, says: "without the race detector"},
		"no compiler means no race":   {needs: []string{"race"}, ok: true, says: "-tags=invariants"},
		"a compiler means race":       {set: func(m *machine) { m.add("cc", "") }, needs: []string{"compiler", "race"}, ok: true, says: "-race"},
		"no compiler and root":        {set: func(m *machine) { m.user("0"); m.aptGet("gcc", true) }, needs: []string{"compiler", "race"}, ok: true, says: "-race"},
		"a need that nobody knows of": {needs: []string{"coffee"}, says: "unknown need coffee"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMachine(t)
			if c.set != nil {
				c.set(m)
			}
			environment := make([]string, len(c.environment))
			for i, variable := range c.environment {
				environment[i] = strings.Replace(variable, "MACHINE", m.dir, 1)
			}
			output, ok := m.prepare(environment, c.needs...)
			if ok != c.ok {
				t.Errorf("content %v, want %v; it said %q", ok, c.ok, output)
			}
			if !strings.Contains(output, c.says) {
				t.Errorf("it said %q, want %q", output, c.says)
			}
			if c.says == "" && output != "" {
				t.Errorf("it had nothing to say and said %q", output)
			}
		})
	}
}

// A target without a description is one that nobody finds.
func TestMakeListsItsTargets(t *testing.T) {
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), "make", "--no-print-directory", "-C", root)
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	for _, target := range []string{"help", "build", "test", "test-quick", "soak", "demo", "check", "bench", "chaos", "sim", "fuzz", "flake"} {
		if !strings.Contains(string(output), "make "+target+" ") {
			t.Errorf("make does not list %s:\n%s", target, output)
		}
	}
}
