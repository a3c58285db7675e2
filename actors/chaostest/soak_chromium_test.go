package chaostest

import (
	"context"
	"flag"
	"runtime"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/internal/soak"
)

var soakFlag = flag.Duration("soak.duration", 0, "how long the steady load of TestSoak goes on, 0 for what package soak says")

// What may be there at the end of a soak beyond its first third. A goroutine and a
// descriptor more belong to a call that is in flight at one sample and not at another.
const (
	soakSamples     = 30
	soakGoroutines  = 12
	soakDescriptors = 4
	soakHeapBytes   = 4 << 20
)

// sample is what the program holds at one moment.
type sample struct {
	goroutines, descriptors int
	heap                    uint64 // in use after a collection, in bytes
}

func measure() sample {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return sample{runtime.NumGoroutine(), openFiles(), stats.HeapAlloc}
}

// most returns the largest of each.
func most(samples []sample) sample {
	var out sample
	for _, s := range samples {
		out = sample{max(out.goroutines, s.goroutines), max(out.descriptors, s.descriptors), max(out.heap, s.heap)}
	}
	return out
}

// TestSoak drives browsers at a steady load without faults: memory, goroutines and
// descriptors stay where they were, and every answer is true.
func TestSoak(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	lasts := *soakFlag
	if lasts == 0 {
		lasts = soak.Duration(t, 10*time.Second, 5*time.Minute)
	}
	t.Logf("replay: go test ./actors/chaostest -run '^TestSoak$' -count=1 -args -soak.duration=%v", lasts)
	c := start(t)
	var samples []sample
	c.play(*seedFlag, lasts+warmMax, func(ctx context.Context) {
		c.await(ctx, func() bool { return c.completed() == slotsMax*tabsPerSlot })
		for steady := time.Now(); ctx.Err() == nil && time.Since(steady) < lasts; {
			pause(ctx, lasts/soakSamples)
			samples = append(samples, measure())
			// What the test itself keeps of each call is no part of the measure.
			if *traceFlag {
				t.Logf("%v: %+v", time.Since(c.began).Round(time.Second), samples[len(samples)-1])
			}
		}
	})
	c.end()
	third := len(samples) / 3
	early, late := most(samples[:2*third]), most(samples[2*third:])
	t.Logf("%d effects; first two thirds at most %+v, last third at most %+v", len(c.ops), early, late)
	kept := uint64(len(c.ops)) * keptPerCall
	if late.goroutines > early.goroutines+soakGoroutines || late.descriptors > early.descriptors+soakDescriptors || late.heap > early.heap+soakHeapBytes+kept {
		t.Errorf("it grows: from at most %+v to at most %+v", early, late)
	}
	for _, s := range c.slots {
		for _, page := range s.tabs {
			if page.completed.Load() == 0 {
				t.Errorf("nothing was completed on %s, refused were: %s", page.path(), figures(page.refused))
			}
		}
	}
}

// keptPerCall is what the test remembers of one effect and of its record, in bytes.
const keptPerCall = 2 << 10
