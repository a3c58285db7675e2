package messages

import "reflect"

// Measure returns what the audit may know of a command's arguments: presence,
// counts and byte lengths, never a value (R98, R206). An argument without an audit
// tag is not known at all.
func Measure(c Command) ArgumentMeasures {
	var m ArgumentMeasures
	d := Describe(c)
	if d == nil || IsNil(c) {
		return m
	}
	holder := reflect.ValueOf(c).Elem()
	for i := range d.Arguments {
		a := &d.Arguments[i]
		field := a.Field(holder)
		switch a.measure {
		case "element":
			m.HasElement = !field.IsZero()
		case "url":
			m.HasURL = !field.IsZero()
		case "text":
			m.TextBytes += field.Len()
		case "value":
			m.ValueBytes += field.Len()
		case "date":
			m.HasDate, m.ValueBytes = true, field.Len()
		case "path":
			m.PathDepth = field.Len()
		case "file":
			m.HasFile = true
		case "modifiers":
			m.HasModifier = field.Len() > 0
		case "operations":
			m.Operations = field.Len()
		case "query":
			m.HasQuery = !field.IsZero()
		}
	}
	return m
}
