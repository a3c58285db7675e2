package collect_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// widgetsEnv names the folder of a corpus of built widget pages, in its dist. Without
// it there is nothing to compare here: the pages of this repository are compared by
// the other tests.
const widgetsEnv = "TROUPE_WIDGETS"

// widgetSettles is how long a widget page may build itself after its load event.
const widgetSettles = 400 * time.Millisecond

// The two collectors see the same on pages that component libraries build (R59).
func TestDifferentialR59WidgetPages(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	folder := os.Getenv(widgetsEnv)
	if folder == "" {
		t.Log(widgetsEnv + " names no corpus")
		return
	}
	dist := filepath.Join(folder, "dist")
	files, err := filepath.Glob(filepath.Join(dist, "*.html"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no built pages in the corpus: %v", err)
	}
	site := httptest.NewServer(http.FileServer(http.Dir(dist)))
	defer site.Close()
	compared := 0
	for _, file := range files {
		page := strings.TrimSuffix(filepath.Base(file), ".html")
		t.Run(page, func(t *testing.T) {
			r := newRig(t, nil)
			r.call(r.page, "Page.navigate", map[string]any{"url": site.URL + "/" + page + ".html"}, nil)
			r.AwaitLoad()
			time.Sleep(widgetSettles)
			found := r.compareAll()
			r.computed = true
			if r.snapIdle(full).Snapshot.Collector == "walker" {
				compared++
			}
			if len(found) > 0 {
				t.Errorf("%d lines differ\n%s", len(found), strings.Join(found[:min(len(found), 12)], "\n"))
			}
		})
	}
	t.Logf("%d of %d pages were read by both", compared, len(files))
}
