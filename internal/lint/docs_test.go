package lint

import (
	"go/ast"
	"go/token"
	"path"
	"strings"
	"testing"
)

// docRule wants every exported symbol of production code to be documented: what it takes and returns, its errors and the
// requirement that it serves. A comment on a group of constants or variables counts for each of them.
func docRule(s *source) []finding {
	if s.isTest() {
		return nil
	}
	family := oneLiners(s)
	var found []finding
	for _, decl := range s.syntax.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if family[decl.Name.Name] > 1 && isOneLineMethod(s, decl) {
				continue
			}
			if decl.Name.IsExported() && receiverExported(decl) && decl.Doc == nil {
				found = append(found, s.at(decl, "%s is exported and has no comment", decl.Name.Name))
			}
		case *ast.GenDecl:
			found = append(found, undocumented(s, decl)...)
		}
	}
	return found
}

// oneLiners counts the one-line methods of each name in a file. Several of a name are a family, which implements one
// interface for one type each; the interface documents them.
func oneLiners(s *source) map[string]int {
	count := make(map[string]int)
	for _, decl := range s.syntax.Decls {
		if function, ok := decl.(*ast.FuncDecl); ok && isOneLineMethod(s, function) {
			count[function.Name.Name]++
		}
	}
	return count
}

func isOneLineMethod(s *source, function *ast.FuncDecl) bool {
	return function.Recv != nil && s.fset.Position(function.Pos()).Line == s.fset.Position(function.End()).Line
}

// receiverExported reports whether a function is no method, or a method of an exported type.
func receiverExported(function *ast.FuncDecl) bool {
	if function.Recv == nil || len(function.Recv.List) == 0 {
		return true
	}
	receiver := function.Recv.List[0].Type
	for {
		switch typed := receiver.(type) {
		case *ast.StarExpr:
			receiver = typed.X
		case *ast.IndexExpr:
			receiver = typed.X
		case *ast.IndexListExpr:
			receiver = typed.X
		case *ast.Ident:
			return typed.IsExported()
		default:
			return true
		}
	}
}

func undocumented(s *source, decl *ast.GenDecl) []finding {
	if decl.Tok == token.IMPORT || decl.Doc != nil && (decl.Tok != token.TYPE || !decl.Lparen.IsValid()) {
		return nil
	}
	var found []finding
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			if spec.Name.IsExported() && spec.Doc == nil && spec.Comment == nil {
				found = append(found, s.at(spec, "%s is exported and has no comment", spec.Name.Name))
			}
		case *ast.ValueSpec:
			for _, name := range spec.Names {
				if name.IsExported() && spec.Doc == nil && spec.Comment == nil {
					found = append(found, s.at(name, "%s is exported and has no comment", name.Name))
				}
			}
		}
	}
	return found
}

func TestExportedSymbolsAreDocumented(t *testing.T) { check(t, docRule) }

// Every package says in doc.go what it owns and what it refuses to know.
func TestPackagesHaveADocFile(t *testing.T) {
	documented := make(map[string]bool)
	packages := make(map[string]bool)
	for _, s := range everySource(t) {
		packages[s.dir()] = true
		if path.Base(s.path) != "doc.go" {
			continue
		}
		documented[s.dir()] = true
		if s.syntax.Doc == nil {
			t.Errorf("%s has no package comment", s.path)
			continue
		}
		opening := "Package " + s.syntax.Name.Name + " "
		if s.syntax.Name.Name != "main" && !strings.HasPrefix(s.syntax.Doc.Text(), opening) {
			t.Errorf("%s must begin with %q", s.path, opening)
		}
	}
	for dir := range packages {
		if !documented[dir] {
			t.Errorf("%s has no doc.go; write what the package owns and what it refuses to know", dir)
		}
	}
}

func TestDocRule(t *testing.T) {
	checkRule(t, docRule, []expect{
		{"a documented function", "cdp/a.go", "package cdp\n// F does.\nfunc F() {}", 0},
		{"a bare function", "cdp/a.go", "package cdp\nfunc F() {}", 1},
		{"an unexported function", "cdp/a.go", "package cdp\nfunc f() {}", 0},
		{"a bare method", "cdp/a.go", "package cdp\n// T is.\ntype T struct{}\nfunc (t *T) M() {}", 1},
		{"a method nobody sees", "cdp/a.go", "package cdp\ntype t struct{}\nfunc (t *t) M() {}", 0},
		{"a method of a generic type", "cdp/a.go", "package cdp\ntype t[K any] struct{}\nfunc (t *t[K]) M() {}", 0},
		{"a family of one-line methods", "cdp/a.go", "package cdp\n// A is.\ntype A int\n// B is.\ntype B int\nfunc (A) M() {}\nfunc (B) M() {}", 0},
		{"a bare type", "cdp/a.go", "package cdp\ntype T struct{}", 1},
		{"a group of types needs one comment each", "cdp/a.go", "package cdp\n// All.\ntype (\n\tA int\n\tB int\n)", 2},
		{"a group of constants needs one", "cdp/a.go", "package cdp\n// All.\nconst (\n\tA = 1\n\tB = 2\n)", 0},
		{"a group without one", "cdp/a.go", "package cdp\nconst (\n\tA = 1\n\tB = 2 // B is.\n)", 1},
		{"a test", "cdp/a_test.go", "package cdp\nfunc F() {}", 0},
	})
}
