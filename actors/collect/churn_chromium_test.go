package collect_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/actors"
	"github.com/troupe-browser/troupe/internal/soak"
	"github.com/troupe-browser/troupe/messages"
)

var (
	churnSnapshots = flag.Int("churn.snapshots", 0, "snapshots that TestChurnR31R33R35PageThatNeverRests takes, 0 for what package soak says")
	churnSeed      = flag.Uint64("churn.seed", 0, "seed of its pages and choices, 0 for a new one")
)

// churnScript makes a page that changes all the time: its buttons come, go, are
// relabelled, replaced by equal ones, swapped, moved, disabled, covered and
// shifted, and it leaves for another document at random. Every button says in its
// title which node it is, and every click that arrives is told to the server
// before anything else can happen.
const churnScript = `(() => {
let state = SEED, count = 0;
const roll = (n) => { state = (state * 1664525 + 1013904223) % 4294967296; return Math.floor(state / 4294967296 * n) };
const boxes = [...document.querySelectorAll("div")];
const all = () => [...document.querySelectorAll("button")];
const any = () => all()[roll(all().length)];
const label = () => "Go " + roll(12);
const make = (text) => { const b = document.createElement("button"); b.textContent = text; b.title = "node SEED-" + count++; return b };
const add = () => boxes[roll(boxes.length)].append(make(label()));
const kinds = [
  add,
  () => any()?.remove(),
  () => { const b = any(); if (b) b.textContent = label() },
  () => { const b = any(); b?.replaceWith(make(b.textContent)) },
  () => { const a = any(), b = any(); if (a && b) [a.textContent, b.textContent] = [b.textContent, a.textContent] },
  () => { const a = any(), b = any(); if (a && b && a !== b) b.before(a) },
  () => { const b = any(); if (b) boxes[roll(boxes.length)].append(b) },
  () => { const b = any(); if (b) b.disabled = !b.disabled },
  () => { document.body.style.marginTop = roll(60) + "px" },
  () => { const b = any(); if (b) b.hasAttribute("role") ? b.removeAttribute("role") : b.setAttribute("role", "tab") },
  () => { const o = document.createElement("p"); o.style.cssText = "position:fixed;inset:0"; document.body.append(o); setTimeout(() => o.remove(), 20) },
];
for (let i = 0; i < 14; i++) add();
document.addEventListener("click", (e) => {
  const b = e.target.closest("button");
  const x = new XMLHttpRequest();
  x.open("POST", "/hit?node=" + encodeURIComponent(b ? b.title : "none") + "&label=" + encodeURIComponent(b ? b.textContent : "") + "&trusted=" + e.isTrusted, false);
  x.send();
}, true);
const tick = () => {
  if (!boxes[0].isConnected) return; // document.open() keeps the timers of the content before.
  kinds[roll(kinds.length)]();
  while (all().length < 8) add();
  while (all().length > 24) any().remove();
  setTimeout(tick, 4 + roll(60));
};
tick();
const leave = () => {
  if (!boxes[0].isConnected) return;
  if (window !== top) return location.reload();
  switch (roll(6)) {
  case 0: history.pushState(null, "", "/?pushed=" + roll(1000)); break;
  case 1: location.hash = "h" + roll(1000); break;
  case 2: location.reload(); return;
  case 3: document.querySelector("iframe").src = "/frame?" + roll(1000); break;
  case 4: { const x = new XMLHttpRequest(); x.open("GET", "/", false); x.send(); document.open(); document.write(x.responseText); document.close(); return }
  default: location.href = "/?left=" + roll(1000); return;
  }
  setTimeout(leave, 100 + roll(1500));
};
setTimeout(leave, 100 + roll(2500));
})()`

// churnHit is one click that arrived in the page.
type churnHit struct{ node, label, trusted string }

// churnSite serves the page and keeps its record.
type churnSite struct {
	*httptest.Server
	mu        sync.Mutex
	random    *rand.Rand
	hits      []churnHit
	documents int
}

func newChurnSite(seed uint64) *churnSite {
	s := &churnSite{random: rand.New(rand.NewPCG(seed, 1))}
	serve := func(w http.ResponseWriter, frame string) {
		s.mu.Lock()
		number := s.random.Uint32()
		s.documents++
		s.mu.Unlock()
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, `<!doctype html><title>Churn</title><style>button{min-width:80px;min-height:30px}</style><div></div><div></div>%s<script>%s</script>`,
			frame, strings.ReplaceAll(churnScript, "SEED", fmt.Sprint(number)))
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		serve(w, `<iframe src="/frame" width=600 height=250></iframe>`)
	})
	mux.HandleFunc("/frame", func(w http.ResponseWriter, _ *http.Request) { serve(w, "") })
	mux.HandleFunc("/hit", func(_ http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.hits = append(s.hits, churnHit{r.FormValue("node"), r.FormValue("label"), r.FormValue("trusted")})
	})
	s.Server = httptest.NewServer(mux)
	return s
}

// take returns the clicks that arrived since the last call.
func (s *churnSite) take() []churnHit {
	s.mu.Lock()
	defer s.mu.Unlock()
	hits := s.hits
	s.hits = nil
	return hits
}

// churn is one run over the page.
type churn struct {
	t      *testing.T
	ctx    context.Context
	caller actors.Caller
	site   *churnSite
	page   messages.PageAddress
	random *rand.Rand
	counts map[string]int
	// last is the act before, whose click may still arrive where its outcome is unknown.
	last struct {
		node    messages.Node
		unknown bool
	}
	times []time.Duration
}

// Every act on an id of the newest snapshot either reaches the very node that the
// snapshot named, under the name it had there, or is said not to have begun; the
// page's own record is the judge. Nothing hangs and nothing piles up.
func TestChurnR31R33R35PageThatNeverRests(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	snapshots := *churnSnapshots
	if snapshots == 0 {
		snapshots = soak.Rounds(t, 12, 400)
	}
	seed := *churnSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("seed %d; replay with -run PageThatNeverRests -args -churn.seed=%d -churn.snapshots=%d", seed, seed, snapshots)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute+time.Duration(snapshots)*2*time.Second)
	defer cancel()
	c := &churn{t: t, ctx: ctx, site: newChurnSite(seed), random: rand.New(rand.NewPCG(seed, 2)), counts: map[string]int{}}
	defer c.site.Close()
	c.caller, c.page = startProduct(ctx, t)
	if receipt, err := c.caller.Effect(ctx, &messages.Navigate{PageAddress: c.page, URL: c.site.URL + "/"}); err != nil {
		t.Fatal(receipt, err)
	}
	var early, late memoryInUse
	for n := range snapshots {
		c.round()
		if n == snapshots/4 {
			early = inUse()
		}
	}
	late = inUse()
	c.unaccounted()
	quarter := max(1, len(c.times)/4)
	first, last := medianOf(c.times[:quarter]), medianOf(c.times[len(c.times)-quarter:])
	t.Logf("%d snapshots of %d documents, median of the first quarter %v and of the last %v; heap %d KiB and then %d KiB, goroutines %d and then %d; %v",
		snapshots, c.site.documents, first, last, early.heap>>10, late.heap>>10, early.goroutines, late.goroutines, c.counts)
	if late.heap > early.heap+churnHeapGrowth || late.goroutines > early.goroutines+churnGoroutines {
		t.Errorf("it grows: %+v and then %+v", early, late)
	}
	if c.counts["snapshot by ax"]+c.counts["snapshot by walker"] < snapshots/2 || c.counts["click completed"] == 0 && snapshots > 100 {
		t.Error("too little was seen or done, so the run shows nothing")
	}
}

// Bounds of what a run may leave behind: bytes of garbage-collected heap, and
// goroutines, which come and go with the operation in flight.
const (
	churnHeapGrowth = 8 << 20
	churnGoroutines = 12
)

type memoryInUse struct {
	heap       uint64
	goroutines int
}

func inUse() memoryInUse {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return memoryInUse{stats.HeapAlloc, runtime.NumGoroutine()}
}

func medianOf(times []time.Duration) time.Duration {
	sorted := slices.Clone(times)
	slices.Sort(sorted)
	return sorted[len(sorted)/2]
}

// round takes one snapshot and acts on some of what it gave out.
func (c *churn) round() {
	c.t.Helper()
	modes := []messages.SnapshotMode{messages.ModeAuto, messages.ModeFull, messages.ModeInteractive}
	command := &messages.TakeSnapshot{PageAddress: c.page, Mode: modes[c.random.IntN(len(modes))]}
	if c.random.IntN(6) == 0 {
		command.Query.Role = "button"
	}
	if c.random.IntN(3) == 0 {
		command.Selector = "html" // The walker leaves a subtree to the other collector.
	}
	begun := time.Now()
	s, err := c.caller.Snapshot(c.ctx, command)
	took := time.Since(begun)
	c.times = append(c.times, took)
	if took > messages.ObserveTimeout+time.Second {
		c.t.Errorf("a snapshot took %v", took)
	}
	if err != nil {
		c.note("snapshot", err)
		return
	}
	c.counts["snapshot by "+s.Collector]++
	var targets []messages.Node
	for _, n := range s.Nodes {
		if n.ElementID != "" && strings.HasPrefix(n.Description, "node ") {
			targets = append(targets, n)
		}
	}
	if len(targets) == 0 {
		c.counts["nothing to act on"]++
		return
	}
	for range c.random.IntN(2) {
		c.act(targets[c.random.IntN(len(targets))])
	}
}

// act clicks one node and holds the answer against the page's record.
func (c *churn) act(node messages.Node) {
	c.t.Helper()
	c.unaccounted()
	c.last.node, c.last.unknown = node, false
	begun := time.Now()
	receipt, err := c.caller.Effect(c.ctx, &messages.Click{OnElement: messages.OnElement{PageAddress: c.page, ElementID: messages.ElementHandle(node.ElementID)}})
	if took := time.Since(begun); took > messages.EffectTimeout+messages.CancelGrace+time.Second {
		c.t.Errorf("a click took %v", took)
	}
	if err != nil {
		c.note("click "+string(receipt.ExecutionState), err)
	} else {
		c.counts["click "+string(receipt.ExecutionState)]++
	}
	hits := c.site.take()
	for _, hit := range hits {
		c.judge(hit)
	}
	switch receipt.ExecutionState {
	case messages.Completed:
		if len(hits) == 0 {
			// Its click event was prevented by a change after the press, or the press
			// itself is what the guard saw: the receipt then says what was stopped.
			c.counts["completed without a click event"]++
		}
	case messages.NotStarted:
		if len(hits) > 0 {
			c.t.Errorf("%q is said not to have begun (%v), and the page got %+v", node.Name, err, hits)
		}
	default:
		c.last.unknown = len(hits) == 0
	}
	if len(hits) > 1 {
		c.t.Errorf("one act gave %d clicks: %+v", len(hits), hits)
	}
}

// unaccounted judges clicks that arrived after the answer to the act before.
func (c *churn) unaccounted() {
	c.t.Helper()
	for _, hit := range c.site.take() {
		c.judge(hit)
		if !c.last.unknown {
			c.t.Errorf("a click arrived after its act was answered: %+v", hit)
		}
		c.last.unknown = false
	}
}

// judge compares a click with the node that was meant.
func (c *churn) judge(hit churnHit) {
	c.t.Helper()
	if hit.node != c.last.node.Description || hit.label != c.last.node.Name || hit.trusted != "true" {
		c.t.Errorf("the wrong element: wanted %s %q, the page got %+v", c.last.node.Description, c.last.node.Name, hit)
	}
}

// note counts a refusal. Those that would hide a fault are none.
func (c *churn) note(what string, err error) {
	c.t.Helper()
	var refused *messages.Error
	if !errors.As(err, &refused) || refused.Code == messages.CodeInternalError || what == "snapshot" && refused.Code == messages.CodePageUnresponsive {
		c.t.Errorf("%s: %v", what, err)
		return
	}
	c.counts[what+" "+string(refused.Code)]++
	if refused.Code == messages.CodePageCrashed {
		c.revive()
	}
}

// revivals bounds how often a crashed page is loaded again before the run fails.
const revivals = 5

// revive loads a crashed page again. The engine's accessibility domain can end a
// renderer whose document is rewritten under it; what is proved here is that this is
// said, and that the page comes back.
func (c *churn) revive() {
	c.t.Helper()
	for range revivals {
		if _, err := c.caller.Effect(c.ctx, &messages.Reload{PageAddress: c.page}); err == nil {
			return
		}
		c.counts["crashed again"]++
	}
	c.t.Fatal("the crashed page does not come back")
}
