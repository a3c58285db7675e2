package snapshot

import "testing"

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
