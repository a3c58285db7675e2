package tools

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/troupe-browser/troupe/messages"
)

// idCharsMax bounds an id that a recovery repeats; a longer one is none of ours.
const idCharsMax = 128

// Parse turns the arguments of one call into its command. It refuses by name an unknown tool, action or key, a key that
// belongs to another action, a wrong form and a missing argument, and then whatever the command's own Validate refuses.
// Each refusal proves that nothing was started, and its recovery is a call that is safe to make at once: an observation,
// never an effect.
func Parse(toolName string, arguments json.RawMessage) (messages.Command, *messages.Error) {
	t := toolNamed(toolName)
	if t == nil {
		return nil, messages.NewError(messages.CodeInvalidRequest, "There is no tool %s. The tools are %s, %s and %s.", quote(toolName), Observe, Control, Inspect).
			WithRecovery(Observe, map[string]any{"action": "targets"})
	}
	command, action, v, err := parse(t, arguments)
	if err == nil {
		err = command.Validate()
	}
	if err == nil {
		return command, nil
	}
	if err.Recovery == nil {
		err = err.WithRecovery(nextStep(t, action, v))
	}
	return nil, err
}

// parse reads the object; action and values are what could be read of it, also beside a refusal.
func parse(t *tool, arguments json.RawMessage) (messages.Command, *action, *values, *messages.Error) {
	v := newValues()
	if len(arguments) == 0 {
		arguments = json.RawMessage("{}")
	}
	members, err := readObject(arguments)
	if err != nil {
		return nil, nil, v, err
	}
	action, err := readAction(t, members)
	if err != nil {
		return nil, nil, v, err
	}
	if err := readMembers(t, action, members, v); err != nil {
		return nil, action, v, err
	}
	if err := demand(action, v, t); err != nil {
		return nil, action, v, err
	}
	command, err := build(action.name, v)
	return command, action, v, err
}

func readAction(t *tool, members []member) (*action, *messages.Error) {
	i := slices.IndexFunc(members, func(m member) bool { return m.name == "action" })
	if i < 0 {
		return nil, noAction(t, members)
	}
	name, err := readString(&argument{name: "action"}, members[i].raw)
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
	return nil, messages.NewError(messages.CodeInvalidRequest, "There is no action %s. It is one of %s.", quote(name), strings.Join(actionNames(t), ", "))
}

// noAction refuses a call without an action. A key that no action takes, such as a
// misspelled "Action", is named: it may be the one that was meant.
func noAction(t *tool, members []member) *messages.Error {
	for _, m := range members {
		if t.argument(m.name) == nil {
			return messages.NewError(messages.CodeUnknownArgument, "There is no argument %s, and action is missing. It is one of %s.", quote(m.name), strings.Join(actionNames(t), ", "))
		}
	}
	return messages.NewError(messages.CodeInvalidRequest, "action is missing. It is one of %s.", strings.Join(actionNames(t), ", "))
}

func actionNames(t *tool) []string {
	names := make([]string, len(t.actions))
	for i := range t.actions {
		names[i] = string(t.actions[i].name)
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
// on what else is wrong, and so that a recovery can name the page.
func readMembers(t *tool, a *action, members []member, v *values) *messages.Error {
	var refused *messages.Error
	for _, m := range members {
		if m.name != "action" && !a.takes(m.name) && refused == nil {
			refused = messages.NewError(messages.CodeUnknownArgument, "%s takes no argument %s. %s", a.name, quote(m.name), usage(a))
		}
	}
	for _, m := range members {
		argument := t.argument(m.name)
		if argument == nil || !a.takes(m.name) {
			continue
		}
		if err := v.read(argument, m.raw); err != nil && refused == nil {
			refused = err
		}
	}
	return refused
}

// usage names the arguments of an action in a sentence.
func usage(a *action) string {
	if len(a.required)+len(a.optional) == 0 {
		return "It takes no arguments."
	}
	var parts []string
	parts = append(parts, a.required...)
	for _, name := range a.optional {
		parts = append(parts, name+"?")
	}
	return "Its arguments are " + strings.Join(parts, ", ") + "."
}

func demand(a *action, v *values, t *tool) *messages.Error {
	for _, name := range a.required {
		given := v.given[name]
		if argument := t.argument(name); given && argument.kind == kindString && strings.HasSuffix(name, "_id") {
			given = v.strings[name] != ""
		}
		if !given {
			return messages.NewError(messages.CodeInvalidRequest, "%s is missing. %s", name, usage(a))
		}
	}
	return nil
}

// nextStep names an observation that can be made at once with what is known: where the ids come from when one is missing,
// else the page, or the same observation without the arguments that were refused. Of ids only such are repeated that look
// like one.
func nextStep(t *tool, a *action, v *values) (string, map[string]any) {
	browser, pageID := v.strings["browser_id"], v.strings["page_id"]
	arguments := map[string]any{"browser_id": browser, "page_id": pageID}
	switch {
	case a == nil || !a.takes("browser_id"):
		next := "targets"
		if a != nil && a.name == "attach" {
			next = "discover"
		}
		return Observe, map[string]any{"action": next}
	case browser == "" || opaque(browser) != browser:
		return Observe, map[string]any{"action": "browsers"}
	case !a.takes("page_id") || pageID == "" || opaque(pageID) != pageID:
		return Observe, map[string]any{"action": "pages", "browser_id": browser}
	case t.name == Control:
		arguments["action"] = "snapshot"
	case a.name == "wait":
		return Observe, map[string]any{"action": "pages", "browser_id": browser}
	case a.name == "network_request":
		arguments["action"] = "network"
	case a.name == "storage":
		arguments["action"], arguments["area"] = "storage", "local"
		return Inspect, arguments
	default:
		arguments["action"] = string(a.name)
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
	name, err := readString(&argument{name: "action"}, members[i].raw)
	if err != nil {
		return nil, at(err)
	}
	action := batchAction(name)
	if action == nil {
		return nil, messages.NewError(messages.CodeInvalidBatchValue, "Operation %d: %s cannot be in a batch. It is one of %s.", index, quote(name), batchActionNames())
	}
	v := newValues()
	if err := readMembers(&controlTool, action, members, v); err != nil {
		return nil, at(err)
	}
	if err := demand(action, v, &controlTool); err != nil {
		return nil, at(err)
	}
	v.strings["browser_id"], v.strings["page_id"] = string(page.BrowserID), string(page.PageID)
	command, err := build(action.name, v)
	if err != nil {
		return nil, at(err)
	}
	effect, ok := command.(messages.ElementEffect)
	if !ok {
		return nil, messages.NewError(messages.CodeInternalError, fmt.Sprintf("Operation %d is no effect on an element.", index))
	}
	return effect, nil
}
