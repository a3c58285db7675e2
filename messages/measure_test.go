package messages

import "testing"

// The audit knows presence, counts and lengths, and nothing of an argument without a tag (R206).
func TestMeasure(t *testing.T) {
	rows := []struct {
		command Command
		want    ArgumentMeasures
	}{
		{&Launch{URL: "http://a/", Profile: "work"}, ArgumentMeasures{HasURL: true}},
		{&Navigate{URL: "http://a/?secret"}, ArgumentMeasures{HasURL: true}},
		{&InputText{OnElement: on("e1"), Text: "12345"}, ArgumentMeasures{HasElement: true, TextBytes: 5}},
		{&SetValue{OnElement: on("e1"), Value: "123"}, ArgumentMeasures{HasElement: true, ValueBytes: 3}},
		{&SelectOption{OnElement: on("e1"), Option: "12"}, ArgumentMeasures{HasElement: true, ValueBytes: 2}},
		{&SelectChoice{OnElement: on("e1"), ChoicePath: []string{"a", "b"}}, ArgumentMeasures{HasElement: true, PathDepth: 2}},
		{&SetDate{OnElement: on("e1"), Value: "2027-01"}, ArgumentMeasures{HasElement: true, HasDate: true, ValueBytes: 7}},
		{&UploadFile{OnElement: on("e1"), Path: "a"}, ArgumentMeasures{HasElement: true, HasFile: true}},
		{&PressKey{Key: "a", Modifiers: []Modifier{ModifierCtrl}}, ArgumentMeasures{HasModifier: true}},
		{&Click{OnElement: on("e1")}, ArgumentMeasures{HasElement: true}},
		{&HandleDialog{PromptText: "1234"}, ArgumentMeasures{TextBytes: 4}},
		{&Batch{Operations: []ElementEffect{&Click{}, &Click{}}}, ArgumentMeasures{Operations: 2}},
		{&TakeSnapshot{Query: Query{Text: "x"}}, ArgumentMeasures{HasQuery: true}},
		{&Evaluate{Script: "1+1"}, ArgumentMeasures{TextBytes: 3}},
		{&GetTargets{}, ArgumentMeasures{}},
		{(*Click)(nil), ArgumentMeasures{}},
		{nil, ArgumentMeasures{}},
	}
	for _, row := range rows {
		if got := Measure(row.command); got != row.want {
			t.Errorf("%T gives %+v, want %+v", row.command, got, row.want)
		}
	}
}
