package snapshot

import (
	"strings"
	"unicode"

	"github.com/troupe-browser/troupe/messages"
)

// texts joins pieces of text that stand in one line of one block, so that a
// sentence with a word in bold is one node. A run longer than a node may be is
// split between words; nothing of it is lost.
type texts struct {
	run    strings.Builder
	parent int
	frame  int
	block  [2]int
	sight  sight
	// paragraph is that around the run, by backend id.
	paragraph int64
}

// inlineTags are the elements that do not begin a new line.
var inlineTags = roles("a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark q ruby s samp small span strike strong sub sup " +
	"time tt u var wbr slot output nobr acronym tspan")

// boundary notes that a new block begins at an element.
func (j *joiner) boundary(p place, up *around) {
	if p == none || !j.x.isElement(p) || !j.x.breaksLine(p) {
		return
	}
	j.blocks++
	up.block = j.blocks
	if j.x.tag(p) == "p" {
		up.paragraph = j.x.backend(p)
	}
}

// breaksLine reports whether an element begins a new line. A pseudo-element does by
// its style, and a piece of a drawn text when it has a place of its own.
func (x *index) breaksLine(p place) bool {
	switch tag := x.tag(p); tag {
	case "::before", "::after":
		display := x.style(p, styleDisplay)
		return display != "inline" && display != "inline-block"
	case "tspan":
		return x.hasAttr(p, "x") || x.hasAttr(p, "y") || x.hasAttr(p, "dy")
	default:
		return !inlineTags[tag]
	}
}

// piece adds a piece of text as the tree has it: one made by CSS, which has no node,
// without the signs of icon fonts, and one in a piece of a drawn text, which the tree
// leaves out, on its own line if that one has a place of its own.
func (j *joiner) piece(node *axNode, p place, up around) {
	raw, at := node.Name.text(), none
	if node.Backend == 0 {
		raw = noIcons(raw)
	}
	if p != none {
		at = j.x.parent(p)
	}
	breaks := at != none && j.x.tag(at) == "tspan" && j.x.breaksLine(at)
	if breaks {
		j.blocks++
	}
	if sight := j.textSight(at); sight != gone {
		j.seenText(raw, up, sight)
	}
	if breaks {
		j.blocks++
	}
}

// noIcons is a text without the private characters of icon fonts.
func noIcons(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Co, r) {
			return -1
		}
		return r
	}, text)
}

// text adds a piece of text that everybody sees.
func (j *joiner) text(raw string, up around) { j.seenText(raw, up, seenByAll) }

// seenText adds a piece of text.
func (j *joiner) seenText(raw string, up around, sight sight) {
	if up.named || up.outside || up.owner != none {
		return
	}
	if up.label != "" && strings.Contains(up.label, Squeeze(raw)) {
		return
	}
	t, at := &j.texts, [2]int{up.block, j.blocks}
	if t.run.Len() > 0 && (t.parent != up.parent || t.frame != up.frame || t.block != at || t.sight != sight) {
		t.flush(j.tree)
	}
	t.parent, t.frame, t.block, t.sight, t.paragraph = up.parent, up.frame, at, sight, up.paragraph
	t.run.WriteString(raw)
}

// flush adds the run as text nodes.
func (t *texts) flush(tree *Tree) {
	if t.run.Len() == 0 {
		return
	}
	line := joinSpace(t.run.String())
	t.run.Reset()
	if t.parent >= 0 && tree.Nodes[t.parent].Name == line && (groupRoles[tree.Nodes[t.parent].Role] || sectionRoles[tree.Nodes[t.parent].Role]) {
		return // A legend or caption that is already the name of what it stands in.
	}
	for line != "" {
		part := splitText(line)
		line = strings.TrimLeft(line[len(part):], " ")
		if part = strings.TrimRight(part, " "); part != "" {
			tree.Nodes = append(tree.Nodes, Node{Parent: t.parent, Frame: t.frame, Index: -1, Role: TextRole, Name: part, Unseen: t.sight == spoken, paragraph: t.paragraph})
		}
	}
}

// splitText is the part of a line that fits into one node, up to a space where
// there is one in its second half.
func splitText(line string) string {
	if len(line) <= messages.NodeTextBytesMax {
		return line
	}
	part := CutBytes(line, messages.NodeTextBytesMax)
	if at := strings.LastIndexByte(part, ' '); at > len(part)/2 {
		return part[:at]
	}
	return part
}

// repeats reports whether a node already says the text inside it.
func repeats(n *Node) bool {
	if contentNamed[n.Role] && n.Name != "" {
		return true
	}
	return n.Value != nil && *n.Value != "" && (n.Role == "textbox" || n.Role == "searchbox" || n.Role == "combobox" || n.Facts.Has(EditingHost))
}

// labelled is the name of the control that a label belongs to, "" where the
// label itself is what can be used.
func (j *joiner) labelled(label place) string {
	if label == none || j.labelsHidden(label) {
		return ""
	}
	control := j.shown[j.x.backend(j.controlOf(label))]
	if control == nil {
		return ""
	}
	return Squeeze(control.Name.text())
}
