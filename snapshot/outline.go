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
	for k, i := range s.Nodes {
		n := &t.Nodes[i]
		ref := messages.Ref("")
		if actionable(n) {
			_, ref = issue.ids(p.NextRef)
		}
		line := outlineLine(n, s, ref)
		if b.Len()+len(line)+outlineIndentMax+1 > bodyBytesMax {
			s.keep(k)
			break
		}
		for range min(s.Depths[k], outlineIndentMax) {
			b.WriteByte(' ')
		}
		b.WriteString(line)
		b.WriteByte('\n')
		p.record(t, n, issue)
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
