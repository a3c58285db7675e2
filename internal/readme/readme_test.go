package readme

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// root is the module's root, seen from this package.
const root = "../.."

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// blocks returns the fenced blocks of a language.
func blocks(text, language string) []string {
	var out []string
	for _, m := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}

// Every Go program of the README compiles against the tree as it is, and the first
// is at most 20 lines of statements long, as the README says.
func TestReadmeProgramsCompile(t *testing.T) {
	programs := blocks(read(t, "README.md"), "go")
	if len(programs) == 0 {
		t.Fatal("README.md has no Go program")
	}
	for i, program := range programs {
		dir := t.TempDir()
		file := filepath.Join(dir, "main.go")
		if err := os.WriteFile(file, []byte(program), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("go", "build", "-o", filepath.Join(dir, "program"), file)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("program %d of README.md does not compile: %v\n%s", i+1, err, out)
		}
	}
	_, body, ok := strings.Cut(programs[0], "func main() {\n")
	if lines := strings.Count(body, "\n"); !ok || lines > 21 {
		t.Errorf("the embedding example has %d lines, the README promises 20", lines-1)
	}
}

// Links to files of the tree lead somewhere.
func TestLinksLeadToFiles(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	for _, name := range []string{"README.md", "ARCHITECTURE.md"} {
		for _, m := range link.FindAllStringSubmatch(read(t, name), -1) {
			if _, err := os.Stat(filepath.Join(root, m[1])); err != nil {
				t.Errorf("%s links to %s, which is not there", name, m[1])
			}
		}
	}
}

// The tables name tests that exist: what dies in ARCHITECTURE.md, the comparison in
// README.md.
func TestTablesNameTests(t *testing.T) {
	names := regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z0-9_]+)`").FindAllStringSubmatch(read(t, "ARCHITECTURE.md")+read(t, "README.md"), -1)
	if len(names) == 0 {
		t.Fatal("no test is named")
	}
	var all strings.Builder
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		data, err := os.ReadFile(path)
		all.Write(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range names {
		if !strings.Contains(all.String(), "func "+m[1]+"(") {
			t.Errorf("%s is named and is no test", m[1])
		}
	}
}

// Every make target that the README names is one.
func TestMakeTargetsExist(t *testing.T) {
	makefile := read(t, "Makefile")
	for _, m := range regexp.MustCompile("(?m)(?:^|`)make ([a-z]+)").FindAllStringSubmatch(read(t, "README.md"), -1) {
		if !regexp.MustCompile(`(?m)^` + m[1] + `:`).MatchString(makefile) {
			t.Errorf("README.md names make %s, which is no target", m[1])
		}
	}
}
