package machinetest

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// Noon is when the machines' tests happen.
var Noon = time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)

// CallOf makes a call for a machine.
func CallOf(command messages.Command) *call.Call {
	return call.New(context.Background(), Agent, command, kernel.NewMint(), Noon)
}

// Agent is the caller of most tests.
var Agent = messages.Caller{ID: "agent", Plane: messages.PlaneModel, Grants: messages.DefaultGrants()}

// Operator is a caller of the operator plane.
var Operator = messages.Caller{ID: "operator", Plane: messages.PlaneOperator, Grants: messages.NewGrantSet(messages.AllGrants()...)}

// WantEffects compares what a machine asks for, whole values and order.
func WantEffects[E any](t *testing.T, got []E, want ...E) {
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

// Kinds names the effects by their types, where their content is not the point.
func Kinds[E any](effects []E) string {
	var names []string
	for _, e := range effects {
		names = append(names, kind(e))
	}
	return strings.Join(names, " ")
}

// WantKinds compares the kinds of the effects, where their content is not the point.
func WantKinds[E any](t *testing.T, got []E, want string) {
	t.Helper()
	if Kinds(got) != want {
		t.Errorf("effects are %q, want %q\n%s", Kinds(got), want, listed(got))
	}
}

// One returns the only effect of a type.
func One[W, E any](t *testing.T, effects []E) W {
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

// Strange is a message that no machine knows.
type Strange struct{}

// ToRoot implements root.Message.
func (Strange) ToRoot() {}

// ToBrowser implements browser.Message.
func (Strange) ToBrowser() {}

// ToPage implements page.Message.
func (Strange) ToPage() {}

// FakeLink is a page target without a connection.
func FakeLink(target, opener string) engine.PageTarget {
	return engine.PageTarget{Target: cdp.TargetID(target), Opener: cdp.TargetID(opener), Session: cdp.SessionID("session-" + target), AttachedAt: Noon}
}

// Attached is the message of a target that gets the id pg_number.
func Attached(number int, target engine.PageTarget) *engine.TargetAttached {
	return &engine.TargetAttached{Page: messages.PageID(fmt.Sprintf("pg_%d", number)), Target: target}
}
