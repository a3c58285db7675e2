package snapshot_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/troupe-browser/troupe/fixtures"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// walked is the answer of troupe.snap.
type walked struct {
	Cold      bool
	URL       string
	Title     string
	Mode      string
	Compacted bool `json:"auto_compacted"`
	Truncated bool
	Next      *int `json:"next_node_offset"`
	Total     *int
	Frames    int
	Unseen    []messages.Unseen
	Nodes     []walkedNode
}

type walkedNode struct {
	I           int
	Role        string
	Name        string
	Tag         string
	Type        string
	Actions     []messages.Action
	Value       *string
	Secret      bool
	Label       string
	Placeholder string
	Description string
	URL         string
	Options     []string
	Required    *bool
	Disabled    *bool
	Readonly    *bool
	Invalid     *bool
	Checked     messages.Checked
	Expanded    *bool
	Selected    *bool
	Pressed     messages.Checked
	Level       int
	Hint        string
	Depth       int
	Group       string
	Section     string
}

// warm makes the browser keep its accessibility tree, as the runtime does before a walk.
func (r *rig) warm() {
	r.t.Helper()
	r.call(r.page, "Accessibility.getRootAXNode", nil, nil)
}

func (r *rig) snap(options string) (out walked) {
	r.t.Helper()
	r.warm()
	r.ours(&out, "troupe.snap({warm_limit_ms:500,%s})", options)
	return out
}

// tree reads the page with the other collector.
func (r *rig) tree() *snapshot.Tree {
	r.t.Helper()
	type frameTree struct {
		Frame struct{ ID, URL, SecurityOrigin string }
		Kids  []json.RawMessage `json:"childFrames"`
	}
	var reply struct{ FrameTree frameTree }
	r.call(r.page, "Page.getFrameTree", nil, &reply)
	origin := reply.FrameTree.Frame.SecurityOrigin
	sources := snapshot.Sources{Skipped: map[string]string{}}
	var visit func(f *frameTree)
	visit = func(f *frameTree) {
		// A document without an address of its own has the origin of its parent.
		if f.Frame.SecurityOrigin != origin && !strings.HasPrefix(f.Frame.URL, "about:") {
			sources.Skipped[f.Frame.ID] = "cross_origin"
			return
		}
		if len(sources.Frames) > messages.FramesMax {
			sources.Skipped[f.Frame.ID] = "limit"
			return
		}
		var raw json.RawMessage
		r.call(r.page, "Accessibility.getFullAXTree", map[string]any{"frameId": f.Frame.ID}, &raw)
		tree, err := snapshot.DecodeAX(raw)
		if err != nil {
			r.t.Fatal(err)
		}
		sources.Frames = append(sources.Frames, snapshot.FrameAX{Frame: snapshot.Frame{ID: f.Frame.ID}, Tree: tree})
		for _, raw := range f.Kids {
			var child frameTree
			if err := json.Unmarshal(raw, &child); err != nil {
				r.t.Fatal(err)
			}
			visit(&child)
		}
	}
	visit(&reply.FrameTree)
	var raw json.RawMessage
	r.call(r.page, "DOMSnapshot.captureSnapshot", map[string]any{"computedStyles": snapshot.CaptureStyles}, &raw)
	capture, err := snapshot.DecodeCapture(raw)
	if err != nil {
		r.t.Fatal(err)
	}
	sources.Capture = capture
	tree := snapshot.Build(sources)
	snapshot.Admit(tree, snapshot.Policy{})
	snapshot.Context(tree)
	return tree
}

// line is what both collectors must agree on about one node.
func (n *walkedNode) line() string {
	placeholder := n.Placeholder
	if placeholder == n.Name {
		placeholder = ""
	}
	return line(n.Role, n.Name, n.Value, n.Actions, n.Depth, n.Label, n.Group, n.Section, placeholder, n.Description, n.Options,
		fmt.Sprint(state4(n.Required), state4(n.Disabled), state4(n.Readonly), state4(n.Invalid), state4(n.Expanded), state4(n.Selected), n.Checked, n.Pressed, n.Level))
}

func lineOf(n *snapshot.Node, depth int) string {
	description, placeholder := n.Description, n.Placeholder
	if description == n.Name || description == placeholder {
		description = ""
	}
	if placeholder == n.Name {
		placeholder = ""
	}
	return line(n.Role, n.Name, n.Value, n.Actions, depth, n.Label, n.Group, n.Section, placeholder, description, n.Options,
		fmt.Sprint(state4(n.Required), state4(n.Disabled), state4(n.Readonly), state4(n.Invalid), state4(n.Expanded), state4(n.Selected), n.Checked, n.Pressed, n.Level))
}

func line(role, name string, value *string, actions []messages.Action, depth int, label, group, section, placeholder, description string, options []string, states string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s %q", strings.Repeat(" ", depth), role, name)
	if value != nil && *value != "" {
		fmt.Fprintf(&b, " =%q", *value)
	}
	fmt.Fprintf(&b, " %v %s", actions, states)
	for _, field := range []struct{ what, text string }{{"label", label}, {"group", group}, {"section", section}, {"placeholder", placeholder}, {"description", description}, {"options", strings.Join(options, "|")}} {
		if field.text != "" {
			fmt.Fprintf(&b, " %s=%q", field.what, field.text)
		}
	}
	return b.String()
}

func state4(b *bool) string {
	if b == nil {
		return "-"
	}
	return fmt.Sprint(*b)
}

// compare returns the lines in which the two collectors differ, as in a diff.
func (r *rig) compare() []string {
	r.t.Helper()
	tree := r.tree()
	selection := snapshot.Select(tree, snapshot.View{Mode: messages.ModeFull, Projection: messages.ProjectionTree})
	var ax, walker []string
	for k, i := range selection.Nodes {
		ax = append(ax, lineOf(&tree.Nodes[i], selection.Depths[k]))
	}
	out := r.snap("generation:1,mode:'full',max_nodes:2000,bytes_max:1e7")
	if out.Cold {
		r.t.Fatal("cold")
	}
	for i := range out.Nodes {
		walker = append(walker, out.Nodes[i].line())
	}
	return diff(ax, walker)
}

// diff is a small line diff by longest common subsequence.
func diff(a, b []string) []string {
	long := make([][]int, len(a)+1)
	for i := range long {
		long[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				long[i][j] = long[i+1][j+1] + 1
			} else {
				long[i][j] = max(long[i+1][j], long[i][j+1])
			}
		}
	}
	var out []string
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && long[i+1][j] >= long[i][j+1]:
			out = append(out, "ax     "+a[i])
			i++
		default:
			out = append(out, "walker "+b[j])
			j++
		}
	}
	return out
}

// permitted are the differences that are meant to be there: a page, a part of a
// differing line, and the reason.
var permitted = []struct{ page, line, why string }{
	{"/aria-relations", `text "•"`, "text made by CSS is not in the DOM"},
	{"/name-sources", `image "after"`, "an image made by CSS is not in the DOM"},
	{"/media", "", "parts of the browser's own players, and mathematical letters, exist in the accessibility tree only"},
	{"/svg-chart", `Fallback button`, "the fallback inside a canvas is shown nowhere and has no place to press"},
	{"/shadow-", "", "a closed root is seen by the accessibility tree only; the walker reports a suspect and the other collector answers"},
	{"/odd-targets", "Label over its box", "the accessibility tree leaves out a check box's label"},
	{"/odd-targets", "LabelText", "the accessibility tree leaves out a check box's label"},
	{"/choice-bare", "", "the engine's clickable fact is added by the caller"},
	{"/clickable-cards", "", "the engine's clickable fact is added by the caller"},
	{"/upload-kinds", `button "In a form"`, "the tree says invalid where the page says required"},
	{"/drag-mouse", "", "the tree keeps a document that listens for pointer events as a node, and all is one level deeper"},
	{"/date-native", `Date "Read-only"`, "the tree does not tell that a date field is read-only"},
	{"/field-suggestions", `combobox "Browser"`, "the tree says of a list of suggestions that it is a popup of the page"},
	{"/field-contexts", `In a cell`, "the tree names the cell of a layout table by its text, which is then no label"},
	{"/field-contexts", `ax     textbox ""`, "the same"},
}

func isPermitted(page, line string) bool {
	for _, p := range permitted {
		if strings.HasPrefix(page, p.page) && strings.Contains(line, p.line) {
			return true
		}
	}
	return false
}

// R59, R65: both collectors see the same page.
func TestDifferential(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	server := fixtures.Serve(t)
	r := newRig(t, nil)
	pages := slices.Clone(fixtures.Pages)
	for _, page := range pages {
		if !page.Settles() || page.Has(fixtures.Large) {
			continue
		}
		t.Run(strings.TrimPrefix(page.Path, "/"), func(t *testing.T) {
			r.visit(server.URL(page.Path) + "?record=off")
			found := slices.DeleteFunc(r.compare(), func(line string) bool { return isPermitted(page.Path, line) })
			if len(found) > 0 {
				t.Errorf("%d lines differ\n%s", len(found), strings.Join(found[:min(len(found), 20)], "\n"))
			}
		})
	}
}
