package messages

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Validate checks a command's own arguments: shape and bounds, nothing that needs a
// page (R84). First come the facts of its descriptor, then the rules that the
// command has beside them. It returns a refusal that proves that nothing was
// started, or nil.
func Validate(c Command) *Error {
	d := Describe(c)
	if d == nil || IsNil(c) {
		return NewError(CodeInvalidRequest, "There is no command.")
	}
	holder := reflect.ValueOf(c).Elem()
	for i := range d.Arguments {
		if refusal := d.Arguments[i].check(holder); refusal != nil {
			return refusal.withIDs(c)
		}
	}
	if own, ok := c.(interface{ rules() *Error }); ok {
		return own.rules()
	}
	return nil
}

// check compares the argument of a command that a program built with its facts.
func (a *Argument) check(holder reflect.Value) *Error {
	field := a.Field(holder)
	switch a.Form {
	case FormString:
		return a.checkString(field.String())
	case FormInteger:
		return a.checkInteger(a.integer(field))
	case FormStrings:
		return a.checkStrings(field)
	}
	return nil
}

// IsID reports whether the argument names something, so that an empty one is as good
// as none.
func (a *Argument) IsID() bool { return a.Form == FormString && strings.HasSuffix(a.Name, "_id") }

func (a *Argument) checkString(s string) *Error {
	switch {
	case a.Required && a.IsID() && s == "":
		return a.missing()
	case s == "" && !(a.Required && a.Values != nil), a.Values == nil, slices.Contains(a.Values, s), slices.Contains(a.Also, s):
		return nil
	}
	return a.Refusal("%s is %s.", a.Name, Either(a.Values))
}

func (a *Argument) checkInteger(n int64) *Error {
	if a.Max == 0 || n >= int64(a.Min) && n <= int64(a.Max) || n == 0 {
		return nil
	}
	return a.Refusal("%s is %s to %s.", a.Name, thousands(a.Min), thousands(a.Max))
}

func (a *Argument) checkStrings(list reflect.Value) *Error {
	if a.Values == nil {
		return nil
	}
	given := make([]string, list.Len())
	for i := range given {
		given[i] = list.Index(i).String()
		if !slices.Contains(a.Values, given[i]) || slices.Contains(given[:i], given[i]) {
			return a.Refusal("The %s are %s, each at most once.", a.Name, strings.Join(a.Values, ", "))
		}
	}
	return nil
}

// missing refuses a call without an id, and names the observation that lists such.
func (a *Argument) missing() *Error {
	refusal := NewError(CodeInvalidRequest, "%s is missing.", a.Name)
	source, known := idSources[a.Name]
	if !known {
		return refusal
	}
	return refusal.WithRecovery(string(ToolObserve), map[string]any{"action": string(source)})
}

// idSources are the observations that list ids.
var idSources = map[string]Action{
	"browser_id": "browsers", "page_id": "pages", "element_id": "snapshot", "target_element_id": "snapshot",
	"attachment_id": "discover", "request_id": "network", "download_id": "downloads",
}

// withIDs completes the recovery of a missing id by the ids that the command has.
func (e *Error) withIDs(c Command) *Error {
	if e.Recovery == nil || e.Recovery.Arguments["action"] == "browsers" || e.Recovery.Arguments["action"] == "discover" {
		return e
	}
	address := AddressOf(c)
	e.Recovery.Arguments["browser_id"] = string(address.BrowserID)
	if action := e.Recovery.Arguments["action"]; action == "snapshot" || action == "network" {
		e.Recovery.Arguments["page_id"] = string(address.PageID)
	}
	return e
}

// AddressOf returns the browser and the page that a command names, as far as it
// names any.
func AddressOf(c Command) PageAddress {
	if page, ok := c.(PageCommand); ok {
		return page.Page()
	}
	d := Describe(c)
	if d == nil {
		return PageAddress{}
	}
	browser := d.Argument("browser_id")
	if browser == nil {
		return PageAddress{}
	}
	return PageAddress{BrowserID: BrowserID(browser.Field(reflect.ValueOf(c).Elem()).String())}
}

// Either lists the values of a closed argument in a sentence: "a, b or c".
func Either(values []string) string {
	if len(values) < 2 {
		return strings.Join(values, "")
	}
	last := len(values) - 1
	return strings.Join(values[:last], ", ") + " or " + values[last]
}

// thousands writes a bound as people read it: 100,000.
func thousands(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	rest := strconv.Itoa(n % 1000)
	return thousands(n/1000) + "," + strings.Repeat("0", 3-len(rest)) + rest
}
