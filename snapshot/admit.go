package snapshot

import "github.com/troupe-browser/troupe/messages"

// The actions that a node may admit (R52). They are the names of the effects.
const (
	ActClick        messages.Action = "click"
	ActHover        messages.Action = "hover"
	ActScroll       messages.Action = "scroll"
	ActDrag         messages.Action = "drag"
	ActInputText    messages.Action = "input_text"
	ActSetValue     messages.Action = "set_value"
	ActSelectOption messages.Action = "select_option"
	ActSelectChoice messages.Action = "select_choice"
	ActSetDate      messages.Action = "set_date"
	ActUploadFile   messages.Action = "upload_file"
)

// Policy is the operator's choice that admission depends on.
type Policy struct {
	// Broad admits a click on whatever the engine, the cursor or a tabindex says
	// is clickable (R228); false means cards only (R99-R103).
	Broad bool
}

// grants is a set of actions under construction.
type grants struct {
	click, text, value, selectOption, choice, date, upload, drag bool
}

// Admit decides for every node which actions it allows (R60-R68, R227, R228) and
// stores them in the tree. A node gets nothing because of its role alone, nothing
// while it is disabled, and nothing inside the engine's private parts. Containers
// that stand for nothing once this is known are removed from the tree.
func Admit(t *Tree, policy Policy) {
	private := privateParts(t)
	for i := range t.Nodes {
		n := &t.Nodes[i]
		n.Actions = nil
		if n.Role == TextRole || isTrue(n.Disabled) || n.Facts.Has(Inert) {
			continue
		}
		var g grants
		if t.Indexed {
			if !n.Facts.Has(Indexed) || n.Shadow == BrowserRoot {
				continue
			}
			g = byElement(n)
			byFacts(n, policy, &g)
		} else if !t.Framed && !private[i] {
			g = byRole(n)
		}
		if isTrue(n.Readonly) {
			g.text, g.value = false, false
		}
		n.Actions = g.actions()
	}
	admitDays(t)
	prune(t)
}

// byElement admits by element name and input type (R60, R61).
func byElement(n *Node) grants {
	switch n.Tag {
	case "select":
		return grants{selectOption: true}
	case "textarea":
		return grants{click: true, text: true, value: true}
	case "option", "optgroup", "datalist":
		return grants{}
	case "input":
		return byInputType(n)
	case "button", "summary":
		opens, date := opensChoice(n), n.Facts.Has(DateHint)
		return grants{click: n.Tag == "button" || n.Role == "DisclosureTriangle", choice: opens && !date, date: opens && date}
	}
	if n.Facts.Has(EditingHost) {
		return grants{click: true, text: true, value: true, choice: n.Role == "combobox"}
	}
	g := grants{click: clickRoles[n.Role]}
	switch {
	case n.Role == "combobox" || n.Role == "listbox":
		g.choice = true
	case n.Role == "button":
		g.choice = opensChoice(n)
	case n.Role == "slider":
		// A slider takes keys, so it must take the focus, and it must say where it is (R227).
		g.value = n.Facts.Has(Range) && n.Facts.Has(Focusable)
	}
	if n.Role == "generic" && n.Facts.Has(Tabbable|ChoiceHint) {
		g.click, g.choice = true, true // It is drawn as a choice.
	}
	// A panel with this hint shows the days of a month.
	if n.Facts.Has(DateHint) && (g.choice || dayPanels[n.Role]) {
		g.choice, g.date = false, true
	}
	return g
}

func byInputType(n *Node) grants {
	switch {
	case n.InputType == "file":
		return grants{upload: true}
	case valueTypes[n.InputType]:
		return grants{value: true}
	case buttonTypes[n.InputType]:
		return grants{click: true, choice: n.InputType == "button" && opensChoice(n)}
	case !textTypes[n.InputType]:
		return grants{}
	}
	g := grants{click: true, text: true, value: true}
	if n.InputType != "text" && n.InputType != "search" {
		return g
	}
	switch {
	case n.Facts.Has(DateHint):
		g.date = true
	case n.Facts.Has(ChoiceHint), n.Facts.Has(OpensPopup), n.Role == "combobox" && !n.Facts.Has(DataList):
		g.choice = true
	}
	return g
}

// opensChoice reports whether a button qualifies for a choice: by relation,
// never by class (R92).
func opensChoice(n *Node) bool { return n.Facts.Has(OpensPopup) }

// byFacts adds what goes beyond element names: labels of hidden controls, hidden
// file inputs, draggable elements, cards and broad clickables (R227, R99, R228).
func byFacts(n *Node, policy Policy, g *grants) {
	if n.Facts.Has(HiddenFile) {
		*g = grants{upload: true}
		return
	}
	if n.Facts.Has(LabelOfHidden) || n.Facts.Has(Card) && cardRoles[n.Role] {
		g.click = true
	}
	if n.Facts.Has(Draggable) {
		g.drag = true
	}
	if policy.Broad && !g.any() && broadClickable(n) {
		g.click = true
	}
}

// broadClickable reports whether an element is clickable by the engine's fact, a
// pointer cursor of its own or a tabindex, and can be seen (R228). A native
// control of another kind stays what it is.
func broadClickable(n *Node) bool {
	switch n.Tag {
	case "", "html", "body", "select", "input", "textarea", "option", "optgroup", "datalist", "iframe", "frame":
		return false
	case "label":
		if !n.Facts.Has(OwnPointer) && !n.Facts.Has(Tabbable) {
			return false // The engine calls every label clickable.
		}
	}
	if !n.Facts.Has(Visible) || !n.Facts.Has(PointerEvents) {
		return false
	}
	return n.Facts&(Clickable|OwnPointer|Tabbable) != 0
}

// byRole is the fallback for a page whose DOM could not be read (R66).
func byRole(n *Node) grants {
	switch {
	case legacyTextRoles[n.Role]:
		return grants{click: true, text: true, value: true}
	case legacyClickRoles[n.Role]:
		return grants{click: true}
	}
	return grants{}
}

// privateParts marks the nodes below a structured control, which the fallback
// must leave alone; nil where the DOM was read.
func privateParts(t *Tree) []bool {
	if t.Indexed {
		return nil
	}
	private := make([]bool, len(t.Nodes))
	for i := range t.Nodes {
		if p := t.Nodes[i].Parent; p >= 0 {
			private[i] = private[p] || privateOwners[t.Nodes[p].Role]
		}
	}
	return private
}

func (g grants) any() bool { return g != grants{} }

// actions lists the set in a fixed order. Hover, scroll and drag go wherever a
// click does (R227).
func (g grants) actions() []messages.Action {
	if !g.any() {
		return nil
	}
	out := make([]messages.Action, 0, 8)
	add := func(on bool, action messages.Action) {
		if on {
			out = append(out, action)
		}
	}
	add(g.click, ActClick)
	add(g.text, ActInputText)
	add(g.value, ActSetValue)
	add(g.selectOption, ActSelectOption)
	add(g.choice, ActSelectChoice)
	add(g.date, ActSetDate)
	add(g.upload, ActUploadFile)
	add(g.click, ActHover)
	add(g.click, ActScroll)
	add(g.click || g.drag, ActDrag)
	return out
}

func isTrue(b *bool) bool { return b != nil && *b }
