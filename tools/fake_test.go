package tools

import (
	"context"
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

// fakeGateway answers with DoFunc and remembers who left.
type fakeGateway struct {
	DoFunc func(context.Context, messages.Caller, messages.Command) (messages.Reply, error)
	left   chan messages.CallerID
}

func newFake(do func(context.Context, messages.Caller, messages.Command) (messages.Reply, error)) *fakeGateway {
	return &fakeGateway{DoFunc: do, left: make(chan messages.CallerID, 16)}
}

func (g *fakeGateway) Do(ctx context.Context, caller messages.Caller, command messages.Command) (messages.Reply, error) {
	return g.DoFunc(ctx, caller, command)
}

func (g *fakeGateway) Leave(caller messages.CallerID) { g.left <- caller }

func (g *fakeGateway) Subscribe(context.Context) (<-chan messages.Event, error) { return nil, nil }

// unreachable is a gateway that nothing may reach.
func unreachable(t *testing.T) *fakeGateway {
	return newFake(func(_ context.Context, _ messages.Caller, command messages.Command) (messages.Reply, error) {
		t.Errorf("%s reached the gateway", command.Action())
		return nil, messages.NewError(messages.CodeInternalError, "")
	})
}

// modelCaller may do what an entry that its operator started by hand may do, and more where it is said.
func modelCaller(more ...messages.Grant) messages.Caller {
	return messages.Caller{ID: "caller", Plane: messages.PlaneModel, Grants: messages.DefaultGrants().Union(messages.NewGrantSet(more...))}
}

func ptr[T any](v T) *T { return &v }
