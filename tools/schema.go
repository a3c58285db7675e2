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
	for _, a := range t.arguments {
		s.Properties[a.Name] = argumentSchema(a)
		s.PropertyOrder = append(s.PropertyOrder, a.Name)
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

func argumentSchema(a *messages.Argument) *jsonschema.Schema {
	s := &jsonschema.Schema{Description: a.Says, Type: string(a.Form)}
	switch a.Form {
	case messages.FormString:
		if a.Values != nil {
			s.Enum = anys(a.Values)
		}
	case messages.FormStrings:
		s.Type, s.Items = "array", &jsonschema.Schema{Type: "string"}
		if a.Values != nil {
			s.Items.Enum = anys(a.Values)
		}
	case messages.FormObject:
		s.AdditionalProperties, s.Properties = closed(), map[string]*jsonschema.Schema{}
		for i := range a.Members {
			s.Properties[a.Members[i].Name] = argumentSchema(&a.Members[i])
			s.PropertyOrder = append(s.PropertyOrder, a.Members[i].Name)
		}
	case messages.FormOperations:
		s.Type, s.Items = "array", &jsonschema.Schema{Type: "object"}
		s.Description = fmt.Sprintf(a.Says, batchActionNames())
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
	for i, a := range t.actions {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(string(a.Action))
		if own := ownArguments(a); len(own) > 0 {
			fmt.Fprintf(&b, " {%s}", strings.Join(own, ", "))
		}
		switch {
		case !a.Takes("browser_id"):
			withoutBrowser = append(withoutBrowser, string(a.Action))
		case !a.Takes("page_id"):
			withoutPage = append(withoutPage, string(a.Action))
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

func ownArguments(d *messages.Descriptor) []string {
	var needed, optional []string
	for i := range d.Arguments {
		a := &d.Arguments[i]
		switch {
		case slices.Contains([]string{"browser_id", "page_id", "document_token", "operation_id"}, a.Name):
		case a.Required:
			needed = append(needed, a.Name)
		default:
			optional = append(optional, a.Name+"?")
		}
	}
	return append(needed, optional...)
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
