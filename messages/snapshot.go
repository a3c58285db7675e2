package messages

// Snapshot answers TakeSnapshot (Appendix A). Absent fields of a node mean
// unknown or not applicable.
type Snapshot struct {
	replied
	BrowserID     BrowserID     `json:"browser_id"`
	PageID        PageID        `json:"page_id"`
	Generation    Generation    `json:"generation"`
	DocumentToken DocumentToken `json:"document_token"`
	URL           string        `json:"url"`
	Title         string        `json:"title"`
	Mode          SnapshotMode  `json:"mode"`
	AutoCompacted bool          `json:"auto_compacted"`
	Projection    Projection    `json:"projection,omitempty"`
	Nodes         []Node        `json:"nodes,omitempty"`
	// Text replaces Nodes in the tree projection; its refs serve as element_id.
	Text           string   `json:"text,omitempty"`
	Truncated      bool     `json:"truncated"`
	NextNodeOffset *int     `json:"next_node_offset"`
	Unseen         []Unseen `json:"unseen"`
	Dialog         *Dialog  `json:"dialog"`
	Busy           bool     `json:"busy"`
	// Collector says which collector answered (ax or walker), for debugging.
	Collector string `json:"collector,omitempty"`
}

// Unseen says what a snapshot could not see: kind frame, depth, closed_shadow,
// nodes; reason such as cross_origin, sandboxed, limit; and how many.
type Unseen struct {
	Kind   string `json:"kind"`
	Reason string `json:"reason"`
	Count  int    `json:"count"`
}

// Node is one node of a snapshot. Only a node with actions has an ElementID and
// a Ref (R52).
type Node struct {
	ElementID   ElementID `json:"element_id,omitempty"`
	Ref         Ref       `json:"ref,omitempty"`
	Role        string    `json:"role"`
	Name        string    `json:"name,omitempty"`
	Value       *string   `json:"value,omitempty"`
	Actions     []Action  `json:"actions,omitempty"`
	Label       string    `json:"label,omitempty"`
	Placeholder string    `json:"placeholder,omitempty"`
	Description string    `json:"description,omitempty"`
	Group       string    `json:"group,omitempty"`
	Section     string    `json:"section,omitempty"`
	InputType   string    `json:"input_type,omitempty"`
	URL         string    `json:"url,omitempty"`
	Hint        string    `json:"hint,omitempty"`
	Options     []string  `json:"options,omitempty"`
	// OptionsOff are those of Options that are disabled.
	OptionsOff []string `json:"options_disabled,omitempty"`
	Required   *bool    `json:"required,omitempty"`
	Disabled   *bool    `json:"disabled,omitempty"`
	Readonly   *bool    `json:"readonly,omitempty"`
	Invalid    *bool    `json:"invalid,omitempty"`
	Checked    Checked  `json:"checked,omitempty"`
	Pressed    Checked  `json:"pressed,omitempty"`
	Expanded   *bool    `json:"expanded,omitempty"`
	Selected   *bool    `json:"selected,omitempty"`
	// Unseen says that nobody sees the text: it is for who has it read out, or folded away.
	Unseen bool `json:"unseen,omitempty"`
	Level  *int `json:"level,omitempty"`
	Depth  int  `json:"depth"`
	Cut    bool `json:"truncated,omitempty"`
}
