package snapshot

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

// projectedOne is the projection of a tree of one node.
func projectedOne(n Node, projection messages.Projection) (messages.Node, string) {
	n.Parent, n.Index = -1, 0
	t := &Tree{Indexed: true, Frames: []Frame{{ID: "f", World: "w"}}, Nodes: []Node{n}}
	Admit(t, Policy{})
	Context(t)
	p := Project(t, Select(t, View{Projection: projection}), Issue{Generation: 1, Prefix: "el_", FirstRef: 1})
	if len(p.Nodes) == 0 {
		return messages.Node{}, p.Text
	}
	return p.Nodes[0], p.Text
}

func TestProjectR52OnlyWhatCanBeActedOnHasAnID(t *testing.T) {
	for _, c := range []struct {
		name string
		node Node
	}{
		{"a button", Node{Role: "button", Tag: "button", Name: "Go", Facts: Indexed}},
		{"a heading", Node{Role: "heading", Tag: "h1", Name: "Title", Facts: Indexed}},
		{"a disabled button", Node{Role: "button", Tag: "button", Name: "Go", Facts: Indexed, Disabled: yes()}},
		{"a role without a known element", Node{Role: "button", Name: "Go"}},
		{"a text", Node{Role: TextRole, Name: "words"}},
	} {
		n, _ := projectedOne(c.node, messages.ProjectionSemantic)
		if (n.ElementID != "") != (len(n.Actions) > 0) || (n.Ref != "") != (len(n.Actions) > 0) {
			t.Errorf("%s: id %q, ref %q, actions %v", c.name, n.ElementID, n.Ref, n.Actions)
		}
	}
}

func TestProjectR54TreeIsBoundedAndSaysWhereItStopped(t *testing.T) {
	tree := buttons(messages.TreeNodesMax + 1)
	p := Project(tree, Select(tree, View{Projection: messages.ProjectionTree, Mode: messages.ModeFull}), Issue{Prefix: "el_", FirstRef: 1})
	lines := strings.Split(strings.TrimSpace(p.Text), "\n")
	if len(lines) != messages.TreeNodesMax+1 || len(p.Records) != messages.TreeNodesMax || !strings.HasPrefix(lines[len(lines)-1], "… stopped after") {
		t.Errorf("%d lines, %d records, ending in %q", len(lines), len(p.Records), lines[len(lines)-1])
	}
}

func TestProjectR55FlatIsBounded(t *testing.T) {
	tree := buttons(messages.FlatElementsMax + 1)
	tree.Nodes[0].Name = strings.Repeat("ä", 200)
	s := Select(tree, View{Projection: messages.ProjectionFlat, Mode: messages.ModeFull, Max: 9999})
	p := Project(tree, s, Issue{Prefix: "el_", FirstRef: 1})
	first := []rune(p.Nodes[0].Name)
	if len(p.Nodes) != messages.FlatElementsMax || !s.Truncated || len(first) != messages.FlatFieldCharsMax || !p.Nodes[0].Cut {
		t.Errorf("%d elements, truncated %v; the first has %d characters and says cut %v", len(p.Nodes), s.Truncated, len(first), p.Nodes[0].Cut)
	}
	mixed := buttons(2)
	mixed.Nodes = append(mixed.Nodes, Node{Parent: -1, Index: -1, Role: TextRole, Name: "words"})
	p = Project(mixed, Select(mixed, View{Projection: messages.ProjectionFlat, Mode: messages.ModeInteractive}), Issue{Prefix: "el_", FirstRef: 1})
	if len(p.Nodes) != 2 {
		t.Errorf("interactive: %+v", p.Nodes)
	}
}

func TestAdmitR68ChoicesAndDatesOnlyOfKnownControls(t *testing.T) {
	for _, c := range []struct {
		name string
		node Node
		want string
	}{
		{"a plain text field", Node{Tag: "input", InputType: "text", Role: "textbox"}, ""},
		{"one of a date picker", Node{Tag: "input", InputType: "text", Role: "textbox", Facts: DateHint}, "set_date"},
		{"one of a list", Node{Tag: "input", InputType: "text", Role: "textbox", Facts: ChoiceHint}, "select_choice"},
		{"a combobox of the page", Node{Tag: "div", Role: "combobox"}, "select_choice"},
		{"a button", Node{Tag: "button", Role: "button"}, ""},
		{"a button that says that it opens a list", Node{Tag: "button", Role: "button", Facts: OpensPopup}, "select_choice"},
		{"a native select", Node{Tag: "select", Role: "combobox", Facts: ChoiceHint}, ""},
		{"a native date", Node{Tag: "input", InputType: "date", Role: "Date", Facts: DateHint}, ""},
		{"an e-mail field", Node{Tag: "input", InputType: "email", Role: "textbox", Facts: ChoiceHint}, ""},
	} {
		c.node.Name, c.node.Facts = "N", c.node.Facts|Indexed
		got := ""
		for _, action := range strings.Fields(admitted(t, c.node, Tree{Indexed: true}, Policy{})) {
			if action == "select_choice" || action == "set_date" {
				got += action
			}
		}
		if got != c.want {
			t.Errorf("%s admits %q, want %q", c.name, got, c.want)
		}
	}
}

func TestSelectR53ReadOnlyControlsStay(t *testing.T) {
	field, _ := projectedOne(Node{Role: "textbox", Tag: "input", InputType: "text", Name: "Fixed", Readonly: yes(), Facts: Indexed}, messages.ProjectionSemantic)
	if !slices.Contains(field.Actions, "click") || slices.Contains(field.Actions, "set_value") || field.ElementID == "" {
		t.Errorf("a read-only field: %+v", field)
	}
	number, _ := projectedOne(Node{Role: "spinbutton", Tag: "input", InputType: "number", Name: "Fixed", Readonly: yes(), Facts: Indexed}, messages.ProjectionSemantic)
	if number.Name == "" || len(number.Actions) != 0 || number.ElementID != "" {
		t.Errorf("a read-only number: %+v", number)
	}
	chosen, _ := projectedOne(Node{Role: "combobox", Tag: "select", Name: "Choice", Options: []string{"one", "two"}, Facts: Indexed}, messages.ProjectionSemantic)
	if fmt.Sprint(chosen.Options) != "[one two]" {
		t.Errorf("a select: %+v", chosen)
	}
}
