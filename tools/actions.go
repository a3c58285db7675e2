package tools

import (
	"slices"

	"github.com/troupe-browser/troupe/messages"
)

// The names of the tools.
const (
	Observe = string(messages.ToolObserve)
	Control = string(messages.ToolControl)
	Inspect = string(messages.ToolInspect)
)

// tool is one tool: its actions in the order in which a model reads them, and their arguments, each once. Both derive
// from the descriptors of package messages.
type tool struct {
	name      string
	about     string // first lines of the description
	actions   []*messages.Descriptor
	arguments []*messages.Argument
}

var allTools = []*tool{
	newTool(messages.ToolObserve, "Look at the browsers and pages; changes nothing. Start with targets, browsers or pages. "+
		"A snapshot lists what is on a page: nodes with actions have an element_id and a short ref for control_browser, "+
		"good until the next snapshot or navigation."),
	newTool(messages.ToolControl, "Act on a browser. Every answer says execution_state: completed, not_started (nothing happened; plan anew) or "+
		"outcome_unknown (may have happened: observe first, never repeat). value_matches false means that the page rewrote the value. "+
		"After dialog.open answer with handle_dialog."),
	newTool(messages.ToolInspect, "Read a request's headers and body, cookies and web storage. Values are not redacted."),
}

func newTool(name messages.Tool, about string) *tool {
	t := &tool{name: string(name), about: about, actions: messages.ToolActions(name)}
	for _, action := range t.actions {
		for i := range action.Arguments {
			if a := &action.Arguments[i]; t.argument(a.Name) == nil {
				t.arguments = append(t.arguments, a)
			}
		}
	}
	slices.SortStableFunc(t.arguments, func(a, b *messages.Argument) int { return rank(a.Name) - rank(b.Name) })
	return t
}

// rank puts the ids that nearly every action needs first.
func rank(name string) int {
	if i := slices.Index([]string{"browser_id", "page_id", "element_id", "document_token", "operation_id"}, name); i >= 0 {
		return i
	}
	return 5
}

func (t *tool) action(name string) *messages.Descriptor {
	for _, d := range t.actions {
		if string(d.Action) == name {
			return d
		}
	}
	return nil
}

func (t *tool) argument(name string) *messages.Argument {
	for _, a := range t.arguments {
		if a.Name == name {
			return a
		}
	}
	return nil
}

func toolNamed(name string) *tool {
	for _, t := range allTools {
		if t.name == name {
			return t
		}
	}
	return nil
}

// batchArguments are the arguments that an operation of a batch may have: it has no page, token or operation id of its
// own (R82).
func batchArguments(d *messages.Descriptor) []messages.Argument {
	return slices.DeleteFunc(slices.Clone(d.Arguments), func(a messages.Argument) bool {
		return slices.Contains([]string{"browser_id", "page_id", "document_token", "operation_id"}, a.Name)
	})
}
