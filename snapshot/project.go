package snapshot

import (
	"encoding/json"

	"github.com/troupe-browser/troupe/internal/cut"
	"github.com/troupe-browser/troupe/messages"
)

// Issue numbers the admitted nodes of a window.
type Issue struct {
	Generation messages.Generation
	// Prefix is what all element ids of the page's generation begin with.
	Prefix string
	// FirstRef is the number of the first ref, at least 1.
	FirstRef uint64
}

// Projected is a window in the form that was asked for.
type Projected struct {
	Nodes []messages.Node
	Text  string
	// Records has one entry for each id that was given out.
	Records []Record
	NextRef uint64
}

// nodeOverhead is the separator between two nodes in bytes.
const nodeOverhead = 1

// bodyBytesMax is what the nodes of a snapshot may take; the rest of the answer
// has its own share of SnapshotBytesMax. A node over it ends the window.
const bodyBytesMax = messages.SnapshotBytesMax - 12<<10

// Project gives the window its form (C12). Only nodes with actions that the page
// registered get an id; a node that the page did not register loses its actions,
// since nobody could act on it. The window ends earlier where the byte budget
// does, and the selection then says so.
func Project(t *Tree, s *Selection, issue Issue) *Projected {
	out := &Projected{NextRef: max(issue.FirstRef, 1)}
	if s.Projection == messages.ProjectionTree {
		out.outline(t, s, issue)
		return out
	}
	used := 0
	for k, i := range s.Nodes {
		n := &t.Nodes[i]
		node := view(n, s)
		node.Depth = s.Depths[k]
		if actionable(n) {
			node.Actions = n.Actions
			node.ElementID, node.Ref = issue.ids(out.NextRef)
		}
		if s.Projection == messages.ProjectionFlat {
			flatten(&node)
		}
		size := encodedSize(&node)
		if used+size > bodyBytesMax {
			s.keep(k)
			break
		}
		used += size
		out.Nodes = append(out.Nodes, node)
		out.record(t, n, issue)
	}
	return out
}

func actionable(n *Node) bool { return len(n.Actions) > 0 && n.Index >= 0 }

func encodedSize(node *messages.Node) int {
	data, err := json.Marshal(node)
	if err != nil {
		return bodyBytesMax + 1 // Strings and numbers cannot fail to encode.
	}
	return len(data) + nodeOverhead
}

// record notes the node under the next ref, if it has actions.
func (p *Projected) record(t *Tree, n *Node, issue Issue) {
	if !actionable(n) {
		return
	}
	id, ref := issue.ids(p.NextRef)
	frame := t.Frames[n.Frame]
	p.Records = append(p.Records, Record{
		ElementID: id, Ref: ref, Generation: issue.Generation, Frame: frame.ID, World: frame.World,
		Index: n.Index, Role: n.Role, Tag: n.Tag, InputType: n.InputType, Actions: n.Actions,
	})
	p.NextRef++
}

func (i Issue) ids(ref uint64) (messages.ElementID, messages.Ref) {
	number := itoa(ref)
	return messages.ElementID(i.Prefix + number), messages.Ref("e" + number)
}

// view is the common form of a node without its id.
func view(n *Node, s *Selection) messages.Node {
	out := messages.Node{
		Role: n.Role, Name: n.Name, Label: n.Label, Group: n.Group, Section: n.Section,
		InputType: n.InputType, URL: CutBytes(n.URL, messages.NodeTextBytesMax), Options: n.Options, Cut: n.OptionsCut,
		Required: n.Required, Disabled: n.Disabled, Readonly: n.Readonly, Invalid: n.Invalid,
		Checked: n.Checked, Pressed: n.Pressed, Expanded: n.Expanded, Selected: n.Selected, Unseen: n.Unseen,
	}
	for _, at := range n.OptionsOff {
		if at >= 0 && at < len(n.Options) {
			out.OptionsOff = append(out.OptionsOff, n.Options[at])
		}
	}
	if n.Description != n.Name && n.Description != n.Placeholder && n.Description != n.Label {
		out.Description = n.Description
	}
	if n.Placeholder != n.Name {
		out.Placeholder = n.Placeholder
	}
	if n.Value != nil && !n.Facts.Has(Secret) {
		out.Value = n.Value
	}
	if n.Level > 0 {
		level := n.Level
		out.Level = &level
	}
	if s.Broad && n.Name == "" && len(n.Actions) > 0 {
		out.Hint = n.Hint
	}
	return out
}

// flatten cuts every field to the length of the flat projection and says so (R55).
func flatten(n *messages.Node) {
	for _, field := range []*string{&n.Name, &n.Label, &n.Placeholder, &n.Description, &n.Group, &n.Section, &n.URL} {
		text, cut := cut.Ellipsis(*field, messages.FlatFieldCharsMax)
		*field, n.Cut = text, n.Cut || cut
	}
	if n.Value != nil {
		text, cut := cut.Ellipsis(*n.Value, messages.FlatFieldCharsMax)
		n.Value, n.Cut = &text, n.Cut || cut
	}
}
