package driver

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

// fakeGateway answers with DoFunc and remembers who left.
type fakeGateway struct {
	DoFunc func(context.Context, messages.Caller, messages.Command) (messages.Reply, error)
	mu     sync.Mutex
	left   []messages.CallerID
}

func (g *fakeGateway) Do(ctx context.Context, caller messages.Caller, command messages.Command) (messages.Reply, error) {
	return g.DoFunc(ctx, caller, command)
}

func (g *fakeGateway) Leave(caller messages.CallerID) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.left = append(g.left, caller)
}

func (g *fakeGateway) gone() []messages.CallerID {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.left)
}

func (g *fakeGateway) Subscribe(context.Context) (<-chan messages.Event, error) { return nil, nil }

// A driver hands out calls that run beside each other, and passes their answers on as they are.
func TestDriverPassesCallsOn(t *testing.T) {
	system := NewSystem()
	defer system.Shutdown()
	both := make(chan struct{}, 2)
	release := make(chan struct{})
	refused := messages.NewError(messages.CodeBusy, "")
	gateway := &fakeGateway{DoFunc: func(_ context.Context, caller messages.Caller, command messages.Command) (messages.Reply, error) {
		both <- struct{}{}
		<-release
		if caller.ID != "me" {
			t.Errorf("the caller is %q", caller.ID)
		}
		if command.Action() == "browsers" {
			return &messages.BrowserList{}, nil
		}
		return nil, refused
	}}
	d := Spawn(system, gateway, messages.Caller{ID: "me"})
	var calls sync.WaitGroup
	calls.Go(func() {
		if reply, err := d.Do(context.Background(), d.Caller, &messages.ListBrowsers{}); err != nil || reply == nil {
			t.Errorf("the answer is %v, %v", reply, err)
		}
	})
	calls.Go(func() {
		if _, err := d.Do(context.Background(), d.Caller, &messages.GetTargets{}); !errors.Is(err, refused) {
			t.Errorf("the error is %v", err)
		}
	})
	<-both
	<-both
	close(release)
	calls.Wait()
	d.End()
	if got := gateway.gone(); !slices.Equal(got, []messages.CallerID{"me"}) {
		t.Errorf("%v left", got)
	}
}

// A driver that leaves cancels its calls, waits until each is answered before it tells the gateway, and refuses what
// comes later with a proof that nothing was started.
func TestDriverLeaves(t *testing.T) {
	system := NewSystem()
	defer system.Shutdown()
	began := make(chan struct{})
	gateway := &fakeGateway{}
	gateway.DoFunc = func(ctx context.Context, _ messages.Caller, _ messages.Command) (messages.Reply, error) {
		close(began)
		<-ctx.Done()
		if len(gateway.gone()) > 0 {
			t.Error("the caller left before its call was answered")
		}
		return nil, messages.NewError(messages.CodeCancelled, "")
	}
	d := Spawn(system, gateway, messages.Caller{ID: "me"})
	ended := make(chan error, 1)
	go func() {
		_, err := d.Do(context.Background(), d.Caller, &messages.GetTargets{})
		ended <- err
	}()
	<-began
	left := make(chan struct{})
	d.system.Root.Send(d.pid, &driveLeave{left})
	<-left
	if err := <-ended; !errors.Is(err, messages.NewError(messages.CodeCancelled, "")) {
		t.Errorf("the call ended with %v", err)
	}
	reply, err := d.Do(context.Background(), d.Caller, &messages.CloseBrowser{BrowserID: "b"})
	receipt, ok := reply.(*messages.Receipt)
	if !ok || receipt.ExecutionState != messages.NotStarted || !errors.Is(err, messages.NewError(messages.CodeRunnerShuttingDown, "")) {
		t.Errorf("a late call gives %v, %v", reply, err)
	}
	d.End()
	if got := gateway.gone(); !slices.Equal(got, []messages.CallerID{"me"}) {
		t.Errorf("%v left", got)
	}
}

// Each caller has one driver, however often it comes.
func TestDrivers(t *testing.T) {
	system := NewSystem()
	defer system.Shutdown()
	gateway := &fakeGateway{}
	all := &Drivers{System: system, Host: gateway}
	first := all.Of(messages.Caller{ID: "a"})
	if all.Of(messages.Caller{ID: "a"}) != first || all.Of(messages.Caller{ID: "b"}) == first {
		t.Error("a caller has not exactly one driver")
	}
	all.End()
	got := gateway.gone()
	slices.Sort(got)
	if !slices.Equal(got, []messages.CallerID{"a", "b"}) {
		t.Errorf("%v left", got)
	}
}

// A caller gets the same driver whenever it comes; beyond the bound there is none.
func TestDriversAreBounded(t *testing.T) {
	all := &Drivers{System: NewSystem(), Host: &fakeGateway{}}
	defer all.System.Shutdown()
	defer all.End()
	first := all.Of(messages.Caller{ID: "cli:0"})
	for i := range Max - 1 {
		if all.Of(messages.Caller{ID: messages.CallerID("cli:" + strconv.Itoa(i+1))}) == nil {
			t.Fatalf("there is none for caller %d", i+1)
		}
	}
	if all.Of(messages.Caller{ID: "cli:more"}) != nil || all.Of(messages.Caller{ID: "cli:0"}) != first {
		t.Error("the bound is passed, or a known caller is a new one")
	}
}
