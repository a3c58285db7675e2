package actors

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/troupe-browser/troupe/actors/machinetest"
	"github.com/troupe-browser/troupe/messages"
)

// What a host passes by mistake is refused with a code. It is never a panic of the host's
// process, and nothing stays behind of it.
func TestShell_WhatIsMissingIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		system := actor.NewActorSystem(actor.WithLoggerFactory(loggerFactory(newActorLogger(Config{}.Logger))),
			actor.WithDeadLetterThrottleInterval(deadLetterInterval))
		runtime, pid, err := SpawnRoot(t.Context(), system, nil, "browsers", Config{StateDir: t.TempDir(), Connector: newFakeBrowser(t)})
		if err != nil {
			t.Fatal(err)
		}
		// An actor of the host that asks is the sender, as a future would be.
		answers := make(chan Answer, 1)
		asker := system.Root.Spawn(actor.PropsFromFunc(func(c actor.Context) {
			switch m := c.Message().(type) {
			case Answer:
				answers <- m
			case *Request, Request:
				c.Request(pid, m)
			}
		}))
		ask := func(name string, request any) error {
			system.Root.Send(asker, request)
			select {
			case answer := <-answers:
				return answer.Err
			case <-time.After(time.Second):
				t.Errorf("%s: the sender of the request gets no answer", name)
				return nil
			}
		}
		ctx, page := t.Context(), messages.PageAddress{BrowserID: "br_a", PageID: "pg_a"}
		var noContext context.Context
		for name, c := range map[string]struct {
			ctx     context.Context
			command messages.Command
			code    messages.Code
		}{
			"nil":                     {ctx, nil, messages.CodeInvalidRequest},
			"a nil observation":       {ctx, (*messages.ListBrowsers)(nil), messages.CodeInvalidRequest},
			"a nil effect":            {ctx, (*messages.Click)(nil), messages.CodeInvalidRequest},
			"a nil batch":             {ctx, (*messages.Batch)(nil), messages.CodeInvalidRequest},
			"no context":              {noContext, &messages.ListBrowsers{}, messages.CodeInvalidRequest},
			"a batch of nothing":      {ctx, &messages.Batch{PageAddress: page}, messages.CodeInvalidBatchCount},
			"a batch with nil":        {ctx, &messages.Batch{PageAddress: page, Operations: []messages.ElementEffect{nil}}, messages.CodeInvalidBatchValue},
			"a batch with a nil type": {ctx, &messages.Batch{PageAddress: page, Operations: []messages.ElementEffect{(*messages.UploadFile)(nil)}}, messages.CodeInvalidBatchValue},
		} {
			reply, err := runtime.Do(c.ctx, machinetest.Agent, c.command)
			wantCode(t, err, c.code)
			if _, isEffect := c.command.(messages.Effect); isEffect {
				receipt, ok := reply.(*messages.Receipt)
				if !ok || receipt == nil || receipt.ExecutionState != messages.NotStarted {
					t.Errorf("%s: receipt %+v", name, reply)
				}
			}
			if c.ctx == nil {
				continue
			}
			wantCode(t, ask(name, Request{Caller: machinetest.Agent, Command: c.command}), c.code)
		}
		if receipt, err := runtime.As(machinetest.Agent).Effect(ctx, nil); err == nil || receipt == nil || receipt.Code != messages.CodeInvalidRequest {
			t.Errorf("no effect: %+v, %v", receipt, err)
		}
		if _, err := runtime.Subscribe(noContext); err == nil {
			t.Error("a subscription without a context is taken")
		}
		closed := make(chan Answer)
		close(closed)
		system.Root.Send(pid, &Request{Caller: machinetest.Agent, Command: &messages.ListBrowsers{}, Reply: closed})
		system.Root.Send(pid, &Request{Caller: machinetest.Agent, Command: &messages.ListBrowsers{}})
		system.Root.Send(pid, (*Request)(nil))
		if err := ask("a listing", &Request{Caller: machinetest.Agent, Command: &messages.ListBrowsers{}}); err != nil {
			t.Errorf("the sender of a request has %v", err)
		}
		runtime.Shutdown(noContext)
		system.Shutdown()
		time.Sleep(time.Minute)
	})
}
