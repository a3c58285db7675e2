package machinetest

import (
	"context"
	"fmt"
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
		t.Fatalf("%d effects of type %T in\n%s", count, found, Render(effects))
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
