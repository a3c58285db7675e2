package snapshot

import (
	"encoding/json"
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

// R45: a large page read by need gives the same controls, in the same order and
// with the same context, as the whole accessibility tree does.
func TestSparseGivesTheSameControls(t *testing.T) {
	for _, name := range recordedPages {
		t.Run(name, func(t *testing.T) {
			view := View{Mode: messages.ModeInteractive}
			show := func(s Sources) string {
				tree := Build(s)
				Admit(tree, Policy{})
				Context(tree)
				for i := range tree.Nodes {
					tree.Nodes[i].Index = i
				}
				p := Project(tree, Select(tree, view), Issue{FirstRef: 1})
				text := ""
				for i := range p.Nodes {
					p.Nodes[i].Depth = 0 // Containers without context are not asked for.
					line, err := json.Marshal(p.Nodes[i])
					if err != nil {
						t.Fatal(err)
					}
					text += string(line) + "\n"
				}
				return text
			}
			whole := show(readSources(t, name))
			s := readSources(t, name)
			plan := s.Capture.Sparse(view)
			if !plan.Compact || plan.Cut {
				t.Fatalf("plan %+v", plan)
			}
			answers := make([]*AXTree, len(plan.Backends))
			for k, backend := range plan.Backends {
				if node := s.Frames[0].Tree.of(backend); node != nil {
					answers[k] = &AXTree{Nodes: []axNode{*node}}
				}
			}
			s.Frames[0].Tree, s.Compact = plan.Tree(answers), plan.Compact
			if sparse := show(s); sparse != whole {
				t.Errorf("whole:\n%s\nsparse:\n%s", whole, sparse)
			}
		})
	}
}
