package actors

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// noon is when the machines' tests happen.
var noon = time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)

// callOf makes a call for a machine.
func callOf(command messages.Command) *call {
	return newCall(context.Background(), agent, command, newMint(), noon)
}

// agent is the caller of most tests.
var agent = messages.Caller{ID: "agent", Plane: messages.PlaneModel, Grants: messages.DefaultGrants()}

// operator is a caller of the operator plane.
var operator = messages.Caller{ID: "operator", Plane: messages.PlaneOperator, Grants: messages.NewGrantSet(messages.AllGrants()...)}

// wantEffects compares what a machine asks for, whole values and order.
func wantEffects[E any](t *testing.T, got []E, want ...E) {
	t.Helper()
	if len(got) == 0 && len(want) == 0 {
		return
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("effects are\n%s\nwant\n%s", listed(got), listed(want))
	}
}

func listed[E any](effects []E) string {
	var b strings.Builder
	for _, e := range effects {
		fmt.Fprintf(&b, "  %T%+v\n", e, reflect.Indirect(reflect.ValueOf(e)))
	}
	return b.String()
}

// kind is the name of the value's type, without its package.
func kind(e any) string {
	name := fmt.Sprintf("%T", e)
	return name[strings.LastIndexByte(name, '.')+1:]
}

// kinds names the effects by their types, where their content is not the point.
func kinds[E any](effects []E) string {
	var names []string
	for _, e := range effects {
		names = append(names, kind(e))
	}
	return strings.Join(names, " ")
}

func wantKinds[E any](t *testing.T, got []E, want string) {
	t.Helper()
	if kinds(got) != want {
		t.Errorf("effects are %q, want %q\n%s", kinds(got), want, listed(got))
	}
}

// one returns the only effect of a type.
func one[W, E any](t *testing.T, effects []E) W {
	t.Helper()
	var found W
	count := 0
	for _, e := range effects {
		if w, ok := any(e).(W); ok {
			found = w
			count++
		}
	}
	if count != 1 {
		t.Fatalf("%d effects of type %T in\n%s", count, found, listed(effects))
	}
	return found
}

// strange is a message that no machine knows.
type strange struct{}

func (strange) rootMessage()    {}
func (strange) browserMessage() {}
func (strange) pageMessage()    {}

// fakeLink is a page target without a connection.
func fakeLink(target, opener string) pageTarget {
	return pageTarget{target: cdp.TargetID(target), opener: cdp.TargetID(opener), session: cdp.SessionID("session-" + target), attachedAt: noon}
}

// attached is the message of a target that gets the id pg_number.
func attached(number int, target pageTarget) *targetAttached {
	return &targetAttached{page: messages.PageID(fmt.Sprintf("pg_%d", number)), target: target}
}
