package inspect

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/troupe-browser/troupe/actors/diagnostics"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// ledger follows the rig's page from now on.
func (r *rig) ledger() *diagnostics.Page {
	r.t.Helper()
	p := diagnostics.NewPage(true)
	r.call(r.session, "Network.enable", NetworkBuffers(), nil)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = func(batch []cdp.Event, dropped uint64) { p.Fold(batch, dropped, time.Now()) }
	return p
}

// settled waits until the ledger knows the end of the request whose URL ends so.
func (r *rig) settled(p *diagnostics.Page, suffix string) messages.NetworkEntry {
	r.t.Helper()
	for {
		r.mu.Lock()
		got, err := p.Network.Entries(messages.DiagnosticsFilter{}, diagnostics.View{Operator: true})
		r.mu.Unlock()
		if err != nil {
			r.t.Fatal(err)
		}
		for _, e := range got.Entries {
			if strings.HasSuffix(e.URL, suffix) && !e.Pending && !e.Redirect {
				return e
			}
		}
		if r.ctx.Err() != nil {
			r.t.Fatalf("no end of %s in %+v", suffix, got.Entries)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func (r *rig) body(p *diagnostics.Page, suffix string) *messages.NetworkDetail {
	r.t.Helper()
	entry := r.settled(p, suffix)
	r.mu.Lock()
	detail, where, err := p.Network.Detail(entry.RequestID, diagnostics.View{Operator: true})
	r.mu.Unlock()
	if err != nil {
		r.t.Fatal(err)
	}
	RequestBody(r.ctx, r.page(), where, detail)
	return detail
}

// A body is read on demand, capped, cut at a character, and its failure is a body_error (R139).
func TestRequestBody(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	huge := 100 << 20
	r := newRig(t, map[string]any{
		"/":     "<p>the document</p>",
		"/text": func(w http.ResponseWriter, q *http.Request) { fmt.Fprint(w, strings.Repeat("€", 40000)) },
		"/bytes": func(w http.ResponseWriter, q *http.Request) {
			w.Header().Set("Content-Type", "application/octet-stream")
			_, _ = w.Write(make([]byte, 90000))
		},
		"/moved": func(w http.ResponseWriter, q *http.Request) { http.Redirect(w, q, "/text?x=1", http.StatusFound) },
		"/empty": func(w http.ResponseWriter, q *http.Request) { w.WriteHeader(http.StatusNoContent) },
		"/huge": func(w http.ResponseWriter, q *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(huge))
			block := []byte(strings.Repeat("x", 1<<20))
			for range huge / len(block) {
				if _, err := w.Write(block); err != nil {
					return
				}
			}
		},
	})
	p := r.ledger()
	r.visit("/")
	if got := r.body(p, "/"); !strings.Contains(got.Body, "<p>the document</p>") || got.BodyTruncated || got.Status != 200 || got.ResponseHeaders["content-type"] == "" {
		t.Errorf("the document is %+v", got)
	}
	r.js(`fetch("/text").then(r=>r.text()).then(()=>0)`)
	if got := r.body(p, "/text"); len(got.Body) > messages.NetworkBodyBytesMax || !got.BodyTruncated || !utf8.ValidString(got.Body) || got.BodyBase64 {
		t.Errorf("%d bytes, truncated %v", len(got.Body), got.BodyTruncated)
	}
	r.js(`fetch("/bytes").then(r=>r.arrayBuffer()).then(()=>0)`)
	got := r.body(p, "/bytes")
	if raw, err := base64.StdEncoding.DecodeString(got.Body); err != nil || !got.BodyBase64 || !got.BodyTruncated || len(raw) < 48000 {
		t.Errorf("%d bytes of base64, %v, truncated %v", len(raw), err, got.BodyTruncated)
	}
	r.js(`fetch("/moved").then(r=>r.text()).then(()=>0)`)
	if got := r.body(p, "/text?x=1"); got.Body == "" || got.Status != 200 {
		t.Errorf("the last hop is %+v", got)
	}
	r.js(`fetch("/huge").then(async r=>{for await (const b of r.body);})`)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	big := r.body(p, "/huge")
	runtime.ReadMemStats(&after)
	if big.BodyError == "" || big.Bytes < int64(huge) {
		t.Errorf("the huge body is %d bytes of %d, error %q", len(big.Body), big.Bytes, big.BodyError)
	}
	t.Logf("a body of 100 MB: %q, %d KB allocated", big.BodyError, (after.TotalAlloc-before.TotalAlloc)>>10)
	if r.conn.Err() != nil {
		t.Fatal("the connection was lost")
	}
}
