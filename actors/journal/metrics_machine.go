package journal

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/troupe-browser/troupe/messages"
)

// metricsMachine counts what the journal's events say. Its labels come from closed
// sets: actions, outcomes and codes, so that its size is bounded.
type metricsMachine struct {
	operations map[operationKind]uint64
	refusals   map[messages.Code]uint64
	events     map[messages.EventKind]uint64
	browsers   map[messages.BrowserID]struct{}
	lost       uint64
	queue      histogram
	snapshots  histogram
	effects    histogram
}

// operationKind is what operations are counted by.
type operationKind struct {
	action  messages.Action
	outcome string
}

// The outcomes of observations, which have no execution state.
const (
	outcomeAnswered = "answered"
	outcomeRefused  = "refused"
)

// The upper bounds of the histograms: waiting calls before one of a page, and seconds.
var (
	queueBounds  = []float64{0, 1, 2, 4, 8, 16, 32, messages.PageQueueMax}
	secondBounds = []float64{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30}
)

func newMetricsMachine() *metricsMachine {
	return &metricsMachine{
		operations: make(map[operationKind]uint64), refusals: make(map[messages.Code]uint64),
		events: make(map[messages.EventKind]uint64), browsers: make(map[messages.BrowserID]struct{}),
		queue: newHistogram(queueBounds), snapshots: newHistogram(secondBounds), effects: newHistogram(secondBounds),
	}
}

// note counts one event.
func (m *metricsMachine) note(e messages.Event) {
	switch e.Kind {
	case messages.EventGap:
		m.lost += uint64(e.Count)
		return
	case messages.EventOperationEnded:
		m.noteOperation(e)
		return
	case messages.EventBrowserLaunched:
		m.browsers[e.BrowserID] = struct{}{}
	case messages.EventBrowserClosed:
		delete(m.browsers, e.BrowserID)
	}
	m.events[e.Kind]++
}

func (m *metricsMachine) noteOperation(e messages.Event) {
	outcome := string(e.State)
	if outcome == "" {
		outcome = outcomeAnswered
		if e.Code != "" {
			outcome = outcomeRefused
		}
	}
	m.operations[operationKind{e.Action, outcome}]++
	if e.Code != "" {
		m.refusals[e.Code]++
	}
	if e.PageID != "" {
		m.queue.add(float64(e.QueueDepth))
	}
	switch {
	case e.Action == "snapshot":
		m.snapshots.add(e.Took.Seconds())
	case e.State != "":
		m.effects.add(e.Took.Seconds())
	}
}

// text is the state in the text form of Prometheus, version 0.0.4. inFlight is how
// many calls are inside the gateway now.
func (m *metricsMachine) text(inFlight int64) string {
	var b strings.Builder
	family := func(name, kind, help string) { fmt.Fprintf(&b, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind) }
	family("troupe_operations_total", "counter", "Commands that were answered, by how they ended.")
	kinds := slices.SortedFunc(maps.Keys(m.operations), func(a, b operationKind) int {
		return cmp.Or(cmp.Compare(a.action, b.action), cmp.Compare(a.outcome, b.outcome))
	})
	for _, k := range kinds {
		fmt.Fprintf(&b, "troupe_operations_total{action=%q,outcome=%q} %d\n", k.action, k.outcome, m.operations[k])
	}
	family("troupe_refusals_total", "counter", "Commands whose answer has a code, by code.")
	for _, code := range slices.Sorted(maps.Keys(m.refusals)) {
		fmt.Fprintf(&b, "troupe_refusals_total{code=%q} %d\n", code, m.refusals[code])
	}
	family("troupe_restarts_total", "counter", "Actors that failed and were restarted.")
	fmt.Fprintf(&b, "troupe_restarts_total{actor=\"page\"} %d\n", m.events[messages.EventPageRestarted])
	fmt.Fprintf(&b, "troupe_restarts_total{actor=\"browser\"} %d\n", m.events[messages.EventBrowserRestarted])
	family("troupe_crashes_total", "counter", "Renderers and browsers that ended by themselves.")
	fmt.Fprintf(&b, "troupe_crashes_total{part=\"renderer\"} %d\n", m.events[messages.EventPageCrashed])
	fmt.Fprintf(&b, "troupe_crashes_total{part=\"browser\"} %d\n", m.events[messages.EventBrowserCrashed])
	family("troupe_browsers_reaped_total", "counter", "Browsers that were ended for being idle or too old.")
	fmt.Fprintf(&b, "troupe_browsers_reaped_total %d\n", m.events[messages.EventBrowserReaped])
	family("troupe_browsers_closed_total", "counter", "Browsers that have ended, for whatever reason.")
	fmt.Fprintf(&b, "troupe_browsers_closed_total %d\n", m.events[messages.EventBrowserClosed])
	family("troupe_browsers", "gauge", "Browsers that are up.")
	fmt.Fprintf(&b, "troupe_browsers %d\n", len(m.browsers))
	family("troupe_calls_in_flight", "gauge", "Calls that wait or are carried out.")
	fmt.Fprintf(&b, "troupe_calls_in_flight %d\n", inFlight)
	family("troupe_events_lost_total", "counter", "Events that came too fast to be counted above.")
	fmt.Fprintf(&b, "troupe_events_lost_total %d\n", m.lost)
	family("troupe_queue_depth", "histogram", "Calls that waited for the page when one more came.")
	m.queue.write(&b, "troupe_queue_depth")
	family("troupe_snapshot_seconds", "histogram", "Time of a snapshot, its wait for the page included.")
	m.snapshots.write(&b, "troupe_snapshot_seconds")
	family("troupe_effect_seconds", "histogram", "Time of an effect, its wait for the page included.")
	m.effects.write(&b, "troupe_effect_seconds")
	return b.String()
}

// histogram counts values below upper bounds.
type histogram struct {
	bounds []float64
	counts []uint64 // one more than bounds, for what is above them all
	sum    float64
}

func newHistogram(bounds []float64) histogram {
	return histogram{bounds: bounds, counts: make([]uint64, len(bounds)+1)}
}

func (h *histogram) add(v float64) {
	i, _ := slices.BinarySearch(h.bounds, v)
	h.counts[i]++
	h.sum += v
}

func (h *histogram) write(b *strings.Builder, name string) {
	total := uint64(0)
	for i, bound := range h.bounds {
		total += h.counts[i]
		fmt.Fprintf(b, "%s_bucket{le=\"%g\"} %d\n", name, bound, total)
	}
	total += h.counts[len(h.bounds)]
	fmt.Fprintf(b, "%s_bucket{le=\"+Inf\"} %d\n%s_sum %g\n%s_count %d\n", name, total, name, h.sum, name, total)
}
