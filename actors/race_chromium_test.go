package actors

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/internal/soak"
	"github.com/troupe-browser/troupe/messages"
)

// raceSite serves a page that leaves for another one when its gate is opened. Both
// have a button at the same place, and the site counts the clicks that each got.
type raceSite struct {
	*httptest.Server
	mu    sync.Mutex
	gates map[string]chan struct{}
	hits  map[string]int
}

func newRaceSite() *raceSite {
	s := &raceSite{gates: map[string]chan struct{}{}, hits: map[string]int{}}
	page := func(title, round, script string) string {
		return fmt.Sprintf(`<!doctype html><title>%s</title><button style="position:fixed;left:0;top:0;width:400px;height:300px"
onclick="const x=new XMLHttpRequest();x.open('POST','/hit?%s=%s',false);x.send()">Press</button>%s`, title, title, round, script)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/one", func(w http.ResponseWriter, r *http.Request) {
		round := r.FormValue("round")
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, page("one", round, fmt.Sprintf(`<script>fetch('/gate?round=%s').then(()=>{location='/two?round=%s'})</script>`, round, round)))
	})
	mux.HandleFunc("/two", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprint(w, page("two", r.FormValue("round"), ""))
	})
	mux.HandleFunc("/gate", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-s.gate(r.FormValue("round")):
		case <-r.Context().Done():
		}
	})
	mux.HandleFunc("/hit", func(_ http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.hits[r.URL.RawQuery]++
	})
	s.Server = httptest.NewServer(mux)
	return s
}

func (s *raceSite) gate(round string) chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gates[round] == nil {
		s.gates[round] = make(chan struct{})
	}
	return s.gates[round]
}

func (s *raceSite) count(document string, round int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hits[fmt.Sprintf("%s=%d", document, round)]
}

// Races of a click with a navigation: the new document, which has a button
// at the very place, is never hit, and no outcome is false.
func TestChromium_ClicksRaceNavigations(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	site := newRaceSite()
	defer site.Close()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	r := newRig(t, chromiumConfig(t))
	page := r.launch()
	states := map[messages.ExecutionState]int{}
	for round := range soak.Rounds(t, 8, 300) {
		r.effect(&messages.Navigate{PageAddress: page, URL: fmt.Sprintf("%s/one?round=%d", site.URL, round)})
		button := r.element(r.snapshot(page), "button", "Press")
		gate := site.gate(fmt.Sprint(round))
		opening := time.AfterFunc(time.Duration(random.IntN(60))*time.Millisecond, func() { close(gate) })
		receipt, _ := r.caller.Effect(r.ctx, &messages.Click{OnElement: on(page, button)})
		states[receipt.ExecutionState]++
		if opening.Stop() {
			close(gate)
		}
		r.eventually("the page has left", func() bool { return r.snapshot(page).Title == "two" })
		one, two := site.count("one", round), site.count("two", round)
		switch {
		case two != 0:
			t.Errorf("round %d: the new document was hit (%s)", round, receipt.ExecutionState)
		case receipt.ExecutionState == messages.NotStarted && one != 0, receipt.ExecutionState == messages.Completed && one != 1, one > 1:
			t.Errorf("round %d: %s (%s), and the page saw %d clicks", round, receipt.ExecutionState, receipt.Code, one)
		}
	}
	t.Logf("outcomes %v", states)
}
