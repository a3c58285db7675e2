package snapshot

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

// promotedPage is a page with one control of which the accessibility tree shows only
// the parts: a label, the control, its private root and a part in it.
func promotedPage(t *testing.T, tag, attributes string) *Tree {
	t.Helper()
	words := []string{"F", "#document", "HTML", "LABEL", "for", "x", "#text", "Born", strings.ToUpper(tag), "id", "user-agent", "#document-fragment", "DIV"}
	at := func(word string) int {
		if i := slices.Index(words, word); i >= 0 {
			return i
		}
		words = append(words, word)
		return len(words) - 1
	}
	pairs := fmt.Sprintf("%d,%d", at("id"), at("x"))
	for pair := range strings.FieldsSeq(attributes) {
		name, value, _ := strings.Cut(pair, "=")
		pairs += fmt.Sprintf(",%d,%d", at(name), at(value))
	}
	capture, err := DecodeCapture(fmt.Appendf(nil, `{"strings":["%s"],"documents":[{"frameId":0,"layout":{"nodeIndex":[],"styles":[],"bounds":[]},"nodes":{
"parentIndex":[-1,0,1,2,1,4,5],"nodeType":[9,1,1,3,1,11,1],"nodeName":[1,2,3,6,8,11,12],"nodeValue":[-1,-1,-1,7,-1,-1,-1],
"backendNodeId":[1,2,3,4,5,6,7],"attributes":[[],[],[%d,%d],[],[%s],[],[]],"shadowRootType":{"index":[5],"value":[10]}}}]}`,
		strings.Join(words, `","`), at("for"), at("x"), pairs))
	if err != nil {
		t.Fatal(err)
	}
	tree, err := DecodeAX([]byte(`{"nodes":[{"nodeId":"a","role":{"value":"RootWebArea"},"backendDOMNodeId":1,"childIds":["b"]},
{"nodeId":"b","ignored":true,"role":{"value":"none"},"backendDOMNodeId":5,"childIds":["c","d"]},
{"nodeId":"c","role":{"value":"spinbutton"},"name":{"value":"Month"},"backendDOMNodeId":7,"childIds":[]},
{"nodeId":"d","role":{"value":"button"},"name":{"value":"Show picker"},"backendDOMNodeId":6,"childIds":[]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	built := Build(Sources{Frames: []FrameAX{{Frame: Frame{ID: "F"}, Tree: tree}}, Capture: capture})
	Admit(built, Policy{})
	Context(built)
	return built
}

// A control of which the tree shows only parts stands before the first of them, once,
// with its own label, value, state and actions; its parts stay as they are and allow
// nothing (R64).
func TestBuildR64OwnerOfPartsIsPromoted(t *testing.T) {
	for _, c := range []struct{ tag, attributes, role, value, actions, states string }{
		{"input", "type=date value=2001-02-03", "Date", "2001-02-03", "set_value", "unknown unknown"},
		{"input", "type=date", "Date", "", "set_value", "unknown unknown"},
		{"input", "type=time disabled=", "InputTime", "", "", "true unknown"},
		{"input", "type=week value=2026-W01 readonly=", "DateTime", "2026-W01", "", "unknown true"},
		{"input", "type=color", "ColorWell", "", "set_value", "unknown unknown"},
		{"input", "type=number value=7", "spinbutton", "7", "set_value", "unknown unknown"},
		{"input", "type=range", "slider", "", "set_value", "unknown unknown"},
		{"input", "type=file", "button", "", "upload_file", "unknown unknown"},
		{"input", "type=password value=hunter2", "textbox", "", typed, "unknown unknown"},
		{"textarea", "", "textbox", "", typed, "unknown unknown"},
		{"select", "", "combobox", "", "select_option", "unknown unknown"},
	} {
		name := c.tag + " " + c.attributes
		tree := promotedPage(t, c.tag, c.attributes)
		var owners, parts []Node
		for _, n := range tree.Nodes {
			switch {
			case n.Facts.Has(Promoted):
				owners = append(owners, n)
			case n.Shadow == BrowserRoot:
				parts = append(parts, n)
				if len(owners) == 0 {
					t.Errorf("%s: the part %q stands before its owner", name, n.Name)
				}
			}
		}
		if len(owners) != 1 || len(parts) != 2 || parts[0].Role != "spinbutton" || parts[1].Name != "Show picker" {
			t.Errorf("%s: owners %+v, parts %+v", name, owners, parts)
			continue
		}
		for _, part := range parts {
			if len(part.Actions) != 0 {
				t.Errorf("%s: the part %q admits %v", name, part.Name, part.Actions)
			}
		}
		owner, value := owners[0], ""
		if owner.Value != nil {
			value = *owner.Value
		}
		state := func(b *bool) string {
			if b == nil {
				return "unknown"
			}
			return fmt.Sprint(*b)
		}
		states := state(owner.Disabled) + " " + state(owner.Readonly)
		if owner.Role != c.role || owner.Name != "Born" || owner.Backend != 5 || value != c.value || words(owner.Actions) != c.actions || states != c.states {
			t.Errorf("%s: %s %q = %q admits %q, %s", name, owner.Role, owner.Name, value, words(owner.Actions), states)
		}
		if slices.ContainsFunc(Project(tree, Select(tree, View{Mode: messages.ModeFull}), Issue{}).Nodes, func(n messages.Node) bool {
			return n.Value != nil && *n.Value == "hunter2"
		}) {
			t.Errorf("%s: a password is shown", name)
		}
	}
}
