package actors

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/troupe-browser/troupe/messages"
)

// metrics is the counting side of a runtime that somebody wants counted: one
// goroutine that owns the counts and answers who reads them.
type metrics struct {
	env     *environment
	scrapes chan chan<- string
	ended   chan struct{}
}

// Metrics returns a handler that answers with operations, outcomes, queue depth,
// restarts, crashes, reaped browsers and the times of snapshots and effects, in the
// text form of Prometheus. It counts from its first call on, out of the journal's
// events; a runtime on which it is never called does nothing for it. Where it is
// served, and to whom, is the host's to decide: it holds no page text, address or
// path, only names of actions and codes. After the runtime's end it answers 503.
func (r *Runtime) Metrics() http.Handler {
	r.counting.Do(func() {
		m := &metrics{env: r.env, scrapes: make(chan chan<- string), ended: make(chan struct{})}
		r.metrics = m
		events, err := r.Subscribe(context.Background())
		if err != nil {
			close(m.ended)
			return
		}
		r.env.runners.Go(func() { m.run(events) })
	})
	return r.metrics
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
			reply <- counts.text(m.env.inFlight.Load())
		}
	}
}

// ServeHTTP implements http.Handler.
func (m *metrics) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	reply := make(chan string, 1)
	timer := time.NewTimer(metricsAnswerMax)
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
