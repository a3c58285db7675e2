package actors

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

// outsidePage has every way in which a page can ask for another program, and a button that
// must go on working.
const outsidePage = `<!doctype html><title>Outside</title>
<button onclick="location.href='foo:bar'">Location</button>
<button onclick="location.href='mailto:a@example.test'">Mail</button>
<button onclick="location.href='tel:+100'">Call</button>
<a href="ftp://127.0.0.1:9/x">Transfer</a>
<button onclick="setTimeout(()=>location.href='foo:later',300)">Timer</button>
<button onclick="window.open('foo:window')">Window</button>
<button onclick="frames[0].location.href='foo:frame'">Frame</button>
<button onclick="document.body.append(Object.assign(document.createElement('iframe'),{src:'foo:new-frame'}))">New frame</button>
<form action="foo:form"><button>Form</button></form>
<button onclick="const m=document.createElement('meta');m.httpEquiv='refresh';m.content='0;url=foo:refresh';document.head.append(m)">Refresh</button>
<button onclick="location.href='/302?foo:redirect'">Redirect</button>
<button>Count</button><script>if(location.search)location.href='foo:load'</script>
<iframe srcdoc="<p>inner"></iframe>`

func outsideSite(t *testing.T) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(outsidePage)) // fails only when the browser has gone
	})
	mux.HandleFunc("/302", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", r.URL.RawQuery)
		w.WriteHeader(http.StatusFound)
	})
	site := httptest.NewServer(mux)
	t.Cleanup(site.Close)
	return site
}

// clicksAfter is how many clicks must arrive after each request, clicksLast how many after
// the last. A prompt opens while they go on, since the browser looks for the program first,
// and takes all that follow.
const clicksAfter, clicksLast = 3, 20

// asksOutside opens a page that asks for another program as it loads, presses everything that
// asks for one, and demands that the page takes clicks after each. The browser passes one request on for each input of a user.
func asksOutside(r *rig) {
	page := r.open(r.launch().BrowserID, outsideSite(r.t).URL+"/?load")
	requests := []string{"Location", "Mail", "Call", "Transfer", "Timer", "Window", "Frame", "New frame", "Form", "Refresh", "Redirect"}
	for i, name := range requests {
		role, clicks := "button", clicksAfter
		if i == len(requests)-1 {
			clicks = clicksLast
		}
		if name == "Transfer" {
			role = "link"
		}
		s := r.snapshot(page)
		count := r.element(s, "button", "Count")
		r.effect(&messages.Click{OnElement: on(page, r.element(s, role, name))})
		for n := range clicks {
			if receipt, err := r.caller.Effect(r.ctx, &messages.Click{OnElement: on(page, count)}); err != nil {
				r.t.Fatalf("%s: click %d after it: %v %s", name, n+1, err, receipt.Operator)
			}
		}
	}
}

func TestChromium_PagesThatAskForOtherProgramsKeepTheirInput(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	asksOutside(newRig(t, chromiumConfig(t)))
}
