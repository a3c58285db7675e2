package actors

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

// keyPage takes no key away from the browser. It keeps what it heard in its title.
const keyPage = `<!doctype html><title>keys</title><textarea id=t aria-label=Note>one two three</textarea>
<script>addEventListener('keydown',e=>document.title='heard '+(e.key+' '+e.code).trim()+(e.ctrlKey?' ctrl':'')+(e.altKey?' alt':'')+(e.metaKey?' meta':'')+(e.shiftKey?' shift':''))</script>`

// Every chord of the list stays in the document that it is sent to: no page is added,
// closed or navigated, and none of the browser's own is opened (C36).
func TestChromium_C36KeysStayInTheDocument(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	keysStay(newRig(t, chromiumConfig(t)))
}

// keysStay sends every chord of the list to a page behind another one, and to an empty
// page, and looks at the pages after each.
func keysStay(r *rig) {
	r.t.Helper()
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(keyPage))
	}))
	r.t.Cleanup(site.Close)
	blank := r.launch()
	keys := r.open(blank.BrowserID, site.URL+"/keys")
	front := r.open(blank.BrowserID, site.URL+"/front")
	events, err := r.runtime.Subscribe(r.ctx)
	if err != nil {
		r.t.Fatal(err)
	}
	want := map[messages.PageID]string{blank.PageID: "about:blank", keys.PageID: site.URL + "/keys", front.PageID: site.URL + "/front"}
	for _, chord := range messages.Chords() {
		c, _ := messages.LookupChord(chord, nil)
		heard := "heard " + strings.TrimSpace(c.Key.Key+" "+c.Key.Code) // a title is trimmed
		for _, m := range []messages.Modifier{messages.ModifierCtrl, messages.ModifierAlt, messages.ModifierMeta, messages.ModifierShift} {
			for _, held := range c.Modifiers {
				if held == m {
					heard += " " + string(m)
				}
			}
		}
		for _, page := range []messages.PageAddress{keys, blank} {
			receipt := r.effect(&messages.PressKey{OnElement: messages.OnElement{PageAddress: page}, Key: chord})
			if len(receipt.OpenedPages) > 0 || receipt.Document == messages.DocumentNavigated {
				r.t.Errorf("%s: opened %v, document %s", chord, receipt.OpenedPages, receipt.Document)
			}
		}
		seen := r.pages(blank.BrowserID)
		for _, p := range seen {
			if want[p.PageID] != p.URL {
				r.t.Errorf("%s: there is a page %q", chord, p.URL)
			}
			if p.PageID == keys.PageID && p.Title != heard {
				r.t.Errorf("%s: the page %q, want %q", chord, p.Title, heard)
			}
			if p.PageID == front.PageID && p.Title != "keys" {
				r.t.Errorf("%s: the page in front %q", chord, p.Title)
			}
		}
		if len(seen) != len(want) {
			r.t.Fatalf("%s: %d pages, want %d", chord, len(seen), len(want))
		}
	}
	for {
		select {
		case event := <-events:
			if event.Kind == messages.EventPageOpened || event.Kind == messages.EventPageClosed {
				r.t.Errorf("a key led to %s", event.Kind)
			}
			continue
		default:
		}
		return
	}
}

// What a letter with ctrl or meta does in an editor is done, and word and line are moved by
// (C36).
func TestChromium_C36EditingChords(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<!doctype html><textarea aria-label=Note>one two three</textarea>`))
	}))
	t.Cleanup(site.Close)
	r := newRig(t, chromiumConfig(t))
	page := r.open(r.launch().BrowserID, site.URL)
	value := func(name string) string {
		for _, n := range r.snapshot(page).Nodes {
			if n.Role == "textbox" && n.Name == name && n.Value != nil {
				return *n.Value
			}
		}
		return ""
	}
	press := func(chords string) {
		for chord := range strings.FieldsSeq(chords) {
			r.effect(&messages.PressKey{OnElement: messages.OnElement{PageAddress: page}, Key: chord})
		}
	}
	r.effect(&messages.Click{OnElement: on(page, r.element(r.snapshot(page), "textbox", "Note"))})
	for _, step := range []struct{ chords, note string }{
		{"ctrl+Home ctrl+shift+ArrowRight Delete", "two three"},
		{"ctrl+z", "one two three"},
		{"ctrl+End ctrl+Backspace", "one two"},
		{"ctrl+z ctrl+y", "one two"},
		{"ctrl+z ctrl+shift+z", "one two"},
		{"Home shift+End X", "X"},
		{"shift+4 5 y", "X$5y"},
		{"Control+A cmd+x", ""},
		{"ctrl+v", "X$5y"},
	} {
		press(step.chords)
		// A snapshot makes new ids; what has the focus keeps it.
		if got := value("Note"); got != step.note {
			t.Errorf("after %s the text is %q, want %q", step.chords, got, step.note)
		}
	}
}
