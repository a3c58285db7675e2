package snapshot

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

var update = flag.Bool("update", false, "write the golden files anew")

// readSources reads one recorded page.
func readSources(t testing.TB, name string) Sources {
	t.Helper()
	read := func(kind string) []byte {
		data, err := os.ReadFile(filepath.Join("testdata", name+"."+kind+".json"))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	ax, err := DecodeAX(read("ax"))
	if err != nil {
		t.Fatal(err)
	}
	capture, err := DecodeCapture(read("dom"))
	if err != nil {
		t.Fatal(err)
	}
	frame := Frame{ID: capture.Strings[capture.Documents[0].Frame], World: "w"}
	return Sources{Frames: []FrameAX{{Frame: frame, Tree: ax}}, Capture: capture}
}

// prepared is the tree of a recorded page with everything admitted registered.
func prepared(t testing.TB, name string, policy Policy) *Tree {
	t.Helper()
	tree := Build(readSources(t, name))
	Admit(tree, policy)
	Context(tree)
	for i := range tree.Nodes {
		tree.Nodes[i].Index = i
	}
	return tree
}

var recordedPages = []string{"cards", "context", "form", "hidden", "pickers", "shadow"}

// The golden files show a whole page in each projection, so that a change of any
// rule is seen in what a caller gets.
func TestGoldenR44R59RecordedPages(t *testing.T) {
	for _, name := range recordedPages {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			for _, policy := range []Policy{{}, {Broad: true}} {
				for _, projection := range []messages.Projection{messages.ProjectionTree, messages.ProjectionSemantic} {
					if policy.Broad && projection == messages.ProjectionSemantic {
						continue
					}
					tree := prepared(t, name, policy)
					selection := Select(tree, View{Mode: messages.ModeFull, Projection: projection, Max: 256, Broad: policy.Broad})
					projected := Project(tree, selection, Issue{Generation: 1, Prefix: "el_", FirstRef: 1})
					out.WriteString("== " + string(projection))
					if policy.Broad {
						out.WriteString(" broad")
					}
					out.WriteString("\n" + projected.Text)
					for i := range projected.Nodes {
						line, err := json.Marshal(projected.Nodes[i])
						if err != nil {
							t.Fatal(err)
						}
						out.Write(line)
						out.WriteByte('\n')
					}
				}
			}
			path := filepath.Join("testdata", name+".golden")
			if *update {
				if err := os.WriteFile(path, []byte(out.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if out.String() != string(want) {
				t.Errorf("%s differs; run with -update and look at the change:\n%s", path, out.String())
			}
		})
	}
}
