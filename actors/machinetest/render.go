package machinetest

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// depthMax bounds how deep a value is shown; what lies below is shown as an ellipsis.
const depthMax = 10

// kind is the name of a value's type, without its package.
func kind(e any) string {
	name := fmt.Sprintf("%T", e)
	return name[strings.LastIndexByte(name, '.')+1:]
}

// Kinds names values by their types.
func Kinds[E any](values []E) string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = kind(v)
	}
	return strings.Join(names, " ")
}

// Render shows values with all their fields, those that nobody exports too: a line for the kind of each and a line
// for each field that is not zero. The same values give the same text in every run.
func Render[E any](values []E) string {
	var b strings.Builder
	for _, value := range values {
		b.WriteString(kind(value) + "\n")
		v := reflect.ValueOf(value)
		for v.Kind() == reflect.Pointer && !v.IsNil() {
			v = v.Elem()
		}
		if v.Kind() != reflect.Struct {
			fmt.Fprintf(&b, "  %s\n", shown(v, 0))
			continue
		}
		for i := range v.NumField() {
			if field := v.Field(i); !field.IsZero() {
				fmt.Fprintf(&b, "  %s: %s\n", v.Type().Field(i).Name, shown(field, 1))
			}
		}
	}
	return b.String()
}

func shown(v reflect.Value, depth int) string {
	if depth > depthMax {
		return "…"
	}
	switch v.Kind() {
	case reflect.Invalid:
		return "nil"
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return "nil"
		}
		if v.Kind() == reflect.Interface && v.Elem().Kind() == reflect.Pointer {
			return v.Elem().Type().Elem().Name() + shown(v.Elem(), depth)
		}
		return shown(v.Elem(), depth)
	case reflect.Struct:
		return shownStruct(v, depth)
	case reflect.Slice, reflect.Array:
		parts := make([]string, v.Len())
		for i := range parts {
			parts[i] = shown(v.Index(i), depth+1)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case reflect.Map:
		parts := make([]string, 0, v.Len())
		for _, key := range v.MapKeys() {
			parts = append(parts, shown(key, depth+1)+": "+shown(v.MapIndex(key), depth+1))
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, ", ") + "}"
	case reflect.String:
		return fmt.Sprintf("%q", v.String())
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return v.Kind().String()
	case reflect.Int64:
		if v.Type() == reflect.TypeFor[time.Duration]() {
			return time.Duration(v.Int()).String()
		}
	}
	return fmt.Sprint(v)
}

// yearOne is the first second of a time.Time, in seconds of Unix.
const yearOne = -62135596800

// shownTime shows a time in UTC. A field that nobody exports lends none of its methods, so the time is made anew out of
// what package time keeps in it; a reading of the monotonic clock, which no machine gets in a test, is shown as it is.
func shownTime(v reflect.Value) string {
	wall, seconds := v.Field(0).Uint(), v.Field(1).Int()
	if wall>>63 != 0 {
		return fmt.Sprint(v)
	}
	return time.Unix(seconds+yearOne, int64(wall&(1<<30-1))).UTC().Format("2006-01-02T15:04:05.999999999")
}

func shownStruct(v reflect.Value, depth int) string {
	if v.Type() == reflect.TypeFor[time.Time]() {
		return shownTime(v)
	}
	if command := v.FieldByName("command"); strings.EqualFold(v.Type().Name(), "call") {
		if !command.IsValid() {
			command = v.FieldByName("Command")
		}
		caller := v.FieldByName("caller")
		if !caller.IsValid() {
			caller = v.FieldByName("Caller")
		}
		return "call " + shown(command, depth+1) + " of " + shown(caller.FieldByName("ID"), depth+1)
	}
	var parts []string
	for i := range v.NumField() {
		if field := v.Field(i); !field.IsZero() {
			parts = append(parts, v.Type().Field(i).Name+": "+shown(field, depth+1))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
