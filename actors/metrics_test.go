package actors

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/troupe-browser/troupe/actors/machinetest"
	"github.com/troupe-browser/troupe/messages"
)

func TestMetrics_Handler(t *testing.T) {
	runtime, err := Start(t.Context(), Config{StateDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	handler := runtime.Metrics()
	if runtime.Metrics() != handler {
		t.Error("a second call counts a second time")
	}
	if _, err := runtime.As(machinetest.Agent).Observe(t.Context(), &messages.ListBrowsers{}); err != nil {
		t.Fatal(err)
	}
	read := func() (int, string) {
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, "/metrics", nil))
		body, _ := io.ReadAll(recorder.Result().Body)
		return recorder.Code, string(body)
	}
	const want = `troupe_operations_total{action="browsers",outcome="answered"} 1`
	// The event is on its way to the journal and from there to the handler.
	for status, text := read(); !strings.Contains(text, want); status, text = read() {
		if status != http.StatusOK || t.Context().Err() != nil {
			t.Fatalf("status %d: %s", status, text)
		}
	}
	runtime.Shutdown(context.Background())
	if status, _ := read(); status != http.StatusServiceUnavailable {
		t.Errorf("after the end: status %d", status)
	}
}

func TestMetrics_OfARuntimeThatHasEnded(t *testing.T) {
	runtime, err := Start(t.Context(), Config{StateDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	runtime.Shutdown(context.Background())
	recorder := httptest.NewRecorder()
	runtime.Metrics().ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if recorder.Code != http.StatusServiceUnavailable {
		t.Errorf("status %d", recorder.Code)
	}
	if _, err := runtime.Subscribe(t.Context()); err == nil {
		t.Error("a subscription to a journal that has ended")
	}
}
