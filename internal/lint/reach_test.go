package lint

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// A machine is as pure as what it calls. The import rule sees the packages that its file names; this one follows every
// function that a machine file uses into its body, wherever in the module that is.

// pureFunctions are what a machine may use of packages that are not followed: a package stands for all that it has, a
// name behind a colon for one function or method. Whatever is in neither of these tables and not of this module is refused.
var pureFunctions = []string{
	"bytes", "cmp", "crypto/sha256", "encoding/base32", "encoding/base64", "encoding/hex", "encoding/json", "errors", "fmt",
	"maps", "math", "math/bits", "mime", "net/url", "path", "regexp", "slices", "sort", "strconv", "strings", "unicode",
	"unicode/utf8", "time", "iter", "path/filepath:Join", "path/filepath:Base", "path/filepath:Ext",
	modulePath + "/messages", modulePath + "/snapshot", modulePath + "/internal/cut", modulePath + "/internal/invariant",
	modulePath + "/internal/quote",
}

// impureFunctions are exceptions in packages of pureFunctions: they read the clock, wait, or touch a file.
var impureFunctions = []string{
	"time:Now", "time:Since", "time:Until", "time:After", "time:AfterFunc", "time:Sleep", "time:NewTimer", "time:NewTicker",
	"time:Tick", "time:LoadLocation", "fmt:Print", "fmt:Printf", "fmt:Println", "fmt:Scan", "fmt:Scanf", "fmt:Scanln",
}

// sharedTypes are types that no value of which a machine touches, by package: what two goroutines share, what ends by
// itself, and what acts on something outside.
var sharedTypes = []string{
	"sync", "sync/atomic", "context", "log", "log/slog", "os", "net", "math/rand", "math/rand/v2",
	"github.com/asynkron/protoactor-go", "github.com/rs/zerolog",
}

// reach looks at everything that machine files reach.
type reach struct {
	bodies map[string]body
	seen   map[string]bool
	found  []string
}

// body is one function of the module, with what its package knows of it.
type body struct {
	decl *ast.FuncDecl
	in   *packages.Package
}

// machineReach returns what the machine files of the packages do, themselves or through the functions that they use, and
// may not.
func machineReach(loaded []*packages.Package) []string {
	r := &reach{bodies: make(map[string]body), seen: make(map[string]bool)}
	for _, p := range loaded {
		for _, file := range p.Syntax {
			for _, decl := range file.Decls {
				if f, ok := decl.(*ast.FuncDecl); ok {
					if object, ok := p.TypesInfo.Defs[f.Name].(*types.Func); ok {
						r.bodies[object.FullName()] = body{f, p}
					}
				}
			}
		}
	}
	for _, p := range loaded {
		for _, file := range p.Syntax {
			name := p.Fset.Position(file.Package).Filename
			if isMachineFile(name) {
				r.look(file, p, filepath.Base(name), true)
			}
		}
	}
	return slices.Sorted(slices.Values(r.found))
}

// isMachineFile reports whether a file holds a machine, by its name.
func isMachineFile(name string) bool {
	return strings.HasSuffix("_"+filepath.Base(name), "_machine.go")
}

func (r *reach) report(p *packages.Package, node ast.Node, way, format string, args ...any) {
	at := p.Fset.Position(node.Pos())
	where := fmt.Sprintf("%s:%d: ", filepath.Base(at.Filename), at.Line)
	r.found = append(r.found, where+fmt.Sprintf(format, args...)+" (reached from "+way+")")
}

// look walks a machine file, or the body of a function that one reaches. way is how it was reached.
func (r *reach) look(root ast.Node, p *packages.Package, way string, own bool) {
	ast.Inspect(root, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.GoStmt:
			r.report(p, n, way, "a goroutine is started")
		case *ast.SelectStmt:
			r.report(p, n, way, "channels are waited for")
		case *ast.SendStmt:
			r.report(p, n, way, "a channel is sent to")
		case *ast.AssignStmt:
			for _, to := range n.Lhs {
				r.written(to, p, way)
			}
		case *ast.IncDecStmt:
			r.written(n.X, p, way)
		case *ast.CallExpr:
			if own {
				r.dynamic(n, p, way)
			}
		case *ast.Ident:
			if f, ok := p.TypesInfo.Uses[n].(*types.Func); ok {
				r.function(f.Origin(), n, p, way)
			}
		}
		if e, ok := node.(ast.Expr); ok {
			r.value(e, p, way)
		}
		return true
	})
}

// written refuses a change of a variable that belongs to no machine.
func (r *reach) written(to ast.Expr, p *packages.Package, way string) {
	for {
		switch e := to.(type) {
		case *ast.IndexExpr:
			to = e.X
			continue
		case *ast.SelectorExpr:
			to = e.X
			if id, ok := e.X.(*ast.Ident); ok {
				if _, isPackage := p.TypesInfo.Uses[id].(*types.PkgName); isPackage {
					to = e.Sel
				}
			}
			continue
		case *ast.StarExpr:
			to = e.X
			continue
		}
		break
	}
	id, ok := to.(*ast.Ident)
	if !ok {
		return
	}
	if v, ok := p.TypesInfo.Uses[id].(*types.Var); ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
		r.report(p, to, way, "the variable %s of the package is changed", v.Name())
	}
}

// dynamic refuses a call through a field or a variable of a package in a machine's own file: nobody can say where it leads.
func (r *reach) dynamic(call *ast.CallExpr, p *packages.Package, way string) {
	var id *ast.Ident
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return
	}
	v, ok := p.TypesInfo.Uses[id].(*types.Var)
	if ok && (v.IsField() || v.Pkg() != nil && v.Parent() == v.Pkg().Scope()) {
		r.report(p, call, way, "the function in %s is called, which can be any", v.Name())
	}
}

// value refuses an expression whose value is shared or acts on something outside.
func (r *reach) value(e ast.Expr, p *packages.Package, way string) {
	t := p.TypesInfo.TypeOf(e)
	if t == nil {
		return
	}
	if pointer, ok := t.(*types.Pointer); ok {
		t = pointer.Elem()
	}
	if _, ok := t.Underlying().(*types.Chan); ok {
		r.report(p, e, way, "a channel is touched")
		return
	}
	named, ok := types.Unalias(t).(*types.Named)
	if ok && named.Obj().Pkg() != nil && allows(sharedTypes, named.Obj().Pkg().Path()) {
		r.report(p, e, way, "a value of %s is touched", named.Obj().Pkg().Name()+"."+named.Obj().Name())
	}
}

// function judges the use of a function: it is pure by the table, or of this module and followed, or refused.
func (r *reach) function(f *types.Func, at ast.Node, p *packages.Package, way string) {
	if f.Pkg() == nil {
		return // error.Error, and unsafe has no functions
	}
	named := f.Pkg().Path() + ":" + f.Name()
	if slices.Contains(impureFunctions, named) && f.Signature().Recv() == nil {
		r.report(p, at, way, "%s.%s is used", f.Pkg().Name(), f.Name())
		return
	}
	if slices.Contains(pureFunctions, f.Pkg().Path()) || slices.Contains(pureFunctions, named) {
		return
	}
	if recv := f.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		r.implementations(f, way)
		return
	}
	next, ok := r.bodies[f.FullName()]
	if !ok {
		r.report(p, at, way, "%s is used, which is no machine's and not known to be pure", f.FullName())
		return
	}
	r.follow(f.FullName(), next, way)
}

// implementations follows every method that a call of an interface's method may lead to, by its name.
func (r *reach) implementations(f *types.Func, way string) {
	for name, next := range r.bodies {
		if next.decl.Recv != nil && next.decl.Name.Name == f.Name() {
			r.follow(name, next, way)
		}
	}
}

// follow looks at the body of a function, once, unless it is a machine's and so looked at by itself.
func (r *reach) follow(name string, next body, way string) {
	if r.seen[name] {
		return
	}
	r.seen[name] = true
	if file := next.in.Fset.Position(next.decl.Pos()).Filename; isMachineFile(file) || next.decl.Body == nil {
		return
	}
	r.look(next.decl.Body, next.in, way+" by "+next.decl.Name.Name, false)
}

// loadTyped loads packages of the module with their types. Those below them come from the build cache.
func loadTyped(t *testing.T, patterns ...string) []*packages.Package {
	t.Helper()
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo,
		Dir:  root,
	}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range loaded {
		for _, e := range p.Errors {
			t.Fatalf("%s does not type-check: %v", p.PkgPath, e)
		}
	}
	return loaded
}

// What a machine file does must follow from its messages alone, also what it does through the functions that it calls.
func TestMachinesReachNothingElse(t *testing.T) {
	for _, found := range machineReach(loadTyped(t, "./actors/...")) {
		t.Errorf("%s. A machine sees values: let the shell do it, and tell the machine by a message", found)
	}
}

// reachCase is a package of a machine file and of a shell file beside it.
type reachCase struct {
	machine, shell string
	want           string // a part of the only finding, or "" for none
}

var reachCases = map[string]reachCase{
	"decides": {machine: `import ("strings"; "time")
		type m struct{ at time.Time; made int }
		func (m *m) step(now time.Time, s string) string { m.made++; m.at = now.Add(time.Second); return helper(strings.TrimSpace(s)) }`,
		shell: `func helper(s string) string { return s }`},
	"cas": {machine: `func step(t *ticket) bool { return t.start() }`,
		shell: `import "sync/atomic"
		type ticket struct{ word atomic.Uint64 }
		func (t *ticket) start() bool { return t.word.CompareAndSwap(0, 1) }`, want: "atomic.Uint64"},
	"deeper": {machine: `func step(c *call) bool { return wanted(c) }`,
		shell: `import "sync/atomic"
		type call struct{ word atomic.Uint64 }
		func wanted(c *call) bool { return !ended(c) }
		func ended(c *call) bool { return c.word.Load() == 3 }`, want: "by wanted by ended"},
	"memory": {machine: `func step(l *link) { l.inspect.Store(true) }`,
		shell: `import "sync/atomic"
		type link struct{ inspect atomic.Bool }`, want: "atomic.Bool"},
	"random": {machine: `func step() string { return newID() }`,
		shell: `import "crypto/rand"
		func newID() string { return rand.Text() }`, want: "crypto/rand.Text"},
	"injected": {machine: `type m struct{ newID func() string }
		func (m *m) step() string { return m.newID() }`, want: "can be any"},
	"interface": {machine: `func step(c any) bool { w, ok := c.(interface{ wanted() bool }); return ok && w.wanted() }`,
		shell: `import "sync/atomic"
		type call struct{ word atomic.Uint64 }
		func (c *call) wanted() bool { return c.word.Load() < 3 }`, want: "by wanted"},
	"channel":  {machine: `func step(reply chan<- int) { answer(reply) }`, shell: `func answer(reply any) {}`, want: "a channel is touched"},
	"sends":    {machine: `func step(n int) { answer(n) }`, shell: "type box struct{ c chan int }\nvar b box\nfunc answer(n int) { b.c <- n }", want: "a channel is"},
	"clock":    {machine: `import "time"` + "\n" + `func step() time.Time { return at() }`, shell: `import "time"` + "\n" + `func at() time.Time { return time.Now() }`, want: "time.Now"},
	"asvalue":  {machine: `import "time"` + "\n" + `var now = time.Now`, want: "time.Now"},
	"context":  {machine: `func step(c *call) bool { return c.gone() }`, shell: `import "context"` + "\n" + `type call struct{ ctx context.Context }` + "\n" + `func (c *call) gone() bool { return c.ctx.Err() != nil }`, want: "context.Context"},
	"actor":    {machine: `func step(p *page) { p.tell() }`, shell: `import "github.com/asynkron/protoactor-go/actor"` + "\n" + `type page struct{ pid *actor.PID }` + "\n" + `func (p *page) tell() { _ = p.pid.Id }`, want: "actor.PID"},
	"logger":   {machine: `func step() { note() }`, shell: `import "github.com/rs/zerolog"` + "\n" + `var l zerolog.Logger` + "\n" + `func note() { l.Info() }`, want: "zerolog"},
	"global":   {machine: `func step() { count() }`, shell: "var counted int\nfunc count() { counted++ }", want: "variable counted"},
	"file":     {machine: `func step() { look() }`, shell: `import "os"` + "\n" + `func look() { _, _ = os.ReadFile("x") }`, want: "os.ReadFile"},
	"notasked": {machine: `func step() {}`, shell: `import "os"` + "\n" + `func look() { _, _ = os.ReadFile("x") }`},
}

func TestReachRule(t *testing.T) {
	imports := importsOfCases(t)
	for name, c := range reachCases {
		t.Run(name, func(t *testing.T) {
			found := machineReach([]*packages.Package{typed(t, imports, name, c)})
			switch {
			case c.want == "" && len(found) > 0:
				t.Errorf("found %q", found)
			case c.want != "" && !strings.Contains(strings.Join(found, "\n"), c.want):
				t.Errorf("found %q, want one with %q", found, c.want)
			}
		})
	}
}

// importsOfCases loads the types of the packages that the cases import.
func importsOfCases(t *testing.T) importerOf {
	t.Helper()
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := packages.Load(&packages.Config{Dir: root, Mode: packages.NeedName | packages.NeedTypes | packages.NeedExportFile},
		"strings", "time", "sync/atomic", "crypto/rand", "context", "os", "github.com/rs/zerolog", "github.com/asynkron/protoactor-go/actor")
	if err != nil {
		t.Fatal(err)
	}
	imports := make(importerOf)
	for _, p := range loaded {
		imports[p.PkgPath] = p.Types
	}
	return imports
}

// importerOf gives packages whose types are known.
type importerOf map[string]*types.Package

// Import implements types.Importer.
func (i importerOf) Import(importPath string) (*types.Package, error) {
	if p := i[importPath]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("importsOfCases does not name %s", importPath)
}

// typed type-checks the two files of a case.
func typed(t *testing.T, imports importerOf, name string, c reachCase) *packages.Package {
	t.Helper()
	p := &packages.Package{PkgPath: name, Fset: token.NewFileSet(), TypesInfo: &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object)}}
	for file, text := range map[string]string{"some_machine.go": c.machine, "some.go": c.shell} {
		syntax, err := parser.ParseFile(p.Fset, file, "package p\n"+text, 0)
		if err != nil {
			t.Fatal(err)
		}
		p.Syntax = append(p.Syntax, syntax)
	}
	var err error
	if p.Types, err = (&types.Config{Importer: imports}).Check(name, p.Fset, p.Syntax, p.TypesInfo); err != nil {
		t.Fatal(err)
	}
	return p
}
