package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/troupe-browser/troupe/messages"
)

const (
	// argumentsBytesMax bounds one call's arguments: a full batch (R83) with every quote escaped. A longer object is
	// refused before it is read.
	argumentsBytesMax = 2*messages.BatchBytesMax + 64<<10

	// nameCharsMax bounds how much of an unknown key a refusal repeats.
	nameCharsMax = 48

	// integerMax bounds every integer of a call, so that no unit conversion can overflow.
	integerMax = math.MaxInt32
)

// member is one key of an object, in the order of the text.
type member struct {
	name string
	raw  json.RawMessage
}

// readObject reads a JSON object and keeps its keys in order. Text that is no object, has a key twice or goes on after the
// object is refused: two readers could take it for different calls.
func readObject(raw json.RawMessage) ([]member, *messages.Error) {
	if len(raw) > argumentsBytesMax {
		return nil, messages.NewError(messages.CodeInvalidRequest, "The arguments have %d bytes; at most %d are read.", len(raw), argumentsBytesMax)
	}
	if !utf8.Valid(raw) {
		return nil, messages.NewError(messages.CodeInvalidRequest, "The arguments are not valid UTF-8.")
	}
	notObject := messages.NewError(messages.CodeInvalidRequest, "The arguments are not a JSON object.")
	decoder := json.NewDecoder(bytes.NewReader(raw))
	if start, err := decoder.Token(); err != nil || start != json.Delim('{') {
		return nil, notObject
	}
	var members []member
	for decoder.More() {
		token, err := decoder.Token()
		name, isString := token.(string)
		if err != nil || !isString {
			return nil, notObject
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, notObject
		}
		if slices.ContainsFunc(members, func(m member) bool { return m.name == name }) {
			return nil, messages.NewError(messages.CodeInvalidRequest, "The argument %s is given twice.", quote(name))
		}
		members = append(members, member{name, value})
	}
	if end, err := decoder.Token(); err != nil || end != json.Delim('}') {
		return nil, notObject
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, notObject
	}
	return members, nil
}

// quote shows a name from outside: plain ASCII only, clamped, so that a refusal can carry nothing else.
func quote(name string) string {
	var b strings.Builder
	for _, r := range name {
		if b.Len() >= nameCharsMax {
			b.WriteString("...")
			break
		}
		if r < ' ' || r > '~' {
			r = '?'
		}
		b.WriteRune(r)
	}
	return strconv.Quote(b.String())
}

// values are the arguments of one action after their forms were checked. A key that is absent reads as the zero value.
type values struct {
	strings  map[string]string
	integers map[string]int
	booleans map[string]bool
	lists    map[string][]string
	query    messages.Query
	// operations are the raw members of a batch.
	operations []json.RawMessage
	given      map[string]bool
}

func newValues() *values {
	return &values{
		strings: map[string]string{}, integers: map[string]int{}, booleans: map[string]bool{},
		lists: map[string][]string{}, given: map[string]bool{},
	}
}

// read checks one value's form against its argument and keeps it.
func (v *values) read(a *argument, raw json.RawMessage) *messages.Error {
	var err *messages.Error
	switch a.kind {
	case kindString:
		v.strings[a.name], err = readString(a, raw)
	case kindInteger:
		v.integers[a.name], err = readInteger(a, raw)
	case kindBoolean:
		v.booleans[a.name], err = readBoolean(a, raw)
	case kindStrings:
		v.lists[a.name], err = readStrings(a, raw)
	case kindQuery:
		v.query, err = readQuery(raw)
	case kindOperations:
		v.operations, err = readOperations(raw)
	}
	v.given[a.name] = true
	return err
}

func wrongForm(a *argument, want string, raw json.RawMessage) *messages.Error {
	return messages.NewError(messages.CodeInvalidRequest, "%s must be %s, and is %s.", a.name, want, form(raw))
}

// form names the JSON form of a value without repeating the value.
func form(raw json.RawMessage) string {
	trimmed := bytes.TrimLeft(raw, " \t\r\n")
	if len(trimmed) == 0 {
		return "nothing"
	}
	switch trimmed[0] {
	case '"':
		return "a string"
	case '{':
		return "an object"
	case '[':
		return "a list"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null; leave it out instead"
	}
	return "a number"
}

func isForm(raw json.RawMessage, first string) bool {
	trimmed := bytes.TrimLeft(raw, " \t\r\n")
	return len(trimmed) > 0 && strings.IndexByte(first, trimmed[0]) >= 0
}

func readString(a *argument, raw json.RawMessage) (string, *messages.Error) {
	want := "a string"
	if a.values != nil {
		want = "one of " + strings.Join(a.values, ", ")
	}
	var s string
	if !isForm(raw, `"`) || json.Unmarshal(raw, &s) != nil {
		return "", wrongForm(a, want, raw)
	}
	if a.values != nil && !slices.Contains(a.values, s) {
		// What was given is not repeated: it may be what belongs into another argument, typed text for one.
		return "", messages.NewError(messages.CodeInvalidRequest, "%s must be %s.", a.name, want)
	}
	return s, nil
}

// readInteger accepts 3 and 3.0, which are the same number in JSON.
func readInteger(a *argument, raw json.RawMessage) (int, *messages.Error) {
	if !isForm(raw, "-0123456789") {
		return 0, wrongForm(a, "an integer", raw)
	}
	f, err := strconv.ParseFloat(string(bytes.TrimSpace(raw)), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > integerMax {
		return 0, messages.NewError(messages.CodeInvalidRequest, "%s must be an integer of at most %d.", a.name, integerMax)
	}
	return int(f), nil
}

func readBoolean(a *argument, raw json.RawMessage) (bool, *messages.Error) {
	var b bool
	if !isForm(raw, "tf") || json.Unmarshal(raw, &b) != nil {
		return false, wrongForm(a, "true or false", raw)
	}
	return b, nil
}

func readStrings(a *argument, raw json.RawMessage) ([]string, *messages.Error) {
	var items []json.RawMessage
	if !isForm(raw, "[") || json.Unmarshal(raw, &items) != nil {
		return nil, wrongForm(a, "a list of strings", raw)
	}
	out := make([]string, 0, len(items))
	for i, item := range items {
		s, err := readString(&argument{name: fmt.Sprintf("%s[%d]", a.name, i), values: a.values}, item)
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// queryArguments are the members of a query (R47).
var queryArguments = []argument{
	{name: "text"}, {name: "role"}, {name: "group"}, {name: "section"}, {name: "fields_only", kind: kindBoolean},
}

func readQuery(raw json.RawMessage) (messages.Query, *messages.Error) {
	var q messages.Query
	if !isForm(raw, "{") {
		return q, wrongForm(&argument{name: "query"}, "an object", raw)
	}
	members, err := readObject(raw)
	if err != nil {
		return q, err
	}
	for _, m := range members {
		i := slices.IndexFunc(queryArguments, func(a argument) bool { return a.name == m.name })
		if i < 0 {
			return q, messages.NewError(messages.CodeUnknownArgument, "A query has no %s. It has text, role, group, section and fields_only.", quote(m.name))
		}
		named := queryArguments[i]
		named.name = "query." + named.name
		if named.kind == kindBoolean {
			q.FieldsOnly, err = readBoolean(&named, m.raw)
		} else {
			err = readTerm(&named, m.raw, map[string]*string{"text": &q.Text, "role": &q.Role, "group": &q.Group, "section": &q.Section}[m.name])
		}
		if err != nil {
			return q, err
		}
	}
	return q, nil
}

// readTerm reads a term that is given: an empty one is refused, since absent and empty would otherwise mean the same.
func readTerm(a *argument, raw json.RawMessage, into *string) *messages.Error {
	term, err := readString(a, raw)
	if err != nil {
		return err
	}
	if term == "" {
		return messages.NewError(messages.CodeInvalidQuery, "%s is empty; leave it out.", a.name)
	}
	*into = term
	return nil
}

func readOperations(raw json.RawMessage) ([]json.RawMessage, *messages.Error) {
	var items []json.RawMessage
	if !isForm(raw, "[") || json.Unmarshal(raw, &items) != nil {
		return nil, wrongForm(&argument{name: "operations"}, "a list of objects", raw)
	}
	if len(items) < 1 || len(items) > messages.BatchOperationsMax {
		return nil, messages.NewError(messages.CodeInvalidBatchCount, "A batch has 1 to %d operations; this one has %d.", messages.BatchOperationsMax, len(items))
	}
	return items, nil
}
