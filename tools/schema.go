package tools

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/troupe-browser/troupe/messages"
)

// The schemas are flat: several hosts refuse a schema that has oneOf or anyOf at its top. The object is closed; which
// argument belongs to which action stands in the description, and the parser enforces it by name.

// ToolListBytesMax bounds the JSON of the whole tool list, since every model that has the tools pays for it in every
// conversation. A test measures the list with all three tools.
const ToolListBytesMax = 10_000

// inputSchema returns the closed argument object of a tool.
func inputSchema(t *tool) *jsonschema.Schema {
	s := &jsonschema.Schema{
		Type:                 "object",
		Properties:           map[string]*jsonschema.Schema{"action": {Type: "string", Enum: anys(actionNames(t))}},
		PropertyOrder:        []string{"action"},
		Required:             []string{"action"},
		AdditionalProperties: closed(),
	}
	for i := range t.arguments {
		a := &t.arguments[i]
		s.Properties[a.name] = argumentSchema(a)
		s.PropertyOrder = append(s.PropertyOrder, a.name)
	}
	return s
}

// closed is the schema that nothing fits, written as false.
func closed() *jsonschema.Schema { return &jsonschema.Schema{Not: &jsonschema.Schema{}} }

func anys(names []string) []any {
	out := make([]any, len(names))
	for i, name := range names {
		out[i] = name
	}
	return out
}

func argumentSchema(a *argument) *jsonschema.Schema {
	s := &jsonschema.Schema{Description: a.says}
	switch a.kind {
	case kindString:
		s.Type = "string"
		if a.values != nil {
			s.Enum = anys(a.values)
		}
	case kindInteger:
		s.Type = "integer"
	case kindBoolean:
		s.Type = "boolean"
	case kindStrings:
		s.Type, s.Items = "array", &jsonschema.Schema{Type: "string"}
		if a.values != nil {
			s.Items.Enum = anys(a.values)
		}
	case kindQuery:
		s.Type, s.AdditionalProperties, s.Properties = "object", closed(), map[string]*jsonschema.Schema{}
		for i := range queryArguments {
			s.Properties[queryArguments[i].name] = argumentSchema(&queryArguments[i])
			s.PropertyOrder = append(s.PropertyOrder, queryArguments[i].name)
		}
	case kindOperations:
		s.Type, s.Items = "array", &jsonschema.Schema{Type: "object"}
	}
	return s
}

// description returns what a model reads of a tool: what it is for, and each action with its own arguments. Ids and
// options that many actions share are said once.
func description(t *tool) string {
	var b strings.Builder
	b.WriteString(t.about)
	b.WriteString("\nActions (? = optional): ")
	var withoutPage, withoutBrowser []string
	for i := range t.actions {
		a := &t.actions[i]
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(string(a.name))
		if own := ownArguments(a); len(own) > 0 {
			fmt.Fprintf(&b, " {%s}", strings.Join(own, ", "))
		}
		switch {
		case !a.takes("browser_id"):
			withoutBrowser = append(withoutBrowser, string(a.name))
		case !a.takes("page_id"):
			withoutPage = append(withoutPage, string(a.name))
		}
	}
	b.WriteString(".\nAll need browser_id and page_id")
	if len(withoutPage) > 0 {
		fmt.Fprintf(&b, ", except %s: browser_id only", strings.Join(withoutPage, ", "))
	}
	if len(withoutBrowser) > 0 {
		fmt.Fprintf(&b, "; %s: neither", strings.Join(withoutBrowser, ", "))
	}
	b.WriteByte('.')
	return b.String()
}

func ownArguments(a *action) []string {
	shared := []string{"browser_id", "page_id", "document_token", "operation_id"}
	var own []string
	for _, name := range a.required {
		if !slices.Contains(shared, name) {
			own = append(own, name)
		}
	}
	for _, name := range a.optional {
		if !slices.Contains(shared, name) {
			own = append(own, name+"?")
		}
	}
	return own
}

// outputSchema describes the structure of a tool's results: the fields that programs rely on. It is open, since an
// answer leaves out what is unknown, and new fields may come.
func outputSchema(t *tool) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}}
	add := func(name string, schema *jsonschema.Schema) {
		s.Properties[name] = schema
		s.PropertyOrder = append(s.PropertyOrder, name)
	}
	add("execution_state", &jsonschema.Schema{Enum: []any{string(messages.NotStarted), string(messages.Completed), string(messages.OutcomeUnknown)}})
	for _, f := range outputFields[t.name] {
		names, forms, _ := strings.Cut(f, ":")
		for name := range strings.SplitSeq(names, " ") {
			add(name, typed(strings.Split(forms, "|")))
		}
	}
	add("recovery", &jsonschema.Schema{Type: "object", Description: "The call that helps: {tool, arguments}."})
	if t.name == Control {
		s.Required = []string{"execution_state"}
	}
	return s
}

// typed is the schema of one form or several. It is never an empty schema: that would be written as true, which widely used
// clients refuse as a property.
func typed(forms []string) *jsonschema.Schema {
	if len(forms) == 1 {
		return &jsonschema.Schema{Type: forms[0]}
	}
	return &jsonschema.Schema{Types: forms}
}

// outputFields lists "names:forms" of the results of each tool, beside execution_state and recovery.
var outputFields = map[string][]string{
	Observe: {
		"code message:string", "capabilities engine:object", "browsers:array|integer", "offers pages nodes entries downloads unseen:array",
		"generation cursor:integer", "document_token url title mode text:string", "truncated:boolean",
		"next_node_offset:integer|null", "dialog:object|null", "content_delivery sha256:string", "bytes width height:integer", "met:boolean",
	},
	Control: {
		"operation_id code message browser_id page_id document:string", "observed stability dialog requests batch:object",
		"needs_snapshot:boolean", "opened_pages downloads:array",
	},
	Inspect: {"code message:string", "cookies entries:array", "request_headers response_headers:object", "body body_error:string"},
}
