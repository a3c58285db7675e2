package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"reflect"
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
			return nil, messages.NewError(messages.CodeInvalidRequest, "The argument %s is given twice.", shownName(name))
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

// shownName shows a name from outside: plain ASCII only, clamped, so that a refusal can carry nothing else.
func shownName(name string) string {
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

// read checks one value's form against its argument and stores it in the field of the command, or of the object, that
// holds it. Operations of a batch take its page, so they are read when the ids are.
func read(a *messages.Argument, raw json.RawMessage, holder reflect.Value) *messages.Error {
	field := a.Field(holder)
	switch a.Form {
	case messages.FormString:
		s, err := readString(a, raw)
		if err != nil {
			return err
		}
		field.SetString(s)
	case messages.FormInteger:
		n, err := readInteger(a, raw, field.CanUint())
		if err != nil {
			return err
		}
		a.SetInteger(field, n)
	case messages.FormBoolean:
		b, err := readBoolean(a, raw)
		if err != nil {
			return err
		}
		field.SetBool(b)
	case messages.FormStrings:
		return readStrings(a, raw, field)
	case messages.FormObject:
		return readMember(a, raw, field)
	case messages.FormOperations:
		return readOperations(raw, holder)
	}
	return nil
}

func wrongForm(a *messages.Argument, want string, raw json.RawMessage) *messages.Error {
	return messages.NewError(messages.CodeInvalidRequest, "%s must be %s, and is %s.", a.Name, want, form(raw))
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

func readString(a *messages.Argument, raw json.RawMessage) (string, *messages.Error) {
	want := "a string"
	if a.Values != nil {
		want = "one of " + strings.Join(a.Values, ", ")
	}
	var s string
	if !isForm(raw, `"`) || json.Unmarshal(raw, &s) != nil {
		return "", wrongForm(a, want, raw)
	}
	if a.Values != nil && !slices.Contains(a.Values, s) {
		// What was given is not repeated: it may be what belongs into another argument, typed text for one.
		return "", messages.NewError(messages.CodeInvalidRequest, "%s must be %s.", a.Name, want)
	}
	if s == "" && a.NotEmpty && !a.Required {
		return "", a.Refusal("%s is empty; leave it out.", a.Name)
	}
	return s, nil
}

// readInteger accepts 3 and 3.0, which are the same number in JSON. An argument of which 0 means absence is not given as
// 0 or less: what is written must mean what it says.
func readInteger(a *messages.Argument, raw json.RawMessage, counts bool) (int64, *messages.Error) {
	if !isForm(raw, "-0123456789") {
		return 0, wrongForm(a, "an integer", raw)
	}
	f, err := strconv.ParseFloat(string(bytes.TrimSpace(raw)), 64)
	switch {
	case err != nil || f != math.Trunc(f) || math.Abs(f) > integerMax:
		return 0, messages.NewError(messages.CodeInvalidRequest, "%s must be an integer of at most %d.", a.Name, integerMax)
	case counts && f < 0:
		return 0, a.Refusal("%s is not negative.", a.Name)
	case a.Min == 1 && f < 1:
		return 0, a.Refusal("%s must be at least 1; leave it out for the default.", a.Name)
	}
	return int64(f), nil
}

func readBoolean(a *messages.Argument, raw json.RawMessage) (bool, *messages.Error) {
	var b bool
	if !isForm(raw, "tf") || json.Unmarshal(raw, &b) != nil {
		return false, wrongForm(a, "true or false", raw)
	}
	return b, nil
}

func readStrings(a *messages.Argument, raw json.RawMessage, field reflect.Value) *messages.Error {
	var items []json.RawMessage
	if !isForm(raw, "[") || json.Unmarshal(raw, &items) != nil {
		return wrongForm(a, "a list of strings", raw)
	}
	list := reflect.MakeSlice(field.Type(), len(items), len(items))
	for i, item := range items {
		s, err := readString(&messages.Argument{Name: fmt.Sprintf("%s[%d]", a.Name, i), Facts: messages.Facts{Values: a.Values}}, item)
		if err != nil {
			return err
		}
		list.Index(i).SetString(s)
	}
	field.Set(list)
	return nil
}

// readMember reads an argument that is an object of its own.
func readMember(a *messages.Argument, raw json.RawMessage, field reflect.Value) *messages.Error {
	if !isForm(raw, "{") {
		return wrongForm(a, "an object", raw)
	}
	members, err := readObject(raw)
	if err != nil {
		return err
	}
	for _, m := range members {
		member := argumentNamed(a.Members, m.name)
		if member == nil {
			return messages.NewError(messages.CodeUnknownArgument, "A %s has no %s. %s", a.Name, shownName(m.name), usage(a.Members))
		}
		named := *member
		named.Name = a.Name + "." + member.Name
		if err := read(&named, m.raw, field); err != nil {
			return err
		}
	}
	return nil
}

// readOperations reads the operations of a batch. They are read for its page, which stands first among its arguments and
// may come behind in the text, so the caller reads them last.
func readOperations(raw json.RawMessage, holder reflect.Value) *messages.Error {
	var items []json.RawMessage
	if !isForm(raw, "[") || json.Unmarshal(raw, &items) != nil {
		return wrongForm(&messages.Argument{Name: "operations"}, "a list of objects", raw)
	}
	if len(items) < 1 || len(items) > messages.BatchOperationsMax {
		return messages.NewError(messages.CodeInvalidBatchCount, "A batch has 1 to %d operations; this one has %d.", messages.BatchOperationsMax, len(items))
	}
	batch := holder.Addr().Interface().(*messages.Batch)
	for i, item := range items {
		operation, err := readOperation(i, item, batch.PageAddress)
		if err != nil {
			return err
		}
		batch.Operations = append(batch.Operations, operation)
	}
	return nil
}
