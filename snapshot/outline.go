package snapshot

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/troupe-browser/troupe/messages"
)

func itoa(n uint64) string { return strconv.FormatUint(n, 10) }

// outlineIndentMax is the deepest indentation of the tree projection in steps of
// one space; what is deeper stands there as well.
const outlineIndentMax = 24

// outline writes the tree projection (R54): one line a node, indented by what is
// above it, with the ref of what can be acted on.
//
//	heading "Sign in" 1
//	textbox "Email" e1 required = "ada@example.com"
//	button "Save" e3
func (p *Projected) outline(t *Tree, s *Selection, issue Issue) {
	var b strings.Builder
	for k := 0; k < len(s.Nodes); {
		before := len(p.Records)
		line, used := p.line(t, s, issue, k)
		if b.Len()+len(line)+outlineIndentMax+1 > bodyBytesMax {
			p.NextRef -= uint64(len(p.Records) - before)
			p.Records = p.Records[:before]
			s.keep(k)
			break
		}
		for range min(s.Depths[k], outlineIndentMax) {
			b.WriteByte(' ')
		}
		b.WriteString(line)
		b.WriteByte('\n')
		k += used + repeated(t, s, k)
	}
	if s.Truncated {
		fmt.Fprintf(&b, "… stopped after %d nodes", len(s.Nodes))
		if s.Next != nil {
			fmt.Fprintf(&b, "; go on with node_offset %d", *s.Next)
		}
		b.WriteByte('\n')
	}
	p.Text = b.String()
}

// line writes the node at a place of the window, records it, and tells how many
// nodes of the window the line holds: a row of a table takes its cells with it.
func (p *Projected) line(t *Tree, s *Selection, issue Issue, k int) (string, int) {
	line := p.single(t, s, issue, k)
	if t.Nodes[s.Nodes[k]].Role != "row" {
		return line, 1
	}
	end := k + 1
	for end < len(s.Nodes) && s.Depths[end] > s.Depths[k] {
		end++
	}
	if end-k > outlineRowNodes || end == k+1 {
		return line, 1
	}
	var b strings.Builder
	b.WriteString(line)
	for at := k + 1; at < end; at++ {
		cell := &t.Nodes[s.Nodes[at]]
		first := s.Depths[at] == s.Depths[k]+1
		inner := at+1 < end && s.Depths[at+1] > s.Depths[at]
		switch {
		case first && at > k+1:
			b.WriteString(" | ")
		case first:
			b.WriteByte(' ')
		}
		if first && cellRoles[cell.Role] && len(cell.Actions) == 0 {
			// The only thing in a cell, of the same name, stands for the cell.
			if !inner || t.Nodes[s.Nodes[at+1]].Name != cell.Name {
				b.WriteString(cell.Name)
			} else {
				b.WriteString(p.single(t, s, issue, at+1))
				at++
			}
			continue
		}
		if !first {
			b.WriteByte(' ')
		}
		b.WriteString(p.single(t, s, issue, at))
	}
	return b.String(), end - k
}

// repeated counts the texts right below a nameless node that its label already
// says.
func repeated(t *Tree, s *Selection, k int) int {
	n := &t.Nodes[s.Nodes[k]]
	count := 0
	for at := k + 1; n.Name == "" && n.Label != "" && at < len(s.Nodes); at++ {
		text := &t.Nodes[s.Nodes[at]]
		if s.Depths[at] <= s.Depths[k] || text.Role != TextRole || !strings.Contains(n.Label, text.Name) {
			break
		}
		count++
	}
	return count
}

// outlineRowNodes is the most nodes that a row may hold to stand on one line.
const outlineRowNodes = 48

var cellRoles = roles("cell gridcell columnheader rowheader")

// single is the line of one node, which is recorded.
func (p *Projected) single(t *Tree, s *Selection, issue Issue, k int) string {
	n := &t.Nodes[s.Nodes[k]]
	ref := messages.Ref("")
	if actionable(n) {
		_, ref = issue.ids(p.NextRef)
	}
	line := outlineLine(n, s, ref)
	p.record(t, n, issue)
	return line
}

// outlineLine is a node as one line. Actions are given only where the role does
// not already tell them.
func outlineLine(n *Node, s *Selection, ref messages.Ref) string {
	var b strings.Builder
	if n.Role == TextRole {
		return n.Name
	}
	b.WriteString(outlineRole(n))
	if n.Name != "" {
		b.WriteByte(' ')
		b.WriteString(strconv.Quote(n.Name))
	} else if s.Broad && n.Hint != "" && ref != "" {
		b.WriteString(" ~" + strconv.Quote(n.Hint))
	}
	if ref != "" {
		b.WriteByte(' ')
		b.WriteString(string(ref))
	}
	if n.Level > 0 {
		b.WriteByte(' ')
		b.WriteString(strconv.Itoa(n.Level))
	}
	outlineStates(&b, n)
	if n.Value != nil && *n.Value != "" && !n.Facts.Has(Secret) {
		b.WriteString(" = ")
		b.WriteString(strconv.Quote(*n.Value))
	}
	if len(n.Options) > 0 {
		b.WriteString(" [")
		b.WriteString(strings.Join(n.Options, "|"))
		if n.OptionsCut {
			b.WriteString("|…")
		}
		b.WriteByte(']')
	}
	return b.String()
}

func outlineRole(n *Node) string {
	if n.Tag == "input" && n.InputType != "" && n.InputType != "text" && !strings.EqualFold(n.InputType, n.Role) && n.InputType != "checkbox" && n.InputType != "radio" {
		return n.Role + ":" + n.InputType
	}
	return n.Role
}

func outlineStates(b *strings.Builder, n *Node) {
	flag := func(on *bool, yes, no string) {
		switch {
		case on == nil:
		case *on && yes != "":
			b.WriteString(" " + yes)
		case !*on && no != "":
			b.WriteString(" " + no)
		}
	}
	flag(n.Required, "required", "")
	flag(n.Disabled, "disabled", "")
	flag(n.Readonly, "readonly", "")
	flag(n.Invalid, "invalid", "")
	flag(n.Expanded, "expanded", "collapsed")
	flag(n.Selected, "selected", "")
	switch n.Checked {
	case messages.CheckedTrue:
		b.WriteString(" checked")
	case messages.CheckedMixed:
		b.WriteString(" mixed")
	case messages.CheckedFalse:
		b.WriteString(" unchecked")
	}
	if n.Pressed == messages.CheckedTrue {
		b.WriteString(" pressed")
	}
	if n.Label != "" {
		b.WriteString(" label=" + strconv.Quote(n.Label))
	}
	if n.Placeholder != "" && n.Placeholder != n.Name {
		b.WriteString(" placeholder=" + strconv.Quote(n.Placeholder))
	}
	for _, a := range n.Actions {
		if a == ActSelectChoice || a == ActSetDate {
			b.WriteString(" " + string(a))
		}
	}
}
