package chaostest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"time"

	"github.com/troupe-browser/troupe/messages"
)

// op is one effect that a caller asked for, with what it was told.
type op struct {
	number int
	tab    *tab
	// tags are what the page records of it, one for each operation, in their order.
	tags  []string
	batch bool
	state messages.ExecutionState
	code  messages.Code
	// done is completed_count of a batch that says so, else 0 or 1 by the state.
	done int
	told bool // done is known exactly
}

func (o *op) String() string {
	return fmt.Sprintf("operation %d on %s: %s %s, %d of %d done", o.number, o.tab.path(), o.state, o.code, o.done, len(o.tags))
}

// drive is one caller: it acts on a tab until the context ends.
func (c *chaos) drive(ctx context.Context, t *tab, rng *rand.Rand, counter int) {
	for ctx.Err() == nil {
		budget := 4*time.Second + time.Duration(rng.IntN(12_000))*time.Millisecond
		if rng.IntN(12) == 0 {
			budget = time.Duration(20+rng.IntN(400)) * time.Millisecond // a caller that soon has enough
		}
		call, cancel := context.WithTimeout(ctx, budget)
		page, elements, ok := t.ready(call)
		if ok {
			c.act(call, t, rng, counter, page, elements)
		}
		cancel()
		pause(ctx, time.Duration(rng.IntN(30))*time.Millisecond)
		if !ok {
			pause(ctx, 300*time.Millisecond)
		}
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// act carries out one effect and notes what became of it.
func (c *chaos) act(ctx context.Context, t *tab, rng *rand.Rand, counter int, page messages.PageAddress, elements map[string]messages.ElementHandle) {
	o := &op{number: int(c.numbers.Add(1)), tab: t}
	on := func(name string) messages.OnElement {
		return messages.OnElement{PageAddress: page, ElementID: elements[name]}
	}
	tag := func(i int) string { return fmt.Sprintf("o%d-%d", o.number, i) }
	var command messages.Effect
	switch n := rng.IntN(10); {
	case n < 2:
		o.tags = []string{fmt.Sprintf("count %s %d", t.path(), counter)}
		command = &messages.Click{OnElement: on(fmt.Sprintf("Count %d", counter))}
	case n < 4:
		o.tags = []string{tag(0)}
		command = &messages.SetValue{OnElement: on("Field 1"), Value: tag(0)}
	default:
		batch := &messages.Batch{PageAddress: page}
		for i := range 2 + rng.IntN(5) {
			o.tags = append(o.tags, tag(i))
			batch.Operations = append(batch.Operations, &messages.SetValue{OnElement: on(fmt.Sprintf("Field %d", i%fields)), Value: tag(i)})
		}
		if len(o.tags) <= fields { // the first field still holds the first tag
			o.tags = append(o.tags, "save "+tag(0))
			batch.Operations = append(batch.Operations, &messages.Click{OnElement: on("Save")})
		}
		o.batch, command = true, batch
		if c.fuse.CompareAndSwap(true, false) {
			at := rng.IntN(len(batch.Operations))
			batch.Operations[at] = &fused{SetValue: &messages.SetValue{OnElement: on("Field 1"), Value: "never"}}
			o.tags[at] = "never"
		}
	}
	reply, err := c.do(ctx, t.slot, caller, command)
	receipt, _ := reply.(*messages.Receipt)
	c.note(o, receipt)
	if err != nil {
		t.outcome(page, messages.AsError(err))
	} else {
		t.completed.Add(1)
		if receipt.NeedsSnapshot && receipt.Document != messages.DocumentSame {
			t.outcome(page, messages.NewError(messages.CodeSnapshotStale, ""))
		}
	}
}

// note keeps what a caller was told.
func (c *chaos) note(o *op, receipt *messages.Receipt) {
	if receipt == nil {
		c.fail("operation %d was answered without a receipt", o.number)
		return
	}
	o.state, o.code = receipt.ExecutionState, receipt.Code
	switch {
	case o.batch && receipt.Batch != nil:
		o.done, o.told = receipt.Batch.CompletedCount, true
	case o.state == messages.Completed:
		o.done, o.told = 1, !o.batch
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ops = append(c.ops, o)
	c.answers[string(o.state)+" "+string(o.code)]++
}

// fused is an operation in which its runner's goroutine panics.
type fused struct{ *messages.SetValue }

// Target panics where package effect asks for it, which only a runner does.
func (f *fused) Target() messages.ElementHandle {
	var stack [64]uintptr
	frames := runtime.CallersFrames(stack[:runtime.Callers(2, stack[:])])
	for {
		frame, more := frames.Next()
		if strings.Contains(frame.Function, "/actors/effect.") {
			panic("a runner's fault on purpose")
		}
		if !more {
			return f.SetValue.Target()
		}
	}
}
