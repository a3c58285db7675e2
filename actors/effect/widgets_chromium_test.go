package effect

import (
	"strings"
	"testing"

	"github.com/troupe-browser/troupe/fixtures"
	"github.com/troupe-browser/troupe/messages"
)

// visitFixture opens a fixture page of the repository.
func visitFixture(t *testing.T, path string) *rig {
	t.Helper()
	server := fixtures.Serve(t)
	return openAt(t, strings.TrimSuffix(server.URL("/"), "/"), path)
}

// effects are the page's own record: the details of those with the name.
func (r *rig) effects(name string) string {
	r.t.Helper()
	return r.js("__effects.filter(e=>e.name===" + quoted(name) + ").map(e=>e.detail).join('|')")
}

func quoted(s string) string { return "'" + s + "'" }

func TestSelectChoice(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	for _, c := range []struct {
		page, control string
		path          []string
		state         messages.ExecutionState
		code          messages.Code
		effect, want  string // the page's record after the last step
	}{
		{"/choice-listbox", "#combo", []string{"Green"}, messages.Completed, "", "chosen", "Green"},
		{"/choice-listbox", "#combo", []string{"Purple"}, messages.OutcomeUnknown, messages.CodeOptionNotFound, "chosen", ""},
		{"/choice-async", "#combo", []string{"Italy"}, messages.Completed, "", "chosen", "Italy"},
		{"/choice-async?load_ms=6000", "#combo", []string{"Italy"}, messages.OutcomeUnknown, messages.CodeWidgetTimeout, "chosen", ""},
		{"/choice-search", "#search", []string{"Java"}, messages.Completed, "", "chosen", "Java"},
		{"/choice-search", "#search", []string{"Jav"}, messages.OutcomeUnknown, "option_not_found|widget_timeout", "chosen", ""},
		{"/choice-virtual", "#combo", []string{"Seat 777"}, messages.Completed, "", "chosen", "Seat 777"},
		{"/choice-multi", "#combo", []string{"Olives"}, messages.Completed, "", "chosen", "Ham,Olives"},
		{"/choice-multi", "#combo", []string{"Ham"}, messages.Completed, "", "chosen", ""},
		{"/choice-multi", "#combo", []string{"Pineapple"}, messages.OutcomeUnknown, messages.CodeOptionDisabled, "chosen", ""},
		{"/choice-cascader", "#combo", []string{"Europe", "Italy", "Piedmont", "Alba"}, messages.Completed, "", "chosen", "Europe / Italy / Piedmont / Alba"},
		{"/choice-cascader", "#combo", []string{"Europe", "Italy"}, messages.OutcomeUnknown, messages.CodeFormControlOutcomeUnknown, "chosen", ""},
		{"/choice-cascader", "#combo", []string{"Europe", "Chile"}, messages.OutcomeUnknown, messages.CodeOptionNotFound, "chosen", ""},
		{"/choice-tree", "#combo", []string{"Support", "North"}, messages.Completed, "", "chosen", "Support / North"},
		{"/choice-bare", ".control", []string{"Medium"}, messages.Completed, "", "chosen", "Medium"},
		{"/choice-drawn", "#one", []string{"Niger"}, messages.Completed, "", "chosen", "Niger"},
		{"/choice-drawn", "#many", []string{"Niger"}, messages.Completed, "", "chosen", "Italy,Niger"},
		{"/choice-drawn", "#many", []string{"Italy"}, messages.Completed, "", "chosen", ""},
		{"/choice-drawn", "#stuck", []string{"Niger"}, messages.OutcomeUnknown, messages.CodeOptionNotFound, "removed", ""},
		{"/choice-only", "#one", []string{"North"}, messages.Completed, "", "chosen", "North"},
		{"/choice-only", "#many >>> .control", []string{"North"}, messages.Completed, "", "chosen", "North"},
		{"/choice-odd-lists", "#plain", []string{"Bari"}, messages.Completed, "", "chosen", "Bari"},
		{"/choice-odd-lists", "#plain", []string{"Busan"}, messages.OutcomeUnknown, messages.CodeOptionDisabled, "chosen", ""},
		{"/choice-odd-lists", "#closed", []string{"Bob"}, messages.Completed, "", "chosen", "Bob"},
		{"/choice-odd-lists", "#keys", []string{"Asia", "Osaka"}, messages.Completed, "", "chosen", "Osaka"},
		{"/choice-odd-lists", "#reused", []string{"Peru"}, messages.Completed, "", "chosen", "Italy,Peru"},
		{"/choice-odd-lists", "#branches", []string{"Sales", "South"}, messages.Completed, "", "chosen", "South"},
		{"/choice-odd-lists", "#typed", []string{"Rhone"}, messages.Completed, "", "chosen", "Rhone"},
		{"/choice-menu", "#combo", []string{"Sort by name"}, messages.Completed, "", "chosen", "Sort by name"},
		{"/choice-menu", "#combo", []string{"Sort by date"}, messages.Completed, "", "chosen", ""},
		{"/choice-twins", "#combo", []string{"Smith"}, messages.OutcomeUnknown, messages.CodeOptionAmbiguous, "chosen", ""},
		{"/choice-twins", "#combo", []string{"Jones"}, messages.OutcomeUnknown, messages.CodeOptionDisabled, "chosen", ""},
		{"/choice-refuses", "#combo", []string{"Gold"}, messages.OutcomeUnknown, messages.CodeFormControlOutcomeUnknown, "tried", "Gold"},
		{"/choice-beside-open", "#combo", []string{"Venus"}, messages.Completed, "", "neighbour", ""},
		{"/choice-delayed", "#combo", []string{"Fast"}, messages.Completed, "", "chosen", "Fast"},
		{"/choice-hidden-select", "#combo", []string{"Yard"}, messages.Completed, "", "change", "Yard"},
		{"/choice-redraws", "[role=combobox]", []string{"Coffee"}, messages.Completed, "", "chosen", "Coffee"},
		{"/choice-own-words", "#sort", []string{"rank"}, messages.Completed, "", "chosen", "rank"},
		{"/choice-own-words", "#code", []string{"Niger"}, messages.Completed, "", "chosen", "Niger +227"},
		{"/choice-own-words", "#unit", []string{"Kilometre"}, messages.Completed, "", "chosen", "Kilometre"},
		{"/choice-own-words", "#metal", []string{"Gold"}, messages.OutcomeUnknown, messages.CodeFormControlOutcomeUnknown, "refused", "Gold"},
		{"/choice-own-words", "#port", []string{"Busan"}, messages.Completed, "", "chosen", "Busan"},
		{"/choice-own-words", "#stone", []string{"Opal"}, messages.OutcomeUnknown, messages.CodeFormControlOutcomeUnknown, "refused", "Opal"},
		{"/choice-redrawn", "#combo", []string{"Niger"}, messages.Completed, "", "chosen", "Niger"},
		{"/choice-count", "#many", []string{"Legal"}, messages.Completed, "", "chosen", "Legal"},
		{"/choice-count", "#apply", []string{"Legal"}, messages.OutcomeUnknown, messages.CodeFormControlOutcomeUnknown, "chosen", ""},
		{"/choice-tree-beside", "#combo", []string{"Support", "Day"}, messages.Completed, "", "chosen", "Day"},
		{"/choice-confirmed", "#drink", []string{"Tea"}, messages.Completed, "", "drink", "Tea"},
		{"/choice-confirmed", "#size", []string{"Large"}, messages.Completed, "", "size", "Large"},
		{"/choice-confirmed", "#stuck", []string{"Blue"}, messages.OutcomeUnknown, messages.CodeFormControlOutcomeUnknown, "refused", "Blue"},
		{"/choice-late", "#combo", []string{"North", "Harbour"}, messages.Completed, "", "chosen", "North / Harbour"},
		{"/choice-late?says=1", "#combo", []string{"South", "Dock"}, messages.Completed, "", "chosen", "South / Dock"},
		{"/choice-late?late_ms=9000", "#combo", []string{"South", "Dock"}, messages.OutcomeUnknown, messages.CodeWidgetTimeout, "chosen", ""},
		{"/choice-late?late_ms=200", "#combo", []string{"South", "Mill"}, messages.OutcomeUnknown, messages.CodeOptionNotFound, "chosen", ""},
		{"/listbox-inline", "#single", []string{"Beech"}, messages.Completed, "", "chosen", `{"id":"single","name":"Beech","on":"true"}`},
		{"/listbox-inline", "#single", []string{"Cedar"}, messages.NotStarted, messages.CodeOptionNotFound, "chosen", ""},
	} {
		t.Run(c.page+" "+strings.Join(c.path, "/"), func(t *testing.T) {
			r := visitFixture(t, c.page)
			r.take(c.control)
			receipt := r.do(&messages.SelectChoice{OnElement: on(c.control), ChoicePath: c.path})
			r.want(receipt, c.state, c.code)
			r.equal("the page's record", r.effects(c.effect), c.want)
		})
	}
}

func TestSetDate(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	for _, c := range []struct {
		page, control, value string
		state                messages.ExecutionState
		code                 messages.Code
		effect, want         string
	}{
		{"/date-grid", "#field", "2026-03-17", messages.Completed, "", "date", "2026-03-17"},
		{"/date-grid", "#field", "2025-12-31", messages.Completed, "", "date", "2025-12-31"},
		{"/date-panels", "#field", "1988-02-29", messages.Completed, "", "date", "1988-02-29"},
		{"/date-month", "#field", "2028-04", messages.Completed, "", "month", "2028-04"},
		{"/date-month", "#field", "2028-04-05", messages.NotStarted, messages.CodeInvalidControlValue, "month", ""},
		{"/date-typed", "#field", "2026-04-03", messages.Completed, "", "date", "2026-04-03"},
		{"/date-range", "#to", "2026-03-20", messages.Completed, "", "to", "2026-03-20"},
		{"/date-bounds", "#field", "2026-03-11", messages.Completed, "", "date", "2026-03-11"},
		{"/date-bounds", "#field", "2026-03-14", messages.OutcomeUnknown, messages.CodeOptionDisabled, "closed", ""},
		{"/date-bounds", "#field", "2026-03-29", messages.OutcomeUnknown, messages.CodeOptionDisabled, "date", ""},
		{"/date-refuses", "#field", "2027-01-05", messages.OutcomeUnknown, messages.CodeFormControlOutcomeUnknown, "refused", "2027-01-05"},
		{"/date-refuses", "#marked", "2027-01-05", messages.Completed, "", "kept", "2027-01-05"},
		{"/date-bare", "#field", "2026-01-31", messages.Completed, "", "date", "2026-01-31"},
		{"/date-bare", "#field", "2026-04-01", messages.Completed, "", "date", "2026-04-01"},
		{"/date-knob", "#field", "2027-04-25", messages.Completed, "", "date", "2027-04-25"},
		{"/date-overlay", "#field", "2028-02-29", messages.Completed, "", "date", "2028-02-29"},
		{"/date-beneath", "#field", "2027-09-20", messages.Completed, "", "date", "2027-09-20"},
		{"/date-columns", "#field", "1999-12-31", messages.Completed, "", "date", "1999-12-31"},
		{"/date-grows", "#field", "2026-03-11", messages.Completed, "", "date", "2026-03-11"},
		{"/date-native", "#date", "1988-02-29", messages.Completed, "", "change", `{"id":"date","trusted":false,"value":"1988-02-29"}`},
		{"/date-native", "#month", "2027-09", messages.Completed, "", "change", `{"id":"month","trusted":false,"value":"2027-09"}`},
		{"/date-native", "#date", "2027-09", messages.NotStarted, messages.CodeInvalidControlValue, "change", ""},
		{"/date-native", "#bounded", "2026-03-21", messages.NotStarted, messages.CodeInvalidControlValue, "change", ""},
		{"/date-native", "#datetime", "2026-03-21", messages.NotStarted, messages.CodeInvalidControlValue, "change", ""},
		{"/date-over", "#field", "2029-03-15", messages.Completed, "", "date", "2029-03-15"},
		{"/date-over", "#field", "2030-12-31", messages.Completed, "", "date", "2030-12-31"},
		{"/date-names?form=sept", "#field", "2027-09", messages.Completed, "", "month", "2027-09"},
		{"/date-names?form=caps&lang=fr&page=fr", "#field", "2026-08", messages.Completed, "", "month", "2026-08"},
		{"/date-names?form=bare&lang=it&page=en", "#field", "2026-09", messages.Completed, "", "month", "2026-09"},
		{"/date-names?form=caps&lang=tr", "#field", "2026-12", messages.Completed, "", "month", "2026-12"},
		{"/date-names?form=short&lang=ko&page=en", "#field", "2026-12", messages.Completed, "", "month", "2026-12"},
		{"/date-shown?by=input", "#field", "2026-09-17", messages.Completed, "", "date", "2026-09-17"},
		{"/date-shown?by=number", "#field", "2026-12-31", messages.Completed, "", "date", "2026-12-31"},
		{"/date-shown?by=select", "#field", "2027-03-05", messages.Completed, "", "date", "2027-03-05"},
		{"/date-shown?by=code", "#field", "2026-03-05", messages.Completed, "", "date", "2026-03-05"},
		{"/date-shown?by=text&lang=it", "#field", "2026-09-05", messages.Completed, "", "date", "2026-09-05"},
		{"/date-shown?by=week&lang=es", "#field", "2027-03-05", messages.Completed, "", "date", "2027-03-05"},
		{"/date-example", "#iso", "2026-03-07", messages.Completed, "", "iso", "2026-03-07"},
		{"/date-example", "#slash", "2026-03-07", messages.Completed, "", "slash", "07/03/2026"},
		{"/date-example", "#words", "2026-03-07", messages.Completed, "", "words", "07 Mar 2026"},
		{"/date-example", "#hint", "2026-03-17", messages.Completed, "", "hint", "17.03.2026"},
		{"/date-example", "#iso", "2026-03-07", messages.Completed, "", "sent", ""},
		{"/date-example", "#either", "2026-03-07", messages.OutcomeUnknown, messages.CodeWidgetNotSupported, "either", ""},
	} {
		t.Run(c.page+" "+c.control+" "+c.value, func(t *testing.T) {
			r := visitFixture(t, c.page)
			r.take(c.control)
			receipt := r.do(&messages.SetDate{OnElement: on(c.control), Value: c.value})
			r.want(receipt, c.state, c.code)
			r.equal("the page's record", r.effects(c.effect), c.want)
			if c.state != messages.Completed {
				return
			}
			// The date that is set already dispatches nothing.
			receipt = r.do(&messages.SetDate{OnElement: on(c.control), Value: c.value})
			r.want(receipt, messages.Completed, "")
			sure := c.page != "/date-typed" && !strings.HasPrefix(c.page, "/date-example") && c.page != "/date-native" && c.page != "/date-refuses"
			if sure && r.lastTicket.begun.Load() != 0 {
				t.Fatal("a date that was set already was set again")
			}
		})
	}
}

// What shows days takes a date, whatever opened it: the field that did is read back.
func TestF45_CalendarsWithoutAHint(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	for _, c := range []struct{ opener, days, value, effect, want string }{
		{"#combo", "#grid", "2026-11-17", "shift", "2026-11-17"},
		{"#combo", "#combo", "2026-11-17", "shift", "2026-11-17"},
		{"#reader", "#days", "2026-04-02", "arrival", "2 April 2026"},
		{"#reader", "#reader", "2026-04-02", "arrival", "2 April 2026"},
		{"", "#inline", "2026-04-01", "delivery", "Wednesday, April 1"},
	} {
		t.Run(c.days, func(t *testing.T) {
			r := visitFixture(t, "/date-dialog")
			if c.opener != "" {
				r.take(c.opener)
				r.want(r.do(&messages.Click{OnElement: on(c.opener)}), messages.Completed, "")
			}
			r.take(c.days)
			r.want(r.do(&messages.SetDate{OnElement: on(c.days), Value: c.value}), messages.Completed, "")
			r.equal("the page's record", r.effects(c.effect), c.want)
		})
	}
}

func TestRangeOfDates(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := visitFixture(t, "/date-range")
	r.take("#from", "#to")
	r.want(r.do(&messages.SetDate{OnElement: on("#from"), Value: "2026-03-10"}), messages.Completed, "")
	r.want(r.do(&messages.SetDate{OnElement: on("#to"), Value: "2026-03-12"}), messages.Completed, "")
	r.equal("range", r.effects("from")+" "+r.effects("to"), "2026-03-10 2026-03-12")
}

// Only what the page took counts as set: what a field shows may wait for a button.
func TestRangeToBeConfirmed(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := visitFixture(t, "/date-confirm")
	r.take("#from", "#to")
	r.want(r.do(&messages.SetDate{OnElement: on("#from"), Value: "2026-03-10"}), messages.Completed, "")
	r.want(r.do(&messages.SetDate{OnElement: on("#to"), Value: "2026-03-12"}), messages.Completed, "")
	r.equal("range", r.effects("range"), "2026-03-10 2026-03-12")
}

// A calendar without a field is set by its grid, and another one beside it is left
// alone. The first row of January 2027 holds 1, 2 and 3, which reads as 123 (R91).
func TestInlineCalendar(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	for _, date := range []string{"2027-01-20", "2026-10-05"} {
		r := visitFixture(t, "/date-inline")
		r.take("#exam >>> table")
		r.want(r.do(&messages.SetDate{OnElement: on("#exam >>> table"), Value: date}), messages.Completed, "")
		r.equal("exam", r.effects("exam"), date)
		r.equal("training", r.effects("training"), "")
	}
}

func TestEditors(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := visitFixture(t, "/editor-kinds")
	r.take("#rich", "#plain", "#role", "#empty")
	for _, id := range []string{"#rich", "#plain", "#role", "#empty"} {
		receipt := r.do(&messages.SetValue{OnElement: on(id), Value: "one two\nthree"})
		r.want(receipt, messages.Completed, "")
		if o := receipt.Observed; o == nil || matches(o.ValueMatches) != "true" {
			t.Fatalf("%s: %+v", id, receipt.Observed)
		}
		if text := r.js("document.querySelector('" + id + "').innerText"); strings.Contains(text, "ld") || strings.Contains(text, "item") {
			t.Fatalf("%s kept old text: %q", id, text)
		}
	}
	r = visitFixture(t, "/editor-model")
	r.take("#editor")
	receipt := r.do(&messages.SetValue{OnElement: on("#editor"), Value: "new story"})
	r.want(receipt, messages.Completed, "")
	r.equal("model", r.js("document.getElementById('model').value"), "new story")
}

func TestControlsThatRefuse(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := visitFixture(t, "/checkbox-refuses")
	r.take("#terms", "#large", "#switch")
	for _, id := range []string{"#terms", "#large", "#switch"} {
		receipt := r.do(&messages.Click{OnElement: on(id)})
		r.want(receipt, messages.Completed, "")
		if o := receipt.Observed; o == nil || matches(o.StateMatches) != "false" || o.Checked != messages.CheckedFalse {
			t.Fatalf("%s: %+v", id, o)
		}
	}
}
