package lint

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// An area is a part of the tree with one rule about what it may import. The first area that holds a directory counts,
// so that the narrower ones stand before the wider.
type area struct {
	dir string
	// ours are the project's directories that production code may import; each allows what is below it too.
	ours []string
	// inTests are directories that test files may import besides.
	inTests []string
	// why is the reason, shown with a finding.
	why string
}

// everyLayer are small packages of ours that know nothing of the product: any layer that is not pure may use them.
var everyLayer = []string{"internal/cut", "internal/invariant", "internal/filelock", "internal/procstat", "internal/quote"}

// areas is the table of ARCHITECTURE.md#imports. The files are parsed here, not listed by the go command, so that a
// file behind a build tag obeys as well.
var areas = []area{
	{"messages/codec", []string{"messages"}, nil, "it carries the vocabulary over any wire, and nothing else"},
	{"messages", nil, nil, "it is the vocabulary, which everything else imports"},
	{"cdp", slices.Concat([]string{"messages", "cdp"}, everyLayer), []string{"fixtures", "internal"}, "it talks DevTools and knows nothing of agents, snapshots and actors"},
	{"snapshot", []string{"messages", "snapshot", "internal/cut", "internal/invariant", "internal/quote"}, []string{"cdp", "fixtures", "internal"}, "it is pure, and a sibling of cdp and bridge"},
	{"bridge", []string{"messages", "bridge", "internal/invariant"}, []string{"cdp", "fixtures"}, "it is a sibling of cdp and snapshot"},
	leaf("actors/target", "it is what a runner holds of its page"),
	leaf("actors/effect", "it carries out one effect on what it is given", "actors/target", "actors/call"),
	leaf("actors/collect", "it observes what it is given", "actors/target"),
	leaf("actors/inspect", "it reads what it is given", "actors/target", "actors/diagnostics", "actors/call"),
	leaf("actors/diagnostics", "it is ledgers as data", "actors/target"),
	leaf("actors/downloads", "it is records and files, and knows no browser"),
	room("actors/kernel", "everything in the runtime stands on it"),
	room("actors/call", "a call does not know who carries it"),
	room("actors/journal", "it takes what it is sent"),
	room("actors/engine", "it outlives the actors that use it"),
	room("actors/page", "a page has nothing of its browser but an address"),
	room("actors/browser", "a browser has nothing of the root but an address"),
	room("actors/root", "how a request is answered is given to it"),
	{"actors/machinetest", []string{"messages", "cdp", "actors/kernel", "actors/call", "actors/journal", "actors/engine", "internal/soak"}, nil, "the tests of every machine import it"},
	{"actors", slices.Concat([]string{"messages", "cdp", "snapshot", "bridge", "actors"}, everyLayer), []string{"fixtures", "internal"}, "surfaces and tools hold a messages.Gateway, and actors never see them"},
	{"tools", []string{"messages", "tools", "internal/quote"}, []string{"actors", "cdp", "snapshot", "fixtures", "internal"}, "it holds a messages.Gateway and no browser logic"},
	{"surface", []string{"messages", "surface"}, []string{"actors", "cdp", "fixtures", "internal"}, "it holds a messages.Gateway and no browser logic"},
	{"cmd/troupe/settings", []string{"messages"}, nil, "it reads what the operator configured, and what that means is for those who use it"},
	command("driver", "it drives whatever gateway it is given"),
	command("program", "every command stands on it", "actors"),
	command("daemon", "it serves whoever connects, and knows no verb", "actors", "tools"),
	command("verbs", "a verb is a client of the daemon, and starts no runtime", "tools"),
	command("agents", "agents and programs use no verb", "tools"),
	command("operate", "an operator's command needs no daemon", "actors", "tools", "cdp", "fixtures"),
	{"cmd", []string{""}, nil, "it wires everything"},
	{"fixtures", []string{"fixtures"}, []string{""}, "every test, and the demo, stands on it"},
	{"internal/lint", nil, nil, "it reads source and runs nothing"},
	{"internal/cut", nil, nil, "every layer may use it"},
	{"internal/invariant", nil, nil, "every layer may use it"},
	{"internal/filelock", nil, nil, "every layer may use it"},
	{"internal/procstat", nil, nil, "every layer may use it"},
	{"internal/quote", nil, nil, "every layer may use it, the pure ones too"},
	{"internal", []string{""}, nil, "it holds tools about the project, which nothing but tests and cmd imports"},
}

// runtimeRooms are the rooms of the runtime, the lowest first: each may import those before it, and none behind it.
var runtimeRooms = []string{"actors/kernel", "actors/call", "actors/journal", "actors/engine", "actors/page", "actors/browser", "actors/root"}

// runtimeLeaves know no actor, and of the rooms at most the judgement of calls. Every room above call may import them.
var runtimeLeaves = []string{"actors/target", "actors/effect", "actors/collect", "actors/inspect", "actors/diagnostics", "actors/downloads"}

// leaf is a part of the runtime that runners use.
func leaf(dir, why string, others ...string) area {
	ours := slices.Concat([]string{"messages", "cdp", "snapshot", dir}, everyLayer, others)
	return area{dir, ours, []string{"actors", "fixtures", "internal"}, why}
}

// room is a room of the runtime, which may import the leaves and the rooms below it.
func room(dir, why string) area {
	ours := slices.Concat([]string{"messages", "cdp", "snapshot", "bridge", "actors/target"}, everyLayer)
	if dir != "actors/kernel" && dir != "actors/call" { // effects and observations judge their calls there
		ours = append(ours, runtimeLeaves...)
	}
	ours = append(ours, runtimeRooms[:slices.Index(runtimeRooms, dir)+1]...)
	return area{dir, ours, []string{"actors/machinetest", "fixtures", "internal"}, why}
}

// commandRooms say which rooms of the program each may import, which are the ones below it.
var commandRooms = map[string][]string{
	"driver":  nil,
	"program": {"settings", "driver"},
	"daemon":  {"settings", "driver", "program"},
	"verbs":   {"settings", "program", "daemon"},
	"agents":  {"settings", "driver", "program", "daemon"},
	"operate": {"settings", "driver", "program"},
}

// command is a room of the program. Its tests stand below main as it does.
func command(name, why string, others ...string) area {
	ours := slices.Concat([]string{"messages", "cmd/troupe/" + name}, everyLayer, others)
	for _, below := range commandRooms[name] {
		ours = append(ours, "cmd/troupe/"+below)
	}
	return area{"cmd/troupe/" + name, ours, []string{"actors", "cdp", "fixtures", "internal", "tools"}, why}
}

// A third-party module is a decision: one that is not in this table may not be imported.
var thirdParty = []struct {
	module string
	dirs   []string // where production code may import it; test files may everywhere
	why    string
}{
	{"github.com/asynkron/protoactor-go", []string{"actors", "cmd"}, "only the runtime knows that it is made of actors"},
	{"github.com/rs/zerolog", []string{"actors", "cmd"}, "the others return errors and emit events, from which log lines derive"},
	{"github.com/chromedp/cdproto", []string{"cdp", "snapshot", "actors", "bridge", "internal"}, "protocol types stay below the vocabulary"},
	{"github.com/gorilla/websocket", []string{"cdp", "bridge", "surface"}, "transports and the live view are the only sockets"},
	{"github.com/modelcontextprotocol/go-sdk", []string{"tools", "cmd"}, "MCP is one face of the tools"},
	{"github.com/google/jsonschema-go", []string{"tools"}, "schemas belong to the tools"},
	{"github.com/spf13/cobra", []string{"cmd"}, "the command line is one face of the runtime"},
	{"github.com/spf13/pflag", []string{"cmd"}, "the command line is one face of the runtime"},
	{"github.com/pelletier/go-toml/v2", []string{"cmd"}, "configuration is read in one place"},
	{"github.com/prometheus/client_golang", []string{"actors/journal"}, "counts for Prometheus derive from the journal's events"},
	{"golang.org/x/sys", []string{"cdp", "bridge", "actors", "cmd", "internal"}, "system calls stay with processes and private files"},
	{"golang.org/x/text", []string{"snapshot", "actors", "cmd"}, "text is folded and measured where names are compared and shown"},
	{"golang.org/x/image", []string{"actors", "surface"}, "pictures are scaled where they are taken"},
	{"golang.org/x/term", []string{"cmd"}, "only the command line has a terminal"},
	{"github.com/evanw/esbuild", []string{"internal"}, "it bundles the page side's modules, and nothing of it is in the program"},
	{"golang.org/x/tools", nil, "it gives the lint tests the types of the tree"},
	{"pgregory.net/rapid", nil, "it generates test cases"},
	{"go.uber.org/goleak", nil, "it finds goroutines that a test left"},
	{"github.com/rogpeppe/go-internal", nil, "it runs command line scripts in tests"},
}

func areaOf(dir string) *area {
	for i := range areas {
		if within(dir, areas[i].dir) {
			return &areas[i]
		}
	}
	return nil
}

func allows(dirs []string, target string) bool {
	for _, dir := range dirs {
		if dir == "" || within(target, dir) {
			return true
		}
	}
	return false
}

// importRule compares the imports of one file with both tables.
func importRule(s *source) []finding {
	own := areaOf(s.dir())
	if own == nil {
		return []finding{{s.path, "this directory is in no area of the import table; see ARCHITECTURE.md#imports, and add it to imports_test.go with its reason"}}
	}
	var found []finding
	for _, spec := range s.syntax.Imports {
		importPath := strings.Trim(spec.Path.Value, `"`)
		if problem := importProblem(s, own, importPath); problem != "" {
			found = append(found, s.at(spec, "%s. See ARCHITECTURE.md#imports. If the structure changed, edit imports_test.go and say why", problem))
		}
	}
	return found
}

func importProblem(s *source, own *area, importPath string) string {
	if target, ok := strings.CutPrefix(importPath, modulePath+"/"); ok {
		// A package's own external tests import the package itself.
		if allows(own.ours, target) || s.isTest() && (allows(own.inTests, target) || within(target, own.dir)) {
			return ""
		}
		return fmt.Sprintf("%s imports %s, but %s: %s", own.dir, target, own.dir, own.why)
	}
	first, _, _ := strings.Cut(importPath, "/")
	if !strings.Contains(first, ".") {
		return "" // the standard library
	}
	if own.dir == "messages" && !s.isTest() {
		return "messages imports only the standard library, and not " + importPath
	}
	for _, module := range thirdParty {
		if !within(importPath, module.module) {
			continue
		}
		if s.isTest() || allows(module.dirs, s.dir()) {
			return ""
		}
		return fmt.Sprintf("%s imports %s, but %s", s.dir(), module.module, module.why)
	}
	return "nobody decided to depend on " + importPath
}

func TestImports(t *testing.T) { check(t, importRule) }

func TestImportRule(t *testing.T) {
	file := func(imports ...string) string {
		return "package p\nimport (\n\"" + strings.Join(imports, "\"\n\"") + "\"\n)\n"
	}
	ours := modulePath + "/"
	checkRule(t, importRule, []expect{
		{"the vocabulary imports nothing of ours", "messages/a.go", file(ours + "cdp"), 1},
		{"the codec takes the vocabulary alone", "messages/codec/a.go", file(ours+"messages", ours+"cdp"), 1},
		{"the vocabulary takes no module", "messages/a.go", file("golang.org/x/text/width"), 1},
		{"cdp takes the vocabulary and the socket", "cdp/a.go", file(ours+"messages", "github.com/gorilla/websocket", "context"), 0},
		{"siblings do not meet", "cdp/a.go", file(ours + "snapshot"), 1},
		{"a sibling drives the other in a test", "snapshot/a_test.go", file(ours+"cdp", ours+"fixtures"), 0},
		{"tools hold a port and no runtime", "tools/a.go", file(ours + "actors"), 1},
		{"the runtime never sees a surface", "actors/effect/a.go", file(ours + "surface"), 1},
		{"a call does not know its page", "actors/call/a.go", file(ours + "actors/page"), 1},
		{"the kernel knows no call", "actors/kernel/a.go", file(ours + "actors/call"), 1},
		{"a page does not know its browser", "actors/page/a.go", file(ours + "actors/browser"), 1},
		{"a page does not know its browser in a test either", "actors/page/a_test.go", file(ours + "actors/browser"), 1},
		{"no room knows the API", "actors/root/a.go", file(ours + "actors"), 1},
		{"an effect judges its calls", "actors/effect/a.go", file(ours + "actors/call"), 0},
		{"calls know no effect", "actors/call/a.go", file(ours + "actors/effect"), 1},
		{"a browser spawns pages", "actors/browser/a.go", file(ours+"actors/page", ours+"actors/call"), 0},
		{"a collector knows no room", "actors/collect/a.go", file(ours + "actors/kernel"), 1},
		{"the API wires the rooms", "actors/a.go", file(ours+"actors/root", ours+"actors/engine"), 0},
		{"only the runtime logs", "cdp/a.go", file("github.com/rs/zerolog"), 1},
		{"cmd wires everything", "cmd/troupe/a.go", file(ours+"actors", ours+"tools", "github.com/rs/zerolog"), 0},
		{"settings start nothing", "cmd/troupe/settings/a.go", file(ours + "actors"), 1},
		{"the driver knows no command line", "cmd/troupe/driver/a.go", file(ours + "cmd/troupe/program"), 1},
		{"what commands stand on knows no daemon", "cmd/troupe/program/a.go", file(ours + "cmd/troupe/daemon"), 1},
		{"the daemon knows no verb", "cmd/troupe/daemon/a.go", file(ours + "cmd/troupe/verbs"), 1},
		{"a verb is a client of the daemon", "cmd/troupe/verbs/a.go", file(ours+"cmd/troupe/daemon", ours+"cmd/troupe/program"), 0},
		{"a verb starts no runtime", "cmd/troupe/verbs/a.go", file(ours + "actors"), 1},
		{"agents use no verb", "cmd/troupe/agents/a.go", file(ours + "cmd/troupe/verbs"), 1},
		{"an operator's command needs no daemon", "cmd/troupe/operate/a.go", file(ours + "cmd/troupe/daemon"), 1},
		{"settings know no verb", "cmd/troupe/settings/a.go", file(ours + "cmd/troupe/verbs"), 1},
		{"a new module is a decision", "actors/a.go", file("example.com/new/module"), 1},
		{"a module with a name that only begins alike", "actors/a.go", file("github.com/rs/zerologger"), 1},
		{"a new top directory is a decision", "extras/a.go", file("context"), 1},
		{"test modules stay in tests", "actors/a.go", file("pgregory.net/rapid"), 1},
		{"an external test imports its package", "internal/invariant/a_test.go", file(ours + "internal/invariant"), 0},
	})
}
