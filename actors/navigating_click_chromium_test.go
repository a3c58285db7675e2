package actors

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/internal/soak"
	"github.com/troupe-browser/troupe/messages"
)

// A click whose handler leaves the page takes the guard's record along with the
// document. What the guard told as the input arrived is proof all the same.
func TestChromium_ClicksThatNavigateAreCertain(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><title>One</title><a href=/two>Link</a><button onclick="const x=new XMLHttpRequest();x.open('GET','/quick',false);x.send();location='/two'">Go</button>`))
	})
	mux.HandleFunc("/two", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><title>Two</title><p>Arrived.`))
	})
	site := httptest.NewServer(mux)
	defer site.Close()
	r := newRig(t, chromiumConfig(t))
	page := r.launch()
	for round := range soak.Rounds(t, 6, 60) {
		r.effect(&messages.Navigate{PageAddress: page, URL: site.URL + "/"})
		role, name := "button", "Go"
		if round%3 == 0 {
			role, name = "link", "Link"
		}
		receipt := r.effect(&messages.Click{OnElement: on(page, r.element(r.snapshot(page), role, name))})
		if receipt.Document != messages.DocumentNavigated {
			t.Errorf("round %d: the document is said to be %s", round, receipt.Document)
		}
	}
}

// A navigation that a hung page holds up has not happened, and may still happen.
func TestChromium_NavigationOfAHungPageIsUnknown(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><title>Hung</title><button onclick="const end=performance.now()+60000;while(performance.now()<end);">Hang</button>`))
	}))
	defer site.Close()
	r := newRig(t, chromiumConfig(t))
	page := r.launch()
	r.effect(&messages.Navigate{PageAddress: page, URL: site.URL + "/"})
	receipt, err := r.caller.Effect(r.ctx, &messages.Click{OnElement: on(page, r.element(r.snapshot(page), "button", "Hang"))})
	if err == nil || receipt.ExecutionState != messages.OutcomeUnknown {
		t.Fatalf("the click that hangs: %+v", receipt)
	}
	start := time.Now()
	receipt, err = r.caller.Effect(r.ctx, &messages.Navigate{PageAddress: page, URL: site.URL + "/next"})
	if err == nil || receipt.ExecutionState == messages.Completed {
		t.Errorf("after %s: %+v", time.Since(start), receipt)
	}
	r.effect(&messages.ClosePage{PageAddress: page})
}
