package snapshot

import (
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/troupe-browser/troupe/messages"
)

// WalkOptions are the arguments of the page-side walker (page/api.js).
type WalkOptions struct {
	Generation messages.Generation `json:"generation"`
	// Kept are generations of other readers, whose elements stay registered (C40).
	Kept       []messages.Generation `json:"kept,omitempty"`
	Mode       messages.SnapshotMode `json:"mode"`
	Query      *messages.Query       `json:"query"`
	Offset     int                   `json:"offset"`
	MaxNodes   int                   `json:"max_nodes"`
	MaxDepth   int                   `json:"max_depth"`
	Horizon    int                   `json:"horizon"`
	BytesMax   int                   `json:"bytes_max"`
	Candidates bool                  `json:"candidates"`
	Clickables string                `json:"clickables"`
	// OutlineBytes, when set, is where auto compacts the tree projection.
	OutlineBytes int `json:"outline_bytes"`
	// Warmed says that the caller has just asked for the accessibility tree of every
	// frame. Without it the walker answers only where that was done before.
	Warmed bool `json:"warmed"`
}

// WalkView returns the walker's arguments for a view (R45-R50). For the tree
// projection, whose lines are weighed as they are written, the page compacts where
// it is certain, and [Walk.Overflows] decides the rest.
func WalkView(v View, generation messages.Generation) WalkOptions {
	v = defaults(v)
	o := WalkOptions{
		Generation: generation, Mode: v.Mode, Offset: v.Offset, MaxNodes: v.Max, MaxDepth: v.Depth,
		Horizon: messages.QueryHorizonNodes, BytesMax: bodyBytesMax, Candidates: !v.Broad, Clickables: "strict",
	}
	if v.Broad {
		o.Clickables = "broad"
	}
	if v.Projection != messages.ProjectionSemantic {
		// The window is measured as it is written; these forms write less than JSON.
		o.BytesMax = walkBytesMax
	}
	if v.Projection == messages.ProjectionTree && v.Mode == messages.ModeAuto {
		switch {
		case !v.Query.Empty():
			o.Mode = messages.ModeFull
		case v.Offset > 0:
			o.Mode = messages.ModeInteractive
		default:
			o.OutlineBytes = outlineCompactBytes
		}
	}
	if !v.Query.Empty() {
		o.Query = &v.Query
	}
	return o
}

// walkBytesMax bounds the walker's nodes in bytes where the projection is smaller
// than they are; at the bound the window ends and says so.
const walkBytesMax = 4 * messages.SnapshotBytesMax

// Overflows reports whether a full answer for auto in the tree projection is too
// much, so that the walk must be repeated for controls only (R46).
func (w *Walk) Overflows(v View) bool {
	v = defaults(v)
	if w.Compacted || v.Projection != messages.ProjectionTree || v.Mode != messages.ModeAuto || !v.Query.Empty() || v.Offset > 0 {
		return false
	}
	_, s := w.Tree(v, Frame{})
	estimate := 0
	for i := range w.Nodes {
		n := w.Nodes[i].node()
		estimate += s.weight(&n)
	}
	return s.compacts(len(w.Nodes), estimate)
}

// Walk is the walker's answer. The page has filtered, cut and registered already.
type Walk struct {
	// Cold says that nothing was done: the browser offers no computed roles, or
	// reading them is slow here.
	Cold      bool   `json:"cold"`
	URL       string `json:"url"`
	Title     string `json:"title"`
	Compacted bool   `json:"auto_compacted"`
	Truncated bool   `json:"truncated"`
	Next      *int   `json:"next_node_offset"`
	// Asks says that nothing was done because something may be a card, of which the
	// engine has the evidence (R100): the walk has to be repeated with it.
	Asks   bool `json:"asks"`
	Frames int  `json:"frames"`
	Deep   int  `json:"deep"`
	// Suspects are registered elements that may hold a closed shadow root.
	Suspects []int             `json:"suspects"`
	Unseen   []messages.Unseen `json:"unseen"`
	Nodes    []walkNode        `json:"nodes"`
}

type walkNode struct {
	Index       int               `json:"i"`
	Role        string            `json:"role"`
	Name        string            `json:"name"`
	Tag         string            `json:"tag"`
	Type        string            `json:"type"`
	Actions     []messages.Action `json:"actions"`
	Value       *string           `json:"value"`
	Secret      bool              `json:"secret"`
	Label       string            `json:"label"`
	Placeholder string            `json:"placeholder"`
	Description string            `json:"description"`
	URL         string            `json:"url"`
	Options     []string          `json:"options"`
	OptionsCut  bool              `json:"options_cut"`
	OptionsOff  []int             `json:"options_off"`
	Required    *bool             `json:"required"`
	Disabled    *bool             `json:"disabled"`
	Readonly    *bool             `json:"readonly"`
	Invalid     *bool             `json:"invalid"`
	Expanded    *bool             `json:"expanded"`
	Selected    *bool             `json:"selected"`
	Checked     triState          `json:"checked"`
	Pressed     triState          `json:"pressed"`
	Level       int               `json:"level"`
	Unseen      bool              `json:"unseen"`
	Hint        string            `json:"hint"`
	Depth       int               `json:"depth"`
	Group       string            `json:"group"`
	Section     string            `json:"section"`
}

// triState is true, false or "mixed".
type triState messages.Checked

// UnmarshalJSON reads a boolean or a text.
func (s *triState) UnmarshalJSON(data []byte) error {
	switch string(data) {
	case "true", "false":
		*s = triState(data)
	case `"mixed"`:
		*s = triState(messages.CheckedMixed)
	}
	return nil
}

// DecodeWalk reads the walker's answer, which comes from our own function.
func DecodeWalk(data []byte) (*Walk, error) {
	var w Walk
	if err := jsonv2.Unmarshal(data, &w, jsonv2.AllowInvalidUTF8(true)); err != nil {
		return nil, err
	}
	return &w, nil
}

// Tree turns the answer into a tree and its window, so that one projection serves
// both collectors.
func (w *Walk) Tree(v View, frame Frame) (*Tree, *Selection) {
	v = defaults(v)
	t := &Tree{Frames: []Frame{frame}, Indexed: true, Framed: w.Frames > 0, Truncated: w.Truncated, Unseen: w.Unseen, Nodes: make([]Node, 0, len(w.Nodes))}
	s := &Selection{View: v, AutoCompacted: w.Compacted, Truncated: w.Truncated, Next: w.Next, DeepCut: w.Deep}
	for i := range w.Nodes {
		s.Nodes = append(s.Nodes, len(t.Nodes))
		s.Depths = append(s.Depths, w.Nodes[i].Depth)
		t.Nodes = append(t.Nodes, w.Nodes[i].node())
	}
	return t, s
}

func (w *walkNode) node() Node {
	n := Node{
		Parent: -1, Index: w.Index, Role: w.Role, Name: w.Name, Description: w.Description, Placeholder: w.Placeholder,
		Tag: w.Tag, InputType: w.Type, URL: w.URL, Value: w.Value, Options: w.Options, OptionsCut: w.OptionsCut, OptionsOff: w.OptionsOff,
		Facts: Indexed, Required: w.Required, Disabled: w.Disabled, Readonly: w.Readonly, Invalid: w.Invalid,
		Expanded: w.Expanded, Selected: w.Selected, Checked: messages.Checked(w.Checked), Pressed: messages.Checked(w.Pressed),
		Level: w.Level, Unseen: w.Unseen, Hint: w.Hint, Label: w.Label, Group: w.Group, Section: w.Section, Actions: w.Actions,
	}
	if w.Secret {
		n.Facts |= Secret
		n.Value = nil
	}
	return n
}
