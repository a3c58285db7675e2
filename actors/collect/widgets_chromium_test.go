package collect_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// widgetsEnv names the folder of a corpus of built widget pages, in its dist. Without
// it there is nothing to compare here: the pages of this repository are compared by
// the other tests.
const widgetsEnv = "TROUPE_WIDGETS"

// widgetDifferences are those that the two collectors may show on widget pages, by
// page and part of the line, each with its reason.
var widgetDifferences = []struct{ page, part, why string }{
	{"choices", `"role":"combobox"`, "the engine reads the value of a combobox from all that is in it, the list beside the field included"},
	{"vuetify", `"role":"combobox"`, "the engine gives no value to a combobox whose text is its label, drawn inside"},
	{"semi", `"role":"combobox"`, "the engine reads the placeholder of the field inside as the value of the combobox around it"},
	{"tom-select", `"role":"text"`, "the tree keeps a list box of the page's own that has no options yet, and its texts are one level less deep"},
	{"mui-select", `"role":"generic"`, "the engine's clickable fact is known to the tree for an element that the page's own look does not tell as a card"},
}

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
			r.awaitLoad()
			time.Sleep(widgetSettles)
			found := slices.DeleteFunc(r.compare(full), func(line string) bool {
				return slices.ContainsFunc(widgetDifferences, func(d struct{ page, part, why string }) bool {
					return strings.HasPrefix(page, d.page) && strings.Contains(line, d.part)
				})
			})
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
