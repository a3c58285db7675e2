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
	// elements are the names of the elements that it was to act on, one for each tag,
	// and document that of which the caller had a snapshot.
	elements []string
	document string
	// refusal is why it must not even begin: an id of an older snapshot, or an operation
	// id that an effect was begun with before. Empty for an honest one.
	refusal string
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
		page, shown, ok := t.ready(call)
		if ok {
			c.act(call, t, rng, counter, page, shown)
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
func (c *chaos) act(ctx context.Context, t *tab, rng *rand.Rand, counter int, page messages.PageAddress, shown view) {
	o := &op{number: int(c.numbers.Add(1)), tab: t, document: shown.document}
	elements := shown.elements
	// on aims at an element; what is done to it is recorded under the tag.
	on := func(name, tag string) messages.OnElement {
		o.tags, o.elements = append(o.tags, tag), append(o.elements, name)
		return messages.OnElement{PageAddress: page, ElementID: elements[name]}
	}
	options := messages.EffectOptions{}
	if rng.IntN(3) == 0 {
		options.OperationID = messages.OperationID(fmt.Sprint("chaos-", o.number))
	}
	alone := func(name, tag string) messages.OnElement {
		e := on(name, tag)
		e.EffectOptions = options
		return e
	}
	tag := func(i int) string { return fmt.Sprintf("o%d-%d", o.number, i) }
	var command messages.Effect
	switch n := rng.IntN(20); {
	case n < 4:
		name := fmt.Sprintf("Count %d", counter)
		command = &messages.Click{OnElement: alone(name, fmt.Sprintf("count %s %d", t.path(), counter))}
	case n == 4 && shown.older["Field 1"] != "":
		elements, o.refusal = shown.older, "an id of an older snapshot"
		command = &messages.SetValue{OnElement: alone("Field 1", tag(0)), Value: tag(0)}
	case n == 5 && c.spentID() != "":
		options.OperationID, o.refusal = c.spentID(), "an operation id that was spent"
		command = &messages.SetValue{OnElement: alone("Field 1", tag(0)), Value: tag(0)}
	case n < 8:
		command = &messages.SetValue{OnElement: alone("Field 1", tag(0)), Value: tag(0)}
	default:
		batch := &messages.Batch{EffectOptions: options, PageAddress: page}
		for i := range 2 + rng.IntN(5) {
			batch.Operations = append(batch.Operations, &messages.SetValue{OnElement: on(fmt.Sprintf("Field %d", i%fields), tag(i)), Value: tag(i)})
		}
		if len(o.tags) <= fields { // the first field still holds the first tag
			batch.Operations = append(batch.Operations, &messages.Click{OnElement: on("Save", "save "+tag(0))})
		}
		o.batch, command = true, batch
		if c.fuse.CompareAndSwap(true, false) {
			at := rng.IntN(len(batch.Operations))
			batch.Operations[at] = &fused{SetValue: &messages.SetValue{OnElement: messages.OnElement{PageAddress: page, ElementID: elements["Field 1"]}, Value: "never"}}
			o.tags[at] = "never"
		}
	}
	reply, err := c.do(ctx, t.slot, caller, command)
	receipt, _ := reply.(*messages.Receipt)
	c.note(o, receipt)
	if receipt != nil && receipt.ExecutionState != messages.NotStarted && options.OperationID != "" {
		c.spent.Store(&options.OperationID) // what has begun has spent it
	}
	if o.refusal != "" {
		return // its refusal says nothing of the page
	}
	if err != nil {
		t.outcome(page, messages.AsError(err))
	} else {
		t.completed.Add(1)
		if receipt.NeedsSnapshot && receipt.Document != messages.DocumentSame {
			t.outcome(page, messages.NewError(messages.CodeSnapshotStale, ""))
		}
	}
}

// spentID returns an operation id that was spent, or "".
func (c *chaos) spentID() messages.OperationID {
	if id := c.spent.Load(); id != nil {
		return *id
	}
	return ""
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
