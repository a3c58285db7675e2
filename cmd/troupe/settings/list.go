package settings

import (
	"iter"
	"maps"
)

// Shown is one setting as `troupe config` prints it.
type Shown struct {
	Key    string `json:"key"`
	Value  any    `json:"value"` // a text, a list of strings, or a map of strings
	Source string `json:"source"`
	Text   string `json:"-"` // the value in one line
	Says   string `json:"-"` // what the setting does
}

// All returns every setting with its effective value, in the order of the table.
func (s Values) All() iter.Seq[Shown] {
	return func(yield func(Shown) bool) {
		for i := range all {
			v := s[all[i].key]
			shown := Shown{Key: all[i].key, Value: v.text, Source: v.source, Text: v.show(), Says: all[i].says}
			switch {
			case v.table != nil:
				shown.Value = maps.Clone(v.table)
			case all[i].form == formList:
				shown.Value = append([]string{}, v.list...)
			}
			if !yield(shown) {
				return
			}
		}
	}
}

// Variables returns the names of the variables of the environment that are read.
func Variables() []string {
	out := []string{configVariable}
	for i := range all {
		out = append(out, all[i].environment())
	}
	return out
}

// Choices returns the values that a setting can have, the default first; nil where they are open.
func Choices(key string) []string {
	s := named(key)
	if s == nil || s.choices == nil {
		return nil
	}
	out := []string{s.initial}
	for _, choice := range s.choices {
		if choice != s.initial {
			out = append(out, choice)
		}
	}
	return out
}
