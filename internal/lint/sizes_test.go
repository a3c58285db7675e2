package lint

import (
	"bytes"
	"fmt"
	"go/ast"
	"path"
	"strings"
	"testing"
)

// Production code is read on a screen: a concept per file, and control flow that can be seen at once. Tests, with their
// tables, are free. A room of the runtime has at most roomFilesMax source files, its doc.go and tests aside.
const (
	fileLinesMax     = 500
	roomFilesMax     = 25
	functionLinesMax = 70
)

// sizeExceptions names files ("a/b.go") and functions ("a/b.go#name") that may be longer, each with the reason.
var sizeExceptions = map[string]string{}

func sizeRule(s *source) []finding {
	if s.isTest() || ast.IsGenerated(s.syntax) {
		return nil
	}
	var found []finding
	lines := bytes.Count(s.text, []byte("\n"))
	if lines > fileLinesMax && sizeExceptions[s.path] == "" {
		found = append(found, finding{s.path, fmt.Sprintf("%d lines, at most %d. Split it by concept", lines, fileLinesMax)})
	}
	for _, decl := range s.syntax.Decls {
		function, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		length := s.fset.Position(function.End()).Line - s.fset.Position(function.Pos()).Line + 1
		if length > functionLinesMax && sizeExceptions[s.path+"#"+function.Name.Name] == "" {
			found = append(found, s.at(function, "%s has %d lines, at most %d. Keep the control flow in it and move leaves out", function.Name.Name, length, functionLinesMax))
		}
	}
	return found
}

func TestSizes(t *testing.T) { check(t, sizeRule) }

// roomExceptions names directories of the runtime that may hold more files, each with the reason.
var roomExceptions = map[string]string{
	"actors/effect": "a file is one action, and the directory grows with them",
}

// crowdedRooms names the directories of the runtime that hold more source files than a reader keeps in mind.
func crowdedRooms(paths []string) []finding {
	count := make(map[string]int)
	for _, name := range paths {
		dir, base := path.Split(name)
		if within(path.Clean(dir), "actors") && !strings.HasSuffix(base, "_test.go") && base != "doc.go" {
			count[path.Clean(dir)]++
		}
	}
	var found []finding
	for dir, files := range count {
		if files > roomFilesMax && roomExceptions[dir] == "" {
			found = append(found, finding{dir, fmt.Sprintf("%d source files, at most %d. Cut the room along the arrows between its files", files, roomFilesMax)})
		}
	}
	return found
}

func TestRoomSizes(t *testing.T) {
	var paths []string
	for _, s := range everySource(t) {
		paths = append(paths, s.path)
	}
	for _, f := range crowdedRooms(paths) {
		t.Error(f)
	}
	many := func(format string, count int) []string {
		var names []string
		for i := range count {
			names = append(names, fmt.Sprintf(format, i))
		}
		return names
	}
	for name, c := range map[string]struct {
		paths []string
		want  int
	}{
		"a full room":     {append(many("actors/page/a%d.go", roomFilesMax), "actors/page/doc.go", "actors/page/a_test.go"), 0},
		"one file more":   {many("actors/page/a%d.go", roomFilesMax+1), 1},
		"the runtime API": {many("actors/a%d.go", roomFilesMax+1), 1},
		"an exception":    {many("actors/effect/a%d.go", roomFilesMax+1), 0},
		"another package": {many("cdp/a%d.go", roomFilesMax+1), 0},
	} {
		if got := len(crowdedRooms(c.paths)); got != c.want {
			t.Errorf("%s gives %d findings, want %d", name, got, c.want)
		}
	}
}

// scriptFindings holds JavaScript to the same length of a file as Go. Generated scripts are free.
func scriptFindings(name string, text []byte) []finding {
	if !strings.HasSuffix(name, ".js") || strings.HasSuffix(name, ".test.js") || strings.Contains(name, "testdata/") || bytes.HasPrefix(text, []byte("// Code generated ")) {
		return nil
	}
	lines := bytes.Count(text, []byte("\n"))
	if lines <= fileLinesMax || sizeExceptions[name] != "" {
		return nil
	}
	return []finding{{name, fmt.Sprintf("%d lines, at most %d. Split it by concept", lines, fileLinesMax)}}
}

func TestScriptSizes(t *testing.T) {
	found, err := wholeTree()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range found.texts {
		for _, f := range scriptFindings(name, text) {
			t.Error(f)
		}
	}
	long := bytes.Repeat([]byte("\n"), fileLinesMax+1)
	for name, want := range map[string]int{"a/a.js": 1, "a/a.test.js": 0, "a/a.txt": 0} {
		if got := len(scriptFindings(name, long)); got != want {
			t.Errorf("%s of %d lines gives %d findings, want %d", name, fileLinesMax+1, got, want)
		}
	}
}

// An exception whose subject is gone, or is short again, must go too.
func TestSizeExceptionsAreNeeded(t *testing.T) {
	saved := sizeExceptions
	sizeExceptions = nil
	defer func() { sizeExceptions = saved }()
	needed := make(map[string]bool)
	for _, s := range everySource(t) {
		for _, f := range sizeRule(s) {
			name, _, _ := strings.Cut(f.what, " has ")
			needed[s.path] = true
			needed[s.path+"#"+name] = true
		}
	}
	for subject := range saved {
		if !needed[subject] {
			t.Errorf("the size exception for %s is not needed any more; remove it", subject)
		}
	}
}

func TestSizeRule(t *testing.T) {
	function := func(lines int) string {
		return "package p\nfunc f() {\n" + strings.Repeat("\t_ = 1\n", lines-2) + "}\n"
	}
	checkRule(t, sizeRule, []expect{
		{"a function at the limit", "a/a.go", function(functionLinesMax), 0},
		{"a function over the limit", "a/a.go", function(functionLinesMax + 1), 1},
		{"a long function in a test", "a/a_test.go", function(functionLinesMax + 1), 0},
		{"a file at the limit", "a/a.go", "package p\n" + strings.Repeat("\n", fileLinesMax-1), 0},
		{"a file over the limit", "a/a.go", "package p\n" + strings.Repeat("\n", fileLinesMax), 1},
		{"a generated file", "a/a.go", "// Code generated by hand. DO NOT EDIT.\npackage p\n" + strings.Repeat("\n", fileLinesMax), 0},
	})
}
