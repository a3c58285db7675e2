package snapshot

import (
	"strconv"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/troupe-browser/troupe/messages"
)

// AXTree is the answer of Accessibility.getFullAXTree, only as far as it is used.
// name.sources, more than half of the bytes, is skipped unread.
type AXTree struct {
	Nodes []axNode `json:"nodes"`
}

type axNode struct {
	ID       string   `json:"nodeId"`
	Ignored  bool     `json:"ignored"`
	Role     axValue  `json:"role"`
	Name     axValue  `json:"name"`
	Describe axValue  `json:"description"`
	Value    axValue  `json:"value"`
	Props    []axProp `json:"properties"`
	Children []string `json:"childIds"`
	Backend  int64    `json:"backendDOMNodeId"`
}

type axProp struct {
	Name  string  `json:"name"`
	Value axValue `json:"value"`
}

type axValue struct {
	Value jsonv2.Value `json:"value"`
}

// text is the value as text: a string, or a number or boolean as written.
func (v axValue) text() string {
	raw := v.Value
	if len(raw) == 0 || string(raw) == "null" {
		return ""
	}
	if raw[0] != '"' {
		return string(raw)
	}
	if s, err := strconv.Unquote(string(raw)); err == nil && plainLine(s) {
		return s
	}
	var s string
	if jsonv2.Unmarshal(raw, &s, jsonv2.AllowInvalidUTF8(true)) != nil {
		return ""
	}
	return s
}

func (v axValue) flag() *bool {
	on := v.text() == "true"
	return &on
}

// DecodeAX reads an answer of Accessibility.getFullAXTree.
func DecodeAX(data []byte) (*AXTree, error) {
	var tree AXTree
	if err := jsonv2.Unmarshal(data, &tree, jsonv2.AllowInvalidUTF8(true)); err != nil {
		return nil, err
	}
	return &tree, nil
}

// Root returns the backend id of the document, 0 for an empty tree.
func (a *AXTree) Root() int64 {
	if len(a.Nodes) == 0 {
		return 0
	}
	return a.Nodes[0].Backend
}

// quoteJSON is a text as a JSON value.
func quoteJSON(text string) jsonv2.Value {
	data, err := jsonv2.Marshal(text, jsonv2.AllowInvalidUTF8(true))
	if err != nil {
		return nil // A string cannot fail to encode.
	}
	return data
}

// Confirms reports whether a tree of one node says the same role and name as a
// node that was read before.
func (a *AXTree) Confirms(n *Node) bool {
	for i := range a.Nodes {
		if a.Nodes[i].Backend == n.Backend {
			again := a.Nodes[i].node()
			return !a.Nodes[i].Ignored && again.Role == n.Role && again.Name == n.Name
		}
	}
	return false
}

// axRoles names Chromium's internal roles as the product does. A disclosure of which
// only one of a group is open at a time is one like any other.
var axRoles = map[string]string{"StaticText": TextRole, "DisclosureTriangleGrouped": "DisclosureTriangle"}

// noFile is the value of a file input without a file.
const noFile = "No file chosen"

// node is the common form of an AX node without the facts of the DOM pass.
func (a *axNode) node() Node {
	n := Node{
		Parent: -1, Index: -1, Backend: a.Backend,
		Role: a.Role.text(), Name: Squeeze(a.Name.text()), Description: Squeeze(a.Describe.text()),
	}
	if named, ok := axRoles[n.Role]; ok {
		n.Role = named
	}
	if len(a.Value.Value) > 0 && n.Role != TextRole {
		value := Squeeze(a.Value.text())
		n.Value = &value
	}
	for i := range a.Props {
		n.property(a.Props[i].Name, a.Props[i].Value)
	}
	return n
}

// property stores one AX property. Booleans that say only what is usual are
// left out: required, disabled, readonly and invalid are given when true.
func (n *Node) property(name string, value axValue) {
	switch name {
	case "required":
		n.Required = onlyTrue(value.flag())
	case "disabled":
		n.Disabled = onlyTrue(value.flag())
	case "readonly":
		n.Readonly = onlyTrue(value.flag())
	case "invalid":
		on := value.text() != "false" && value.text() != ""
		n.Invalid = onlyTrue(&on)
	case "expanded":
		n.Expanded = value.flag()
	case "selected":
		n.Selected = value.flag()
		if !selectableRoles[n.Role] {
			n.Selected = onlyTrue(n.Selected)
		}
	case "checked":
		if checkableRoles[n.Role] {
			n.Checked = messages.Checked(value.text())
		}
	case "pressed":
		n.Pressed = messages.Checked(value.text())
	case "level":
		n.Level, _ = strconv.Atoi(value.text())
	case "focusable":
		if value.text() == "true" {
			n.Facts |= Focusable
		}
	case "url":
		if n.Role == "link" {
			n.URL = value.text() // Of pictures and frames it says nothing to act on.
		}
	}
}

// says reports whether a property is true.
func (a *axNode) says(name string) bool {
	for i := range a.Props {
		if a.Props[i].Name == name {
			return a.Props[i].Value.text() == "true"
		}
	}
	return false
}

func onlyTrue(b *bool) *bool {
	if isTrue(b) {
		return b
	}
	return nil
}
