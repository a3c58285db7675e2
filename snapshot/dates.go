package snapshot

import (
	"regexp"
	"strconv"
	"strings"
)

// A field that takes a date says so, where no component's class does: by a
// placeholder that is the layout of a date, or by its name. What is only drawn as a
// calendar is one by its days (R92).

// dateLayout is a placeholder such as DD/MM/YYYY or yyyy-mm, or one that holds the
// layout of a day in the letters of a common language, or a day as an example.
var dateLayout = regexp.MustCompile(`^(y{2,4}|m{1,2}|d{1,2})[^a-z0-9]+(y{2,4}|m{1,2}|d{1,2})([^a-z0-9]+(y{2,4}|m{1,2}|d{1,2}))?$` +
	`|(^|[^\p{L}\p{N}])(` + dayLetters + between + monthLetters + between + yearLetters + `|` + monthLetters + between + dayLetters + between + yearLetters +
	`|` + yearLetters + between + monthLetters + between + dayLetters + `)($|[^\p{L}\p{N}])` +
	`|(^|[^0-9])([12][0-9]{3}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|[0-9]{1,2}[-/.][0-9]{1,2}[-/.][12][0-9]{3}|[0-9]{1,2}[ -]\p{L}{3,9}\.?[ -][12][0-9]{3})($|[^0-9])`)

const (
	dayLetters   = `(dd?|tt|jj|gg|дд|pp)`
	monthLetters = `(mm?m?|мм|kk|aa)`
	yearLetters  = `(yyyy|jjjj|aaaa|гггг|vvvv|rrrr|åååå)`
	between      = `[-/. ]+`
)

// dateNames are the words by which the name of a field says that it takes a date;
// endNames say it only of a field that nobody can type into, which takes its value
// from something that it opens.
var (
	dateNames = wholeWords("date|dates|datepicker|calendar|month|birthday|birthdate|datum|geburtsdatum|monat|fecha|mes|naissance|mois|дата|месяц")
	endNames  = wholeWords("day|from|to|until|till|since|start|end|begin|due|deadline|expiry|expires|expiration|valid|arrival|departure|check-in|check-out")
	dateSigns = []string{"日期", "日付", "年月", "月份", "날짜"}
)

func wholeWords(words string) *regexp.Regexp {
	return regexp.MustCompile(`(^|\P{L})(` + words + `)($|\P{L})`)
}

// saysDate reports whether a text box says that it takes a date. facts are its
// component hints, which go before its name, as does a list that it opens.
func (j *joiner) saysDate(n *Node, p place, facts Facts) bool {
	if n.Tag != "input" || n.InputType != "text" && n.InputType != "search" {
		return false
	}
	if dateLayout.MatchString(strings.ToLower(n.Placeholder)) {
		return true
	}
	if facts.Has(ChoiceHint) || n.Facts.Has(DataList) || (n.Role == "combobox" || n.Facts.Has(OpensPopup)) && !j.opensPanel(p) {
		return false
	}
	return namesDate(n.Name) || isTrue(n.Readonly) && endNames.MatchString(strings.ToLower(n.Name))
}

// namesDate reports whether a name says that it is of a date or a calendar.
func namesDate(name string) bool {
	name = strings.ToLower(name)
	return dateNames.MatchString(name) || containsAny(name, dateSigns)
}

// opensPanel reports whether an element says that it opens a dialog or a grid, as
// calendars are.
func (j *joiner) opensPanel(p place) bool {
	popup := j.x.attrText(p, "aria-haspopup")
	return popup == "dialog" || popup == "grid"
}

// Bounds of a grid of days: its rows with those of the names of the days, its
// numbers with those of the weeks and of the months beside, and all its texts.
const (
	dayRowsMax    = 9
	dayNumbersMax = 56
	dayTextsMax   = 160
	daysLeast     = 28
)

// dayPanels are the roles of what may show the days of a month. Of several around the
// same days it is the grid or table.
var dayPanels = roles("grid table group region application dialog radiogroup")

var (
	dayTables = roles("grid table")
	dayCells  = roles("cell gridcell")
)

// dayCellUp is how far above a day its calendar is searched for, in listed nodes.
const dayCellUp = 5

// admitDays admits a click on the cells of a grid that shows the days of a month: the
// grid's own use is that they are pressed, which is more than a role (R60), and so a
// date that set_date cannot set can be pressed. A cell that holds something to operate
// leaves it to that.
func admitDays(t *Tree) {
	operable := make([]bool, len(t.Nodes))
	for i := len(t.Nodes) - 1; i >= 0; i-- {
		n := &t.Nodes[i]
		if p := n.Parent; p >= 0 && (operable[i] || len(n.Actions) > 0) {
			operable[p] = true
		}
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if !dayCells[n.Role] || n.Name == "" || len(n.Actions) > 0 || operable[i] || isTrue(n.Disabled) || n.Facts.Has(Inert) || !n.Facts.Has(Indexed) {
			continue
		}
		at := n.Parent
		for hops := 0; at >= 0 && hops < dayCellUp; hops++ {
			if up := &t.Nodes[at]; dayTables[up.Role] {
				if up.Facts.Has(DateHint) {
					n.Actions = grants{click: true}.actions()
				}
				break
			}
			at = t.Nodes[at].Parent
		}
	}
}

// showsDays reports whether an element of such a role shows the days of a month: the
// numbers 1 to 28 and not many more, in few rows.
func (j *joiner) showsDays(p place, role string) bool {
	doc := &j.x.Documents[p.document]
	var days [daysLeast + 1]bool
	rows, numbers, texts, found := 0, 0, 0, 0
	for i := p.node + 1; int(i) < len(doc.Nodes.Parent) && doc.Nodes.Parent[i] >= p.node; i++ {
		at := place{p.document, i}
		if doc.Nodes.Type[i] == 1 {
			tag, said := j.x.tag(at), j.x.attrText(at, "role")
			if !dayTables[role] && (tag == "table" || dayTables[said]) {
				return false
			}
			if tag == "tr" || said == "row" {
				rows++
			}
		}
		if doc.Nodes.Type[i] != 3 || int(i) >= len(doc.Nodes.Text) {
			continue
		}
		text := strings.TrimSpace(j.x.str(doc.Nodes.Text[i]))
		if text == "" {
			continue
		}
		texts++
		if day, err := strconv.Atoi(text); err == nil && len(text) <= 2 {
			numbers++
			if day >= 1 && day <= daysLeast && !days[day] {
				days[day] = true
				found++
			}
		}
		if texts > dayTextsMax || rows > dayRowsMax || numbers > dayNumbersMax {
			return false
		}
	}
	return found == daysLeast && rows <= dayRowsMax
}
