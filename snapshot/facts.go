package snapshot

import (
	"slices"
	"strings"

	"github.com/troupe-browser/troupe/internal/cut"
	"github.com/troupe-browser/troupe/messages"
)

// scopes are facts of a document that are inherited from ancestors, one entry a
// node, computed in one pass because a capture lists parents first.
type scopes struct {
	shadow   []Shadow
	editable []bool
}

func (x *index) scopesOf(document int32) scopes {
	nodes := &x.Documents[document].Nodes
	s := scopes{shadow: make([]Shadow, len(nodes.Backend)), editable: make([]bool, len(nodes.Backend))}
	for i := range nodes.Backend {
		p := place{document, int32(i)}
		up := x.parent(p)
		if up != none {
			s.shadow[i], s.editable[i] = s.shadow[up.node], s.editable[up.node]
		}
		if kind, root := x.shadow[document][p.node]; root && s.shadow[i] != BrowserRoot {
			s.shadow[i], s.editable[i] = kind, false
		}
		if value, ok := x.attr(p, "contenteditable"); ok {
			s.editable[i] = editableValue(value, s.editable[i])
		}
	}
	return s
}

func editableValue(value string, inherited bool) bool {
	switch strings.ToLower(value) {
	case "", "true", "plaintext-only":
		return true
	case "false":
		return false
	}
	return inherited
}

// scope returns the inherited facts of a place.
func (j *joiner) scope(p place) (Shadow, bool) {
	if j.scopes[p.document].shadow == nil {
		j.scopes[p.document] = j.x.scopesOf(p.document)
	}
	s := &j.scopes[p.document]
	return s.shadow[p.node], s.editable[p.node]
}

// describe adds to a node what the DOM pass knows about its element.
func (j *joiner) describe(n *Node, p place) {
	x := j.x
	n.Facts |= Indexed
	shadow, editable := j.scope(p)
	n.Shadow = shadow
	n.Tag = x.tag(p)
	if n.Tag == "input" {
		n.InputType = inputType(x.attrText(p, "type"))
	}
	if p.document == j.main && shadow == LightTree {
		n.Facts |= TopDocument
	}
	j.describeLook(n, p)
	if editable {
		if _, own := x.attr(p, "contenteditable"); own {
			if up := x.parent(p); up == none || !j.editableAt(up) {
				n.Facts |= EditingHost
			}
		}
	}
	if tab, ok := x.attr(p, "tabindex"); ok && !strings.HasPrefix(strings.TrimSpace(tab), "-") && tab != "" {
		n.Facts |= Tabbable
	}
	if x.attrText(p, "draggable") == "true" {
		n.Facts |= Draggable
	}
	if x.click[p.document][p.node] {
		n.Facts |= Clickable
	}
	if j.cards[n.Backend] && cardRoles[n.Role] {
		n.Facts |= Card
	}
	n.Placeholder = Squeeze(x.attrText(p, "placeholder"))
	if n.Placeholder == "" {
		n.Placeholder = Squeeze(x.attrText(p, "aria-placeholder"))
	}
	j.describeField(n, p)
	if n.Tag == "label" && j.labelsHidden(p) {
		n.Facts |= LabelOfHidden
		n.Checked = j.checkedBehind(p)
		if n.Disabled == nil {
			n.Disabled = j.disabledByDOM(p) // The tree does not say it of a label.
		}
	}
	if n.Selected == nil && x.attrText(p, "aria-selected") == "true" {
		on := true
		n.Selected = &on // The tree knows it only of some roles, a page may mark any row.
	}
	j.describeWidget(n, p)
	switch {
	case x.secret(p, n):
		n.Facts |= Secret
		n.Value = nil
	case n.Value == nil && holdsText(n):
		empty := ""
		n.Value = &empty
	}
}

// readonlyTypes are the input types on which readonly means something.
var readonlyTypes = roles("text search email url tel password number date month week time datetime-local")

// describeField adds what the accessibility tree leaves out for some kinds of
// field: read-only, required, and that no file is chosen.
func (j *joiner) describeField(n *Node, p place) {
	on := true
	field := n.Tag == "textarea" || n.Tag == "input" && readonlyTypes[n.InputType]
	if field && j.x.hasAttr(p, "readonly") || (field || n.Facts.Has(EditingHost)) && j.x.attrText(p, "aria-readonly") == "true" {
		n.Readonly = &on
	}
	if (field || n.Tag == "select" || n.InputType == "checkbox" || n.InputType == "radio" || n.InputType == "file") && j.x.hasAttr(p, "required") {
		n.Required = &on
	}
	if n.InputType == "file" && n.Value != nil && *n.Value == noFile {
		n.Value = nil
	}
	if isTrue(n.Required) && (n.Tag == "select" || n.Value == nil || *n.Value == "") && !j.x.hasAttr(p, "aria-invalid") {
		n.Invalid = nil // It is only empty, which required says already.
	}
}

// holdsText reports whether a control has a value even when it is empty.
func holdsText(n *Node) bool {
	return n.Tag == "textarea" || n.Tag == "input" && !buttonTypes[n.InputType] && n.InputType != "hidden" || n.Facts.Has(EditingHost)
}

func (j *joiner) editableAt(p place) bool {
	_, editable := j.scope(p)
	return editable
}

// describeLook adds the facts of box and style.
func (j *joiner) describeLook(n *Node, p place) {
	x := j.x
	if x.seen(p) {
		n.Facts |= Visible
	}
	if x.style(p, styleCursor) == "pointer" {
		n.Facts |= PointerCursor
		if up := x.parent(p); up == none || x.style(up, styleCursor) != "pointer" {
			n.Facts |= OwnPointer
		}
	}
	if x.style(p, stylePointerEvents) == "auto" {
		n.Facts |= PointerEvents
	}
}

// seen reports whether an element has a box of at least one pixel that its style
// does not hide.
func (x *index) seen(p place) bool {
	w, h, ok := x.box(p)
	if !ok || w < 1 || h < 1 {
		return false
	}
	return x.style(p, styleVisibility) == "visible" && x.style(p, styleOpacity) != "0"
}

// describeWidget adds the facts that admit a choice, a date or a slider (R92, R227).
func (j *joiner) describeWidget(n *Node, p place) {
	x := j.x
	if n.Tag == "input" {
		if _, ok := x.attr(p, "list"); ok {
			n.Facts |= DataList
		}
	}
	if n.Value != nil && rangeRoles[n.Role] {
		number := decimal(*n.Value)
		n.Value = &number
	}
	_, now := x.attr(p, "aria-valuenow")
	_, said := x.attr(p, "aria-valuetext")
	if (n.Role == "slider" || n.Role == "spinbutton") && n.Tag != "input" && !now && !said && !n.Facts.Has(EditingHost) {
		n.Value = nil // The engine makes up a value for what states none.
	}
	if text := Squeeze(x.attrText(p, "aria-valuetext")); said && text != "" && n.Tag != "input" && (n.Role == "slider" || n.Role == "spinbutton") {
		n.Value = &text // It goes before the number, which the engine may make up.
	}
	if expanded, ok := x.attr(p, "aria-expanded"); ok && n.Role == "listbox" && n.Expanded == nil && (expanded == "true" || expanded == "false") {
		open := expanded == "true"
		n.Expanded = &open // The tree does not know it of a list box, a page may draw one that opens.
	}
	_, low := x.attr(p, "aria-valuemin")
	_, high := x.attr(p, "aria-valuemax")
	if now && low && high {
		n.Facts |= Range
	}
	if popup := x.attrText(p, "aria-haspopup"); popup == "true" || popupRoles[popup] {
		n.Facts |= OpensPopup
	}
	// A combobox that states whether it is open says that it opens a list box: that
	// is what aria-haspopup means for the role where it is not given.
	if x.attrText(p, "role") == "combobox" && x.hasAttr(p, "aria-expanded") {
		n.Facts |= OpensPopup
	}
	for _, name := range []string{"aria-controls", "aria-owns"} {
		for id := range strings.FieldsSeq(x.attrText(p, name)) {
			if target := x.byID(p, id); target != none && popupRoles[x.attrText(target, "role")] {
				n.Facts |= OpensPopup
			}
		}
	}
	switch {
	case n.Tag == "input" || n.Role == "combobox" || n.Role == "listbox" || n.Role == "textbox":
		facts := j.componentHint(p)
		if j.saysDate(n, p, facts) {
			facts = DateHint
		}
		n.Facts |= facts
	case n.Role == "button" && j.opensPanel(p):
		n.Facts |= j.componentHint(p) & DateHint
		if namesDate(n.Name) {
			n.Facts |= DateHint
		}
	case dayPanels[n.Role] && j.showsDays(p, n.Role):
		n.Facts |= DateHint
	case j.drawsChoice(n, p):
		n.Facts |= ChoiceHint
	}
	n.Hint = j.standIn(n, p)
	const clickable = LabelOfHidden | Card | Draggable | Clickable | OwnPointer | Tabbable
	if n.Name == "" && !nativeOwner[n.Tag] && (n.Facts&clickable != 0 || clickRoles[n.Role]) {
		n.Content = x.shownText(p)
	}
}

// shownText is the start of the text that is drawn inside an element.
func (x *index) shownText(p place) string {
	doc := &x.Documents[p.document]
	var b strings.Builder
	found := 0
	for i := p.node + 1; int(i) < len(doc.Nodes.Parent) && doc.Nodes.Parent[i] >= p.node && found < textNodesMax; i++ {
		if doc.Nodes.Type[i] == 3 && doc.place[i] != 0 && int(i) < len(doc.Nodes.Text) {
			b.WriteString(x.str(doc.Nodes.Text[i]))
			b.WriteByte(' ')
			found++
		}
	}
	text, _ := cut.Ellipsis(joinSpace(b.String()), nearbyCharsMax)
	return text
}

// inputType is the type in the sense of the platform: an unknown word is text.
func inputType(word string) string {
	word = strings.ToLower(strings.TrimSpace(word))
	if word == "" || !textTypes[word] && !valueTypes[word] && !buttonTypes[word] && word != "file" && word != "hidden" {
		return "text"
	}
	return word
}

// secret reports whether a field's value must stay in the page as far as the DOM
// pass can tell; the page-side test is asked too (R57).
func (x *index) secret(p place, n *Node) bool {
	if n.Tag != "input" && n.Tag != "textarea" {
		return false
	}
	if n.InputType == "password" {
		return true
	}
	for token := range strings.FieldsSeq(strings.ToLower(x.attrText(p, "autocomplete"))) {
		if token == "current-password" || token == "new-password" {
			return true
		}
	}
	security := x.style(p, styleSecurity)
	return security != "" && security != "none"
}

// hintAncestors is how many elements above a field are searched for a class that
// names a component (R92).
const hintAncestors = 4

// choiceWords and dateWords are parts of class names that common component
// libraries give to their pickers; each hint alone grants nothing.
var (
	dateWords = []string{"datepicker", "date-picker", "date_picker", "picker-input", "date-editor", "flatpickr", "pikaday", "daterange",
		"calendar", "datetime", "dp__input", "monthpicker", "month-picker"}
	choiceWords = []string{"cascader", "select2", "-select", "_select", "select-", "select__", "selectize", "multiselect", "autocomplete", "combobox", "choices", "chosen", "dropdown", "tree-select"}
)

func (j *joiner) componentHint(p place) Facts {
	var facts Facts
	// Some components hide the field they are given and put another one behind it.
	if before := j.x.before(p); before != none && j.x.tag(before) == "input" && j.x.attrText(before, "type") == "hidden" &&
		containsAny(strings.ToLower(j.x.attrText(before, "class")), dateWords) {
		return DateHint
	}
	for steps := 0; p != none && steps <= hintAncestors; steps++ {
		class := strings.ToLower(j.x.attrText(p, "class"))
		if containsAny(class, dateWords) {
			return DateHint
		}
		if containsAny(class, choiceWords) {
			facts |= ChoiceHint
		}
		p = j.x.parent(p)
	}
	return facts
}

func containsAny(text string, words []string) bool {
	if text == "" {
		return false
	}
	for _, word := range words {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// standIn is a hint for a node without a name: a title, an alternative text, a
// label inside, the file name of an image or a word of its class (R228).
func (j *joiner) standIn(n *Node, p place) string {
	if n.Name != "" {
		return ""
	}
	x := j.x
	try := func(at place) string {
		for _, name := range []string{"title", "alt", "aria-label"} {
			if text := Squeeze(x.attrText(at, name)); text != "" {
				return text
			}
		}
		if x.tag(at) == "img" {
			return fileName(x.attrText(at, "src"))
		}
		return ""
	}
	if text := try(p); text != "" {
		return hintText(text)
	}
	nodes := &x.Documents[p.document].Nodes
	for i := p.node + 1; int(i) < len(nodes.Parent) && i <= p.node+hintDescendants && nodes.Parent[i] >= p.node; i++ {
		if child := (place{p.document, i}); x.isElement(child) {
			if text := try(child); text != "" {
				return hintText(text)
			}
		}
	}
	return hintText(classWord(x.attrText(p, "class")))
}

// hintDescendants is how many nodes inside are searched for a stand-in name.
const hintDescendants = 8

func hintText(text string) string {
	cut, _ := cut.Ellipsis(text, messages.HintCharsMax)
	return cut
}

func fileName(address string) string {
	if strings.HasPrefix(address, "data:") {
		return ""
	}
	address, _, _ = strings.Cut(address, "?")
	return address[strings.LastIndexByte(address, '/')+1:]
}

// classWord is the first word of a class attribute that reads like one.
func classWord(class string) string {
	for word := range strings.FieldsSeq(class) {
		if len(word) >= 3 && !strings.ContainsAny(word, "0123456789") {
			return word
		}
	}
	return ""
}

// labelsHidden reports whether a label's own control cannot be seen while the
// label can (R227).
func (j *joiner) labelsHidden(label place) bool {
	x := j.x
	if !x.seen(label) {
		return false
	}
	control := j.controlOf(label)
	if control == none {
		return false
	}
	if _, disabled := x.attr(control, "disabled"); disabled || custom(x.tag(control)) || inputType(x.attrText(control, "type")) == "hidden" && x.tag(control) == "input" {
		return false
	}
	return x.outOfSight(control)
}

// checkedBehind is the check state of the control that a label stands for, empty
// where that has none.
func (j *joiner) checkedBehind(label place) messages.Checked {
	control := j.controlOf(label)
	if control == none || j.x.tag(control) != "input" {
		return ""
	}
	if kind := inputType(j.x.attrText(control, "type")); kind != "checkbox" && kind != "radio" {
		return ""
	}
	if slices.Contains(j.x.Documents[control.document].Nodes.Checked.Index, control.node) {
		return messages.CheckedTrue
	}
	return messages.CheckedFalse
}

// outOfSight reports whether an element is hidden from the eye: no box, a box of
// a pixel, no opacity, or a place before the origin of the page.
func (x *index) outOfSight(p place) bool {
	if !x.seen(p) {
		return true
	}
	w, h, _ := x.box(p)
	doc := &x.Documents[p.document]
	b := doc.Boxes.Bounds[doc.place[p.node]-1]
	return w <= 1 || h <= 1 || b[0]+w <= 0 || b[1]+h <= 0
}

// controlOf is the control that a label belongs to.
func (j *joiner) controlOf(label place) place {
	x := j.x
	if id, ok := x.attr(label, "for"); ok {
		target := x.byID(label, id)
		if target != none && (labelable[x.tag(target)] || custom(x.tag(target))) {
			return target
		}
		return none
	}
	nodes := &x.Documents[label.document].Nodes
	inside := map[int32]bool{label.node: true}
	for i := label.node + 1; int(i) < len(nodes.Parent) && inside[nodes.Parent[i]]; i++ {
		inside[i] = true
		if at := (place{label.document, i}); labelable[x.tag(at)] {
			return at
		}
	}
	return none
}

// custom reports whether an element is one that the page defines: a label may name it.
func custom(tag string) bool { return strings.Contains(tag, "-") }

var labelable = roles("input select textarea button meter output progress")
