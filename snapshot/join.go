package snapshot

import (
	"regexp"
	"strings"
)

// FrameAX is the accessibility tree of one frame.
type FrameAX struct {
	Frame Frame
	Tree  *AXTree
}

// Sources is what the collector ax read of a page. Frames begins with the main
// frame. Skipped gives the reason for each frame that was left out. Capture is
// nil when the DOM could not be read.
type Sources struct {
	Frames  []FrameAX
	Capture *Capture
	Skipped map[string]string
	// Cut says that the sources do not hold the whole page, and Compact that they
	// hold only controls and their context.
	Cut, Compact bool
	// Scope is the backend id of the element whose subtree is wanted, 0 for all (R54).
	Scope int64
}

// joiner builds a tree from an accessibility tree and a DOM capture.
type joiner struct {
	x      *index
	main   int32
	scopes []scopes
	tree   *Tree
	trees  map[string]*axForest
	skip   map[string]string
	shown  map[int64]*axNode // what the accessibility tree shows, by backend id
	texts  texts
	cards  map[int64]bool
	wanted place
	sights map[place]sight // of elements with text, once it was asked for
	blocks int             // counts block boundaries
}

// axForest is one frame's accessibility tree ready for a walk.
type axForest struct {
	frame int
	nodes []axNode
	byID  map[string]int32
	// walked guards against an answer that names a node twice.
	walked []bool
}

// around is what a walk hands down to the nodes below.
type around struct {
	parent int
	frame  int
	// named: an ancestor already gives this text as its name or value.
	named bool
	// valued: it does so as the value of a combobox.
	valued bool
	// label is the name of the control whose label this is inside; the text of it
	// is not repeated.
	label string
	// block is the innermost block box, so that text is joined only inside one.
	block int
	// paragraph is the innermost one, by backend id.
	paragraph int64
	// outside: not yet inside the wanted subtree.
	outside bool
	// owner is the native control whose parts these are, none outside.
	owner place
	// ownerShown: that control has a node.
	ownerShown bool
	depth      int
}

// walkDepthMax bounds the recursion of a walk; what is deeper is reported as unseen.
const walkDepthMax = 2048

// Build joins what the collector ax read into a tree (R44).
func Build(s Sources) *Tree {
	j := &joiner{tree: &Tree{Indexed: s.Capture != nil, Truncated: s.Cut, Compact: s.Compact}, trees: map[string]*axForest{}, skip: s.Skipped, shown: map[int64]*axNode{}, sights: map[place]sight{}}
	if s.Capture == nil {
		s.Capture = &Capture{}
	}
	j.x = newIndex(s.Capture)
	j.scopes = make([]scopes, len(s.Capture.Documents))
	j.tree.Framed = len(s.Frames) > 1 || len(s.Skipped) > 0
	for i, f := range s.Frames {
		f.Frame.Root = f.Tree.Root()
		j.tree.Frames = append(j.tree.Frames, f.Frame)
		forest := &axForest{frame: i, nodes: f.Tree.Nodes, byID: make(map[string]int32, len(f.Tree.Nodes)), walked: make([]bool, len(f.Tree.Nodes))}
		for k := range forest.nodes {
			forest.byID[forest.nodes[k].ID] = int32(k)
			if !forest.nodes[k].Ignored && forest.nodes[k].Backend != 0 {
				j.shown[forest.nodes[k].Backend] = &forest.nodes[k]
			}
		}
		j.trees[f.Frame.ID] = forest
	}
	if len(s.Frames) == 0 || len(s.Frames[0].Tree.Nodes) == 0 {
		return j.tree
	}
	main := j.trees[s.Frames[0].Frame.ID]
	if document, ok := j.x.frames[s.Frames[0].Frame.ID]; ok {
		j.main = document
		if j.x.whole() {
			j.cards = j.x.cards(document)
		}
	}
	j.wanted = none
	if s.Scope != 0 {
		if p, ok := j.x.at[s.Scope]; ok {
			j.wanted = p
		}
	}
	j.walk(main, 0, around{parent: -1, owner: none, outside: s.Scope != 0})
	j.texts.flush(j.tree)
	j.hiddenFiles(s.Frames, s.Scope != 0)
	return j.tree
}

// walk adds an AX node and what is below it.
func (j *joiner) walk(forest *axForest, at int32, up around) {
	if up.depth++; up.depth > walkDepthMax {
		j.tree.AddUnseen("nodes", "depth", 1)
		j.tree.Truncated = true
		return
	}
	if forest.walked[at] {
		return
	}
	forest.walked[at] = true
	raw := &forest.nodes[at]
	up.frame = forest.frame
	p, indexed := j.x.find(raw.Backend)
	if n := j.x.tag(p); n == "::marker" || raw.Role.text() == "DisclosureTriangle" && j.browserMade(p) {
		return // The sign of a list item, and what stands for a summary that the page has not.
	}
	j.boundary(p, &up)
	if up.outside && indexed && j.inScope(p) {
		up.outside = false
	}
	if raw.Ignored {
		j.ignored(forest, p, raw, &up)
		j.children(forest, raw, up)
		return
	}
	n := raw.node()
	n.Frame = forest.frame
	switch n.Role {
	case "InlineTextBox", "ListMarker":
		return
	case "LineBreak":
		j.blocks++
		return
	case TextRole:
		j.piece(raw, p, up)
		return
	}
	if raw.Backend == 0 && n.Role == "image" {
		j.text(n.Name, up) // A picture by CSS, with the text that stands for it.
		return
	}
	if indexed {
		j.describe(&n, p)
		j.drawnValue(forest, raw, &n, p)
		if !up.outside {
			j.edge(raw, &n, p)
		}
	} else if j.tree.Indexed {
		n.Shadow = BrowserRoot // What the capture leaves out are parts of the browser's own.
	}
	if n.Shadow == BrowserRoot && up.owner != none {
		j.part(&n, &up)
		if up.ownerShown {
			return
		}
	}
	next := up
	if !up.outside && keeps(&n) {
		n.Parent, n.paragraph = up.parent, up.paragraph
		j.add(n)
		next.parent = len(j.tree.Nodes) - 1
	}
	next.named, next.valued = j.namedInside(&n, &up)
	if n.Tag == "label" {
		next.label = j.labelled(p)
	}
	j.enter(forest, raw, &n, p, next)
}

// browserMade reports whether a node is in a shadow tree of the browser's own, which the
// capture may leave out.
func (j *joiner) browserMade(p place) bool {
	if p == none {
		return j.tree.Indexed
	}
	shadow, _ := j.scope(p)
	return shadow == BrowserRoot
}

// edge notes the documents that are shown where nothing of ours reaches, and that a
// modal dialog shuts off the rest of its document.
func (j *joiner) edge(raw *axNode, n *Node, p place) {
	switch {
	case n.Role == "LayoutTableCell" && !j.x.hasAttr(p, "aria-label") && !j.x.hasAttr(p, "aria-labelledby") && !j.x.hasAttr(p, "title"):
		n.Name = "" // The engine names it by the text inside, which stands there.
	case n.Tag == "object" && n.Role == "PluginObject" && raw.says("disabled"):
		n.Role = "generic" // It did not load, and what stands in its place is shown.
	case n.Tag == "object" && n.Role == "PluginObject":
		j.tree.AddUnseen("frame", "object", 1)
	case n.Tag == "embed" && !pictureAddress.MatchString(j.x.attrText(p, "src")) && !strings.HasPrefix(strings.ToLower(j.x.attrText(p, "type")), "image/"):
		j.tree.AddUnseen("frame", "embed", 1)
	case n.Tag == "dialog" && raw.says("modal") && !j.x.hasAttr(p, "aria-modal"):
		j.tree.AddUnseen("document", "modal_dialog", 1)
	}
}

// pictureAddress tells that an embed element shows a picture.
var pictureAddress = regexp.MustCompile(`(?i)^data:image/|\.(?:avif|bmp|gif|jpe?g|png|webp)(?:[?#]|$)`)

// ignored notes what a node that the tree leaves out means for what is below it: a
// native control whose parts may be shown alone, or a label.
func (j *joiner) ignored(forest *axForest, p place, raw *axNode, up *around) {
	tag := j.x.tag(p)
	if nativeOwner[tag] {
		up.owner, up.ownerShown = p, false
	}
	if tag == "label" && up.valued {
		up.named, up.valued = false, false
	}
	if tag != "label" || up.outside || !j.x.seen(p) || j.x.hiddenByARIA(p) {
		return
	}
	switch {
	case j.labelsHidden(p):
		// The tree leaves it out, because its text is the name of a control; but it is
		// what a person clicks.
		label := Node{Parent: up.parent, Frame: up.frame, Backend: raw.Backend, Index: -1, Role: "LabelText", Disabled: j.disabledByDOM(p)}
		j.describe(&label, p)
		j.add(label)
		up.parent = len(j.tree.Nodes) - 1
		j.text(j.x.shownText(p), *up)
	case j.controlOf(p) == none && j.chosen(forest, raw) != nil:
		// A label of nothing, whose text the tree has.
	case j.shown[j.x.backend(j.controlOf(p))] == nil:
		j.text(j.x.shownText(p), *up) // The tree leaves its text out, and that is on show.
	default:
		up.label = j.labelled(p)
	}
}

// hiddenByARIA reports whether an element, or something around it, is hidden from
// everybody but the eye.
func (x *index) hiddenByARIA(p place) bool {
	for at := p; at != none; at = x.parent(at) {
		if x.attrText(at, "aria-hidden") == "true" || x.hasAttr(at, "inert") {
			return true
		}
	}
	return false
}

// inScope reports whether a node is in the wanted subtree, frames inside it
// included.
func (j *joiner) inScope(p place) bool {
	for at := p; j.wanted != none && at != none; {
		if at == j.wanted {
			return true
		}
		up := j.x.parent(at)
		if up == none {
			up = j.x.owner[at.document]
		}
		at = up
	}
	return false
}

// enter adds what is inside a node: the document of a frame, the options of a
// native select as its choices, else its children.
func (j *joiner) enter(forest *axForest, raw *axNode, n *Node, p place, next around) {
	if n.Role == "Iframe" || n.Role == "IframePresentational" {
		j.frame(p, next)
		return
	}
	if n.Tag == "select" && next.parent >= 0 {
		j.options(p, next.parent)
		return
	}
	if n.Tag == "input" || n.Tag == "textarea" {
		next.owner, next.ownerShown = p, true
	}
	j.children(forest, raw, next)
}

// nativeOwner are the elements whose private parts are never given alone.
var nativeOwner = roles("input select textarea")

// keeps reports whether a node stands for something: a container without a name
// and without a fact that could matter is left out, its children move up.
func keeps(n *Node) bool {
	const matters = EditingHost | Draggable | Tabbable | LabelOfHidden | Card
	if n.Facts&matters != 0 {
		return true
	}
	if n.Role == "RootWebArea" {
		return false // Also with listeners of its own.
	}
	if n.Tag != "label" && n.Facts&(Clickable|OwnPointer) != 0 {
		return true
	}
	if inlineRoles[n.Role] {
		return false
	}
	return !emptyRoles[n.Role] || n.Name != ""
}

func (j *joiner) children(forest *axForest, raw *axNode, up around) {
	for _, id := range raw.Children {
		if child, ok := forest.byID[id]; ok {
			j.walk(forest, child, up)
		} else {
			// The depth limit of the read cut it off (R50).
			j.tree.Truncated = true
		}
	}
}

// part handles a private part of a native control: where the tree shows only
// parts, one node for their owner goes before the first (R64).
func (j *joiner) part(n *Node, up *around) {
	if up.outside || up.ownerShown || j.shown[j.x.backend(up.owner)] != nil {
		return
	}
	owner := Node{Parent: up.parent, Frame: up.frame, Backend: j.x.backend(up.owner), Index: -1}
	j.describe(&owner, up.owner)
	owner.Facts |= Promoted
	owner.Role = ownerRole(&owner, n.Role)
	owner.Name = j.nameByDOM(up.owner)
	owner.Disabled = j.flagByDOM(up.owner, "disabled")
	owner.Readonly = j.flagByDOM(up.owner, "readonly")
	if value, ok := j.x.attr(up.owner, "value"); ok && !owner.Facts.Has(Secret) {
		value = Squeeze(value)
		owner.Value = &value
	}
	j.shown[owner.Backend] = &axNode{}
	j.add(owner)
}

// add appends a node behind the text before it.
func (j *joiner) add(n Node) {
	j.texts.flush(j.tree)
	j.tree.Nodes = append(j.tree.Nodes, n)
}

// ownerRole is the role of a control that has no node of its own.
func ownerRole(owner *Node, part string) string {
	switch owner.InputType {
	case "date":
		return "Date"
	case "time":
		return "InputTime"
	case "month", "week", "datetime-local":
		return "DateTime"
	case "color":
		return "ColorWell"
	case "number":
		return "spinbutton"
	case "range":
		return "slider"
	case "checkbox", "radio":
		return owner.InputType
	case "search":
		return "searchbox"
	case "file", "button", "submit", "reset", "image":
		return "button"
	}
	if owner.Tag == "select" {
		return "combobox"
	}
	if owner.Tag == "textarea" || owner.Tag == "input" {
		return "textbox"
	}
	return part
}

func (j *joiner) flagByDOM(p place, name string) *bool {
	if _, ok := j.x.attr(p, name); ok {
		on := true
		return &on
	}
	return nil // A missing attribute is unknown, not off (R64).
}

func (x *index) backend(p place) int64 {
	if p == none {
		return 0
	}
	return x.Documents[p.document].Nodes.Backend[p.node]
}

// frame adds the document inside a frame element.
func (j *joiner) frame(p place, up around) {
	if p == none {
		j.tree.AddUnseen("frame", "cross_origin", 1)
		return
	}
	document, ok := j.x.inner[p.document][p.node]
	if !ok {
		j.tree.AddUnseen("frame", j.x.blockedBy(p), 1)
		return
	}
	id := j.x.str(int32(j.x.Documents[document].Frame))
	forest := j.trees[id]
	if forest == nil || len(forest.nodes) == 0 {
		reason := j.skip[id]
		if reason == "" {
			reason = "cross_origin"
		}
		j.tree.AddUnseen("frame", reason, 1)
		return
	}
	up.named, up.valued, up.label = false, false, ""
	j.walk(forest, 0, up)
}

// blockedBy is the reason for a frame element without a readable document.
func (x *index) blockedBy(p place) string {
	if words, ok := x.attr(p, "sandbox"); ok && !roles(words)["allow-same-origin"] {
		return "sandboxed"
	}
	return "cross_origin"
}

// hiddenFiles adds the file inputs that nobody can see, because pages upload
// through them (R227). They come last, in document order.
func (j *joiner) hiddenFiles(frames []FrameAX, scoped bool) {
	for i := range frames {
		document, ok := j.x.frames[frames[i].Frame.ID]
		if !ok {
			continue
		}
		for _, node := range j.x.tagged(document, "input") {
			p := place{document, node}
			if scoped && !j.inScope(p) || inputType(j.x.attrText(p, "type")) != "file" || j.shown[j.x.backend(p)] != nil {
				continue
			}
			n := Node{Parent: -1, Frame: i, Backend: j.x.backend(p), Index: -1, Role: "button"}
			if n.Name = j.nameByDOM(p); n.Name == "" {
				n.Name = noFileName
				n.Content = j.fileLabel(p)
			}
			j.describe(&n, p)
			n.Facts |= HiddenFile
			n.Disabled = j.disabledByDOM(p)
			if n.Shadow != BrowserRoot {
				j.tree.Nodes = append(j.tree.Nodes, n)
			}
		}
	}
}

// disabledByDOM follows the disabled attribute up to a fieldset, and what disables
// everything inside: aria-disabled and inert.
func (j *joiner) disabledByDOM(p place) *bool {
	if off := j.flagByDOM(p, "disabled"); off != nil {
		return off
	}
	for at := p; at != none; at = j.x.parent(at) {
		off := j.x.attrText(at, "aria-disabled") == "true" || j.x.hasAttr(at, "inert")
		if off = off || at != p && j.x.hasAttr(at, "disabled") && j.x.tag(at) == "fieldset"; off {
			return &off
		}
	}
	return nil
}

// nameByDOM is a short name computation for an element that the accessibility
// tree leaves out: aria-label, labels, title.
func (j *joiner) nameByDOM(p place) string {
	x := j.x
	if text := Squeeze(x.attrText(p, "aria-label")); text != "" {
		return text
	}
	for _, label := range x.tagged(p.document, "label") {
		at := place{p.document, label}
		if j.controlOf(at) == p {
			if text := x.textOf(at); text != "" {
				return text
			}
		}
	}
	return Squeeze(x.attrText(p, "title"))
}
