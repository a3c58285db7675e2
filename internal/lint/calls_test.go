package lint

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

// A ban is one thing that no file in its scope may use.
type ban struct {
	importPath string   // the package of the members; "" bans the member of any value by its bare name
	members    []string // "*" is every member
	scope      func(*source) bool
	why        string
}

func everywhere(*source) bool { return true }

func production(s *source) bool { return !s.isTest() }

func inActors(s *source) bool { return within(s.dir(), "actors") }

// talks reports whether the file may write to the standard output: a command, or a program about the project.
func talks(s *source) bool { return within(s.dir(), "cmd") || within(s.dir(), "internal") }

var bans = []ban{
	{"sync", []string{"Mutex", "RWMutex", "Map", "Cond"}, func(s *source) bool { return inActors(s) && production(s) },
		"there is no lock in actors. One owner per fact: send it a message, or keep an atomic"},
	{"", []string{"RequestFuture", "SetReceiveTimeout", "ReenterAfter", "Stash", "StopFuture", "PoisonFuture"}, inActors,
		"its semantics under restart and stop break our promises. Use a ticket, a timer message with a generation, or the parent-routed stop"},
	{"github.com/asynkron/protoactor-go/actor", []string{"NewAllForOneStrategy", "NewExponentialBackoffStrategy", "NewRestartingStrategy", "EscalateDirective", "Bounded", "BoundedDropping"}, everywhere,
		"it can end the process or lose messages. Supervision is decided in supervision.go, and bounds stand before the mailbox"},
	{"math/rand", []string{"*"}, everywhere, "use math/rand/v2 with a seed that a failing test prints"},
	{"io/ioutil", []string{"*"}, everywhere, "use io and os"},
	{"time", []string{"Sleep"}, production, "a sleep can't be cancelled. Wait for a timer and the context together"},
	{"time", []string{"Tick"}, everywhere, "its ticker has no owner. Use time.NewTicker and stop it"},
	{"context", []string{"TO" + "DO"}, everywhere, "say whose context it is"},
	{"os", []string{"Exit"}, func(s *source) bool { return production(s) && !talks(s) }, "return an error; only a command ends the process"},
	{"log", []string{"*"}, everywhere, "return an error or emit an event; log lines derive from events in one place"},
	{"fmt", []string{"Print", "Printf", "Println"}, func(s *source) bool { return production(s) && !talks(s) }, "return a value or emit an event; only commands print"},
	{"os", []string{"Stdout", "Stderr", "Stdin"}, func(s *source) bool { return production(s) && !talks(s) }, "take an io.Reader or io.Writer; only commands own the standard streams"},
}

// callExceptions names "path#package.Member" pairs that a ban lets through, each with the reason.
var callExceptions = map[string]string{}

func callRule(s *source) []finding {
	var found []finding
	ast.Inspect(s.syntax, func(node ast.Node) bool {
		selector, ok := node.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		for _, banned := range bans {
			if !banned.scope(s) || !banned.matches(s, selector) {
				continue
			}
			name := strings.TrimPrefix(banned.importPath+"."+selector.Sel.Name, ".")
			if callExceptions[s.path+"#"+name] == "" {
				found = append(found, s.at(node, "%s is banned here: %s", name, banned.why))
			}
		}
		return true
	})
	return found
}

func (b ban) matches(s *source, selector *ast.SelectorExpr) bool {
	if b.importPath != "" {
		return s.selects(selector, b.importPath, b.members...)
	}
	for _, member := range b.members {
		if selector.Sel.Name == member {
			return true
		}
	}
	return false
}

// sleepRule lets a test sleep only where the time is virtual (testing/synctest) or where a real browser sets the pace.
func sleepRule(s *source) []finding {
	if !s.isTest() || s.isBrowserTest() || s.imported("testing/synctest") != "" {
		return nil
	}
	var found []finding
	ast.Inspect(s.syntax, func(node ast.Node) bool {
		if s.selects(node, "time", "Sleep") {
			found = append(found, s.at(node, "a test sleeps. Wait for a channel, or run it in a testing/synctest bubble"))
		}
		return true
	})
	return found
}

// anyRule wants the empty interface spelled any, one word for one thing.
func anyRule(s *source) []finding {
	var found []finding
	ast.Inspect(s.syntax, func(node ast.Node) bool {
		if empty, ok := node.(*ast.InterfaceType); ok && len(empty.Methods.List) == 0 {
			found = append(found, s.at(node, "write any"))
		}
		return true
	})
	return found
}

// skipText is the one text with which a test may leave itself out.
const skipText = `"needs a browser; -short leaves it out"`

// skipRule allows one skip: that of a browser test under -short (R226). Any other hides a test that does not run.
func skipRule(s *source) []finding {
	if !s.isTest() {
		return nil
	}
	allowed := make(map[ast.Node]bool)
	if s.isBrowserTest() {
		ast.Inspect(s.syntax, func(node ast.Node) bool {
			if call := shortSkip(s, node); call != nil {
				allowed[call] = true
			}
			return true
		})
	}
	var found []finding
	ast.Inspect(s.syntax, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok || allowed[call] {
			return true
		}
		if name := testMethod(call); name == "Skip" || name == "Skipf" || name == "SkipNow" {
			found = append(found, s.at(node, "a test is skipped. Only a test in a *_chromium_test.go file may, by `if testing.Short() { t.Skip(%s) }`", skipText))
		}
		return true
	})
	return found
}

// testMethod returns the name of a method called on a variable that is customarily a test: t, b, f, tb or TB-like.
func testMethod(call *ast.CallExpr) string {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	receiver, ok := selector.X.(*ast.Ident)
	if !ok {
		return ""
	}
	switch receiver.Name {
	case "t", "b", "f", "tb":
		return selector.Sel.Name
	}
	return ""
}

// shortSkip returns the Skip call of a statement that is exactly the allowed skip, and nil otherwise.
func shortSkip(s *source, node ast.Node) *ast.CallExpr {
	branch, ok := node.(*ast.IfStmt)
	if !ok || branch.Init != nil || branch.Else != nil || len(branch.Body.List) != 1 {
		return nil
	}
	condition, ok := branch.Cond.(*ast.CallExpr)
	if !ok || !s.selects(condition.Fun, "testing", "Short") {
		return nil
	}
	statement, ok := branch.Body.List[0].(*ast.ExprStmt)
	if !ok {
		return nil
	}
	call, ok := statement.X.(*ast.CallExpr)
	if !ok || testMethod(call) != "Skip" || len(call.Args) != 1 {
		return nil
	}
	text, ok := call.Args[0].(*ast.BasicLit)
	if !ok || text.Kind != token.STRING || text.Value != skipText {
		return nil
	}
	return call
}

// browserTestRule wants every test of a browser file to begin with the skip, so that -short needs no browser (R226).
func browserTestRule(s *source) []finding {
	if !s.isBrowserTest() {
		return nil
	}
	var found []finding
	for _, decl := range s.syntax.Decls {
		function, ok := decl.(*ast.FuncDecl)
		if !ok || function.Recv != nil || !strings.HasPrefix(function.Name.Name, "Test") || function.Name.Name == "TestMain" {
			continue
		}
		if len(function.Body.List) == 0 || shortSkip(s, function.Body.List[0]) == nil {
			found = append(found, s.at(function, "%s must begin with `if testing.Short() { t.Skip(%s) }`", function.Name.Name, skipText))
		}
	}
	return found
}

func TestBannedCalls(t *testing.T)         { check(t, callRule) }
func TestNoSleepInTests(t *testing.T)      { check(t, sleepRule) }
func TestAny(t *testing.T)                 { check(t, anyRule) }
func TestSkips(t *testing.T)               { check(t, skipRule) }
func TestShortNeedsNoBrowser(t *testing.T) { check(t, browserTestRule) }
