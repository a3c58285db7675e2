package tools

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/troupe-browser/troupe/messages"
)

// idCharsMax bounds an id that a recovery repeats; a longer one is none of ours.
const idCharsMax = 128

// Parse turns the arguments of one call into its command. It refuses by name an unknown tool, action or key, a key that
// belongs to another action, a wrong form and a missing argument, and then whatever the command's own Validate refuses.
// Each refusal proves that nothing was started, and its recovery is a call that is safe to make at once: an observation,
// never an effect. A call that concerns no browser has none: the sentence says what it takes.
func Parse(toolName string, arguments json.RawMessage) (messages.Command, *messages.Error) {
	t := toolNamed(toolName)
	if t == nil {
		return nil, messages.NewError(messages.CodeInvalidRequest, "There is no tool %s. The tools are %s, %s and %s.", shownName(toolName), Observe, Control, Inspect).
			WithRecovery(Observe, map[string]any{"action": "browsers"})
	}
	call, err := parse(t, arguments)
	if err == nil {
		err = messages.Validate(call.command)
	}
	if err == nil {
		return call.command, nil
	}
	if call.action == nil {
		err.Recovery = rightTool(t, arguments, call.at)
	}
	if err.Recovery == nil {
		if tool, next := nextStep(t, call); tool != "" {
			err = err.WithRecovery(tool, next)
		}
	}
	return nil, err
}

// parsed is what could be read of a call, also beside a refusal.
type parsed struct {
	// action is nil where the call names none of its tool's.
	action  *messages.Descriptor
	command messages.Command
	// at are the ids that the call gives, whatever its action.
	at messages.PageAddress
}

// parse reads the object into the command of its action.
func parse(t *tool, arguments json.RawMessage) (parsed, *messages.Error) {
	if len(arguments) == 0 {
		arguments = json.RawMessage("{}")
	}
	members, err := readObject(arguments)
	if err != nil {
		return parsed{}, err
	}
	at := addressIn(members)
	action, err := readAction(t, members)
	if err != nil {
		return parsed{at: at}, err
	}
	c := parsed{action, action.New(), at}
	return c, readMembers(action, action.Arguments, members, c.command)
}

func readAction(t *tool, members []member) (*messages.Descriptor, *messages.Error) {
	i := slices.IndexFunc(members, func(m member) bool { return m.name == "action" })
	if i < 0 {
		return nil, noAction(t, members)
	}
	name, err := readString(&messages.Argument{Name: "action"}, members[i].raw)
	if err != nil {
		return nil, err
	}
	if a := t.action(name); a != nil {
		return a, nil
	}
	for _, other := range allTools {
		if other.action(name) != nil {
			return nil, messages.NewError(messages.CodeInvalidRequest, "%s is an action of %s, not of %s.", name, other.name, t.name)
		}
	}
	return nil, messages.NewError(messages.CodeInvalidRequest, "There is no action %s.%s It is one of %s.", shownName(name), hint(name, t.name), strings.Join(actionNames(t), ", "))
}

// addressIn reads the ids of a call, as far as they are strings.
func addressIn(members []member) messages.PageAddress {
	var at messages.PageAddress
	for _, m := range members {
		var s string
		if m.name != "browser_id" && m.name != "page_id" || json.Unmarshal(m.raw, &s) != nil {
			continue
		}
		if m.name == "browser_id" {
			at.BrowserID = messages.BrowserID(s)
		} else {
			at.PageID = messages.PageID(s)
		}
	}
	return at
}

// rightTool is the call that was meant, where another tool has the action and it changes nothing; nil otherwise.
func rightTool(t *tool, arguments json.RawMessage, at messages.PageAddress) *messages.Recovery {
	members, err := readObject(arguments)
	if err != nil {
		return nil
	}
	for _, other := range allTools {
		action, err := readAction(other, members)
		if other == t || err != nil {
			continue
		}
		given := map[string]any{"action": string(action.Action)}
		for name, id := range map[string]string{"browser_id": string(at.BrowserID), "page_id": string(at.PageID)} {
			if id != "" && opaque(id) == id {
				given[name] = id
			}
		}
		command, err := Parse(other.name, encode(given))
		if _, observes := command.(messages.Observation); err == nil && observes {
			return &messages.Recovery{Tool: other.name, Arguments: given}
		}
	}
	return nil
}

// noAction refuses a call without an action. A key that no action takes, such as a
// misspelled "Action", is named: it may be the one that was meant.
func noAction(t *tool, members []member) *messages.Error {
	for _, m := range members {
		if t.argument(m.name) == nil {
			return messages.NewError(messages.CodeUnknownArgument, "There is no argument %s, and action is missing. It is one of %s.", shownName(m.name), strings.Join(actionNames(t), ", "))
		}
	}
	return messages.NewError(messages.CodeInvalidRequest, "action is missing. It is one of %s.", strings.Join(actionNames(t), ", "))
}

func actionNames(t *tool) []string {
	names := make([]string, len(t.actions))
	for i := range t.actions {
		names[i] = string(t.actions[i].Action)
	}
	return names
}

func batchActionNames() string {
	var names []string
	for _, name := range messages.BatchActions() {
		names = append(names, string(name))
	}
	return strings.Join(names, ", ")
}

// readMembers checks every key before it reads any value but the ids, so that the refusal of an unknown key does not hang
// on what else is wrong, and so that a recovery can name the page. Then it looks for what is missing.
func readMembers(d *messages.Descriptor, takes []messages.Argument, members []member, into messages.Command) *messages.Error {
	var refused *messages.Error
	for _, m := range members {
		if m.name != "action" && argumentNamed(takes, m.name) == nil && refused == nil {
			refused = messages.NewError(messages.CodeUnknownArgument, "%s takes no argument %s. %s", d.Action, shownName(m.name), usage(takes))
		}
	}
	holder := reflect.ValueOf(into).Elem()
	given := map[string]bool{}
	slices.SortStableFunc(members, operationsLast)
	for _, m := range members {
		a := argumentNamed(takes, m.name)
		if a == nil {
			continue
		}
		given[m.name] = true
		if err := read(a, m.raw, holder); err != nil && refused == nil {
			refused = err
		}
	}
	if refused != nil {
		return refused
	}
	for i := range takes {
		a := &takes[i]
		if a.Required && (!given[a.Name] || a.IsID() && a.Field(holder).Len() == 0) {
			return messages.NewError(messages.CodeInvalidRequest, "%s is missing. %s", a.Name, usage(takes))
		}
	}
	return nil
}

// operationsLast puts the operations of a batch behind the ids of their page, wherever the text has them.
func operationsLast(a, b member) int {
	switch {
	case a.name == b.name:
		return 0
	case a.name == "operations":
		return 1
	case b.name == "operations":
		return -1
	}
	return 0
}

func argumentNamed(list []messages.Argument, name string) *messages.Argument {
	for i := range list {
		if list[i].Name == name {
			return &list[i]
		}
	}
	return nil
}

// usage names the arguments of an action in a sentence: those that it needs, then those that it may have.
func usage(takes []messages.Argument) string {
	if len(takes) == 0 {
		return "It takes no arguments."
	}
	var needed, optional []string
	for i := range takes {
		if takes[i].Required {
			needed = append(needed, takes[i].Name)
		} else {
			optional = append(optional, takes[i].Name+"?")
		}
	}
	return "Its arguments are " + strings.Join(append(needed, optional...), ", ") + "."
}

// nextStep names an observation that can be made at once with what is known: where the ids come from when one is missing,
// else the page, or the same observation without the arguments that were refused. Of ids only such are repeated that look
// like one.
func nextStep(t *tool, c parsed) (string, map[string]any) {
	a := c.action
	browser, pageID := string(c.at.BrowserID), string(c.at.PageID)
	arguments := map[string]any{"browser_id": browser, "page_id": pageID}
	switch {
	case a != nil && a.Action == "attach":
		return Observe, map[string]any{"action": "discover"}
	case a != nil && !a.Takes("browser_id") && t.name == Control:
		return "", nil
	case a != nil && !a.Takes("browser_id"):
		return t.name, map[string]any{"action": string(a.Action)}
	case browser == "" || opaque(browser) != browser:
		return Observe, map[string]any{"action": "browsers"}
	case a != nil && !a.Takes("page_id") || pageID == "" || opaque(pageID) != pageID:
		return Observe, map[string]any{"action": "pages", "browser_id": browser}
	case t.name == Control || a == nil:
		arguments["action"] = "snapshot"
	case a.Action == "wait":
		return Observe, map[string]any{"action": "pages", "browser_id": browser}
	case a.Action == "network_request":
		arguments["action"] = "network"
	case a.Action == "storage":
		arguments["action"], arguments["area"] = "storage", "local"
		return Inspect, arguments
	default:
		arguments["action"] = string(a.Action)
		return t.name, arguments
	}
	return Observe, arguments
}

// readOperation reads one operation of a batch for the batch's page.
func readOperation(index int, raw json.RawMessage, page messages.PageAddress) (messages.ElementEffect, *messages.Error) {
	at := func(err *messages.Error) *messages.Error {
		return messages.NewError(err.Code, "Operation %d: %s", index, err.Detail)
	}
	if !isForm(raw, "{") {
		return nil, messages.NewError(messages.CodeInvalidBatchValue, "Operation %d must be an object, and is %s.", index, form(raw))
	}
	members, err := readObject(raw)
	if err != nil {
		return nil, at(err)
	}
	i := slices.IndexFunc(members, func(m member) bool { return m.name == "action" })
	if i < 0 {
		return nil, messages.NewError(messages.CodeInvalidBatchValue, "Operation %d has no action.", index)
	}
	name, err := readString(&messages.Argument{Name: "action"}, members[i].raw)
	if err != nil {
		return nil, at(err)
	}
	action := toolNamed(Control).action(name)
	if action == nil || !action.Batch {
		return nil, messages.NewError(messages.CodeInvalidBatchValue, "Operation %d: %s cannot be in a batch.%s It is one of %s.", index, shownName(name), hint(name, Control), batchActionNames())
	}
	command := action.New()
	if err := readMembers(action, batchArguments(action), members, command); err != nil {
		return nil, at(err)
	}
	effect, ok := command.(messages.ElementEffect)
	if !ok {
		return nil, messages.NewError(messages.CodeInternalError, "Operation %d is no effect on an element.", index)
	}
	action.Argument("browser_id").Field(reflect.ValueOf(command).Elem()).SetString(string(page.BrowserID))
	action.Argument("page_id").Field(reflect.ValueOf(command).Elem()).SetString(string(page.PageID))
	return effect, nil
}

// opaque lets an id of ours through. A caller can write anything where an id belongs, so what does not look like an id
// is named as such and not repeated.
func opaque[ID ~string](id ID) ID {
	if len(id) > idCharsMax {
		return "invalid"
	}
	for _, r := range string(id) {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-' && r != ':' {
			return "invalid"
		}
	}
	return id
}
