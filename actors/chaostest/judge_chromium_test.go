package chaostest

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/actors"
	"github.com/troupe-browser/troupe/messages"
)

// witness counts the journal's events.
type witness struct {
	chaos    *chaos
	done     chan struct{} // closed when the journal has ended
	launched map[messages.BrowserID]int
	closed   map[messages.BrowserID]int
	// late are the browsers that were closed after the shutdown began.
	late  map[messages.BrowserID]bool
	kinds map[messages.EventKind]int
}

func newWitness(t *testing.T, c *chaos) *witness {
	w := &witness{
		chaos: c, done: make(chan struct{}), launched: map[messages.BrowserID]int{}, closed: map[messages.BrowserID]int{},
		late: map[messages.BrowserID]bool{}, kinds: map[messages.EventKind]int{},
	}
	events, err := c.runtime.Subscribe(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(w.done)
		for e := range events {
			w.kinds[e.Kind]++
			switch e.Kind {
			case messages.EventBrowserLaunched:
				w.launched[e.BrowserID]++
			case messages.EventBrowserClosed:
				w.closed[e.BrowserID]++
				w.late[e.BrowserID] = w.kinds[messages.EventShutdown] > 0
			}
		}
	}()
	return w
}

// judge demands one closed event for each browser and a report that is complete.
func (w *witness) judge(report actors.ShutdownReport) {
	if gaps := w.kinds[messages.EventGap]; gaps > 0 {
		w.chaos.fail("a subscriber that reads at once got %d gap marks", gaps)
		return
	}
	for browser, n := range w.launched {
		if n != 1 || w.closed[browser] != 1 {
			w.chaos.fail("browser %s was announced as launched %d times and as closed %d times", browser, n, w.closed[browser])
		}
	}
	for browser, n := range w.closed {
		if n != 1 {
			w.chaos.fail("browser %s was announced as closed %d times", browser, n)
		}
	}
	if len(report.Failed)+len(report.Pending) > 0 {
		w.chaos.fail("the shutdown left browsers: failed %v, pending %v", report.Failed, report.Pending)
	}
	for browser, late := range w.late {
		if late != slices.Contains(report.Removed, browser) {
			w.chaos.fail("browser %s is closed after the shutdown began: %v; in its report: %v", browser, late, !late)
		}
	}
}

// judge holds every answer against the record of the pages.
func (c *chaos) judge() {
	type count struct{ completed, unknown int }
	counted := map[string]*count{}
	for _, o := range c.ops {
		if strings.HasPrefix(o.tags[0], "count ") {
			n := counted[o.tags[0]]
			if n == nil {
				n = &count{}
				counted[o.tags[0]] = n
			}
			switch o.state {
			case messages.Completed:
				n.completed++
			case messages.OutcomeUnknown:
				n.unknown++
			}
			continue
		}
		c.judgeTagged(o)
		c.judgePlace(o)
	}
	for tag, n := range counted {
		if have := c.site.recorded(tag); have < n.completed || have > n.completed+n.unknown {
			c.fail("%s: %d clicks on record, %d were completed and %d unknown", tag, have, n.completed, n.unknown)
		}
	}
	if lost := c.site.lost(); lost > 0 {
		c.fail("the record is not whole, %d effects are missing: what is said of it above may be the test's own fault", lost)
	}
	c.judgeOrder()
}

// judgePlace demands that what happened did so on the element of the document that the
// caller had seen, and that what must be refused was.
func (c *chaos) judgePlace(o *op) {
	if o.refusal != "" && o.state != messages.NotStarted {
		c.fail("%s was taken: %v", o.refusal, o)
	}
	for i, tag := range o.tags {
		for _, at := range c.site.where(tag) {
			if tag != "never" && (at.element != o.elements[i] || at.document != o.document) {
				c.fail("meant for %q of document %s, it happened to %q of %s: %v", o.elements[i], o.document, at.element, at.document, o)
			}
		}
	}
}

// judgeTagged judges an effect whose operations can each be found on record.
func (c *chaos) judgeTagged(o *op) {
	happened, twice, holes := 0, 0, false
	for i, tag := range o.tags {
		switch n := c.site.recorded(tag); {
		case n > 1 && tag != "never":
			twice++
		case n == 0:
			continue
		}
		holes = holes || i != happened
		happened++
	}
	switch {
	case twice > 0:
		c.fail("an effect happened twice: %v", o)
	case holes:
		c.fail("an operation of a batch was left out and a later one was carried out: %v", o)
	case o.state == messages.NotStarted && happened > 0:
		c.fail("not_started, and %d happened: %v", happened, o)
	case o.state == messages.Completed && o.told && happened != o.done:
		c.fail("completed, and %d happened: %v", happened, o)
	case o.state == messages.Completed && happened == 0:
		c.fail("completed, and nothing happened: %v", o)
	case o.state == messages.OutcomeUnknown && (happened < o.done || happened > o.done+1):
		c.fail("unknown, and %d happened: %v", happened, o)
	}
}

// judgeOrder demands that nothing of another effect came between the operations of a
// batch that was completed: one page does one thing at a time. Only an effect whose
// outcome is unknown may: its caller was answered while it was on its way.
func (c *chaos) judgeOrder() {
	owner := map[string]*op{}
	unknown := map[string]bool{}
	for _, o := range c.ops {
		for _, tag := range o.tags {
			owner[tag] = o
			unknown[tag] = unknown[tag] || o.state == messages.OutcomeUnknown
		}
	}
	for _, s := range c.slots {
		for _, t := range s.tabs {
			tags := c.site.sequence(t.path())
			last := map[*op]int{}
			for i, tag := range tags {
				last[owner[tag]] = i
			}
			var current *op // the completed batch that is not over yet
			for i, tag := range tags {
				o := owner[tag]
				if current != nil && o != current && !unknown[tag] {
					c.fail("%q came between the operations of a batch: %v", tag, current)
				}
				if current == nil && o != nil && o.batch && o.state == messages.Completed && last[o] > i {
					current = o
				}
				if current != nil && last[current] == i {
					current = nil
				}
			}
		}
	}
}

// leaks demands that nothing is left: no process, no directory, no descriptor. The
// goroutines are the test binary's to judge, at its end.
func (c *chaos) leaks() {
	if !settled(3*time.Second, func() bool { return len(below(os.Getpid(), "")) == 0 && len(naming(c.dir)) == 0 }) {
		c.fail("processes are left: children %v, others that name the state directory %v", below(os.Getpid(), ""), naming(c.dir))
	}
	if entries, _ := os.ReadDir(c.runDir()); len(entries) > 0 {
		c.fail("%d directories are left", len(entries))
	}
	if !settled(3*time.Second, func() bool { return openFiles() <= c.descriptors }) {
		c.fail("%d descriptors are open, %d were before", openFiles(), c.descriptors)
	}
}

// print writes the figures of the run, and what was broken.
func (c *chaos) print(report actors.ShutdownReport) {
	completed := 0
	for _, o := range c.ops {
		if o.state == messages.Completed {
			completed++
		}
	}
	c.t.Logf("%d kills, %d calls, %d effects asked for, %d completed, %d on record, slowest answer after a kill %v (%s), latest answer after a deadline %v, slowest siblings of a hung page %v, shutdown %v, crashes %d, goroutines at the end %d, descriptors %d of %d",
		c.kills, c.calls, len(c.ops), completed, c.site.effects(), c.slowest.Round(time.Millisecond), c.slowCode, c.late.Round(time.Millisecond), c.siblings.Round(time.Millisecond), report.Took.Round(time.Millisecond), report.Crashes, runtime.NumGoroutine(), openFiles(), c.descriptors)
	c.t.Logf("faults: %s", figures(c.faults))
	c.t.Logf("answers: %s", figures(c.answers))
	if c.slowest > afterKillMax {
		c.failures = append(c.failures, fmt.Sprintf("the slowest answer after a kill took %v (%s)", c.slowest, c.slowCode))
	}
	if len(c.failures) > 0 {
		c.t.Errorf("%d broken:\n%s\nlast of the run:\n%s", len(c.failures), strings.Join(c.failures, "\n"), strings.Join(c.lines, "\n"))
	}
}

func figures(m map[string]int) string {
	var parts []string
	for _, k := range slices.SortedFunc(maps.Keys(m), func(a, b string) int { return cmp.Compare(m[b], m[a]) }) {
		parts = append(parts, fmt.Sprintf("%s %d", strings.TrimSpace(k), m[k]))
	}
	return strings.Join(parts, ", ")
}
