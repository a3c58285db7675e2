package journal

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/messages"
)

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

// metrics counts what the journal's events say, for Prometheus. Its labels come from
// closed sets (actions, outcomes, codes), so that its size is bounded.
type metrics struct {
	registry   *prometheus.Registry
	operations *prometheus.CounterVec
	refusals   *prometheus.CounterVec
	counted    map[messages.EventKind]prometheus.Counter
	browsers   prometheus.Gauge
	lost       prometheus.Counter
	queue      prometheus.Histogram
	snapshots  prometheus.Histogram
	effects    prometheus.Histogram

	// up are the browsers that were launched and have not ended. Only the goroutine
	// that notes events has it.
	up map[messages.BrowserID]struct{}
}

// NewMetrics starts to count the events of a subscription in a runner, and returns
// the handler that tells the counts. inFlight says how many calls are inside the
// gateway. Without a subscription, as after the runtime's end, every reader is told
// that the runtime has ended.
func NewMetrics(env *kernel.Environment, events <-chan messages.Event, inFlight func() int64) http.Handler {
	ended := make(chan struct{})
	m := newMetrics(inFlight)
	if events == nil {
		close(ended)
	} else {
		env.Runners.Go(func() {
			defer close(ended)
			for e := range events {
				m.note(e)
			}
		})
	}
	return &metricsHandler{ended, promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{DisableCompression: true})}
}

// metricsHandler tells the counts until the journal has ended.
type metricsHandler struct {
	ended  <-chan struct{}
	counts http.Handler
}

// ServeHTTP implements http.Handler.
func (h *metricsHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	select {
	case <-h.ended:
		http.Error(w, "the runtime has ended", http.StatusServiceUnavailable)
	default:
		h.counts.ServeHTTP(w, r)
	}
}

func newMetrics(inFlight func() int64) *metrics {
	m := &metrics{registry: prometheus.NewRegistry(), counted: map[messages.EventKind]prometheus.Counter{}, up: map[messages.BrowserID]struct{}{}}
	m.operations = m.counters("troupe_operations_total", "Commands that were answered, by how they ended.", "action", "outcome")
	m.refusals = m.counters("troupe_refusals_total", "Commands whose answer has a code, by code.", "code")
	restarts := m.counters("troupe_restarts_total", "Actors that failed and were restarted.", "actor")
	m.counted[messages.EventPageRestarted] = restarts.WithLabelValues("page")
	m.counted[messages.EventBrowserRestarted] = restarts.WithLabelValues("browser")
	crashes := m.counters("troupe_crashes_total", "Renderers and browsers that ended by themselves.", "part")
	m.counted[messages.EventPageCrashed] = crashes.WithLabelValues("renderer")
	m.counted[messages.EventBrowserCrashed] = crashes.WithLabelValues("browser")
	m.counted[messages.EventBrowserReaped] = m.counters("troupe_browsers_reaped_total", "Browsers that were ended for being idle or too old.").WithLabelValues()
	m.counted[messages.EventBrowserClosed] = m.counters("troupe_browsers_closed_total", "Browsers that have ended, for whatever reason.").WithLabelValues()
	m.lost = m.counters("troupe_events_lost_total", "Events that came too fast to be counted above.").WithLabelValues()
	m.browsers = prometheus.NewGauge(prometheus.GaugeOpts{Name: "troupe_browsers", Help: "Browsers that are up."})
	calls := prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "troupe_calls_in_flight", Help: "Calls that wait or are carried out."},
		func() float64 { return float64(inFlight()) })
	m.registry.MustRegister(m.browsers, calls)
	m.queue = m.histogram("troupe_queue_depth", "Calls that waited for the page when one more came.", queueBounds)
	m.snapshots = m.histogram("troupe_snapshot_seconds", "Time of a snapshot, its wait for the page included.", secondBounds)
	m.effects = m.histogram("troupe_effect_seconds", "Time of an effect, its wait for the page included.", secondBounds)
	return m
}

func (m *metrics) counters(name, help string, labels ...string) *prometheus.CounterVec {
	c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	m.registry.MustRegister(c)
	return c
}

func (m *metrics) histogram(name, help string, bounds []float64) prometheus.Histogram {
	h := prometheus.NewHistogram(prometheus.HistogramOpts{Name: name, Help: help, Buckets: bounds})
	m.registry.MustRegister(h)
	return h
}

// note counts one event.
func (m *metrics) note(e messages.Event) {
	switch e.Kind {
	case messages.EventGap:
		m.lost.Add(float64(e.Count))
	case messages.EventOperationEnded:
		m.noteOperation(e)
	case messages.EventBrowserLaunched:
		m.up[e.BrowserID] = struct{}{}
	case messages.EventBrowserClosed:
		delete(m.up, e.BrowserID)
	}
	m.browsers.Set(float64(len(m.up)))
	if counter := m.counted[e.Kind]; counter != nil {
		counter.Inc()
	}
}

func (m *metrics) noteOperation(e messages.Event) {
	outcome := string(e.State)
	if outcome == "" {
		outcome = outcomeAnswered
		if e.Code != "" {
			outcome = outcomeRefused
		}
	}
	m.operations.WithLabelValues(string(e.Action), outcome).Inc()
	if e.Code != "" {
		m.refusals.WithLabelValues(string(e.Code)).Inc()
	}
	if e.PageID != "" {
		m.queue.Observe(float64(e.QueueDepth))
	}
	switch {
	case e.Action == "snapshot":
		m.snapshots.Observe(e.Took.Seconds())
	case e.State != "":
		m.effects.Observe(e.Took.Seconds())
	}
}
