package snapshot

import (
	"unicode/utf8"

	"github.com/troupe-browser/troupe/messages"
)

// Bounds of the context of a control.
const (
	// nearbyCharsMax is the longest text next to a field that counts as its label;
	// a longer one is prose.
	nearbyCharsMax = 120
	// nearbyControlsMax is how many controls a container may hold for a text in it
	// to label one of them; with more, position proves nothing.
	nearbyControlsMax = 8
	// nearbyAncestors is how far up the common container of text and field may be.
	nearbyAncestors = 3
)

// Context finds for every node the group and the section that it is in, and for
// fields the label next to them (R47). It only reads the tree and may be called
// once, after Admit.
func Context(t *Tree) {
	named := make([]int, len(t.Nodes)) // how many steps up the named group is, 0 for none
	group := make([]string, len(t.Nodes))
	heading := make([]string, len(t.Nodes)+1) // the last heading among the children, by parent+1
	for i := range t.Nodes {
		n := &t.Nodes[i]
		p := n.Parent
		n.Group, n.Section = "", heading[p+1]
		if n.Facts.Has(HiddenFile) {
			n.Section = "" // It stands at the end, wherever it is in the page.
			continue
		}
		if p >= 0 {
			up := &t.Nodes[p]
			if groupRoles[up.Role] && up.Name != "" {
				group[i], named[i] = up.Name, 1
			} else if named[p] > 0 && named[p] < messages.AncestorsForGroupMax {
				group[i], named[i] = group[p], named[p]+1
			}
			n.Group = group[i]
			if n.Section == "" {
				n.Section = sectionOf(up)
			}
		}
		if n.Role == "heading" && n.Name != "" {
			heading[p+1] = n.Name
		}
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Disabled != nil && !isControl(n) && !groupRoles[n.Role] && n.Role != "gridcell" {
			n.Disabled = nil // The controls inside say it.
		}
		if n.Role == "listitem" && n.Level > 0 && !insideList(t, i) {
			n.Level = 0
		}
	}
	labelFields(t)
}

// insideList reports whether a list item is in a list; the engine counts one that
// is in none.
func insideList(t *Tree, i int) bool {
	for p := t.Nodes[i].Parent; p >= 0; p = t.Nodes[p].Parent {
		if t.Nodes[p].Role == "list" {
			return true
		}
	}
	return false
}

// sectionOf is the section that a container gives to what is in it: its own name
// where it is a section, else that which it is in.
func sectionOf(up *Node) string {
	if sectionRoles[up.Role] && up.Name != "" {
		return up.Name
	}
	return up.Section
}

// mayLabel reports whether a text next to a field may be its label: the page gives the field no name, and
// the text is in no paragraph of its own.
func mayLabel(text, field *Node) bool {
	return (field.Name == "" || field.Name == field.Placeholder) && (text.paragraph == 0 || text.paragraph == field.paragraph)
}

// labelFields gives a field the text next to it: the last text before it that no
// other control stands between, in a container that both share.
func labelFields(t *Tree) {
	controls := make([]int, len(t.Nodes)) // per container, of all depths up to nearbyAncestors
	for i := range t.Nodes {
		if !isControl(&t.Nodes[i]) {
			continue
		}
		for p, steps := t.Nodes[i].Parent, 0; p >= 0 && steps < nearbyAncestors; p, steps = t.Nodes[p].Parent, steps+1 {
			controls[p]++
		}
	}
	last := -1
	for i := range t.Nodes {
		n := &t.Nodes[i]
		n.Label = ""
		switch {
		case n.Role == TextRole && n.Parent >= 0 && t.Nodes[n.Parent].Tag == "label":
			last = -1 // It belongs to the control of that label.
		case n.Role == TextRole:
			last = i
		case n.Facts.Has(HiddenFile):
			n.Label = n.Content // What is drawn around it.
		case isField(n):
			if last >= 0 && mayLabel(&t.Nodes[last], n) && sharesContainer(t, last, i, controls) {
				text := t.Nodes[last].Name
				if text != n.Name && utf8.RuneCountInString(text) <= nearbyCharsMax {
					n.Label = text
				}
			}
			last = -1
		case isControl(n), n.Role == "heading":
			last = -1
		}
		if n.Name == "" && n.Label == "" && len(n.Actions) > 0 && !isField(n) {
			n.Label = n.Content
		}
	}
}

func sharesContainer(t *Tree, text, field int, controls []int) bool {
	p := t.Nodes[field].Parent
	for range nearbyAncestors {
		for q, steps := t.Nodes[text].Parent, 0; steps < nearbyAncestors; steps++ {
			if q == p {
				return p < 0 || controls[p] <= nearbyControlsMax
			}
			if q < 0 {
				break
			}
			q = t.Nodes[q].Parent
		}
		if p < 0 {
			return false
		}
		p = t.Nodes[p].Parent
	}
	return false
}
