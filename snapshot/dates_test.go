package snapshot

import (
	"slices"
	"testing"
)

// R92: a text box says by its placeholder or its name that it takes a date.
func TestR92WordsOfADate(t *testing.T) {
	for placeholder, want := range map[string]bool{
		"dd/mm/yyyy": true, "yyyy-mm-dd": true, "mm.yy": true, "yyyy/m": true, "d. m. yyyy": true,
		"e.g. 2026-12-31": true, "e.g. 31/12/2026": true, "like 31 dec 2026": true, "tt.mm.jjjj": true, "date (dd/mm/yyyy)": true, "дд.мм.гггг": true,
		"e.g. 10.0.0.1": false, "555-12-1234": false, "10 of 2026": false, "2012/34": false,
		"mm": false, "hh:mm": false, "name": false, "": false, "day/month": false,
	} {
		if got := dateLayout.MatchString(placeholder); got != want {
			t.Errorf("placeholder %q: %v", placeholder, got)
		}
	}
	for name, want := range map[string]bool{
		"hire date": true, "payroll month": true, "dates of travel": true, "date de naissance": true, "geburtsdatum:": true, "datepicker input": true,
		"update": false, "candidate": false, "mandate": false, "monthly fee": false, "warranty until": false,
	} {
		if got := dateNames.MatchString(name); got != want {
			t.Errorf("name %q: %v", name, got)
		}
	}
	for name, want := range map[string]bool{"warranty until": true, "valid from": true, "check-in": true, "total": false, "monday": false, "untill": false} {
		if got := endNames.MatchString(name); got != want {
			t.Errorf("name of a read-only box %q: %v", name, got)
		}
	}
}

// R92: what shows the days of a month takes a date, and so does a button that says
// that it opens a dialog and belongs to a component for dates.
func TestAdmitR92CalendarsAndTheirButtons(t *testing.T) {
	for _, c := range []struct {
		name string
		node Node
		want string
	}{
		{"grid of days", Node{Tag: "table", Role: "grid", Facts: DateHint}, "set_date"},
		{"table of days", Node{Tag: "div", Role: "table", Facts: DateHint}, "set_date"},
		{"group of days", Node{Tag: "div", Role: "group", Facts: DateHint}, "set_date"},
		{"other group", Node{Tag: "div", Role: "group"}, ""},
		{"other table", Node{Tag: "table", Role: "table"}, ""},
		{"button of a calendar", Node{Tag: "button", Role: "button", Facts: OpensPopup | DateHint}, "click set_date hover scroll drag"},
		{"button with a class alone", Node{Tag: "button", Role: "button", Facts: DateHint}, clicked},
	} {
		c.node.Name = "N"
		c.node.Facts |= Indexed
		if got := admitted(t, c.node, Tree{Indexed: true}, Policy{}); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// R60, R92: the cells of a grid of days can be pressed, so that no field is a dead end.
func TestF37_DaysAdmitAClick(t *testing.T) {
	days := []Node{
		{Parent: -1, Tag: "table", Role: "grid", Name: "March 2026", Facts: DateHint | Indexed},
		{Parent: 0, Tag: "tr", Role: "row", Facts: Indexed},
		{Parent: 1, Tag: "td", Role: "gridcell", Name: "17", Facts: Indexed},
		{Parent: 1, Tag: "td", Role: "gridcell", Name: "18", Facts: Indexed, Disabled: yes()},
		{Parent: 1, Tag: "td", Role: "gridcell", Name: "19", Facts: Indexed},
		{Parent: 4, Tag: "button", Role: "button", Name: "19", Facts: Indexed},
		{Parent: 1, Tag: "th", Role: "columnheader", Name: "Mo", Facts: Indexed},
	}
	tree := Tree{Indexed: true, Nodes: slices.Clone(days)}
	Admit(&tree, Policy{})
	for i, want := range map[int]string{2: clicked, 3: "", 4: "", 5: clicked} {
		if got := words(tree.Nodes[i].Actions); got != want {
			t.Errorf("%s %q admits %q, want %q", tree.Nodes[i].Role, tree.Nodes[i].Name, got, want)
		}
	}
	days[0].Facts = Indexed
	tree = Tree{Indexed: true, Nodes: slices.Clone(days)}
	Admit(&tree, Policy{})
	for i := range tree.Nodes {
		if n := &tree.Nodes[i]; n.Role == "gridcell" && len(n.Actions) > 0 {
			t.Errorf("a cell of another grid admits %v", n.Actions)
		}
	}
}
