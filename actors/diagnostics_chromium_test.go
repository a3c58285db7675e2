package actors

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/page"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/internal/soak"
	"github.com/troupe-browser/troupe/messages"
)

// inspector is an operator with every grant.
var inspector = messages.Caller{ID: "inspector", Plane: messages.PlaneOperator, Grants: messages.NewGrantSet(messages.AllGrants()...)}

// talkative serves pages that have something to say.
func talkative(t *testing.T) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path != "/" {
			http.NotFound(w, q)
			return
		}
		http.SetCookie(w, &http.Cookie{Name: "sid", Value: "cookie-secret"})
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Talk</title><button id=save>Save</button><p id=out></p>
<script>
console.log("loaded with %%d parts", 3);
setInterval(() => fetch("/poll?n=" + Math.random()).catch(() => {}), 150);
save.onclick = async () => {
  console.error("saving", {id: 7});
  await fetch("/save?token=query-secret", {method: "POST", headers: {"X-Key": "header-secret"}, body: "body-secret"});
  await fetch("/missing");
  out.textContent = "Saved";
};
</script>`)
	})
	mux.HandleFunc("/favicon.ico", func(w http.ResponseWriter, q *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("/poll", func(w http.ResponseWriter, q *http.Request) { fmt.Fprint(w, "{}") })
	mux.HandleFunc("/save", func(w http.ResponseWriter, q *http.Request) { fmt.Fprint(w, `{"saved":true}`) })
	mux.HandleFunc("/quiet", func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<title>Quiet</title>")
	})
	mux.HandleFunc("/noise", func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<title>Noise</title><script>
async function requests(n) { for (let i = 0; i < n; i += 50) await Promise.all(Array.from({length: 50}, (_, k) => fetch("/poll?i=" + (i + k)).then((r) => r.text()))); return n }
function lines(n) { for (let i = 0; i < n; i++) console.log("line " + i + " " + "x".repeat(500)) }
</script>`)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}

func observed[R messages.Reply](r *rig, command messages.Observation) R {
	r.t.Helper()
	reply, err := r.caller.Observe(r.ctx, command)
	if err != nil {
		r.t.Fatalf("%s: %v", command.Action(), err)
	}
	return reply.(R)
}

// Both ledgers on a real browser, from the page's first request on (R135, R139, R140, R143, R145).
func TestChromium_Diagnostics(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, chromiumConfig(t))
	r.caller = r.runtime.As(inspector)
	site := talkative(t)
	first := r.launch()
	tab := r.open(first.BrowserID, site.URL+"/")
	observed[*messages.WaitMet](r, &messages.WaitFor{PageAddress: tab, Function: "performance.getEntriesByName(location.origin + '/poll').length >= 0 && document.readyState === 'complete'"})
	time.Sleep(600 * time.Millisecond) // for the poller to be known
	s := r.snapshot(tab)
	receipt := r.effect(&messages.Click{OnElement: on(tab, r.element(s, "button", "Save"))})
	observed[*messages.WaitMet](r, &messages.WaitFor{PageAddress: tab, Text: "saved"})

	t.Run("requests carry the operation that caused them", func(t *testing.T) {
		got := observed[*messages.NetworkEntries](r, &messages.GetNetwork{PageAddress: tab})
		owners := map[string]messages.OperationID{}
		for _, e := range got.Entries {
			owners[strings.TrimPrefix(strings.SplitN(e.URL, "?", 2)[0], site.URL)] = e.OperationID
		}
		if owners["/save"] != receipt.OperationID || owners["/missing"] != receipt.OperationID || owners["/poll"] != "" || got.Gap {
			t.Errorf("owners are %v, the click was %s, gap %v", owners, receipt.OperationID, got.Gap)
		}
		if receipt.Requests == nil || receipt.Requests.Count != 2 && receipt.Requests.Count != 1 {
			t.Errorf("the receipt counts %+v", receipt.Requests)
		}
	})
	t.Run("the console has levels and text", func(t *testing.T) {
		got := observed[*messages.ConsoleEntries](r, &messages.GetConsole{PageAddress: tab})
		var lines []string
		for _, e := range got.Entries {
			lines = append(lines, e.Kind+" "+e.Level+" "+e.Text)
		}
		all := strings.Join(lines, "\n")
		for _, want := range []string{"navigation info " + site.URL + "/", "message info loaded with 3 parts", "message error saving {id: 7}", "message error Failed to load resource"} {
			if !strings.Contains(all, want) {
				t.Errorf("%q is missing in\n%s", want, all)
			}
		}
	})
	t.Run("a change of address alone leaves a mark behind what was logged before it", func(t *testing.T) {
		observed[*messages.WaitMet](r, &messages.WaitFor{PageAddress: tab, Function: "history.replaceState({}, '', '?step=1'), console.log('stepped'), true"})
		got := observed[*messages.ConsoleEntries](r, &messages.GetConsole{PageAddress: tab})
		var lines []string
		for _, e := range got.Entries {
			if e.Kind == "navigation" || e.Text == "stepped" {
				lines = append(lines, e.Text)
			}
		}
		if want := []string{site.URL + "/", site.URL + "/ (same document)", "stepped"}; !slices.Equal(lines, want) {
			t.Errorf("got %q, want %q", lines, want)
		}
	})
	t.Run("detail and body of one request", func(t *testing.T) {
		list := observed[*messages.NetworkEntries](r, &messages.GetNetwork{PageAddress: tab, DiagnosticsFilter: messages.DiagnosticsFilter{Text: "/save"}})
		detail := observed[*messages.NetworkDetail](r, &messages.GetNetworkRequest{PageAddress: tab, RequestID: list.Entries[0].RequestID, Body: true})
		if !detail.HeadersStored || detail.RequestHeaders["x-key"] != "header-secret" || !strings.Contains(detail.RequestHeaders["cookie"], "cookie-secret") ||
			detail.Body != `{"saved":true}` || detail.Status != 200 || !strings.Contains(detail.URL, "query-secret") {
			t.Errorf("got %+v", detail)
		}
	})
	t.Run("counts reach the page's summary", func(t *testing.T) {
		r.eventually("counts", func() bool {
			s := r.summary(tab)
			return s.FailedRequests == 1 && s.ConsoleErrors == 2
		})
	})
	t.Run("clear is a barrier and a navigation is none", func(t *testing.T) {
		before := observed[*messages.Diagnostics](r, &messages.GetDiagnostics{PageAddress: tab})
		r.effect(&messages.Navigate{PageAddress: tab, URL: site.URL + "/quiet"})
		kept := observed[*messages.Diagnostics](r, &messages.GetDiagnostics{PageAddress: tab})
		if kept.Requests <= before.Requests || kept.FailedRequests != 1 {
			t.Errorf("after a navigation %+v", kept)
		}
		if s := r.summary(tab); s.ConsoleErrors != 0 {
			r.eventually("a clean document", func() bool { return r.summary(tab).ConsoleErrors == 0 })
		}
		r.effect(&messages.ClearDiagnostics{PageAddress: tab})
		after := observed[*messages.Diagnostics](r, &messages.GetDiagnostics{PageAddress: tab})
		if after.Requests != 0 || after.ConsoleEntries != 0 || after.NetworkCursor < kept.NetworkCursor {
			t.Errorf("after a clear %+v", after)
		}
	})
	t.Run("a restart of the page marks the gap", func(t *testing.T) {
		cursor := observed[*messages.Diagnostics](r, &messages.GetDiagnostics{PageAddress: tab}).NetworkCursor
		failPage(r, tab)
		r.eventually("the page is back", func() bool {
			reply, err := r.caller.Observe(r.ctx, &messages.GetDiagnostics{PageAddress: tab})
			d, ok := reply.(*messages.Diagnostics)
			return err == nil && ok && d.Gap && d.NetworkCursor >= cursor
		})
		r.effect(&messages.Navigate{PageAddress: tab, URL: site.URL + "/"})
		got := observed[*messages.NetworkEntries](r, &messages.GetNetwork{PageAddress: tab, DiagnosticsFilter: messages.DiagnosticsFilter{SinceCursor: cursor}})
		if len(got.Entries) == 0 || !got.Gap {
			t.Errorf("after the restart %+v", got)
		}
	})
	t.Run("the diagnostics may fail alone", func(t *testing.T) {
		pid := pagePID(r.runtime, tab)
		pid.Id += "/diagnostics"
		for range kernel.PageRestartsMax + 1 {
			r.runtime.env.Send(pid, &page.DiagnosticsBatch{Events: []cdp.Event{{}}, Taken: closedChannel()})
			r.snapshot(tab) // closing a closed channel failed it; the page goes on
		}
		_, err := r.caller.Observe(r.ctx, &messages.GetConsole{PageAddress: tab})
		wantCode(t, err, messages.CodeInternalError)
		r.effect(&messages.Navigate{PageAddress: tab, URL: site.URL + "/quiet"})
	})
}

func closedChannel() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

// Without browser:inspect at the page's opening header values are not stored at all, and nobody sees queries but the operator (C3, C4).
func TestChromium_DiagnosticsWithoutGrants(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, chromiumConfig(t))
	site := talkative(t)
	page := r.open(r.launch().BrowserID, site.URL+"/")
	s := r.snapshot(page)
	r.effect(&messages.Click{OnElement: on(page, r.element(s, "button", "Save"))})
	observed[*messages.WaitMet](r, &messages.WaitFor{PageAddress: page, Text: "saved"})
	list := observed[*messages.NetworkEntries](r, &messages.GetNetwork{PageAddress: page, DiagnosticsFilter: messages.DiagnosticsFilter{Text: "/save"}})
	if len(list.Entries) != 1 || strings.Contains(list.Entries[0].URL, "secret") {
		t.Fatalf("the model sees %+v", list.Entries)
	}
	_, err := r.caller.Observe(r.ctx, &messages.GetNetworkRequest{PageAddress: page, RequestID: list.Entries[0].RequestID})
	wantCode(t, err, messages.CodeNoGrant)
	r.caller = r.runtime.As(inspector)
	detail := observed[*messages.NetworkDetail](r, &messages.GetNetworkRequest{PageAddress: page, RequestID: list.Entries[0].RequestID})
	if detail.HeadersStored || len(detail.RequestHeaders) > 0 {
		t.Errorf("headers of a page opened without the grant: %+v", detail)
	}
}

// Floods of requests and console lines stay bounded and hold nothing up (R136, R141, R145).
func TestChromium_DiagnosticsUnderFlood(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, chromiumConfig(t))
	r.caller = r.runtime.As(inspector)
	// A machine that is busy with other things takes minutes over this.
	ctx, cancel := context.WithTimeout(t.Context(), 6*time.Minute)
	t.Cleanup(cancel)
	r.ctx = ctx
	site := talkative(t)
	page := r.open(r.launch().BrowserID, site.URL+"/noise")
	before := heap()
	began := time.Now()
	for range soak.Rounds(t, 1, 5) {
		r.effect(&messages.Evaluate{PageAddress: page, Script: "requests(1000)", Timeout: messages.WaitMax})
	}
	requests := time.Since(began)
	r.eventually("the ledger has caught up", func() bool {
		d := observed[*messages.Diagnostics](r, &messages.GetDiagnostics{PageAddress: page, DiagnosticsFilter: messages.DiagnosticsFilter{Limit: 1}})
		return d.Pending == 0
	})
	network := observed[*messages.NetworkEntries](r, &messages.GetNetwork{PageAddress: page})
	afterRequests := heap()
	began = time.Now()
	r.effect(&messages.Evaluate{PageAddress: page, Script: "lines(10000)", Timeout: messages.WaitMax})
	lines := time.Since(began)
	began = time.Now()
	console := observed[*messages.ConsoleEntries](r, &messages.GetConsole{PageAddress: page})
	asked := time.Since(began)
	r.eventually("the last line", func() bool {
		got := observed[*messages.ConsoleEntries](r, &messages.GetConsole{PageAddress: page, DiagnosticsFilter: messages.DiagnosticsFilter{Text: "line 9999"}})
		return len(got.Entries) == 1
	})
	began = time.Now()
	r.snapshot(page)
	snapshot := time.Since(began)
	d := observed[*messages.Diagnostics](r, &messages.GetDiagnostics{PageAddress: page, DiagnosticsFilter: messages.DiagnosticsFilter{Limit: 1}})
	if len(network.Entries) != messages.NetworkShownMax || len(console.Entries) > messages.ConsoleEntriesMax || !d.Gap {
		t.Errorf("%d requests, %d lines, %+v", len(network.Entries), len(console.Entries), d)
	}
	afterLines := heap()
	if afterLines > before+(8<<20) {
		t.Errorf("the heap grew from %d to %d KB", before>>10, afterLines>>10)
	}
	d.Entries = nil
	t.Logf("the requests in %v, 10,000 lines in %v, console answered in %v, snapshot in %v; heap %d -> %d -> %d KB; %+v",
		requests, lines, asked, snapshot, before>>10, afterRequests>>10, afterLines>>10, d)
}
