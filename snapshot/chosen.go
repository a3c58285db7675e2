package snapshot

import (
	"strconv"
	"strings"
)

// chosen is the text drawn in a combobox that is no field of its own, without that of
// fields, buttons and labels in it and of the list that it opens; nil without any. The
// engine's value of it holds all of these.
func (j *joiner) chosen(forest *axForest, combobox *axNode) *string {
	var parts []string
	budget := chosenNodesMax
	var gather func(node *axNode, depth int)
	gather = func(node *axNode, depth int) {
		for _, id := range node.Children {
			at, ok := forest.byID[id]
			if budget--; !ok || budget < 0 || depth > walkDepthMax {
				continue
			}
			child := &forest.nodes[at]
			if role := child.Role.text(); role == "StaticText" && !child.Ignored {
				if child.Backend != 0 {
					parts = append(parts, child.Name.text())
				}
				continue
			} else if popupRoles[role] || role == "button" {
				continue
			}
			if p, indexed := j.x.at[child.Backend]; indexed && notChosen[j.x.tag(p)] {
				continue
			}
			gather(child, depth+1)
		}
	}
	gather(combobox, 0)
	text := Squeeze(strings.Join(parts, " "))
	if text == "" {
		return nil
	}
	return &text
}

// drawnValue gives a node the value that is drawn in it, where that is its value.
func (j *joiner) drawnValue(forest *axForest, raw *axNode, n *Node, p place) {
	if j.drawsValue(n, p) {
		n.Value = j.chosen(forest, raw)
	}
}

// drawsValue reports whether the value of a node is what is drawn in it: of a combobox
// that is no field, and of a range that is edited as text and says nothing of its value.
func (j *joiner) drawsValue(n *Node, p place) bool {
	if n.Role == "combobox" {
		return !nativeOwner[n.Tag] && !n.Facts.Has(EditingHost)
	}
	return (n.Role == "spinbutton" || n.Role == "slider") && n.Facts.Has(EditingHost) && Squeeze(j.x.attrText(p, "aria-valuetext")) == ""
}

// rangeRoles have a number as their value.
var rangeRoles = roles("progressbar meter slider spinbutton scrollbar")

// decimal is a number as the page has it: the engine keeps single precision and
// writes it with double.
func decimal(text string) string {
	const longest = 9 // Digits of single precision; what is written shorter is exact.
	number, err := strconv.ParseFloat(text, 64)
	if err != nil || len(text) <= longest || float64(float32(number)) != number {
		return text
	}
	return strconv.FormatFloat(number, 'f', -1, 32)
}

// chosenNodesMax bounds the nodes read for the value of one combobox; the rest is left
// out. It is the bound of every text in the page functions.
const chosenNodesMax = 400

// notChosen are the elements whose text is not what a combobox shows as chosen.
var notChosen = roles("input select textarea button label")

// namedInside reports whether the text in a node is already given by the name of
// something around it, or by the value of a combobox (valued), which holds neither the
// text of its list nor that of labels.
func (j *joiner) namedInside(n *Node, up *around) (named, valued bool) {
	if repeats(n) {
		return true, n.Role == "combobox" && !nativeOwner[n.Tag] && n.Tag != "button"
	}
	if up.valued && (n.Tag == "label" || popupRoles[n.Role]) {
		return false, false
	}
	return up.named, up.valued
}
