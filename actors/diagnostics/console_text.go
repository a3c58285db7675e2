package diagnostics

import (
	"encoding/json"
	"strconv"
	"strings"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/troupe-browser/troupe/messages"
)

// remoteObject is a value of the page as the engine describes it.
type remoteObject struct {
	Type           string       `json:"type"`
	Value          jsonv2.Value `json:"value"`
	Unserializable string       `json:"unserializableValue"`
	Description    string       `json:"description"`
	Preview        *struct {
		Subtype    string `json:"subtype"`
		Overflow   bool   `json:"overflow"`
		Properties []struct {
			Name  string `json:"name"`
			Type  string `json:"type"`
			Value string `json:"value"`
		} `json:"properties"`
	} `json:"preview"`
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
	case o.Preview != nil && len(o.Preview.Properties) > 0:
		return o.preview()
	case o.Description != "":
		return o.Description
	case len(o.Value) > 0:
		return string(o.Value)
	}
	return o.Type
}

// preview writes the first properties of an object, one level deep.
func (o *remoteObject) preview() string {
	list := o.Preview.Subtype == "array"
	open, end := "{", "}"
	if list {
		open, end = "[", "]"
	}
	var b strings.Builder
	b.WriteString(open)
	for i, p := range o.Preview.Properties {
		if i > 0 {
			b.WriteString(", ")
		}
		if i == previewPropertiesMax {
			b.WriteString("…")
			return b.String() + end
		}
		if !list {
			b.WriteString(p.Name + ": ")
		}
		if p.Type == "string" {
			b.WriteString(strconv.Quote(p.Value))
		} else if p.Value != "" {
			b.WriteString(p.Value)
		} else {
			b.WriteString(p.Type)
		}
	}
	if o.Preview.Overflow {
		b.WriteString(", …")
	}
	return b.String() + end
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
		part, _ := cutBytes(args[i].text(), messages.DiagnosticTextBytesMax)
		parts = append(parts, part)
	}
	text, _ := cutBytes(strings.Join(parts, " "), messages.DiagnosticTextBytesMax)
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
			if verb != 'c' { // a style is for the eye only
				b.WriteString(cutTo(args[used].text(), messages.DiagnosticTextBytesMax))
			}
			used++
		}
	}
	return b.String(), used
}
