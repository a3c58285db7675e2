package tools

import (
	"fmt"
	"slices"
	"strings"

	"github.com/troupe-browser/troupe/internal/quote"
	"github.com/troupe-browser/troupe/messages"
)

// writeSnapshot writes one line per node, with the ref in place of the longer element id.
func writeSnapshot(b *strings.Builder, s *messages.Snapshot) {
	fmt.Fprintf(b, "%s %s\ngeneration %d, %s", quote.Text(s.Title), quote.Text(s.URL), s.Generation, s.Mode)
	if s.AutoCompacted {
		b.WriteString(" (compacted)")
	}
	if s.Busy {
		b.WriteString(", page busy")
	}
	fmt.Fprintf(b, ", document_token %s", s.DocumentToken)
	writeDialog(b, s.Dialog)
	b.WriteByte('\n')
	if s.Text != "" {
		b.WriteString(s.Text)
		b.WriteByte('\n')
	}
	for i := range s.Nodes {
		writeNode(b, &s.Nodes[i])
	}
	for _, u := range s.Unseen {
		fmt.Fprintf(b, "unseen: %d %s (%s)\n", u.Count, u.Kind, u.Reason)
	}
	switch {
	case s.NextNodeOffset != nil:
		fmt.Fprintf(b, "truncated; more at node_offset %d\n", *s.NextNodeOffset)
	case s.Truncated:
		b.WriteString("truncated; not finding something here proves nothing. Narrow the query.\n")
	}
}

func writeNode(b *strings.Builder, n *messages.Node) {
	if n.Ref != "" {
		fmt.Fprintf(b, "%s ", n.Ref)
	} else {
		b.WriteString("- ")
	}
	b.WriteString(quote.Word(n.Role))
	if n.Name != "" {
		b.WriteByte(' ')
		b.WriteString(quote.Text(n.Name))
	}
	if n.Level != nil {
		fmt.Fprintf(b, " level %d", *n.Level)
	}
	writeLabelled(b, n)
	if n.Value != nil {
		fmt.Fprintf(b, " = %s", quote.Text(*n.Value))
	}
	writeStates(b, n)
	if len(n.Options) > 0 {
		quotedOptions := make([]string, len(n.Options))
		for i, option := range n.Options {
			quotedOptions[i] = quote.Text(option)
		}
		fmt.Fprintf(b, " options %s", strings.Join(quotedOptions, " "))
		for i, option := range n.OptionsOff {
			if i == 0 {
				b.WriteString(" disabled options")
			}
			b.WriteString(" " + quote.Text(option))
		}
	}
	if actions := shownActions(n.Actions); len(actions) > 0 {
		fmt.Fprintf(b, " [%s]", strings.Join(actions, " "))
	}
	b.WriteByte('\n')
}

// shownActions leaves out what goes with click everywhere (R227): hover, scroll and
// drag. The structure names them all.
func shownActions(actions []messages.Action) []string {
	click := slices.Contains(actions, "click")
	var out []string
	for _, action := range actions {
		if !click || action != "hover" && action != "scroll" && action != "drag" {
			out = append(out, string(action))
		}
	}
	return out
}

// writeLabelled writes the texts around a node that its name does not hold already.
func writeLabelled(b *strings.Builder, n *messages.Node) {
	for _, t := range []struct{ name, text string }{
		{"label", n.Label}, {"placeholder", n.Placeholder}, {"description", n.Description},
		{"group", n.Group}, {"section", n.Section}, {"hint", n.Hint}, {"url", n.URL},
	} {
		if t.text != "" && t.text != n.Name {
			fmt.Fprintf(b, " %s %s", t.name, quote.Text(t.text))
		}
	}
	if n.InputType != "" && n.InputType != "text" {
		fmt.Fprintf(b, " type %s", quote.Word(n.InputType))
	}
}

func writeStates(b *strings.Builder, n *messages.Node) {
	for _, s := range []struct {
		name string
		on   *bool
	}{
		{"required", n.Required}, {"disabled", n.Disabled}, {"readonly", n.Readonly}, {"invalid", n.Invalid}, {"selected", n.Selected},
	} {
		if s.on != nil && *s.on {
			b.WriteString(" " + s.name)
		}
	}
	if n.Unseen {
		b.WriteString(" unseen")
	}
	if n.Checked != "" {
		fmt.Fprintf(b, " checked=%s", n.Checked)
	}
	if n.Pressed != "" {
		fmt.Fprintf(b, " pressed=%s", n.Pressed)
	}
	if n.Expanded != nil {
		fmt.Fprintf(b, " expanded=%t", *n.Expanded)
	}
}
