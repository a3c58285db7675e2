package snapshot

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/troupe-browser/troupe/messages"
)

// buttons is a tree of n buttons, each with its number as name.
func buttons(n int) *Tree {
	t := &Tree{Indexed: true, Frames: []Frame{{ID: "f", World: "w"}}}
	for i := range n {
		t.Nodes = append(t.Nodes, Node{Parent: -1, Index: i, Role: "button", Tag: "button", Name: fmt.Sprint(i), Facts: Indexed})
	}
	Admit(t, Policy{})
	Context(t)
	return t
}

func TestSelectR45R50WindowAndNextOffset(t *testing.T) {
	for _, c := range []struct {
		nodes, offset, most, want int
		next                      int // -1 for none
		truncated                 bool
	}{
		{10, 0, 0, 10, -1, false}, {129, 0, 0, 128, 128, true}, {129, 128, 0, 1, -1, false}, {300, 0, 9999, 256, 256, true},
		{300, 400, 0, 0, -1, false}, {5000, 4096, 256, 256, -1, true}, {5000, 0, 1, 1, 1, true}, {5000, 4224, 256, 128, -1, true},
	} {
		s := Select(buttons(c.nodes), View{Offset: c.offset, Max: c.most})
		next := -1
		if s.Next != nil {
			next = *s.Next
		}
		if len(s.Nodes) != c.want || next != c.next || s.Truncated != c.truncated {
			t.Errorf("%d nodes from %d at most %d: %d, next %d, truncated %v; want %d, %d, %v",
				c.nodes, c.offset, c.most, len(s.Nodes), next, s.Truncated, c.want, c.next, c.truncated)
		}
	}
}

func TestSelectR46R48AutoCompactsUnlessAsked(t *testing.T) {
	tree := buttons(20)
	for i := range 200 {
		tree.Nodes = append(tree.Nodes, Node{Parent: -1, Index: -1, Role: TextRole, Name: fmt.Sprintf("text %d", i)})
	}
	few := buttons(20)
	few.Nodes = append(few.Nodes, Node{Parent: -1, Index: -1, Role: TextRole, Name: "one"})
	long := buttons(3)
	for range 100 {
		long.Nodes = append(long.Nodes, Node{Parent: -1, Index: -1, Role: TextRole, Name: strings.Repeat("x", 500)})
	}
	cut := buttons(3)
	cut.Truncated = true
	for _, c := range []struct {
		name  string
		tree  *Tree
		view  View
		auto  bool
		nodes int
	}{
		{"too many nodes", tree, View{}, true, 20},
		{"few nodes", few, View{}, false, 21},
		{"more than asked for", few, View{Max: 20}, true, 20},
		{"too many bytes", long, View{}, true, 3},
		{"truncated source", cut, View{}, true, 3},
		{"full is full", tree, View{Mode: messages.ModeFull, Max: 256}, false, 220},
		{"a query keeps text", tree, View{Query: messages.Query{Text: "text 19"}}, false, 11},
		{"a query in interactive mode", tree, View{Mode: messages.ModeInteractive, Query: messages.Query{Text: "1"}}, false, 11},
	} {
		s := Select(c.tree, c.view)
		if s.AutoCompacted != c.auto || len(s.Nodes) != c.nodes {
			t.Errorf("%s: compacted %v, %d nodes; want %v, %d", c.name, s.AutoCompacted, len(s.Nodes), c.auto, c.nodes)
		}
	}
}

func TestSelectR49SearchesTheHorizonOnce(t *testing.T) {
	tree := buttons(messages.QueryHorizonNodes + 5)
	s := Select(tree, View{Query: messages.Query{Text: fmt.Sprint(messages.QueryHorizonNodes)}})
	if len(s.Nodes) != 0 || !s.Truncated || s.Next != nil {
		t.Errorf("beyond the horizon: %d nodes, truncated %v, next %v", len(s.Nodes), s.Truncated, s.Next)
	}
	s = Select(tree, View{Query: messages.Query{Text: fmt.Sprint(messages.QueryHorizonNodes - 1)}})
	if len(s.Nodes) != 1 || !s.Truncated {
		t.Errorf("the last node of the horizon: %d nodes, truncated %v", len(s.Nodes), s.Truncated)
	}
}

func TestSelectR53DisabledControlsStayWithoutID(t *testing.T) {
	tree := buttons(3)
	tree.Nodes[1].Disabled = yes()
	Admit(tree, Policy{})
	s := Select(tree, View{Mode: messages.ModeInteractive})
	p := Project(tree, s, Issue{Prefix: "el_", FirstRef: 7})
	if len(p.Nodes) != 3 || p.Nodes[1].ElementID != "" || p.Nodes[1].Ref != "" || len(p.Nodes[1].Actions) != 0 || p.Nodes[2].Ref != "e8" {
		t.Errorf("%+v", p.Nodes)
	}
}

func TestQueryR47CaseAndBlanks(t *testing.T) {
	n := &Node{Role: "textbox", Name: "Straße  und Nr", Description: "Where", Placeholder: "Weg", Label: "Adresse", Group: "Lieferung", Section: "Teil A"}
	for _, c := range []struct {
		query messages.Query
		want  bool
	}{
		{messages.Query{Text: "STRASSE"}, true}, {messages.Query{Text: "where"}, true}, {messages.Query{Text: "WEG"}, true},
		{messages.Query{Text: "adresse"}, true}, {messages.Query{Text: "teil"}, false}, {messages.Query{Role: "TextBox"}, true},
		{messages.Query{Role: "text"}, false}, {messages.Query{Section: "teil"}, true}, {messages.Query{Section: "teil", Text: "x-"}, false},
		{messages.Query{FieldsOnly: true}, true}, {messages.Query{FieldsOnly: true, Role: "button"}, false},
	} {
		if got := newMatcher(c.query).matches(n); got != c.want {
			t.Errorf("%+v matches: %v", c.query, got)
		}
	}
}

// drawTree makes an arbitrary tree, as no page would have it.
func drawTree(t *rapid.T) *Tree {
	tree := &Tree{Indexed: rapid.Bool().Draw(t, "indexed"), Framed: rapid.Bool().Draw(t, "framed"), Frames: []Frame{{ID: "f"}}, Truncated: rapid.Bool().Draw(t, "truncated")}
	roleOf := rapid.SampledFrom([]string{TextRole, "button", "link", "textbox", "generic", "heading", "group", "row", "cell", "region", "combobox", "paragraph", "listitem", "LabelText"})
	tagOf := rapid.SampledFrom([]string{"", "div", "input", "select", "textarea", "button", "a", "label", "tr", "td"})
	for i := range rapid.IntRange(0, 300).Draw(t, "nodes") {
		n := Node{Parent: rapid.IntRange(-1, i-1).Draw(t, "parent"), Index: rapid.IntRange(-1, 500).Draw(t, "index"), Role: roleOf.Draw(t, "role"), Tag: tagOf.Draw(t, "tag")}
		n.Name = rapid.StringN(0, 40, 200).Draw(t, "name")
		n.InputType = rapid.SampledFrom([]string{"", "text", "file", "checkbox", "number", "password"}).Draw(t, "type")
		n.Facts = Facts(rapid.Uint32Range(0, uint32(HiddenFile)<<1-1).Draw(t, "facts"))
		n.Shadow = Shadow(rapid.IntRange(0, 3).Draw(t, "shadow"))
		if rapid.Bool().Draw(t, "valued") {
			value := rapid.StringN(0, 20, 512).Draw(t, "value")
			n.Value = &value
		}
		if rapid.IntRange(0, 9).Draw(t, "disabled") == 0 {
			n.Disabled = yes()
		}
		n.Level = rapid.IntRange(0, 7).Draw(t, "level")
		tree.Nodes = append(tree.Nodes, n)
	}
	return tree
}

// R45, R52, R55, R57: whatever the tree, the answer stays in its bounds, an id
// belongs to one node with an action, and no secret is shown.
func TestProjectionProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := drawTree(t)
		for i := range tree.Nodes {
			if tree.Nodes[i].Facts.Has(Secret) {
				secret := "TOPSECRET"
				tree.Nodes[i].Value = &secret
			}
		}
		view := View{
			Mode:       rapid.SampledFrom([]messages.SnapshotMode{"", messages.ModeFull, messages.ModeInteractive}).Draw(t, "mode"),
			Projection: rapid.SampledFrom([]messages.Projection{messages.ProjectionSemantic, messages.ProjectionTree, messages.ProjectionFlat}).Draw(t, "projection"),
			Offset:     rapid.IntRange(0, 400).Draw(t, "offset"), Max: rapid.IntRange(0, 400).Draw(t, "max"), Depth: rapid.IntRange(0, 40).Draw(t, "depth"),
			Broad: rapid.Bool().Draw(t, "broad"),
		}
		view.Query.FieldsOnly = rapid.IntRange(0, 3).Draw(t, "fields") == 0
		Admit(tree, Policy{Broad: view.Broad})
		Context(tree)
		s := Select(tree, view)
		p := Project(tree, s, Issue{Generation: 3, Prefix: "el_x_", FirstRef: 5})
		checkAnswer(t, tree, s, p)
	})
}

type failer interface {
	Fatalf(format string, args ...any)
}

func checkAnswer(t failer, tree *Tree, s *Selection, p *Projected) {
	data, err := json.Marshal(p.Nodes)
	if err != nil {
		t.Fatalf("%v", err)
	}
	if len(data)+len(p.Text) > messages.SnapshotBytesMax {
		t.Fatalf("%d bytes", len(data)+len(p.Text))
	}
	if strings.Contains(string(data)+p.Text, "TOPSECRET") {
		t.Fatalf("a secret is shown")
	}
	ids := map[messages.ElementID]bool{}
	refs := map[messages.Ref]bool{}
	for _, r := range p.Records {
		if ids[r.ElementID] || refs[r.Ref] || len(r.Actions) == 0 || r.Index < 0 {
			t.Fatalf("record %+v", r)
		}
		ids[r.ElementID], refs[r.Ref] = true, true
	}
	if uint64(len(p.Records)) != p.NextRef-5 {
		t.Fatalf("%d records and next ref %d", len(p.Records), p.NextRef)
	}
	withID := 0
	for _, n := range p.Nodes {
		if (n.ElementID != "") != (len(n.Actions) > 0) || (n.ElementID != "") != (n.Ref != "") || n.ElementID != "" && !ids[n.ElementID] {
			t.Fatalf("node %+v", n)
		}
		if n.ElementID != "" {
			withID++
		}
	}
	if s.Projection != messages.ProjectionTree && (withID != len(p.Records) || len(p.Nodes) != len(s.Nodes)) {
		t.Fatalf("%d ids, %d records, %d nodes of %d", withID, len(p.Records), len(p.Nodes), len(s.Nodes))
	}
	for _, i := range s.Nodes {
		if i < 0 || i >= len(tree.Nodes) {
			t.Fatalf("node %d of %d", i, len(tree.Nodes))
		}
	}
	if s.Next != nil && !s.Truncated {
		t.Fatalf("a next offset without truncation")
	}
}

// R50: following next_node_offset gives every node once, in order.
func TestPagingProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := drawTree(t)
		tree.Truncated = false
		Admit(tree, Policy{})
		Context(tree)
		whole := Select(tree, View{Mode: messages.ModeFull, Projection: messages.ProjectionTree})
		var paged []int
		for offset, rounds := 0, 0; ; rounds++ {
			s := Select(tree, View{Mode: messages.ModeFull, Max: rapid.IntRange(1, 50).Draw(t, "max"), Offset: offset})
			Project(tree, s, Issue{FirstRef: 1})
			paged = append(paged, s.Nodes...)
			if s.Next == nil {
				break
			}
			if *s.Next <= offset || rounds > 1000 {
				t.Fatalf("offset %d leads to %d", offset, *s.Next)
			}
			offset = *s.Next
		}
		if fmt.Sprint(paged) != fmt.Sprint(whole.Nodes) {
			t.Fatalf("paged %v, whole %v", paged, whole.Nodes)
		}
	})
}

func TestTextR35ClampIsThatOfThePage(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""}, {"  a \n b ", "a b"}, {"a\u00a0\u2003b", "a b"}, {"a\u0085b", "a\u0085b"}, {"\ufeffa", "a"},
		{strings.Repeat("x", 600), strings.Repeat("x", 512)}, {strings.Repeat("é", 300), strings.Repeat("é", 256)},
		{strings.Repeat("x", 511) + "é", strings.Repeat("x", 511)}, {strings.Repeat("x", 511) + " y", strings.Repeat("x", 511)},
	} {
		if got := Squeeze(c.in); got != c.want {
			t.Errorf("Squeeze(%.20q…) = %d bytes %.20q…", c.in, len(got), got)
		}
	}
}
