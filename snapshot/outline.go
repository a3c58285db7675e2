package snapshot

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/troupe-browser/troupe/internal/cut"
	"github.com/troupe-browser/troupe/internal/quote"
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
//	"Welcome back."
//	textbox "Email" e1 required = "ada@example.com"
//	combobox "Size" e2 = "Small" ["Small"|"Large"]
//	row: "1003"|"Ada"|button "Edit" e3
//
// What the page says stands in quotation marks, and nothing else does (package quote).
func (p *Projected) outline(t *Tree, s *Selection, issue Issue) {
	var b strings.Builder
	for k := 0; k < len(s.Nodes); {
		if labels(t, s, k) {
			k++
			continue
		}
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
	end := below(s, k)
	if t.Nodes[s.Nodes[k]].Role != "row" || end-k > outlineRowNodes || end == k+1 {
		return p.single(t, s, issue, k), 1
	}
	var b strings.Builder
	b.WriteString(p.row(t, s, issue, k, end))
	b.WriteString(": ")
	for at := k + 1; at < end; {
		if at > k+1 {
			b.WriteByte('|')
		}
		next := below(s, at)
		p.cell(&b, t, s, issue, at, next)
		at = next
	}
	return b.String(), end - k
}

// below is the place behind a node and all that is in it.
func below(s *Selection, k int) int {
	end := k + 1
	for end < len(s.Nodes) && s.Depths[end] > s.Depths[k] {
		end++
	}
	return end
}

// row is the line of a row without its cells. A name that its cells say is left out.
func (p *Projected) row(t *Tree, s *Selection, issue Issue, k, end int) string {
	n := &t.Nodes[s.Nodes[k]]
	if n.Name == "" || !says(t, s, k, end) {
		return p.single(t, s, issue, k)
	}
	nameless := *n
	nameless.Name = ""
	line := outlineLine(&nameless, s, p.ref(n, issue))
	p.record(t, n, issue)
	return line
}

// cell writes one cell of a row and what is in it. A cell whose name is all that is
// in it is not repeated.
func (p *Projected) cell(b *strings.Builder, t *Tree, s *Selection, issue Issue, k, end int) {
	n := &t.Nodes[s.Nodes[k]]
	first := true
	write := func(text string) {
		if text == "" {
			return
		}
		if !first {
			b.WriteByte(' ')
		}
		first = false
		b.WriteString(text)
	}
	switch {
	case !cellRoles[n.Role] || len(n.Actions) > 0:
		write(p.single(t, s, issue, k))
	case end == k+1 || !says(t, s, k, end):
		if n.Name != "" {
			write(quote.Text(n.Name))
		}
		fallthrough
	default:
		var states strings.Builder
		outlineStates(&states, n)
		write(strings.TrimSpace(states.String()))
	}
	for at := k + 1; at < end; at++ {
		if !s.mute(t, at) {
			write(p.single(t, s, issue, at))
		}
	}
}

// says reports whether the names of what is right inside a node are its own name.
func says(t *Tree, s *Selection, k, end int) bool {
	name := squash(t.Nodes[s.Nodes[k]].Name)
	for at := k + 1; at < end; at++ {
		if s.Depths[at] != s.Depths[k]+1 {
			continue
		}
		part := squash(t.Nodes[s.Nodes[at]].Name)
		if !strings.HasPrefix(name, part) {
			return strings.HasPrefix(part, name) // Names are cut at a length.
		}
		name = name[len(part):]
	}
	return name == ""
}

// squash is a text without its spaces.
func squash(text string) string { return strings.ReplaceAll(text, " ", "") }

// mute reports whether a node of the window is a drawing without a name that is all
// there is in something with a name, which tells more.
func (s *Selection) mute(t *Tree, k int) bool {
	n := &t.Nodes[s.Nodes[k]]
	if !drawingRoles[n.Role] || n.Name != "" || len(n.Actions) > 0 || k == 0 || below(s, k) > k+1 {
		return false
	}
	up := &t.Nodes[s.Nodes[k-1]]
	return s.Depths[k-1] == s.Depths[k]-1 && up.Name != "" && len(up.Actions) > 0
}

// labels reports whether a text is the label that the field right behind it says.
func labels(t *Tree, s *Selection, k int) bool {
	n := &t.Nodes[s.Nodes[k]]
	if n.Role != TextRole || k+1 >= len(s.Nodes) {
		return false
	}
	field := &t.Nodes[s.Nodes[k+1]]
	return field.Label == n.Name && showsLabel(field)
}

// showsLabel reports whether the line of a node has its label: one with a name of
// its own needs no text next to it, and a placeholder is no such name.
func showsLabel(n *Node) bool {
	return n.Label != "" && (n.Name == "" || n.Name == n.Placeholder)
}

// repeated counts the nodes right below a node that it already says: the texts of
// a nameless one's label, and a drawing.
func repeated(t *Tree, s *Selection, k int) int {
	n := &t.Nodes[s.Nodes[k]]
	count := 0
	if k+1 < len(s.Nodes) && s.mute(t, k+1) {
		return 1
	}
	for at := k + 1; n.Name == "" && n.Label != "" && at < len(s.Nodes); at++ {
		text := &t.Nodes[s.Nodes[at]]
		if s.Depths[at] <= s.Depths[k] || text.Role != TextRole || !strings.Contains(n.Label, text.Name) {
			break
		}
		count++
	}
	return count
}

// outlineDescriptionChars is the most of a description that stands on a line.
const outlineDescriptionChars = 120

// outlineRowNodes is the most nodes that a row may hold to stand on one line.
const outlineRowNodes = 48

var (
	cellRoles    = roles("cell gridcell columnheader rowheader")
	drawingRoles = roles("image SvgRoot graphics-document graphics-symbol")
)

// ref is the next ref, if the node can be acted on.
func (p *Projected) ref(n *Node, issue Issue) messages.Ref {
	if !actionable(n) {
		return ""
	}
	_, ref := issue.ids(p.NextRef)
	return ref
}

// single is the line of one node, which is recorded.
func (p *Projected) single(t *Tree, s *Selection, issue Issue, k int) string {
	n := &t.Nodes[s.Nodes[k]]
	line := outlineLine(n, s, p.ref(n, issue))
	p.record(t, n, issue)
	return line
}

// outlineLine is a node as one line. Actions are given only where the role does
// not already tell them.
func outlineLine(n *Node, s *Selection, ref messages.Ref) string {
	var b strings.Builder
	if n.Role == TextRole {
		if n.Unseen {
			return quote.Text(n.Name) + " unseen"
		}
		return quote.Text(n.Name)
	}
	b.WriteString(outlineRole(n))
	if n.Name != "" {
		b.WriteByte(' ')
		b.WriteString(quote.Text(n.Name))
	} else if s.Broad && n.Hint != "" && ref != "" {
		b.WriteString(" ~" + quote.Text(n.Hint))
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
		b.WriteString(quote.Text(*n.Value))
	}
	if len(n.Options) > 0 {
		b.WriteString(" [")
		for i, option := range n.Options {
			if i > 0 {
				b.WriteByte('|')
			}
			b.WriteString(quote.Text(option))
			if slices.Contains(n.OptionsOff, i) {
				b.WriteString(" disabled")
			}
		}
		if n.OptionsCut {
			b.WriteString("|…")
		}
		b.WriteByte(']')
	}
	return b.String()
}

// outlineRole is the role, with the input type where that says more.
func outlineRole(n *Node) string {
	if n.Tag == "input" && (toldTypes[n.InputType] || valueTypes[n.InputType] && n.Role != ownerRole(n, n.Role)) {
		return quote.Word(n.Role) + ":" + n.InputType
	}
	return quote.Word(n.Role)
}

// toldTypes are the input types that no role tells.
var toldTypes = roles("email url tel password file month week datetime-local")

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
	switch n.Pressed {
	case messages.CheckedTrue:
		b.WriteString(" pressed")
	case messages.CheckedMixed:
		b.WriteString(" half-pressed")
	}
	if showsLabel(n) {
		b.WriteString(" label=" + quote.Text(n.Label))
	}
	if n.Description != "" && len(n.Actions) > 0 && n.Description != n.Name && n.Description != n.Placeholder && n.Description != n.Label {
		text, _ := cut.Ellipsis(n.Description, outlineDescriptionChars)
		b.WriteString(" (" + quote.Text(text) + ")")
	}
	if n.Placeholder != "" && n.Placeholder != n.Name {
		b.WriteString(" placeholder=" + quote.Text(n.Placeholder))
	}
	for _, a := range n.Actions {
		if a == ActSelectChoice || a == ActSetDate {
			b.WriteString(" " + string(a))
		}
	}
}
