package pagetest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
)

// Serve starts a server for a test. page returns what is at a path: the text of a page behind its doctype, or an
// http.HandlerFunc; anything else is not found.
func Serve(t testing.TB, page func(path string) any) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		switch found := page(q.URL.Path).(type) {
		case string:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = fmt.Fprint(w, "<!doctype html><meta charset=utf-8>", found)
		case func(http.ResponseWriter, *http.Request):
			found(w, q)
		case http.HandlerFunc:
			found(w, q)
		default:
			http.NotFound(w, q)
		}
	}))
	t.Cleanup(server.Close)
	return server
}
