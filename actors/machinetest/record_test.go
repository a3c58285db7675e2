package machinetest

import (
	"strings"
	"testing"
	"time"
)

type Call struct {
	command any
	caller  struct{ ID string }
	ticket  *int
}

type click struct{ element string }

type start struct {
	number uint64
	call   *Call
	after  time.Duration
	args   map[string]any
	next   *start
	at     time.Time
}

// A value is shown whole, also what is behind pointers and not exported, and the same in each run.
func TestRender(t *testing.T) {
	c := &Call{command: &click{"e1"}}
	c.caller.ID = "agent"
	got := Render([]any{&start{number: 3, call: c, after: time.Second, args: map[string]any{"b": 1, "a": "x"}, next: &start{number: 4}, at: time.Date(2027, 3, 1, 12, 0, 1, 5e8, time.UTC)}, &click{}})
	want := `start
  number: 3
  call: call click{element: "e1"} of "agent"
  after: 1s
  args: {"a": "x", "b": 1}
  next: {number: 4}
  at: 2027-03-01T12:00:01.5
click
`
	if got != want {
		t.Errorf("got\n%s", got)
	}
}

// A field that differs is found, with a diff that shows it and nothing else.
func TestRecorded(t *testing.T) {
	t.Chdir(t.TempDir())
	one, other := Render([]*start{{number: 1, after: time.Second}}), Render([]*start{{number: 1, after: time.Minute}})
	if got := newRecorded().compare(t.Name(), one); !strings.Contains(got, "not recorded") {
		t.Errorf("what is not recorded passes: %q", got)
	}
	*record = true
	r := newRecorded()
	first, second := r.compare(t.Name(), one), r.compare(t.Name(), other)
	*record = false
	if first != "" || second != "" {
		t.Fatal(first, second)
	}
	r = newRecorded()
	if got := r.compare(t.Name(), one); got != "" {
		t.Error(got)
	}
	if got := r.compare(t.Name(), one); !strings.Contains(got, "-   after: 1m0s\n+   after: 1s\n") || strings.Contains(got, "- start") {
		t.Errorf("the diff is\n%s", got)
	}
}
