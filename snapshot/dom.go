package snapshot

import (
	"strings"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
)

// CaptureStyles are the computed styles that the DOM pass asks for, in the order
// in which the capture gives them back.
var CaptureStyles = []string{"cursor", "visibility", "display", "pointer-events", "opacity", "-webkit-text-security",
	"font-size", "text-indent", "position", "left", "top", "clip", "clip-path", "overflow-x"}

// Places of the styles in CaptureStyles.
const (
	styleCursor = iota
	styleVisibility
	styleDisplay
	stylePointerEvents
	styleOpacity
	styleSecurity
	styleFontSize
	styleIndent
	stylePosition
	styleLeft
	styleTop
	styleClip
	styleClipPath
	styleOverflow
)

// Capture is the answer of DOMSnapshot.captureSnapshot, only as far as it is
// used. It serves as the DOM pass (R44): unlike DOM.getDocument it reads pages
// nested to any depth, is not fooled by a replaced document, and holds the
// engine's clickable fact. The field values that it carries are not decoded (R57).
type Capture struct {
	Documents []capturedDocument `json:"documents"`
	Strings   []string           `json:"strings"`
}

type capturedDocument struct {
	Frame int            `json:"frameId"`
	Nodes capturedNodes  `json:"nodes"`
	Boxes capturedLayout `json:"layout"`
	// place[i] is the index into Boxes of node i, plus one; 0 for no box.
	place []int32
}

type capturedNodes struct {
	Parent     []int32     `json:"parentIndex"`
	Type       []int8      `json:"nodeType"`
	ShadowType rareStrings `json:"shadowRootType"`
	Name       []int32     `json:"nodeName"`
	Text       []int32     `json:"nodeValue"`
	Backend    []int64     `json:"backendNodeId"`
	Attributes [][]int32   `json:"attributes"`
	Inner      rareInts    `json:"contentDocumentIndex"`
	Clickable  rareFlags   `json:"isClickable"`
	Selected   rareFlags   `json:"optionSelected"`
	Checked    rareFlags   `json:"inputChecked"`
	// Whole says that every node has an entry everywhere.
	Whole bool `json:"-"`
}

type rareStrings struct {
	Index []int32 `json:"index"`
	Value []int32 `json:"value"`
}

type rareInts struct {
	Index []int32 `json:"index"`
	Value []int32 `json:"value"`
}

type rareFlags struct {
	Index []int32 `json:"index"`
}

type capturedLayout struct {
	Node   []int32     `json:"nodeIndex"`
	Styles [][]int32   `json:"styles"`
	Bounds [][]float64 `json:"bounds"`
}

// DecodeCapture reads an answer of DOMSnapshot.captureSnapshot.
func DecodeCapture(data []byte) (*Capture, error) {
	var c Capture
	if err := jsonv2.Unmarshal(data, &c, jsonv2.AllowInvalidUTF8(true)); err != nil {
		return nil, err
	}
	for i := range c.Documents {
		c.Documents[i].Nodes.normalize()
	}
	return &c, nil
}

// normalize makes every array as long as the shortest of the four that each node
// has an entry in, and every parent precede its children, so that nothing after
// it needs to check.
func (n *capturedNodes) normalize() {
	size := min(len(n.Backend), len(n.Parent), len(n.Type), len(n.Name))
	n.Whole = size == len(n.Backend) && size == len(n.Parent) && size == len(n.Type) && size == len(n.Attributes)
	n.Backend, n.Parent, n.Type, n.Name = n.Backend[:size], n.Parent[:size], n.Type[:size], n.Name[:size]
	for len(n.Text) < size {
		n.Text = append(n.Text, -1)
	}
	for i, up := range n.Parent {
		if up < -1 || int(up) >= i {
			n.Parent[i] = -1
		}
	}
}

// place names one node of a capture.
type place struct{ document, node int32 }

// none is the place of what the capture does not hold.
var none = place{-1, -1}

// index is a capture made ready for look-ups.
type index struct {
	*Capture
	at     map[int64]place
	shadow []map[int32]Shadow           // per document: shadow root node -> kind
	click  []map[int32]bool             // per document
	inner  []map[int32]int32            // per document: frame element -> document
	owner  []place                      // per document: its frame element
	frames map[string]int32             // frame id -> document
	kids   []func(node int32) []int32   // per document, made when first asked
	ids    []map[idInRoot]int32         // per document: id attribute -> node, made when first asked
	roots  [][]int32                    // per document: host of the shadow tree that a node is in, -1 for none, made with ids
	byTag  map[int32]map[string][]int32 // per document, only of the tags that are looked up
}

func newIndex(c *Capture) *index {
	x := &index{Capture: c, at: map[int64]place{}, frames: map[string]int32{}, byTag: map[int32]map[string][]int32{}}
	n := len(c.Documents)
	x.shadow, x.click = make([]map[int32]Shadow, n), make([]map[int32]bool, n)
	x.inner, x.owner = make([]map[int32]int32, n), make([]place, n)
	x.kids, x.ids, x.roots = make([]func(int32) []int32, n), make([]map[idInRoot]int32, n), make([][]int32, n)
	for d := range x.owner {
		x.owner[d] = none
	}
	for d := range c.Documents {
		doc := &c.Documents[d]
		x.frames[x.str(int32(doc.Frame))] = int32(d)
		for i, backend := range doc.Nodes.Backend {
			x.at[backend] = place{int32(d), int32(i)}
		}
		x.shadow[d] = map[int32]Shadow{}
		for k, node := range doc.Nodes.ShadowType.Index {
			if k < len(doc.Nodes.ShadowType.Value) {
				x.shadow[d][node] = shadowKind(x.str(doc.Nodes.ShadowType.Value[k]))
			}
		}
		x.click[d] = map[int32]bool{}
		for _, node := range doc.Nodes.Clickable.Index {
			x.click[d][node] = true
		}
		x.inner[d] = map[int32]int32{}
		for k, node := range doc.Nodes.Inner.Index {
			if k < len(doc.Nodes.Inner.Value) && int(doc.Nodes.Inner.Value[k]) < n && doc.Nodes.Inner.Value[k] >= 0 {
				x.inner[d][node] = doc.Nodes.Inner.Value[k]
				x.owner[doc.Nodes.Inner.Value[k]] = place{int32(d), node}
			}
		}
		doc.place = make([]int32, len(doc.Nodes.Backend))
		for k, node := range doc.Boxes.Node {
			if node >= 0 && int(node) < len(doc.place) && doc.place[node] == 0 {
				doc.place[node] = int32(k) + 1
			}
		}
	}
	return x
}

func shadowKind(name string) Shadow {
	switch name {
	case "open":
		return OpenRoot
	case "closed":
		return ClosedRoot
	case "user-agent":
		return BrowserRoot
	}
	return LightTree
}

// find is the place of a backend id, none where the capture does not hold it.
func (x *index) find(backend int64) (p place, indexed bool) {
	if p, indexed = x.at[backend]; !indexed {
		return none, false
	}
	return p, true
}

func (x *index) str(i int32) string {
	if i < 0 || int(i) >= len(x.Strings) {
		return ""
	}
	return x.Strings[i]
}

func (x *index) parent(p place) place {
	parents := x.Documents[p.document].Nodes.Parent
	if int(p.node) >= len(parents) || parents[p.node] < 0 || parents[p.node] >= p.node {
		return none
	}
	return place{p.document, parents[p.node]}
}

// before is the element before another one in its parent, or none.
func (x *index) before(p place) place {
	up := x.parent(p)
	if up == none {
		return none
	}
	parents := x.Documents[p.document].Nodes.Parent
	for i := p.node - 1; i > up.node; i-- {
		if at := (place{p.document, i}); parents[i] == up.node && x.isElement(at) {
			return at
		}
	}
	return none
}

func (x *index) isElement(p place) bool {
	types := x.Documents[p.document].Nodes.Type
	return int(p.node) < len(types) && types[p.node] == 1
}

// tag is the element's name in lower case. HTML names arrive in upper case, and
// those of other namespaces as they are written.
func (x *index) tag(p place) string {
	if p == none || !x.isElement(p) {
		return ""
	}
	names := x.Documents[p.document].Nodes.Name
	if int(p.node) >= len(names) {
		return ""
	}
	return strings.ToLower(x.str(names[p.node]))
}

// attr returns an attribute and whether it is there.
func (x *index) attr(p place, name string) (string, bool) {
	all := x.Documents[p.document].Nodes.Attributes
	if int(p.node) >= len(all) {
		return "", false
	}
	pairs := all[p.node]
	for i := 0; i+1 < len(pairs); i += 2 {
		if x.str(pairs[i]) == name {
			return x.str(pairs[i+1]), true
		}
	}
	return "", false
}

func (x *index) hasAttr(p place, name string) bool {
	_, ok := x.attr(p, name)
	return ok
}

func (x *index) attrText(p place, name string) string {
	value, _ := x.attr(p, name)
	return value
}

func (x *index) style(p place, which int) string {
	doc := &x.Documents[p.document]
	if int(p.node) >= len(doc.place) || doc.place[p.node] == 0 {
		return ""
	}
	k := int(doc.place[p.node]) - 1
	if k >= len(doc.Boxes.Styles) || which >= len(doc.Boxes.Styles[k]) {
		return ""
	}
	return x.str(doc.Boxes.Styles[k][which])
}

// box returns width and height of the element's box, and whether it has one.
func (x *index) box(p place) (width, height float64, ok bool) {
	doc := &x.Documents[p.document]
	if int(p.node) >= len(doc.place) || doc.place[p.node] == 0 {
		return 0, 0, false
	}
	k := int(doc.place[p.node]) - 1
	if k >= len(doc.Boxes.Bounds) || len(doc.Boxes.Bounds[k]) < 4 {
		return 0, 0, false
	}
	b := doc.Boxes.Bounds[k]
	return b[2], b[3], true
}

// textOf is the text below a node, with spaces between its pieces.
func (x *index) textOf(p place) string { return Squeeze(x.joinedText(p, " ")) }

// joinedText joins the text nodes below a node, at most textNodesMax of them.
func (x *index) joinedText(p place, between string) string {
	doc := &x.Documents[p.document]
	var b strings.Builder
	inside := map[int32]bool{p.node: true}
	found := 0
	// A capture is in document order, so a subtree is one run of indices.
	for i := p.node + 1; int(i) < len(doc.Nodes.Parent) && found < textNodesMax; i++ {
		if !inside[doc.Nodes.Parent[i]] {
			break
		}
		inside[i] = true
		if doc.Nodes.Type[i] == 3 && int(i) < len(doc.Nodes.Text) {
			b.WriteString(x.str(doc.Nodes.Text[i]))
			b.WriteString(between)
			found++
		}
	}
	return b.String()
}

// textNodesMax bounds the text nodes read for one label; the rest is left out.
const textNodesMax = 64

// tagged lists the elements of one tag in a document.
func (x *index) tagged(document int32, tag string) []int32 {
	if byTag := x.byTag[document]; byTag != nil {
		return byTag[tag]
	}
	byTag := map[string][]int32{}
	for i := range x.Documents[document].Nodes.Backend {
		switch name := x.tag(place{document, int32(i)}); name {
		case "label", "input", "iframe", "frame", "option":
			byTag[name] = append(byTag[name], int32(i))
		}
	}
	x.byTag[document] = byTag
	return byTag[tag]
}

// idInRoot is an id attribute in the document (root is -1) or in the shadow tree of the
// host that root names. The capture says of a node that it is in a shadow tree and not in
// which, so one inside another of its kind is not told apart.
type idInRoot struct {
	root int32
	id   string
}

// byID finds the element with an id in the tree scope of another one: in its shadow
// root, or in the document outside of all of them; the first in document order.
func (x *index) byID(from place, id string) place {
	if id == "" {
		return none
	}
	document := from.document
	if x.ids[document] == nil {
		nodes := &x.Documents[document].Nodes
		roots := make([]int32, len(nodes.Parent))
		ids := map[idInRoot]int32{}
		for i, up := range nodes.Parent {
			roots[i] = -1
			kind, inside := x.shadow[document][int32(i)]
			if inside && up >= 0 && x.shadow[document][up] == kind {
				roots[i] = roots[up]
			} else if inside {
				roots[i] = up
			}
			if v, ok := x.attr(place{document, int32(i)}, "id"); ok {
				key := idInRoot{roots[i], v}
				if _, twice := ids[key]; !twice {
					ids[key] = int32(i)
				}
			}
		}
		x.ids[document], x.roots[document] = ids, roots
	}
	if int(from.node) >= len(x.roots[document]) {
		return none
	}
	if node, ok := x.ids[document][idInRoot{x.roots[document][from.node], id}]; ok {
		return place{document, node}
	}
	return none
}
