package snapshot

import (
	"strings"
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

func yes() *bool { on := true; return &on }

func no() *bool { off := false; return &off }

// admitted is what one node of an otherwise empty tree allows.
func admitted(t *testing.T, n Node, tree Tree, policy Policy) string {
	t.Helper()
	n.Parent, n.Index = -1, -1
	tree.Nodes = append(tree.Nodes, n)
	Admit(&tree, policy)
	for i := range tree.Nodes {
		if tree.Nodes[i].Role == n.Role && tree.Nodes[i].Name == n.Name {
			return words(tree.Nodes[i].Actions)
		}
	}
	return ""
}

func words(actions []messages.Action) string {
	parts := make([]string, 0, len(actions))
	for _, a := range actions {
		parts = append(parts, string(a))
	}
	return strings.Join(parts, " ")
}

const (
	clicked = "click hover scroll drag"
	typed   = "click input_text set_value hover scroll drag"
)

func TestAdmitR60R61ByElementAndType(t *testing.T) {
	for _, c := range []struct{ tag, kind, role, want string }{
		{"select", "", "combobox", "select_option"},
		{"select", "", "listbox", "select_option"},
		{"textarea", "", "textbox", typed},
		{"input", "text", "textbox", typed}, {"input", "search", "searchbox", typed}, {"input", "email", "textbox", typed},
		{"input", "url", "textbox", typed}, {"input", "tel", "textbox", typed}, {"input", "password", "textbox", typed},
		{"input", "number", "spinbutton", "set_value"}, {"input", "range", "slider", "set_value"}, {"input", "date", "Date", "set_value"},
		{"input", "month", "DateTime", "set_value"}, {"input", "week", "DateTime", "set_value"}, {"input", "time", "InputTime", "set_value"},
		{"input", "datetime-local", "DateTime", "set_value"}, {"input", "color", "ColorWell", "set_value"},
		{"input", "file", "button", "upload_file"}, {"input", "hidden", "textbox", ""},
		{"input", "checkbox", "checkbox", clicked}, {"input", "radio", "radio", clicked}, {"input", "submit", "button", clicked},
		{"input", "reset", "button", clicked}, {"input", "button", "button", clicked}, {"input", "image", "button", clicked},
		{"option", "", "option", ""}, {"button", "", "button", clicked}, {"a", "", "link", clicked},
		{"summary", "", "DisclosureTriangle", clicked}, {"summary", "", "generic", ""},
		{"div", "", "button", clicked}, {"div", "", "link", clicked}, {"div", "", "checkbox", clicked}, {"div", "", "tab", clicked},
		{"div", "", "spinbutton", ""}, {"div", "", "slider", ""}, {"div", "", "textbox", ""}, {"div", "", "searchbox", ""},
		{"div", "", "combobox", "click select_choice hover scroll drag"}, {"div", "", "listbox", "select_choice"},
		// The role never decides over the element (R60).
		{"select", "", "button", "select_option"}, {"input", "number", "button", "set_value"}, {"input", "file", "link", "upload_file"},
		{"option", "", "button", ""}, {"button", "", "textbox", clicked}, {"p", "", "paragraph", ""},
	} {
		n := Node{Tag: c.tag, InputType: c.kind, Role: c.role, Name: "N", Facts: Indexed}
		if got := admitted(t, n, Tree{Indexed: true}, Policy{}); got != c.want {
			t.Errorf("<%s type=%s> with role %s admits %q, want %q", c.tag, c.kind, c.role, got, c.want)
		}
	}
}

func TestAdmitR62R63R65WhatTakesActionsAway(t *testing.T) {
	field := Node{Tag: "input", InputType: "text", Role: "textbox", Name: "N", Facts: Indexed}
	for _, c := range []struct {
		name string
		edit func(*Node)
		want string
	}{
		{"nothing", func(*Node) {}, typed},
		{"disabled", func(n *Node) { n.Disabled = yes() }, ""},
		{"enabled is said", func(n *Node) { n.Disabled = no() }, typed},
		{"read-only", func(n *Node) { n.Readonly = yes() }, clicked},
		{"writable is said", func(n *Node) { n.Readonly = no() }, typed},
		{"private part", func(n *Node) { n.Shadow = BrowserRoot }, ""},
		{"open root", func(n *Node) { n.Shadow = OpenRoot }, typed},
		{"closed root", func(n *Node) { n.Shadow = ClosedRoot }, typed},
		{"not in the index", func(n *Node) { n.Facts = 0 }, ""},
		{"inert", func(n *Node) { n.Facts |= Inert }, ""},
	} {
		n := field
		c.edit(&n)
		if got := admitted(t, n, Tree{Indexed: true}, Policy{}); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestAdmitR66FallbackWithoutTheDOM(t *testing.T) {
	for _, c := range []struct{ above, role, want string }{
		{"", "textbox", typed}, {"", "searchbox", typed}, {"", "button", clicked}, {"", "link", clicked}, {"", "checkbox", clicked},
		{"", "radio", clicked}, {"", "switch", clicked}, {"", "menuitem", clicked}, {"", "tab", clicked}, {"", "combobox", clicked},
		{"", "DateTime", ""}, {"", "spinbutton", ""}, {"", "slider", ""}, {"", "option", ""}, {"", "listbox", ""},
		{"Date", "button", ""}, {"DateTime", "spinbutton", ""}, {"InputTime", "button", ""}, {"ColorWell", "button", ""},
		{"spinbutton", "button", ""}, {"slider", "button", ""}, {"combobox", "textbox", ""}, {"group", "button", clicked},
	} {
		tree := Tree{Nodes: []Node{{Parent: -1, Role: c.above, Name: "up"}, {Parent: 0, Role: "form", Name: "mid"}, {Parent: 1, Role: c.role, Name: "N"}}}
		if c.above == "" {
			tree.Nodes[0].Role = "main"
		}
		Admit(&tree, Policy{})
		if got := words(tree.Nodes[2].Actions); got != c.want {
			t.Errorf("%s below %q admits %q, want %q", c.role, c.above, got, c.want)
		}
		tree.Framed = true
		Admit(&tree, Policy{})
		if got := words(tree.Nodes[2].Actions); got != "" {
			t.Errorf("with frames %s admits %q", c.role, got)
		}
	}
}

func TestAdmitR92PickersQualifyByTheirKind(t *testing.T) {
	choice, date := "click input_text set_value select_choice hover scroll drag", "click input_text set_value set_date hover scroll drag"
	for _, c := range []struct {
		name string
		node Node
		want string
	}{
		{"combobox by semantics", Node{Tag: "input", InputType: "text", Role: "combobox"}, choice},
		{"suggestions of the browser", Node{Tag: "input", InputType: "text", Role: "combobox", Facts: DataList}, typed},
		{"select hint", Node{Tag: "input", InputType: "search", Role: "searchbox", Facts: ChoiceHint}, choice},
		{"date hint", Node{Tag: "input", InputType: "text", Role: "textbox", Facts: DateHint}, date},
		{"date hint wins", Node{Tag: "input", InputType: "text", Role: "combobox", Facts: DateHint | ChoiceHint}, date},
		{"hint on an e-mail field", Node{Tag: "input", InputType: "email", Role: "textbox", Facts: ChoiceHint}, typed},
		{"hint on a native date", Node{Tag: "input", InputType: "date", Role: "Date", Facts: DateHint}, "set_value"},
		{"hint on a native file", Node{Tag: "input", InputType: "file", Role: "button", Facts: ChoiceHint}, "upload_file"},
		{"read-only picker", Node{Tag: "input", InputType: "text", Role: "textbox", Facts: DateHint, Readonly: yes()}, "click set_date hover scroll drag"},
		{"disabled picker", Node{Tag: "input", InputType: "text", Role: "textbox", Facts: DateHint, Disabled: yes()}, ""},
		{"plain button with a class", Node{Tag: "button", Role: "button", Facts: ChoiceHint}, clicked},
		{"button that opens a list", Node{Tag: "button", Role: "button", Facts: OpensPopup}, "click select_choice hover scroll drag"},
		{"custom list box", Node{Tag: "div", Role: "listbox"}, "select_choice"},
		{"custom date combobox", Node{Tag: "div", Role: "combobox", Facts: DateHint}, "click set_date hover scroll drag"},
		{"native select with a class", Node{Tag: "select", Role: "combobox", Facts: ChoiceHint}, "select_option"},
	} {
		c.node.Name = "N"
		c.node.Facts |= Indexed
		if got := admitted(t, c.node, Tree{Indexed: true}, Policy{}); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		c.node.Facts &^= Indexed
		if got := admitted(t, c.node, Tree{}, Policy{}); strings.Contains(got, "select_choice") || strings.Contains(got, "set_date") {
			t.Errorf("%s without the DOM: %q", c.name, got)
		}
	}
}

func TestAdmitR227BeyondTheDocuments(t *testing.T) {
	for _, c := range []struct {
		name string
		node Node
		want string
	}{
		{"draggable", Node{Tag: "div", Role: "group", Facts: Draggable}, "drag"},
		{"label of a hidden control", Node{Tag: "label", Role: "LabelText", Facts: LabelOfHidden}, clicked},
		{"label", Node{Tag: "label", Role: "LabelText", Facts: Clickable | Visible | PointerEvents}, ""},
		{"hidden file input", Node{Tag: "input", InputType: "file", Role: "button", Facts: HiddenFile}, "upload_file"},
		{"disabled hidden file input", Node{Tag: "input", InputType: "file", Role: "button", Facts: HiddenFile, Disabled: yes()}, ""},
		{"editing host", Node{Tag: "div", Role: "generic", Facts: EditingHost}, typed},
		{"read-only editing host", Node{Tag: "div", Role: "textbox", Facts: EditingHost, Readonly: yes()}, clicked},
		{"whole slider", Node{Tag: "div", Role: "slider", Facts: Range | Focusable}, "set_value"},
		{"slider without focus", Node{Tag: "div", Role: "slider", Facts: Range}, ""},
		{"slider without range", Node{Tag: "div", Role: "slider", Facts: Focusable}, ""},
	} {
		c.node.Name = "N"
		c.node.Facts |= Indexed
		if got := admitted(t, c.node, Tree{Indexed: true}, Policy{}); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestAdmitR228BroadAddsAClickOnly(t *testing.T) {
	for _, c := range []struct {
		name string
		node Node
		want string
	}{
		{"engine's fact", Node{Tag: "span", Role: "generic", Facts: Clickable | Visible | PointerEvents}, clicked},
		{"own pointer", Node{Tag: "i", Role: "generic", Facts: OwnPointer | Visible | PointerEvents}, clicked},
		{"tabindex on a drawing", Node{Tag: "circle", Role: "graphics-symbol", Facts: Tabbable | Visible | PointerEvents}, clicked},
		{"invisible", Node{Tag: "span", Role: "generic", Facts: Clickable | PointerEvents}, ""},
		{"no pointer events", Node{Tag: "span", Role: "generic", Facts: Clickable | Visible}, ""},
		{"disabled", Node{Tag: "span", Role: "generic", Facts: Clickable | Visible | PointerEvents, Disabled: yes()}, ""},
		{"option", Node{Tag: "option", Role: "option", Facts: Clickable | Visible | PointerEvents}, ""},
		{"number field stays", Node{Tag: "input", InputType: "number", Role: "spinbutton", Facts: Clickable | Visible | PointerEvents}, "set_value"},
	} {
		c.node.Name = "N"
		c.node.Facts |= Indexed
		if got := admitted(t, c.node, Tree{Indexed: true}, Policy{Broad: true}); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		if got := admitted(t, c.node, Tree{Indexed: true}, Policy{}); got != "" && got != "set_value" {
			t.Errorf("%s under strict: %q", c.name, got)
		}
	}
}

// R62, R65: no combination of facts lets a private part, a disabled node or one
// outside the index do anything.
func TestAdmitNothingGrantsAPrivatePart(t *testing.T) {
	tags := []string{"", "div", "input", "select", "textarea", "button", "a", "label", "option", "summary"}
	for _, tag := range tags {
		for role := range controlRoles {
			for bits := Facts(0); bits < HiddenFile<<1; bits = bits*2 + 1 {
				for _, broad := range []bool{false, true} {
					base := Node{Tag: tag, InputType: "text", Role: role, Name: "N"}
					private, off, unknown := base, base, base
					private.Facts, private.Shadow = bits|Indexed, BrowserRoot
					off.Facts, off.Disabled = bits|Indexed, yes()
					unknown.Facts = bits &^ Indexed
					for what, n := range map[string]Node{"private": private, "disabled": off, "unknown": unknown} {
						if got := admitted(t, n, Tree{Indexed: true}, Policy{Broad: broad}); got != "" {
							t.Fatalf("%s <%s> role %s facts %b admits %q", what, tag, role, bits, got)
						}
					}
				}
			}
		}
	}
}
