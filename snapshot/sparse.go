package snapshot

import (
	"strconv"
	"strings"

	"github.com/troupe-browser/troupe/messages"
)

// Sizes of a page, in nodes of its DOM capture, from which the accessibility tree
// is not read as a whole. Only what the window can need is then asked for, node by
// node. From SparseNodes on the whole would take seconds and tens of megabytes;
// from SparseNodesCompact on it pays where the window shows controls only.
const (
	SparseNodes        = 12000
	SparseNodesCompact = 1500
)

// Size is the number of nodes of all documents of a capture.
func (c *Capture) Size() int {
	total := 0
	for i := range c.Documents {
		total += len(c.Documents[i].Nodes.Backend)
	}
	return total
}

// Sparse is a plan to read a large page: the elements of the main document whose
// accessibility nodes are needed, in document order.
type Sparse struct {
	// Backends are the nodes to ask for.
	Backends []int64
	// Cut says that the page holds more than was planned for.
	Cut bool
	// Compact says that only controls and their context were planned for, so that
	// nothing else may be shown.
	Compact bool

	root  int64
	items []sparseItem
}

// sparseItem is a planned element (ask is its place in Backends), a text, or a
// block that only parts texts (ask is -1 for both).
type sparseItem struct {
	parent  int // of the nearest item above, -1 for none
	ask     int
	text    string
	backend int64
}

// sparseSlack is how many controls more than the window holds are asked for,
// since some of them turn out to be hidden.
const sparseSlack = 64

// Sparse plans the reading of a large page for a view. Where the view can only
// show what can be operated, it ends soon after the window; else it goes on to
// the horizon of a search (R49).
func (c *Capture) Sparse(v View) *Sparse {
	v = defaults(v)
	plan := &Sparse{}
	if len(c.Documents) == 0 || len(c.Documents[0].Nodes.Backend) == 0 {
		return plan
	}
	x := newIndex(c)
	plan.Compact = plan.compacts(x, v)
	nodes := &c.Documents[0].Nodes
	plan.root = nodes.Backend[0]
	scope := x.scopesOf(0)
	var cards map[int64]bool
	if c.whole() {
		cards = x.cards(0)
	}
	above := make([]int, len(nodes.Backend)) // the item at or above, plus one
	hidden := make([]bool, len(nodes.Backend))
	controls, counted := 0, 0
	for i := range nodes.Backend {
		p := place{0, int32(i)}
		if up := x.parent(p); up != none {
			above[i], hidden[i] = above[up.node], hidden[up.node]
		}
		hidden[i] = hidden[i] || x.attrText(p, "aria-hidden") == "true" || x.hasAttr(p, "inert")
		item := sparseItem{parent: above[i] - 1, ask: -1, backend: nodes.Backend[i]}
		switch {
		case hidden[i] || scope.shadow[i] == BrowserRoot || c.Documents[0].place[i] == 0:
			continue
		case nodes.Type[i] == 3:
			if item.text = x.str(nodes.Text[i]); strings.TrimSpace(item.text) == "" {
				continue
			}
		case x.isElement(p):
			control := x.operable(p, v.Broad) || cards[nodes.Backend[i]]
			above[i] = len(plan.items) + 1
			if control {
				controls++
			}
			if control || x.context(p, !plan.Compact) {
				item.ask = len(plan.Backends)
				plan.Backends = append(plan.Backends, nodes.Backend[i])
				break
			}
			plan.items = append(plan.items, item)
			continue
		default:
			continue
		}
		plan.items = append(plan.items, item)
		if counted++; counted >= messages.QueryHorizonNodes || plan.Compact && controls >= v.Offset+v.Max+sparseSlack {
			plan.Cut = true
			break
		}
	}
	return plan
}

// compacts reports whether a view of the page can only show controls: it was asked
// for, or the texts of the page alone are too many for auto to show (R46).
func (s *Sparse) compacts(x *index, v View) bool {
	if v.Mode == messages.ModeFull || !v.Query.Empty() || v.Projection == messages.ProjectionTree {
		return false
	}
	if v.Mode == messages.ModeInteractive {
		return true
	}
	doc := &x.Documents[0]
	texts := 0
	for i, kind := range doc.Nodes.Type {
		if kind == 3 && doc.place[i] != 0 && strings.TrimSpace(x.str(doc.Nodes.Text[i])) != "" {
			texts++
		}
	}
	return texts > messages.SnapshotNodesDefault
}

// operable guesses from the DOM that an element is a control, or clickable under
// the broad policy.
func (x *index) operable(p place, broad bool) bool {
	if broad && (x.click[p.document][p.node] || x.style(p, styleCursor) == "pointer") {
		return true
	}
	switch x.tag(p) {
	case "button", "input", "select", "textarea", "summary", "label":
		return true
	case "a", "area":
		_, link := x.attr(p, "href")
		return link
	}
	for _, name := range []string{"tabindex", "contenteditable", "draggable"} {
		if _, ok := x.attr(p, name); ok {
			return true
		}
	}
	return controlRoles[x.attrText(p, "role")]
}

// contextTags give controls their group and section, or are frames.
var contextTags = roles("h1 h2 h3 h4 h5 h6 fieldset form section article nav main header footer aside dialog table iframe figure")

// context reports whether an element can give context, or, where everything is
// asked for, can be listed itself.
func (x *index) context(p place, everything bool) bool {
	tag := x.tag(p)
	if contextTags[tag] {
		return true
	}
	for _, name := range []string{"role", "aria-label", "aria-labelledby"} {
		if _, ok := x.attr(p, name); ok {
			return true
		}
	}
	return everything && tag != "div" && !inlineTags[tag] && tag != "html" && tag != "body"
}

// Tree makes the accessibility tree of the planned nodes from the answers, one
// for each of Backends, nil where there was none.
func (s *Sparse) Tree(answers []*AXTree) *AXTree {
	tree := &AXTree{Nodes: make([]axNode, 1, len(s.items)+1)}
	tree.Nodes[0] = axNode{ID: "root", Backend: s.root, Role: axText("RootWebArea")}
	at := make([]int, len(s.items)) // place of an item's node in the tree
	for k, item := range s.items {
		node := axNode{Ignored: true}
		if item.text != "" {
			node = axNode{Role: axText("StaticText"), Name: axText(item.text)}
		}
		if item.ask >= 0 && item.ask < len(answers) {
			if found := answers[item.ask].of(item.backend); found != nil {
				node = *found
			}
		}
		node.ID, node.Backend, node.Children = "s"+strconv.Itoa(k), item.backend, nil
		at[k] = len(tree.Nodes)
		tree.Nodes = append(tree.Nodes, node)
		parent := 0
		if item.parent >= 0 {
			parent = at[item.parent]
		}
		tree.Nodes[parent].Children = append(tree.Nodes[parent].Children, node.ID)
	}
	return tree
}

// of finds the node of a backend id.
func (a *AXTree) of(backend int64) *axNode {
	if a == nil {
		return nil
	}
	for i := range a.Nodes {
		if a.Nodes[i].Backend == backend {
			return &a.Nodes[i]
		}
	}
	return nil
}

func axText(text string) axValue { return axValue{Value: quoteJSON(text)} }
