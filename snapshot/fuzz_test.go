package snapshot

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

// FuzzBuild feeds arbitrary protocol answers to the accessibility collector's
// half: it must never panic, and whatever comes out obeys the bounds.
func FuzzBuild(f *testing.F) {
	for _, name := range []string{"cards", "hidden"} { // Small ones, to be quick.
		ax, err := os.ReadFile(filepath.Join("testdata", name+".ax.json"))
		if err != nil {
			f.Fatal(err)
		}
		dom, err := os.ReadFile(filepath.Join("testdata", name+".dom.json"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(ax, dom, uint8(0))
	}
	f.Add([]byte(`{"nodes":[{"nodeId":"1","childIds":["1","1"],"role":{"value":"Iframe"},"backendDOMNodeId":1}]}`),
		[]byte(`{"documents":[{"frameId":0,"nodes":{"parentIndex":[-1,5],"nodeType":[1,1],"nodeName":[0,0],"backendNodeId":[1,2],"contentDocumentIndex":{"index":[0],"value":[0]}}}],"strings":["f"]}`), uint8(255))
	f.Fuzz(func(t *testing.T, ax, dom []byte, choice uint8) {
		tree, err := DecodeAX(ax)
		if err != nil {
			return
		}
		capture, err := DecodeCapture(dom)
		if err != nil {
			capture = nil
		}
		id := "f"
		if capture != nil && len(capture.Documents) > 0 {
			id = newIndex(capture).str(int32(capture.Documents[0].Frame))
		}
		view := View{
			Mode:       []messages.SnapshotMode{messages.ModeAuto, messages.ModeFull, messages.ModeInteractive}[choice%3],
			Projection: []messages.Projection{messages.ProjectionSemantic, messages.ProjectionTree, messages.ProjectionFlat}[choice/3%3],
			Max:        int(choice) * 3, Offset: int(choice % 7), Broad: choice&64 != 0,
		}
		view.Query.FieldsOnly = choice&128 != 0
		if capture != nil {
			plan := capture.Sparse(view)
			plan.Tree(nil)
			capture.Cards()
		}
		built := Build(Sources{Frames: []FrameAX{{Frame: Frame{ID: id}, Tree: tree}}, Capture: capture})
		for i := range built.Nodes {
			built.Nodes[i].Index = i
			if built.Nodes[i].Parent >= i {
				t.Fatalf("node %d has parent %d", i, built.Nodes[i].Parent)
			}
			if built.Nodes[i].Facts.Has(Secret) && built.Nodes[i].Value != nil {
				t.Fatalf("the value of a secret is kept")
			}
		}
		finish(t, built, view)
	})
}

// FuzzWalk feeds arbitrary answers of the walker.
func FuzzWalk(f *testing.F) {
	f.Add([]byte(`{"v":1,"cold":false,"url":"u","title":"t","nodes":[{"i":0,"role":"button","name":"B","actions":["click"],"depth":0},{"i":1,"role":"generic","actions":["click"],"depth":0}]}`), uint8(0))
	f.Add([]byte(`{"nodes":[{"i":2,"role":"row","depth":0},{"i":-1,"role":"cell","name":"a","depth":1},{"i":3,"role":"link","name":"a","actions":["click"],"depth":2}]}`), uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, choice uint8) {
		walk, err := DecodeWalk(data)
		if err != nil {
			return
		}
		view := View{Projection: []messages.Projection{messages.ProjectionSemantic, messages.ProjectionTree, messages.ProjectionFlat}[choice%3], Broad: choice&8 != 0}
		tree, selection := walk.Tree(view, Frame{ID: "f"})
		p := Project(tree, selection, Issue{Generation: 3, Prefix: "el_x_", FirstRef: 5})
		checkAnswer(t, tree, selection, p)
	})
}

func finish(t *testing.T, tree *Tree, view View) {
	Admit(tree, Policy{Broad: view.Broad})
	Context(tree)
	selection := Select(tree, view)
	checkAnswer(t, tree, selection, Project(tree, selection, Issue{Generation: 3, Prefix: "el_x_", FirstRef: 5}))
}
