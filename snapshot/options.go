package snapshot

import (
	"slices"
	"strings"

	"github.com/troupe-browser/troupe/messages"
)

// options stores the choices of a native select on its node, at most
// messages.NativeOptionsShownMax (R53), and, where the engine gives no value, what
// is chosen.
func (j *joiner) options(p place, owner int) {
	n := &j.tree.Nodes[owner]
	var chosen []string
	for _, option := range j.x.below(p, "option") {
		at := place{p.document, option}
		name := Squeeze(j.x.attrText(at, "label"))
		if name == "" {
			name = Squeeze(j.x.joinedText(at, ""))
		}
		if slices.Contains(j.x.Documents[p.document].Nodes.Selected.Index, option) {
			chosen = append(chosen, name)
		}
		if j.hiddenOption(at) {
			continue
		}
		if len(n.Options) >= messages.NativeOptionsShownMax {
			n.OptionsCut = true
			continue
		}
		if j.disabledOption(at) {
			n.OptionsOff = append(n.OptionsOff, len(n.Options))
		}
		n.Options = append(n.Options, name)
	}
	if n.Value == nil {
		value := Squeeze(strings.Join(chosen, ", "))
		n.Value = &value
	}
}

// hiddenOption reports whether an option, or its group, says that it is hidden. A style that hides it is not known here:
// the capture has no styles of what is not laid out.
func (j *joiner) hiddenOption(p place) bool {
	up := j.x.parent(p)
	return j.x.hasAttr(p, "hidden") || up != none && j.x.tag(up) == "optgroup" && j.x.hasAttr(up, "hidden")
}

// disabledOption reports whether an option is disabled, by itself or with its group.
func (j *joiner) disabledOption(p place) bool {
	up := j.x.parent(p)
	return j.x.hasAttr(p, "disabled") || up != none && j.x.tag(up) == "optgroup" && j.x.hasAttr(up, "disabled")
}

// below lists the elements of a tag inside a node, in document order.
func (x *index) below(p place, tag string) []int32 {
	var found []int32
	nodes := &x.Documents[p.document].Nodes
	inside := map[int32]bool{p.node: true}
	for i := p.node + 1; int(i) < len(nodes.Parent) && inside[nodes.Parent[i]]; i++ {
		inside[i] = true
		if x.tag(place{p.document, i}) == tag {
			found = append(found, i)
		}
	}
	return found
}
