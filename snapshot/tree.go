package snapshot

import "github.com/troupe-browser/troupe/messages"

// Shadow is the kind of the innermost shadow root around an element.
type Shadow uint8

// The kinds. BrowserRoot is a root of the engine's own, inside an input, a video
// and the like; its parts allow nothing (R62).
const (
	LightTree Shadow = iota
	OpenRoot
	ClosedRoot
	BrowserRoot
)

// Facts are what the DOM pass found out about an element.
type Facts uint32

// The facts.
const (
	// Indexed: the DOM pass holds the element; without it nothing is admitted (R65).
	Indexed Facts = 1 << iota
	// Visible: it has a box of at least one pixel, and no style hides it.
	Visible
	// Clickable: the engine says that a click on it does something.
	Clickable
	// PointerCursor: its computed cursor is the pointing hand.
	PointerCursor
	// OwnPointer: its parent has another cursor.
	OwnPointer
	// PointerEvents: the computed pointer-events are exactly auto.
	PointerEvents
	// Tabbable: it has a tabindex of at least 0.
	Tabbable
	// Focusable: it takes the focus in any way.
	Focusable
	// EditingHost: it carries contenteditable and nothing around it does.
	EditingHost
	// Draggable: it has draggable=true.
	Draggable
	// Range: it states a value, a minimum and a maximum (aria-value*).
	Range
	// LabelOfHidden: a visible label whose own control cannot be seen (R227).
	LabelOfHidden
	// OpensPopup: by relation it opens, or controls, a list box, tree, grid, dialog or menu (R92).
	OpensPopup
	// ChoiceHint and DateHint: a component class on it or near it; DateHint also: it says
	// by its name or placeholder that it takes a date, or it shows the days of a month (R92).
	ChoiceHint
	DateHint
	// Secret: a field that is a password, or shows itself as one (R57).
	Secret
	// SelectOption: an option of a native select or datalist.
	SelectOption
	// DataList: an input with suggestions of its own, drawn by the browser.
	DataList
	// TopDocument: it is in the main frame's document.
	TopDocument
	// Card: the layout evidence of R100 holds for it.
	Card
	// Inert: it or something around it is inert, or hidden from everybody.
	Inert
	// Promoted: it stands in for a control of which the tree showed only parts (R64).
	Promoted
	// HiddenFile: a file input that cannot be seen (R227).
	HiddenFile
)

// Has reports whether all facts of f are there.
func (facts Facts) Has(f Facts) bool { return facts&f == f }

// Node is one node that a collector read, the common form of both. Strings are
// squeezed. Absent pointers mean unknown or not applicable.
type Node struct {
	// Parent is the index of the nearest ancestor in the tree, -1 for none; it is
	// always smaller than the node's own index.
	Parent int
	// Frame is the index into Tree.Frames.
	Frame int
	// Backend is the browser's node id, 0 where the collector does not know it.
	Backend int64
	// Index is the node's place in the page's registry, -1 while it has none.
	Index int

	Role, Name, Description, Placeholder string
	Tag, InputType                       string
	URL                                  string
	// Value is what a field holds, never of a secret (R57).
	Value *string
	// Options are the choices of a native select, at most NativeOptionsShownMax.
	Options    []string
	OptionsCut bool
	// OptionsOff are the places in Options of those that are disabled.
	OptionsOff []int

	Facts  Facts
	Shadow Shadow

	Required, Disabled, Readonly, Invalid, Expanded, Selected *bool
	Checked, Pressed                                          messages.Checked
	Level                                                     int
	// Hint is a stand-in for a missing name (R228).
	Hint string
	// paragraph is the backend id of the paragraph around it, 0 for none.
	paragraph int64
	// Unseen: nobody sees the text, it is for who has it read out, or folded away.
	Unseen bool
	// Content is the text inside an element without a name, cut short.
	Content string

	// The rest is found out by this package: context and admission.
	Label, Group, Section string
	Actions               []messages.Action
}

// Frame is one frame whose document was read.
type Frame struct {
	ID string
	// World is the unique id of our isolated world in its document.
	World string
	// Root is the backend node id of its document node, 0 if it is not known.
	Root int64
}

// Tree is what a collector read of one page: nodes in document order, parents
// before children, containers without meaning already left out.
type Tree struct {
	Nodes  []Node
	Frames []Frame
	// Indexed says that the DOM was read; without it admission follows R66.
	Indexed bool
	// Framed says that the page has frames, which rules out that fallback.
	Framed bool
	// Compact says that only controls and their context were read.
	Compact bool
	// Truncated says that the source was not read to its end.
	Truncated bool
	// Unseen is what the collector could not see.
	Unseen []messages.Unseen
}

// TextRole is the role of a run of text.
const TextRole = "text"

// AddUnseen counts n things of a kind that were not seen for a reason, in at
// most messages.UnseenEntriesMax entries; further kinds are left out.
func (t *Tree) AddUnseen(kind, reason string, n int) {
	if n <= 0 {
		return
	}
	for i := range t.Unseen {
		if t.Unseen[i].Kind == kind && t.Unseen[i].Reason == reason {
			t.Unseen[i].Count += n
			return
		}
	}
	if len(t.Unseen) < messages.UnseenEntriesMax {
		t.Unseen = append(t.Unseen, messages.Unseen{Kind: kind, Reason: reason, Count: n})
	}
}
