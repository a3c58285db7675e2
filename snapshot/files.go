package snapshot

import "unicode/utf8"

const (
	// noFileName is the name of a file input that has none.
	noFileName = "Choose File"
	// fileUp is how many nodes above a file input may be its own zone or field:
	// components wrap theirs deeply.
	fileUp = 12
)

// fileLabel is the text of what is drawn around a hidden file input that has no name
// (R47, R227): of the widest part of the page that holds no other field and says
// little. It is the twin of page/files.js.
func (j *joiner) fileLabel(p place) string {
	x := j.x
	label := ""
	for at, steps := x.parent(p), 0; at != none && steps < fileUp; at, steps = x.parent(at), steps+1 {
		if x.Documents[at.document].Nodes.Type[at.node] != 1 {
			continue
		}
		if x.tag(at) == "body" || j.holdsOther(at, p) {
			break
		}
		text := x.shownText(at)
		if utf8.RuneCountInString(text) >= nearbyCharsMax {
			break
		}
		if text != "" {
			label = text
		}
	}
	return label
}

// holdsOther reports whether an element holds a field beside this one.
func (j *joiner) holdsOther(p, own place) bool {
	nodes := &j.x.Documents[p.document].Nodes
	for i := p.node + 1; int(i) < len(nodes.Parent) && nodes.Parent[i] >= p.node; i++ {
		at := place{p.document, i}
		if at == own || nodes.Type[i] != 1 {
			continue
		}
		switch j.x.tag(at) {
		case "select", "textarea":
			return true
		case "input":
			if inputType(j.x.attrText(at, "type")) != "hidden" {
				return true
			}
		}
	}
	return false
}
