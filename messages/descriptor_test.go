package messages

import (
	"reflect"
	"testing"
)

// Each row of the table is whole: it has a name of its own, an answer, a time, and arguments with a form. A command
// without a row can't be sent at all.
func TestDescriptors(t *testing.T) {
	names := map[Action]bool{}
	for _, d := range Descriptors() {
		c := d.New()
		if names[d.Action] || d.Action == "" {
			t.Errorf("the action %q stands twice or has no name", d.Action)
		}
		names[d.Action] = true
		if d.Answer == nil || TimeLimit(c) <= 0 || Describe(c) != d || DescribeAction(d.Action) != d {
			t.Errorf("%s is not whole: %+v", d.Action, d)
		}
		_, isEffect := c.(Effect)
		if _, isReceipt := d.Answer.(*Receipt); isReceipt != isEffect {
			t.Errorf("%s answers with %T", d.Action, d.Answer)
		}
		if _, ok := c.(ElementEffect); d.Batch && !ok {
			t.Errorf("%s is in a batch and is no effect on an element", d.Action)
		}
		for i := range d.Arguments {
			if a := &d.Arguments[i]; a.Form == "" || !a.Field(reflect.ValueOf(c).Elem()).CanSet() {
				t.Errorf("%s takes %s, which can't be set", d.Action, a.Name)
			}
		}
	}
	if Describe(nil) != nil || Describe((*Click)(nil)).Action != "click" || DescribeAction("wreck") != nil {
		t.Error("what is no action is described, or a nil pointer is not")
	}
}

// What a missing id or a bound says, and which observation lists the ids.
func TestValidate_Words(t *testing.T) {
	rows := []struct {
		command Command
		detail  string
		action  any
	}{
		{&ListPages{}, "browser_id is missing.", "browsers"},
		{&Click{OnElement: OnElement{PageAddress: PageAddress{BrowserID: "b"}}}, "page_id is missing.", "pages"},
		{&Click{OnElement: on("")}, "element_id is missing.", "snapshot"},
		{&Attach{}, "attachment_id is missing.", "discover"},
		{&Scroll{OnElement: on(""), Direction: ScrollUp, Amount: 200_000}, "amount is 1 to 100,000.", nil},
		{&Scroll{OnElement: on("")}, "direction is up, down, left or right.", nil},
		{&WaitFor{PageAddress: somewhere, Text: "x", Timeout: 1 << 50}, "timeout_ms is 1 to 120,000.", nil},
		{(*Click)(nil), "There is no command.", nil},
		{nil, "There is no command.", nil},
		{&Batch{PageAddress: somewhere, Operations: []ElementEffect{nil}}, "Operation 0 is missing.", nil},
		{&Batch{PageAddress: somewhere, Operations: []ElementEffect{(*Click)(nil)}}, "Operation 0 is missing.", nil},
	}
	for _, row := range rows {
		e := Validate(row.command)
		if e == nil || e.Detail != row.detail || e.State != NotStarted {
			t.Errorf("%T: got %v, want %q", row.command, e, row.detail)
			continue
		}
		var action any
		if e.Recovery != nil {
			action = e.Recovery.Arguments["action"]
		}
		if action != row.action {
			t.Errorf("%T: the next step is %v, want %v", row.command, action, row.action)
		}
	}
}
