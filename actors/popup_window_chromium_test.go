package actors

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

// The window of a popup's first, empty document is used again for the document
// that replaces it when both are of one origin. The isolated world and its id live
// on, so the page side has to notice by itself that its document is another.
func TestChromium_PopupThatKeepsItsOpener(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><title>Opener</title><button onclick="window.open('/child')">Open</button>`))
	})
	mux.HandleFunc("/child", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><title>Child</title><input aria-label=Note>
<button onclick="this.textContent='Pressed'">Press</button><button onclick="setTimeout(()=>location='/child?2')">Leave</button>`))
	})
	site := httptest.NewServer(mux)
	defer site.Close()
	r := newRig(t, chromiumConfig(t))
	opener := r.open(r.launch().BrowserID, site.URL+"/")
	s := r.snapshot(opener)
	receipt := r.effect(&messages.Click{OnElement: on(opener, r.element(s, "button", "Open"))})
	if len(receipt.OpenedPages) != 1 {
		t.Fatalf("opened pages %+v", receipt.OpenedPages)
	}
	popup := messages.PageAddress{BrowserID: opener.BrowserID, PageID: receipt.OpenedPages[0].PageID}
	r.eventually("the popup has loaded", func() bool {
		for _, p := range r.pages(opener.BrowserID) {
			if p.PageID == popup.PageID {
				return p.LoadState == messages.LoadComplete && p.Title == "Child"
			}
		}
		return false
	})
	s = r.snapshot(popup)
	if s.Title != "Child" {
		t.Fatalf("the snapshot is of %q", s.Title)
	}
	got := r.effect(&messages.SetValue{OnElement: on(popup, r.element(s, "textbox", "Note")), Value: "hello"})
	if got.Observed == nil || got.Observed.Value == nil || *got.Observed.Value != "hello" {
		t.Errorf("observed %+v", got.Observed)
	}
	press := r.element(s, "button", "Press")
	r.effect(&messages.Click{OnElement: on(popup, press)})
	r.element(r.snapshot(popup), "button", "Pressed")
	if receipt, err := r.caller.Effect(r.ctx, &messages.Click{OnElement: on(popup, press)}); err == nil {
		t.Errorf("an id of an older snapshot was taken: %+v", receipt)
	}
	left := r.effect(&messages.Click{OnElement: on(popup, r.element(r.snapshot(popup), "button", "Leave"))})
	if left.Document != messages.DocumentNavigated {
		t.Errorf("the document is said to be %s", left.Document)
	}
	r.element(r.snapshot(popup), "button", "Press")
}
