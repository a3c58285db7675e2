package chaostest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// fields is the number of text fields of a page, counters that of its buttons that
// count.
const (
	fields   = 4
	counters = 4
)

// place is where an effect happened: the element, by its name, of one document.
type place struct{ element, document string }

// site serves pages that record their own effects, and keeps the record. No two pages
// that it serves have their elements in the same order, so that an id which is good
// for one is not by chance good for another.
type site struct {
	*httptest.Server
	served  atomic.Uint64
	mu      sync.Mutex
	reports map[string]bool     // by document and sequence: a repeated report is one effect
	counts  map[string]int      // by tag
	places  map[string][]place  // by tag
	order   map[string][]string // tags of one page, in the order in which they happened
	last    map[string]int      // the highest sequence of a document
}

// report is what a page says has happened.
type report struct {
	Page, Document, Element, Tag string
	Sequence                     int
}

func newSite(t *testing.T) *site {
	s := &site{reports: map[string]bool{}, counts: map[string]int{}, places: map[string][]place{}, order: map[string][]string{}, last: map[string]int{}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /tab/{tab}", s.page)
	mux.HandleFunc("GET /elsewhere", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<!doctype html><title>Elsewhere</title><p>Nothing to do here.</p>"))
	})
	mux.HandleFunc("POST /record", s.record)
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.end)
	return s
}

// end closes the server with every connection that a dead browser left open.
func (s *site) end() {
	s.CloseClientConnections()
	s.Close()
}

func (s *site) page(w http.ResponseWriter, _ *http.Request) {
	rows := []string{"<p><button id=save>Save</button></p>", "<p><button id=mark></button></p>"}
	for i := range fields {
		rows = append(rows, fmt.Sprintf("<p><label>Field %d <input id=f%d></label></p>", i, i))
	}
	for i := range counters {
		rows = append(rows, fmt.Sprintf("<button data-count=%d>Count %d</button>", i, i))
	}
	rand.New(rand.NewPCG(s.served.Add(1), 0)).Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	w.Header().Set("Content-Type", "text/html")
	_, _ = fmt.Fprintf(w, page, strings.Join(rows, "\n"))
}

// mark begins the name of the element that names its document.
const mark = "Document "

// page records an effect before its handler returns. While the network process is dead
// every request fails at once, and its successor can be long in coming: a report is
// tried again, and one that was given up goes with the next. The server knows a report
// by its number.
const page = `<!doctype html><meta charset=utf-8><title>Tab</title>
%s
<script>
const doc = Math.random().toString(36).slice(2) + performance.now();
const waiting = [];
let sequence = 0;
function send(body) {
  try {
    const request = new XMLHttpRequest();
    request.open('POST', '/record', false);
    request.send(body);
    return request.status === 204;
  } catch (e) {
    return false;
  }
}
function record(element, tag) {
  waiting.push(JSON.stringify({Page: location.pathname, Document: doc, Element: element, Sequence: ++sequence, Tag: tag}));
  for (const end = Date.now() + 20000; waiting.length > 0 && Date.now() < end;) {
    if (send(waiting[0])) waiting.shift();
  }
}
document.getElementById('mark').textContent = '` + mark + `' + doc;
for (const field of document.querySelectorAll('input'))
  field.addEventListener('input', () => record(field.parentElement.textContent.trim(), field.value));
document.getElementById('save').addEventListener('click', () => record('Save', 'save ' + document.getElementById('f0').value));
for (const button of document.querySelectorAll('[data-count]'))
  button.addEventListener('click', () => record(button.textContent, 'count ' + location.pathname + ' ' + button.dataset.count));
</script>`

func (s *site) record(w http.ResponseWriter, r *http.Request) {
	var said report
	if err := json.NewDecoder(r.Body).Decode(&said); err != nil {
		http.Error(w, "no report", http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last[said.Document] = max(s.last[said.Document], said.Sequence)
	key := fmt.Sprint(said.Document, "/", said.Sequence)
	if !s.reports[key] {
		s.reports[key] = true
		s.counts[said.Tag]++
		s.places[said.Tag] = append(s.places[said.Tag], place{said.Element, said.Document})
		s.order[said.Page] = append(s.order[said.Page], said.Tag)
	}
	w.WriteHeader(http.StatusNoContent)
}

// recorded returns how often an effect is on record.
func (s *site) recorded(tag string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts[tag]
}

// where returns where an effect happened, each time.
func (s *site) where(tag string) []place {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.places[tag])
}

// sequence returns the tags of a page in their order.
func (s *site) sequence(page string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.order[page])
}

// effects returns how many effects are on record.
func (s *site) effects() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.reports)
}

// lost returns how many reports never came of which a later one of the document did:
// effects that happened and are not on record.
func (s *site) lost() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	happened := 0
	for _, n := range s.last {
		happened += n
	}
	return happened - len(s.reports)
}
