package snapshot

import "strings"

// Role classes. Role names are those of Chromium's accessibility tree.

type roleSet map[string]bool

func roles(words string) roleSet {
	set := roleSet{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

var (
	// clickRoles admit a click on an element that the DOM pass knows and that is
	// no native control of another kind (R60).
	clickRoles = roles("button link checkbox radio switch menuitem menuitemcheckbox menuitemradio tab combobox option treeitem DisclosureTriangle")

	// legacyTextRoles and legacyClickRoles admit where the DOM could not be read (R66).
	legacyTextRoles  = roles("textbox searchbox")
	legacyClickRoles = roles("button link checkbox radio switch menuitem tab combobox")
	// privateOwners are the ancestors whose parts such a fallback leaves alone.
	privateOwners = roles("Date DateTime InputTime ColorWell spinbutton slider combobox")

	// fieldRoles are form fields of any kind (R47).
	fieldRoles = roles("textbox searchbox combobox listbox checkbox radio switch slider spinbutton Date DateTime InputTime ColorWell")

	// controlRoles stay in an interactive snapshot also without actions (R53).
	controlRoles = roles("button link checkbox radio switch menuitem menuitemcheckbox menuitemradio tab combobox listbox option treeitem " +
		"textbox searchbox slider spinbutton Date DateTime InputTime ColorWell DisclosureTriangle")

	// checkableRoles report checked (R56).
	checkableRoles = roles("checkbox radio switch menuitemcheckbox menuitemradio option treeitem")

	// selectableRoles report selected in both states; others only when it is true.
	selectableRoles = roles("option tab treeitem")

	// emptyRoles carry no meaning of their own: without a name, a state or a fact
	// that matters they are left out and their children take their place.
	emptyRoles = roles("generic none presentation InlineTextBox LineBreak ListMarker IframePresentational MenuListPopup " +
		"LayoutTable LayoutTableRow LayoutTableCell rowgroup Unknown GenericContainer Pre")

	// inlineRoles only mark up text: they are left out, their text stays.
	inlineRoles = roles("emphasis strong mark subscript superscript deletion insertion code time term Abbr Ruby paragraph Legend LabelText caption Figcaption Abbr")

	// contentNamed roles take their name from the text inside, which is then not
	// repeated below them.
	contentNamed = roles("button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio rowheader " +
		"switch tab tooltip treeitem DisclosureTriangle")

	// groupRoles give their name to the controls inside as their group (R47).
	groupRoles = roles("group radiogroup combobox listbox")

	// sectionRoles give their name to the controls inside as their section.
	sectionRoles = roles("region dialog alertdialog article form tabpanel navigation complementary main search banner contentinfo table grid treegrid figure")

	// cardRoles are those a card may have in the tree (R99).
	cardRoles = roles("generic group listitem article")

	// popupRoles are what a control may open (R92).
	popupRoles = roles("listbox tree grid dialog menu")
)

// textTypes are the input types that take text at the caret (R60).
var textTypes = roles("text search email url tel password")

// valueTypes are the input types that take an exact value only (R60, R61).
var valueTypes = roles("number range date month week time datetime-local color")

// buttonTypes are the input types that are clicked.
var buttonTypes = roles("button submit reset image checkbox radio")

// buttonFields are the input types that are no form field (R47).
var buttonFields = roles("button submit reset image hidden")

// isField reports whether a node is a form field of any kind, native or
// semantic, whatever its state (R47).
func isField(n *Node) bool {
	switch n.Tag {
	case "input":
		return !buttonFields[n.InputType]
	case "select", "textarea":
		return true
	}
	return fieldRoles[n.Role] || n.Facts.Has(EditingHost)
}

// isControl reports whether a node is something to operate, also when its state
// forbids it at present (R53).
func isControl(n *Node) bool {
	if n.Facts.Has(SelectOption) || n.Shadow == BrowserRoot {
		return false
	}
	switch n.Tag {
	case "input", "select", "textarea", "button":
		return true
	}
	return controlRoles[n.Role] || n.Facts.Has(EditingHost)
}
