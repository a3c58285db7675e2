package snapshot

import (
	"strings"
	"unicode/utf8"

	"github.com/troupe-browser/troupe/messages"
)

// cardTextMax is the longest text of a card in characters (R100): a longer one is
// an article to be read.
const cardTextMax = 400

// cardTags are the elements that may be cards (R99).
var cardTags = roles("div li article")

// Cards gives the backend ids of the elements of the main document for which the
// whole evidence of a card holds (R99-R102), at most messages.CardsMax. A capture
// that is not provably whole, or larger than the horizon, proves nothing.
func (c *Capture) Cards() map[int64]bool {
	if len(c.Documents) == 0 || !c.whole() {
		return nil
	}
	return newIndex(c).cards(0)
}

// whole reports whether a capture is complete and within the scan bound, shadow
// and frame contents counted (R101).
func (c *Capture) whole() bool {
	for i := range c.Documents {
		if !c.Documents[i].Nodes.Whole {
			return false
		}
	}
	return c.Size() <= messages.QueryHorizonNodes
}

// cards finds the cards of one document.
func (x *index) cards(document int32) map[int64]bool {
	found := map[int64]bool{}
	nodes := &x.Documents[document].Nodes
	s := x.scopesOf(document)
	for i := range nodes.Backend {
		p := place{document, int32(i)}
		if len(found) == messages.CardsMax {
			break
		}
		if cardTags[x.tag(p)] && s.shadow[i] == LightTree && !s.editable[i] && x.card(p) {
			found[nodes.Backend[i]] = true
		}
	}
	return found
}

// card holds the evidence of R100 against one element.
func (x *index) card(p place) bool {
	if !x.click[p.document][p.node] || !x.seen(p) {
		return false
	}
	if x.style(p, styleCursor) != "pointer" || x.style(p, stylePointerEvents) != "auto" || x.style(p, styleDisplay) == "none" {
		return false
	}
	return x.plainInside(p) && x.plainAbove(p)
}

// plainInside reports whether the content is completely known, short, and holds
// nothing else that reacts.
func (x *index) plainInside(p place) bool {
	nodes := &x.Documents[p.document].Nodes
	inside := map[int32]bool{p.node: true}
	text, seen := 0, 0
	for i := p.node + 1; int(i) < len(nodes.Parent) && inside[nodes.Parent[i]]; i++ {
		if seen++; seen > messages.CardContentNodesMax {
			return false
		}
		inside[i] = true
		child := place{p.document, i}
		if _, root := x.shadow[p.document][i]; root {
			return false
		}
		if _, inner := x.inner[p.document][i]; inner {
			return false
		}
		if nodes.Type[i] == 3 && int(i) < len(nodes.Text) {
			text += utf8.RuneCountInString(strings.TrimSpace(x.str(nodes.Text[i])))
		}
		// The engine marks the text of an element with listeners as well; only an
		// element inside is a target of its own.
		if nodes.Type[i] == 1 && x.reacts(child) {
			return false
		}
	}
	return text > 0 && text <= cardTextMax
}

// reacts reports whether an element could be meant instead of the card around it.
func (x *index) reacts(p place) bool {
	if x.click[p.document][p.node] || interactiveTags[x.tag(p)] {
		return true
	}
	for _, name := range []string{"role", "tabindex", "contenteditable", "onclick"} {
		if _, ok := x.attr(p, name); ok {
			return true
		}
	}
	return false
}

var interactiveTags = roles("a area button input select textarea option label summary details iframe frame object embed video audio canvas")

// plainAbove excludes a card with a hidden, inert, disabled or editable ancestor.
func (x *index) plainAbove(p place) bool {
	for at := p; at != none; at = x.parent(at) {
		if !x.isElement(at) {
			continue
		}
		_, inert := x.attr(at, "inert")
		_, disabled := x.attr(at, "disabled")
		if inert || disabled || x.attrText(at, "aria-disabled") == "true" || x.attrText(at, "aria-hidden") == "true" {
			return false
		}
		if value, ok := x.attr(at, "contenteditable"); ok && editableValue(value, false) {
			return false
		}
		if x.style(at, styleOpacity) == "0" || x.style(at, styleVisibility) == "hidden" {
			return false
		}
	}
	return true
}
