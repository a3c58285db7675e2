package lint

import (
	"go/ast"
	"strings"
	"testing"
)

// A machine decides and its shell acts. A machine that reads a clock, a random number or the system can't be replayed
// from its messages, and the seeded simulation would prove nothing.

// impureImports may not be imported by a machine or by the snapshot package; each takes what is below it along.
var impureImports = []string{
	"net", "os", "io/ioutil", "syscall", "log", "math/rand", "crypto/rand", "unsafe", "runtime", "testing/synctest", "sync",
	"github.com/asynkron/protoactor-go", "github.com/rs/zerolog", "github.com/gorilla/websocket", "golang.org/x/sys",
}

// pureImports are exceptions below impureImports: they compute and touch nothing.
var pureImports = []string{"net/url", "net/netip"}

// clockCalls read or wait for the real clock.
var clockCalls = map[string][]string{
	"time":    {"Now", "Since", "Until", "After", "AfterFunc", "Sleep", "NewTimer", "NewTicker", "Tick"},
	"context": {"WithTimeout", "WithTimeoutCause", "WithDeadline", "WithDeadlineCause"},
}

// isPure reports whether a file has promised to be pure.
func isPure(s *source) bool {
	if s.isTest() {
		return false
	}
	return s.isMachine() || within(s.dir(), "snapshot")
}

func purityRule(s *source) []finding {
	if !isPure(s) {
		return nil
	}
	var found []finding
	for _, spec := range s.syntax.Imports {
		importPath := strings.Trim(spec.Path.Value, `"`)
		if allows(impureImports, importPath) && !allows(pureImports, importPath) && !pureHere(s, importPath) {
			found = append(found, s.at(spec, "a pure file imports %s. Let the shell do it, and give the result to the machine as a message", importPath))
		}
	}
	ast.Inspect(s.syntax, func(node ast.Node) bool {
		for importPath, calls := range clockCalls {
			if s.selects(node, importPath, calls...) {
				found = append(found, s.at(node, "a pure file uses %s.%s. Take the time from the message, and ask for timers by an effect", importPath, node.(*ast.SelectorExpr).Sel.Name))
			}
		}
		if _, ok := node.(*ast.GoStmt); ok {
			found = append(found, s.at(node, "a pure file starts a goroutine. Return an effect, and let the shell run it"))
		}
		return true
	})
	return found
}

// pureHere lets the snapshot package build a shared value once: sync.Once is neither a clock nor I/O. A machine has one
// owner and needs nothing of sync.
func pureHere(s *source, importPath string) bool {
	return importPath == "sync" && !s.isMachine()
}

func TestMachinesArePure(t *testing.T) { check(t, purityRule) }

func TestPurityRule(t *testing.T) {
	checkRule(t, purityRule, []expect{
		{"a machine that decides", "actors/page_machine.go", "package actors\nimport \"time\"\nfunc f(now time.Time) time.Time { return now.Add(time.Second) }", 0},
		{"a room's first machine", "actors/page/machine.go", "package page\nimport \"time\"\nvar now = time.Now()", 1},
		{"a machine that reads the clock", "actors/page_machine.go", "package actors\nimport \"time\"\nvar now = time.Now()", 1},
		{"a renamed clock", "actors/page_machine.go", "package actors\nimport clock \"time\"\nvar now = clock.Now()", 1},
		{"a machine that waits", "actors/page_machine.go", "package actors\nimport \"context\"\nfunc f(c context.Context) { context.WithTimeout(c, 1) }", 1},
		{"a machine that knows the actor system", "actors/page_machine.go", "package actors\nimport \"github.com/asynkron/protoactor-go/actor\"", 1},
		{"a machine that draws numbers", "actors/page_machine.go", "package actors\nimport \"math/rand/v2\"", 1},
		{"a machine that reads files", "actors/page_machine.go", "package actors\nimport \"os/exec\"", 1},
		{"a machine that parses an address", "actors/page_machine.go", "package actors\nimport \"net/url\"", 0},
		{"a machine that runs something", "actors/page_machine.go", "package actors\nfunc f() { go f() }", 1},
		{"a shell may", "actors/page.go", "package actors\nimport \"time\"\nvar now = time.Now()", 0},
		{"the snapshot package is pure as a whole", "snapshot/build.go", "package snapshot\nimport \"os\"", 1},
		{"the snapshot package prepares once", "snapshot/build.go", "package snapshot\nimport \"sync\"", 0},
	})
}
