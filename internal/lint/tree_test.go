package lint

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"testing"
)

const modulePath = "github.com/troupe-browser/troupe"

// textBytesMax bounds the size of a file that the text rules read; a larger one is data, not prose or source.
const textBytesMax = 1 << 20

// source is one parsed Go file.
type source struct {
	path   string // relative to the module root, with slashes
	syntax *ast.File
	fset   *token.FileSet
	text   []byte
}

// dir returns the directory of the file relative to the module root; "." is the root itself.
func (s *source) dir() string { return path.Dir(s.path) }

func (s *source) isTest() bool { return strings.HasSuffix(s.path, "_test.go") }

func (s *source) isMachine() bool {
	return strings.HasSuffix(s.path, "_machine.go") || strings.HasSuffix(s.path, "/machine.go")
}

// isBrowserTest reports whether the file holds tests that drive a real browser.
func (s *source) isBrowserTest() bool { return strings.HasSuffix(s.path, "_chromium_test.go") }

// finding is one broken rule at one place.
type finding struct {
	where string
	what  string
}

func (f finding) String() string { return f.where + ": " + f.what }

// at makes a finding at the position of a node.
func (s *source) at(node ast.Node, format string, args ...any) finding {
	line := s.fset.Position(node.Pos()).Line
	return finding{fmt.Sprintf("%s:%d", s.path, line), fmt.Sprintf(format, args...)}
}

// imported returns the local name under which the file imports an exact path, and "" when it does not.
func (s *source) imported(importPath string) string {
	for _, spec := range s.syntax.Imports {
		if strings.Trim(spec.Path.Value, `"`) != importPath {
			continue
		}
		if spec.Name != nil {
			return spec.Name.Name
		}
		return path.Base(importPath)
	}
	return ""
}

// selects reports whether node is `name.member` where name is the file's name for the package importPath.
func (s *source) selects(node ast.Node, importPath string, members ...string) bool {
	selector, ok := node.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	name, ok := selector.X.(*ast.Ident)
	if !ok || name.Name != s.imported(importPath) {
		return false
	}
	for _, member := range members {
		if member == "*" || selector.Sel.Name == member {
			return true
		}
	}
	return false
}

func parseSource(name string, text []byte) (*source, error) {
	fset := token.NewFileSet()
	syntax, err := parser.ParseFile(fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return &source{path: name, syntax: syntax, fset: fset, text: text}, nil
}

// mustParse makes a source of a few lines for the test of a rule.
func mustParse(t *testing.T, name, text string) *source {
	t.Helper()
	s, err := parseSource(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// tree is everything that the rules look at.
type tree struct {
	sources []*source         // every Go file, whatever its build tags say
	texts   map[string][]byte // every text file, Go included, by path
}

// wholeTree reads the module once for all rules.
var wholeTree = sync.OnceValues(func() (*tree, error) {
	root, err := moduleRoot()
	if err != nil {
		return nil, err
	}
	found := &tree{texts: make(map[string][]byte)}
	err = filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(strings.TrimPrefix(file, root), string(filepath.Separator)))
		if entry.IsDir() {
			if skippedDir(entry.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		// In a linked worktree .git is a file, which names the checkout's place on the machine.
		if !entry.Type().IsRegular() || name == ".git" {
			return nil
		}
		return found.add(file, name, entry)
	})
	sort.Slice(found.sources, func(i, j int) bool { return found.sources[i].path < found.sources[j].path })
	return found, err
})

func skippedDir(name string) bool {
	switch name {
	case ".git", "bin", "node_modules", "vendor":
		return true
	}
	return false
}

func (t *tree) add(file, name string, entry fs.DirEntry) error {
	info, err := entry.Info()
	if err != nil {
		return err
	}
	if info.Size() > textBytesMax {
		return nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return nil
	}
	t.texts[name] = text
	if !strings.HasSuffix(name, ".go") || strings.Contains(name, "testdata/") {
		return nil
	}
	s, err := parseSource(name, text)
	if err != nil {
		return err
	}
	t.sources = append(t.sources, s)
	return nil
}

// moduleRoot finds the directory of go.mod above the test's own.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", fmt.Errorf("no go.mod above %s", dir)
		}
		dir = parent
	}
}

// everySource returns the Go files of the module.
func everySource(t *testing.T) []*source {
	t.Helper()
	found, err := wholeTree()
	if err != nil {
		t.Fatal(err)
	}
	if len(found.sources) == 0 {
		t.Fatal("no Go file was found, so no rule was checked")
	}
	return found.sources
}

// check runs a rule over every Go file of the module and reports each finding.
func check(t *testing.T, rule func(*source) []finding) {
	t.Helper()
	for _, s := range everySource(t) {
		for _, f := range rule(s) {
			t.Error(f)
		}
	}
}

// expect is one case of a rule's own test: a small file and how many findings it must give.
type expect struct {
	name     string
	path     string
	text     string
	findings int
}

// checkRule runs a rule over small files that break it or just do not.
func checkRule(t *testing.T, rule func(*source) []finding, cases []expect) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			found := rule(mustParse(t, c.path, c.text))
			if len(found) != c.findings {
				t.Errorf("%d findings, want %d: %v", len(found), c.findings, found)
			}
		})
	}
}

// within reports whether a directory is the given one or below it.
func within(dir, parent string) bool {
	return dir == parent || strings.HasPrefix(dir, parent+"/")
}
