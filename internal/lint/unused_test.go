package lint

import (
	"go/ast"
	"go/token"
	"path"
	"sort"
	"strconv"
	"strings"
	"testing"
)

// reserved are the codes that the requirements name and that nothing gives out yet, each with the reason. One that is
// given out leaves this list.
var reserved = map[string]string{
	"stale_attachment":                  "the extension bridge is not built",
	"browser_bridge_capacity":           "the extension bridge is not built",
	"browser_bridge_timeout":            "the extension bridge is not built",
	"browser_bridge_delivery_uncertain": "the extension bridge is not built",
	"browser_bridge_outcome_unknown":    "the extension bridge is not built",
	"browser_bridge_operation_failed":   "the extension bridge is not built",
	"browser_read_only_presentation":    "the live view is not built",
	"ref_ambiguous":                     "an element has one place in the registry, so a ref fits one element or none",
	"unsupported_value_control":         "such a control does not admit set_value, so element_action_unsupported comes first",
	"upload_project_denied":             "a caller sees only the roots that it may read, so a denied root is upload_project_unavailable",
	"cdp_list_failed":                   "a listing that the browser does not answer shows what its pages reported last",
	"cdp_list_too_large":                "page_limit bounds the pages of a browser before a listing of them grows too large",
	"page_create_reconcile_failed":      "a page that could not be prepared is page_create_unobserved or ends for its own reason",
}

// declared is a constant that must be used somewhere, and its value where it is a text.
type declared struct {
	name, value string
	where       finding
}

// limitsOf returns the constants of a limits.go.
func limitsOf(s *source) []declared {
	if path.Base(s.path) != "limits.go" {
		return nil
	}
	return constants(s, "")
}

// codesOf returns the codes of the catalogue.
func codesOf(s *source) []declared {
	if s.path != "messages/catalogue.go" {
		return nil
	}
	return constants(s, "Code")
}

// constants returns the constants that a file declares, only those of one type where it is named.
func constants(s *source, typed string) []declared {
	var found []declared
	for _, decl := range s.syntax.Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		for _, spec := range group.Specs {
			value, ok := spec.(*ast.ValueSpec)
			if !ok {
				continue
			}
			kind, _ := value.Type.(*ast.Ident)
			if typed != "" && (kind == nil || kind.Name != typed) {
				continue
			}
			for i, name := range value.Names {
				d := declared{name: name.Name, where: s.at(name, "%s", name.Name)}
				if i < len(value.Values) {
					if literal, ok := value.Values[i].(*ast.BasicLit); ok && literal.Kind == token.STRING {
						d.value, _ = strconv.Unquote(literal.Value)
					}
				}
				found = append(found, d)
			}
		}
	}
	return found
}

// uses counts the places of production code that name each identifier, its declaration left out. The file of the
// catalogue does not count, since it describes each code.
func uses(sources []*source) map[string]int {
	count := make(map[string]int)
	for _, s := range sources {
		if s.isTest() || s.path == "messages/catalogue.go" {
			continue
		}
		ast.Inspect(s.syntax, func(node ast.Node) bool {
			switch n := node.(type) {
			case *ast.Ident:
				count[n.Name]++
			case *ast.ValueSpec:
				for _, name := range n.Names {
					count[name.Name]--
				}
			}
			return true
		})
	}
	return count
}

// unread finds the limits that no production code reads.
func unread(sources []*source) []finding {
	count := uses(sources)
	var found []finding
	for _, s := range sources {
		for _, d := range limitsOf(s) {
			if count[d.name] == 0 {
				found = append(found, finding{d.where.where, d.name + " is read by nothing: what it bounds is bounded elsewhere or not at all"})
			}
		}
	}
	return found
}

// neverGiven finds the codes that nothing gives out, in Go or in the page, and reserved ones that something does.
func neverGiven(sources []*source, scripts map[string][]byte, reserved map[string]string) []finding {
	count := uses(sources)
	var found []finding
	for _, s := range sources {
		for _, d := range codesOf(s) {
			given := count[d.name] > 0 || inScripts(scripts, d.value)
			switch {
			case !given && reserved[d.value] == "":
				found = append(found, finding{d.where.where, d.value + " is given out by nothing: give it out where the catalogue says, or take it from the catalogue"})
			case given && reserved[d.value] != "":
				found = append(found, finding{d.where.where, d.value + " is given out now: take it from the list of reserved codes"})
			}
		}
	}
	return found
}

func inScripts(scripts map[string][]byte, code string) bool {
	for _, text := range scripts {
		for _, quote := range []string{`"`, "'", "`"} {
			if strings.Contains(string(text), quote+code+quote) {
				return true
			}
		}
	}
	return false
}

// scriptsOf returns the scripts that run in a page.
func scriptsOf(texts map[string][]byte) map[string][]byte {
	scripts := make(map[string][]byte)
	for name, text := range texts {
		if strings.HasSuffix(name, ".js") && !within(path.Dir(name), "fixtures") {
			scripts[name] = text
		}
	}
	return scripts
}

func TestEveryLimitIsRead(t *testing.T) {
	for _, f := range unread(everySource(t)) {
		t.Error(f)
	}
}

func TestEveryCodeIsGivenOut(t *testing.T) {
	found, err := wholeTree()
	if err != nil {
		t.Fatal(err)
	}
	scripts := scriptsOf(found.texts)
	if len(scripts) == 0 {
		t.Fatal("no script of a page was found")
	}
	for _, f := range neverGiven(found.sources, scripts, reserved) {
		t.Error(f)
	}
}

func TestUnusedRules(t *testing.T) {
	sources := []*source{
		mustParse(t, "a/limits.go", "package a\nconst (\n\tReadMax = 1\n\tUnreadMax = 2\n\tonlyTestedMax = 3\n)\n"),
		mustParse(t, "a/a.go", "package a\nvar A = ReadMax\n"),
		mustParse(t, "a/a_test.go", "package a\nvar T = onlyTestedMax\n"),
		mustParse(t, "messages/catalogue.go", "package messages\nconst (\n\tCodeGiven Code = \"given\"\n\tCodeInPage Code = \"in_page\"\n"+
			"\tCodeNever Code = \"never\"\n\tCodeKept Code = \"kept\"\n\tCodeSpent Code = \"spent\"\n)\nvar catalogue = map[Code]int{CodeNever: 1}\n"),
		mustParse(t, "b/b.go", "package b\nvar E = messages.CodeGiven\nvar F = messages.CodeSpent\n"),
	}
	scripts := scriptsOf(map[string][]byte{"p/page/a.js": []byte(`refuse("in_page")`), "fixtures/pages/b.js": []byte(`say("never")`)})
	list := func(found []finding) string {
		names := make([]string, 0, len(found))
		for _, f := range found {
			name, _, _ := strings.Cut(f.what, " ")
			names = append(names, name)
		}
		sort.Strings(names)
		return strings.Join(names, " ")
	}
	if got := list(unread(sources)); got != "UnreadMax onlyTestedMax" {
		t.Errorf("unread: %s", got)
	}
	if got := list(neverGiven(sources, scripts, map[string]string{"kept": "a reason", "spent": "a reason"})); got != "never spent" {
		t.Errorf("never given out: %s", got)
	}
}
