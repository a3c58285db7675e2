package journal

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/troupe-browser/troupe/messages"
)

func TestMetrics_CountEvents(t *testing.T) {
	m := newMetrics(func() int64 { return 5 })
	for _, e := range []messages.Event{
		{Kind: messages.EventBrowserLaunched, BrowserID: "a"},
		{Kind: messages.EventBrowserLaunched, BrowserID: "b"},
		{Kind: messages.EventBrowserReaped, BrowserID: "a"},
		{Kind: messages.EventBrowserClosed, BrowserID: "a"},
		{Kind: messages.EventBrowserClosed, BrowserID: "never launched"},
		{Kind: messages.EventPageRestarted, BrowserID: "b", PageID: "p"},
		{Kind: messages.EventBrowserRestarted, BrowserID: "b"},
		{Kind: messages.EventPageCrashed, BrowserID: "b", PageID: "p"},
		{Kind: messages.EventGap, Count: 7},
		{Kind: messages.EventOperationEnded, Action: "click", PageID: "p", State: messages.Completed, QueueDepth: 3, Took: 20 * time.Millisecond},
		{Kind: messages.EventOperationEnded, Action: "click", PageID: "p", State: messages.OutcomeUnknown, Code: messages.CodePageCrashed, QueueDepth: 64, Took: time.Hour},
		{Kind: messages.EventOperationEnded, Action: "snapshot", PageID: "p", Took: 25 * time.Millisecond},
		{Kind: messages.EventOperationEnded, Action: "pages", BrowserID: "b", Code: messages.CodeBrowserNotFound},
	} {
		m.note(e)
	}
	recorder := httptest.NewRecorder()
	promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}).ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	text := recorder.Body.String()
	for _, line := range []string{
		`troupe_operations_total{action="click",outcome="completed"} 1`,
		`troupe_operations_total{action="click",outcome="outcome_unknown"} 1`,
		`troupe_operations_total{action="snapshot",outcome="answered"} 1`,
		`troupe_operations_total{action="pages",outcome="refused"} 1`,
		`troupe_refusals_total{code="page_crashed"} 1`,
		`troupe_restarts_total{actor="page"} 1`,
		`troupe_restarts_total{actor="browser"} 1`,
		`troupe_crashes_total{part="renderer"} 1`,
		`troupe_crashes_total{part="browser"} 0`,
		`troupe_browsers_reaped_total 1`,
		`troupe_browsers_closed_total 2`,
		`troupe_browsers 1`,
		`troupe_calls_in_flight 5`,
		`troupe_events_lost_total 7`,
		`troupe_queue_depth_bucket{le="2"} 1`,
		`troupe_queue_depth_bucket{le="4"} 2`,
		`troupe_queue_depth_bucket{le="64"} 3`,
		`troupe_queue_depth_count 3`,
		`troupe_snapshot_seconds_bucket{le="0.01"} 0`,
		`troupe_snapshot_seconds_bucket{le="0.025"} 1`,
		`troupe_effect_seconds_bucket{le="30"} 1`,
		`troupe_effect_seconds_bucket{le="+Inf"} 2`,
	} {
		if !strings.Contains(text, line+"\n") {
			t.Errorf("%s is missing", line)
		}
	}
	if t.Failed() {
		t.Log(text)
	}
}
