package journal

import (
	"io"
	"net/http"
	"time"

	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/messages"
)

// metrics is the counting side of a runtime that somebody wants counted: one
// goroutine that owns the counts and answers who reads them.
type metrics struct {
	inFlight func() int64
	scrapes  chan chan<- string
	ended    chan struct{}
}

// NewMetrics starts to count the events of a subscription in a runner. inFlight says how
// many calls are inside the gateway. Without a subscription, as after the runtime's end,
// every reader is told that the runtime has ended.
func NewMetrics(env *kernel.Environment, events <-chan messages.Event, inFlight func() int64) http.Handler {
	m := &metrics{inFlight: inFlight, scrapes: make(chan chan<- string), ended: make(chan struct{})}
	if events == nil {
		close(m.ended)
		return m
	}
	env.Runners.Go(func() { m.run(events) })
	return m
}

// run counts until the journal ends.
func (m *metrics) run(events <-chan messages.Event) {
	defer close(m.ended)
	counts := newMetricsMachine()
	for {
		select {
		case e, ok := <-events:
			if !ok {
				return
			}
			counts.note(e)
		case reply := <-m.scrapes:
			reply <- counts.text(m.inFlight())
		}
	}
}

// ServeHTTP implements http.Handler.
func (m *metrics) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	reply := make(chan string, 1)
	timer := time.NewTimer(kernel.MetricsAnswerMax)
	defer timer.Stop()
	select {
	case m.scrapes <- reply:
	case <-m.ended:
		http.Error(w, "the runtime has ended", http.StatusServiceUnavailable)
		return
	case <-timer.C:
		http.Error(w, "the counts are not available", http.StatusServiceUnavailable)
		return
	case <-r.Context().Done():
		return
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = io.WriteString(w, <-reply) // fails only when the reader has gone
}
