package diagnostics

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/troupe-browser/troupe/internal/cut"
	"github.com/troupe-browser/troupe/messages"
)

// remoteObject is a value of the page as the engine describes it.
type remoteObject struct {
	Type           string         `json:"type"`
	Subtype        string         `json:"subtype"`
	Value          jsonv2.Value   `json:"value"`
	Unserializable string         `json:"unserializableValue"`
	Description    string         `json:"description"`
	Preview        *objectPreview `json:"preview"`
}

// objectPreview is what the engine tells of an object without being asked: its
// first properties. The objects among them have a preview of their own in the
// arguments of console.table only.
type objectPreview struct {
	Subtype    string            `json:"subtype"`
	Overflow   bool              `json:"overflow"`
	Properties []previewProperty `json:"properties"`
	// Entries are those of a Map, or of a Set, whose entries have no key.
	Entries []struct {
		Key   *remotePreview `json:"key"`
		Value remotePreview  `json:"value"`
	} `json:"entries"`
}

// remotePreview is a value inside a collection.
type remotePreview struct {
	Type        string `json:"type"`
	Description string `json:"description"`
}

type previewProperty struct {
	Name   string         `json:"name"`
	Type   string         `json:"type"`
	Value  string         `json:"value"`
	Nested *objectPreview `json:"valuePreview"`
}

// text returns the value in words. It is not bounded: its caller cuts it.
func (o *remoteObject) text() string {
	switch {
	case o.Type == "string":
		var s string
		if json.Unmarshal(o.Value, &s) == nil {
			return s
		}
	case o.Type == "undefined":
		return "undefined"
	case o.Unserializable != "":
		return o.Unserializable
	case o.Subtype == "error" && o.Description != "":
		return errorText(o.Description)
	case o.Subtype == "node", o.Subtype == "date", o.Subtype == "regexp":
		return o.Description
	case o.Preview != nil && len(o.Preview.Entries) > 0:
		return o.Description + " " + o.Preview.entries()
	case o.Preview != nil && len(o.Preview.Properties) > 0:
		return o.class() + o.Preview.text(previewDepthMax)
	case o.Description != "":
		return o.Description
	case len(o.Value) > 0:
		return string(o.Value)
	}
	return o.Type
}

// class returns the name of an object's class before its properties. Plain objects
// and arrays are told by their brackets.
func (o *remoteObject) class() string {
	if o.Subtype == "array" || o.Description == "Object" || o.Description == "" {
		return ""
	}
	return o.Description + " "
}

// errorText returns the name and the message of an error. The engine's
// description goes on with the stack, which entries give apart.
func errorText(description string) string {
	text, _, _ := strings.Cut(description, "\n    at ")
	return text
}

// text writes the first properties of an object, and those of the objects among
// them down to depth levels.
func (p *objectPreview) text(depth int) string {
	list := p.Subtype == "array"
	open, end := "{", "}"
	if list {
		open, end = "[", "]"
	}
	var b strings.Builder
	b.WriteString(open)
	for i := range p.Properties {
		if i > 0 {
			b.WriteString(", ")
		}
		if i == previewPropertiesMax {
			b.WriteString("…")
			return b.String() + end
		}
		if !list {
			b.WriteString(p.Properties[i].Name + ": ")
		}
		b.WriteString(p.Properties[i].text(depth - 1))
	}
	if p.Overflow {
		b.WriteString(", …")
	}
	return b.String() + end
}

// entries writes the first entries of a Map or a Set.
func (p *objectPreview) entries() string {
	var parts []string
	for i, e := range p.Entries {
		if i == previewPropertiesMax {
			parts = append(parts, "…")
			break
		}
		part := e.Value.text()
		if e.Key != nil {
			part = e.Key.text() + " => " + part
		}
		parts = append(parts, part)
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func (p *remotePreview) text() string {
	if p.Type == "string" {
		return strconv.Quote(p.Description)
	}
	return p.Description
}

func (p *previewProperty) text(depth int) string {
	switch {
	case p.Nested != nil && depth > 0:
		return p.Nested.text(depth)
	case p.Type == "string":
		return strconv.Quote(p.Value)
	case p.Value != "":
		return p.Value
	}
	return p.Type
}

// whole returns the value as %d and %i show it: a number without its fraction, and
// NaN for what is none.
func (o *remoteObject) whole() string {
	number, err := strconv.ParseFloat(strings.TrimSpace(o.text()), 64)
	if err != nil || math.IsNaN(number) || math.IsInf(number, 0) {
		return "NaN"
	}
	return strconv.FormatFloat(math.Trunc(number), 'f', -1, 64)
}

// textOf writes the arguments of a console call as the console shows them, within
// DiagnosticTextBytesMax.
func textOf(args []remoteObject) string {
	args = args[:min(len(args), argumentsMax)]
	var parts []string
	if len(args) > 1 && args[0].Type == "string" {
		if text := args[0].text(); strings.Contains(text, "%") {
			text, used := format(text, args[1:])
			parts, args = append(parts, text), args[1+used:]
		}
	}
	for i := range args {
		part, _ := cut.Bytes(args[i].text(), messages.DiagnosticTextBytesMax)
		parts = append(parts, part)
	}
	text, _ := cut.Bytes(strings.Join(parts, " "), messages.DiagnosticTextBytesMax)
	return text
}

// format replaces the console's format specifiers and returns how many arguments
// they took. Output beyond DiagnosticTextBytesMax is not made.
func format(pattern string, args []remoteObject) (string, int) {
	var b strings.Builder
	used := 0
	for b.Len() < messages.DiagnosticTextBytesMax {
		before, rest, found := strings.Cut(pattern, "%")
		b.WriteString(before)
		if !found || rest == "" {
			if found {
				b.WriteByte('%')
			}
			break
		}
		verb := rest[0]
		pattern = rest[1:]
		switch {
		case verb == '%':
			b.WriteByte('%')
		case strings.IndexByte("sdifoOc", verb) < 0 || used == len(args):
			b.WriteByte('%')
			pattern = rest
		default:
			switch verb {
			case 'c': // a style is for the eye only
			case 'd', 'i':
				b.WriteString(args[used].whole())
			default:
				b.WriteString(cutTo(args[used].text(), messages.DiagnosticTextBytesMax))
			}
			used++
		}
	}
	return b.String(), used
}
