package messages

import (
	"reflect"
	"slices"
	"strings"
	"time"
)

// Tool is the name of a tool of the model facade (R201).
type Tool string

// The tools. An action without one is the operator's alone.
const (
	ToolObserve Tool = "observe_browser"
	ToolControl Tool = "control_browser"
	ToolInspect Tool = "inspect_browser"
)

// Descriptor is everything about one action that is not how it is carried out.
// Parsing, schemas, bounds, the wire codec, time limits, the audit and the lists of
// actions derive from it.
type Descriptor struct {
	Action Action
	// Tool offers the action to models; empty, it is the operator's alone.
	Tool Tool
	// New makes an empty command of the action.
	New func() Command
	// Answer is an empty reply of the type with which the action answers.
	Answer Reply
	// Time bounds the command, counted from its turn (C25). A command that names its
	// own time has none here; see TimeLimit.
	Time time.Duration
	// Beside says that the command never waits in its page's queue: it may be what
	// the operation in flight waits for, or it reads what is there.
	Beside bool
	// Batch says that a batch may hold it (R82).
	Batch bool
	// ElementOptional says that the effect may go without an element.
	ElementOptional bool
	// Leaves are arguments of what the command embeds that it does not take.
	Leaves []string
	// Arguments are the command's fields that have an arg tag, in their order.
	Arguments []Argument
}

// Form is the JSON form of an argument.
type Form string

// The forms.
const (
	FormString     Form = "string"
	FormInteger    Form = "integer"
	FormBoolean    Form = "boolean"
	FormStrings    Form = "strings"
	FormObject     Form = "object"
	FormOperations Form = "operations"
)

// Argument is one argument of an action. In a command it is the field with the tag
// `arg:"name"`, or `arg:"name,required"`; the tag `audit:"kind"` says what the audit
// may know of it (R206). Everything else that a tool says of the name stands in
// argumentFacts.
type Argument struct {
	Name     string
	Form     Form
	Required bool
	// Members are the arguments of an object.
	Members []Argument
	Facts
	// field is the path of the field in the command's struct.
	field []int
	// milliseconds says that the field is a time.Duration, which JSON gives in ms.
	milliseconds bool
	// measure is what the audit may know, one of the kinds of Measure.
	measure string
}

// Facts are what a tool says of an argument beside its name and form, the same for
// every action that takes it.
type Facts struct {
	// Values closes a string, or the members of a list of strings; nil leaves it open.
	Values []string
	// Also are values that only a program may give, no model.
	Also []string
	// Min and Max bound an integer where Max is above 0; a Min of 1 means that
	// absence, 0 in Go, is the default.
	Min, Max int
	// NotEmpty refuses a string that is given and empty: what is written must mean
	// what it says.
	NotEmpty bool
	// Code is that of a refusal for these facts; empty means invalid_request.
	Code Code
	// Says is the description in the schema, short since every model pays for it. That
	// of operations has a %s where the actions of a batch are listed.
	Says string
}

// Refusal returns a refusal of the argument with its own code.
func (a *Argument) Refusal(format string, args ...any) *Error {
	code := a.Code
	if code == "" {
		code = CodeInvalidRequest
	}
	return NewError(code, format, args...)
}

// Field returns the argument's field in a command of its action, or in the object
// that holds it. The struct is addressable: fields may be set.
func (a *Argument) Field(holder reflect.Value) reflect.Value { return holder.FieldByIndex(a.field) }

// SetInteger stores an integer as the field's type has it: a count, a cursor, or a
// time given in milliseconds.
func (a *Argument) SetInteger(field reflect.Value, n int64) {
	switch {
	case a.milliseconds:
		field.SetInt(n * int64(time.Millisecond))
	case field.CanUint():
		field.SetUint(uint64(n))
	default:
		field.SetInt(n)
	}
}

// integer reads what SetInteger stored.
func (a *Argument) integer(field reflect.Value) int64 {
	switch {
	case a.milliseconds:
		return field.Int() / int64(time.Millisecond)
	case field.CanUint():
		return int64(field.Uint())
	}
	return field.Int()
}

// Takes reports whether the action has an argument of that name.
func (d *Descriptor) Takes(name string) bool { return d.Argument(name) != nil }

// Argument returns the action's argument of that name, or nil.
func (d *Descriptor) Argument(name string) *Argument {
	for i := range d.Arguments {
		if d.Arguments[i].Name == name {
			return &d.Arguments[i]
		}
	}
	return nil
}

// Grant returns the exact grant that the action needs (R203).
func (d *Descriptor) Grant() Grant { return d.New().Grant() }

// Describe returns the descriptor of a command, also of a nil pointer to one; nil
// for no command at all.
func Describe(c Command) *Descriptor { return byType[reflect.TypeOf(c)] }

// DescribeAction returns the descriptor of an action by its name, or nil.
func DescribeAction(name Action) *Descriptor { return byAction[name] }

// Descriptors returns those of every action, in the order in which the tools list
// them and the operator's behind.
func Descriptors() []*Descriptor { return slices.Clone(descriptors) }

// ToolActions returns the descriptors of one tool's actions, in their order.
func ToolActions(tool Tool) []*Descriptor {
	var out []*Descriptor
	for _, d := range descriptors {
		if d.Tool == tool {
			out = append(out, d)
		}
	}
	return out
}

// BatchActions returns the actions that a batch may hold (R82).
func BatchActions() []Action {
	var out []Action
	for _, d := range descriptors {
		if d.Batch {
			out = append(out, d.Action)
		}
	}
	return out
}

// OperatorOnly reports whether a command, or an argument in it, belongs to the
// operator plane (section 1.0).
func OperatorOnly(c Command) bool {
	if d := Describe(c); d != nil && d.Tool == "" {
		return true
	}
	part, ok := c.(interface{ operatorsPart() bool })
	return ok && part.operatorsPart()
}

// TimeLimit is how long a command may run, counted from its turn (C25).
func TimeLimit(c Command) time.Duration {
	if own, ok := c.(interface{ ownTime() time.Duration }); ok {
		return own.ownTime()
	}
	return Describe(c).Time
}

var (
	descriptors = complete(table)
	byType      = index(func(d *Descriptor) reflect.Type { return reflect.TypeOf(d.New()) })
	byAction    = index(func(d *Descriptor) Action { return d.Action })
)

func index[K comparable](key func(*Descriptor) K) map[K]*Descriptor {
	out := make(map[K]*Descriptor, len(descriptors))
	for _, d := range descriptors {
		out[key(d)] = d
	}
	return out
}

// complete fills in what the command's type says.
func complete(rows []Descriptor) []*Descriptor {
	out := make([]*Descriptor, 0, len(rows))
	for _, row := range rows {
		d := &row
		c := d.New()
		d.Action = c.Action()
		if _, isEffect := c.(Effect); isEffect && d.Answer == nil {
			d.Answer = &Receipt{}
		}
		if _, isEffect := c.(Effect); d.Time == 0 && isEffect {
			d.Time = EffectTimeout
		} else if d.Time == 0 {
			d.Time = ObserveTimeout
		}
		d.Arguments = argumentsOf(reflect.TypeOf(c).Elem(), nil, argumentFacts[d.Tool])
		_, ofPage := c.(PageCommand)
		d.Arguments = slices.DeleteFunc(d.Arguments, func(a Argument) bool {
			return a.Name == "document_token" && !ofPage || slices.Contains(d.Leaves, a.Name)
		})
		if element := d.Argument("element_id"); element != nil && d.ElementOptional {
			element.Required = false
		}
		out = append(out, d)
	}
	return out
}

// argumentsOf reads the tags of a struct and of what it embeds.
func argumentsOf(t reflect.Type, path []int, facts map[string]Facts) []Argument {
	var out []Argument
	for i := range t.NumField() {
		f := t.Field(i)
		at := append(slices.Clone(path), i)
		tag, tagged := f.Tag.Lookup("arg")
		if !tagged {
			if f.Anonymous && f.Type.Kind() == reflect.Struct {
				out = append(out, argumentsOf(f.Type, at, facts)...)
			}
			continue
		}
		name, rest, _ := strings.Cut(tag, ",")
		a := Argument{
			Name: name, Required: rest == "required", Facts: facts[name], field: at, measure: f.Tag.Get("audit"),
			Form: formOf(f.Type), milliseconds: f.Type == reflect.TypeFor[time.Duration](),
		}
		if a.Form == FormObject {
			a.Members = argumentsOf(f.Type, nil, memberFacts[name])
		}
		out = append(out, a)
	}
	return out
}

func formOf(t reflect.Type) Form {
	switch t.Kind() {
	case reflect.String:
		return FormString
	case reflect.Bool:
		return FormBoolean
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return FormInteger
	case reflect.Struct:
		return FormObject
	case reflect.Slice:
		if t.Elem().Kind() == reflect.String {
			return FormStrings
		}
	}
	return FormOperations
}
