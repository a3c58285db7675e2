package snapshot

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// drawnWords are the classes of components for choosing that may stand for a control
// without any role; a class that menus of every kind have as well says too little
// here (R92).
var drawnWords = slices.DeleteFunc(slices.Clone(choiceWords), func(word string) bool {
	return word == "dropdown" || word == "choices" || word == "chosen" || word == "autocomplete"
})

// opened marks by class what such a control opens.
var opened = regexp.MustCompile(`menu|popup|popover|panel|dropdown|option|list`)

// drawnInside bounds the elements inside such a control; one with more is none.
const drawnInside = 256

// drawsChoice reports whether an element is a choice that is only drawn: it takes the
// focus and has the class of a component for choosing, and nothing in it or on it
// says what it is (R92). A field inside that takes the focus itself would be the
// control. It is the twin of page/drawn.js.
func (j *joiner) drawsChoice(n *Node, p place) bool {
	x := j.x
	if n.Role != "generic" || !n.Facts.Has(Tabbable|Visible) || n.Facts.Has(EditingHost) || n.Tag == "" {
		return false
	}
	if opened.MatchString(strings.ToLower(x.attrText(p, "class"))) {
		return false
	}
	hinted := false
	for at, steps := p, 0; at != none && steps <= hintAncestors; at, steps = x.parent(at), steps+1 {
		if role := firstRole(x.attrText(at, "role")); steps > 0 && (clickRoles[role] || fieldRoles[role] || role == "menu" || role == "tree") {
			return false // A part of a control.
		}
		class := strings.ToLower(x.attrText(at, "class"))
		if containsAny(class, dateWords) {
			return false
		}
		hinted = hinted || containsAny(class, drawnWords)
	}
	return hinted && !j.holdsField(p)
}

// holdsField reports whether something inside an element takes the focus, or may.
func (j *joiner) holdsField(p place) bool {
	doc := &j.x.Documents[p.document]
	elements := 0
	for i := p.node + 1; int(i) < len(doc.Nodes.Parent) && doc.Nodes.Parent[i] >= p.node; i++ {
		if doc.Nodes.Type[i] != 1 {
			continue
		}
		at := place{p.document, i}
		if elements++; elements > drawnInside {
			return true
		}
		field := fieldTags[j.x.tag(at)] || fieldRoles[firstRole(j.x.attrText(at, "role"))]
		if text, ok := j.x.attr(at, "tabindex"); ok {
			index, err := strconv.Atoi(strings.TrimSpace(text))
			field = err == nil && index >= 0
		}
		if field {
			return true
		}
	}
	return false
}

// firstRole is the first word of a role attribute.
func firstRole(text string) string {
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		return word
	}
	return ""
}

var fieldTags = map[string]bool{"input": true, "select": true, "textarea": true, "button": true}
