package inspect

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/messages"
)

// wait runs a wait in the background.
func (r *rig) wait(ctx context.Context, command messages.WaitFor) <-chan result {
	out := make(chan result, 1)
	page := r.page()
	go func() {
		met, err := Wait(ctx, page, &command)
		out <- result{met, err}
	}()
	return out
}

type result struct {
	met *messages.WaitMet
	err error
}

// must returns the answer of a wait that is met.
func (r *rig) must(c <-chan result) *messages.WaitMet {
	r.t.Helper()
	select {
	case got := <-c:
		if got.err != nil {
			r.t.Fatalf("the wait failed: %v", got.err)
		}
		return got.met
	case <-time.After(20 * time.Second):
		r.t.Fatal("the wait did not end")
		return nil
	}
}

func TestWait_ForText(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	cases := []struct{ name, body, change, text string }{
		{"already there", `<p>Order  placed</p>`, ``, "order placed"},
		{"across elements", `<p>Hello <b id=b></b></p>`, `b.textContent="World"`, "hello world"},
		{"inserted", `<div id=d></div>`, `d.innerHTML="<p>Done</p>"`, "Done"},
		{"shown by a class", `<style>.off{display:none}</style><p id=p class=off>Now shown</p>`, `p.className=""`, "now shown"},
		{"shown by a style sheet", `<style id=s>p{display:none}</style><p>Styled in</p>`, `s.disabled=true;document.styleSheets[0].disabled=true`, "styled in"},
		{"in an open shadow root", `<x-a id=x></x-a>`, `x.attachShadow({mode:"open"}).innerHTML="<p>In the shadow</p>"`, "in the shadow"},
		{"later in a shadow root", `<x-a id=x></x-a><script>x.attachShadow({mode:"open"}).innerHTML="<p id=q></p>"</script>`, `x.shadowRoot.getElementById("q").textContent="Late shadow"`, "late shadow"},
		{"in a frame of the same origin", `<iframe id=f srcdoc="<p id=q></p>"></iframe>`, `f.contentDocument.getElementById("q").textContent="In the frame"`, "in the frame"},
		{"upper case by style", `<p id=p style="text-transform:uppercase"></p>`, `p.textContent="loud"`, "loud"},
		{"a button's label", `<input id=i type=submit value=Send>`, `i.value="Sent off"`, "sent off"},
	}
	pages := map[string]any{}
	for i, c := range cases {
		pages[fmt.Sprint("/", i)] = c.body
	}
	shared := newRig(t, pages)
	for i, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := shared
			r.t = t
			r.visit(fmt.Sprint("/", i))
			wait := r.wait(r.ctx, messages.WaitFor{Text: c.text, Timeout: 15 * time.Second})
			if c.change != "" {
				select {
				case got := <-wait:
					t.Fatalf("the wait ended before the change: %+v, %v", got.met, got.err)
				case <-time.After(300 * time.Millisecond):
				}
				r.js(c.change)
			}
			met := r.must(wait)
			if !met.Met || met.Matched != "text" || met.URL != fmt.Sprint(r.origin, "/", i) {
				t.Errorf("got %+v", met)
			}
		})
	}
}

// Hidden text is not on the page: neither met for text, nor in the way of text_gone.
func TestWait_HiddenText(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, map[string]any{"/": `<p hidden>Secret</p><p style="visibility:hidden">Secret</p><script>var a="Secret"</script>
		<iframe hidden srcdoc="<p>Secret</p>"></iframe><input type=submit value=Secret style="display:none"><p id=p>Loading</p>`})
	_, err := Wait(r.ctx, r.page(), &messages.WaitFor{Text: "secret", Timeout: 700 * time.Millisecond})
	if code(err) != messages.CodeWaitTimeout {
		t.Errorf("got %v", err)
	}
	gone := r.wait(r.ctx, messages.WaitFor{TextGone: "loading", Timeout: 10 * time.Second})
	r.js(`setTimeout(()=>p.style.display="none", 200)`)
	if met := r.must(gone); met.Matched != "text_gone" {
		t.Errorf("got %+v", met)
	}
}

// A wait goes on in the next document, and a navigation in between is only "not yet" (R58).
func TestWait_AcrossNavigations(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, map[string]any{"/": "one", "/two": "two", "/three": "<p>The third page</p>"})
	wait := r.wait(r.ctx, messages.WaitFor{Text: "third page", Timeout: 20 * time.Second})
	r.visit("/two")
	r.visit("/three")
	if met := r.must(wait); met.URL != r.origin+"/three" {
		t.Errorf("got %+v", met)
	}
	r.visit("/two")
	back := r.wait(r.ctx, messages.WaitFor{Text: "third page", Timeout: 20 * time.Second})
	r.js("setTimeout(()=>history.back(),100)")
	r.must(back)
}

func TestWait_ForURL(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, map[string]any{"/": "one", "/two": "two"})
	if met := r.must(r.wait(r.ctx, messages.WaitFor{URLContains: "127.0.0.1"})); met.Matched != "url_contains" {
		t.Errorf("got %+v", met)
	}
	cases := []struct{ change, fragment string }{
		{`history.pushState({},"","/pushed?x=1")`, "pushed?x"},
		{`location.hash="part"`, "#part"},
		{`location.href="/two#end"`, "/two#end"},
	}
	for _, c := range cases {
		wait := r.wait(r.ctx, messages.WaitFor{URLContains: c.fragment, Timeout: 10 * time.Second})
		r.js(fmt.Sprintf("setTimeout(()=>{%s},150)", c.change))
		if met := r.must(wait); !strings.Contains(met.URL, c.fragment) {
			t.Errorf("%s: got %+v", c.fragment, met)
		}
	}
	// A page whose script never ends still tells its URL.
	busy := r.wait(r.ctx, messages.WaitFor{URLContains: "busy", Timeout: 10 * time.Second})
	r.js(`setTimeout(()=>{history.pushState({},"","/busy");const end=Date.now()+2000;while(Date.now()<end);},100)`)
	if met := r.must(busy); met.Waited > 1900 {
		t.Errorf("the busy page held the wait for %d ms", met.Waited)
	}
}

func TestWait_ForLoadState(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	release := make(chan struct{})
	r := newRig(t, map[string]any{
		"/": "one",
		"/slow": func(w http.ResponseWriter, q *http.Request) {
			<-release
			fmt.Fprint(w, "<title>slow</title><p>slow")
		},
		"/part": func(w http.ResponseWriter, q *http.Request) {
			fmt.Fprint(w, "<p>part<img src=/image>")
		},
		"/image": func(w http.ResponseWriter, q *http.Request) { <-release },
	})
	if met := r.must(r.wait(r.ctx, messages.WaitFor{LoadState: messages.LoadComplete})); met.Matched != "load_state" || met.Waited > 3000 {
		t.Errorf("a complete page: %+v", met)
	}
	loading := r.wait(r.ctx, messages.WaitFor{LoadState: messages.LoadLoading, Timeout: 10 * time.Second})
	r.js(`setTimeout(()=>location.href="/slow",100)`)
	r.must(loading)
	// The old document is complete while the new one is on its way; that is not what was asked for.
	complete := r.wait(r.ctx, messages.WaitFor{LoadState: messages.LoadComplete, Timeout: 15 * time.Second})
	select {
	case got := <-complete:
		t.Fatalf("the wait ended while the navigation was under way: %+v, %v", got.met, got.err)
	case <-time.After(500 * time.Millisecond):
	}
	close(release)
	if met := r.must(complete); met.URL != r.origin+"/slow" {
		t.Errorf("complete at %s", met.URL)
	}
	r.call(r.session, "Page.navigate", map[string]any{"url": "http://127.0.0.1:1/"}, nil)
	if _, err := Wait(r.ctx, r.page(), &messages.WaitFor{LoadState: messages.LoadComplete, Timeout: time.Second}); code(err) != messages.CodeWaitTimeout {
		t.Errorf("an error page counts as complete: %v", err)
	}
}

func TestWait_OperatorConditions(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, map[string]any{"/": "<div id=d></div>"})
	selector := r.wait(r.ctx, messages.WaitFor{Selector: "#d > p.ok", Timeout: 10 * time.Second})
	r.js(`setTimeout(()=>d.innerHTML="<p class=ok>x</p>",150)`)
	r.must(selector)
	function := r.wait(r.ctx, messages.WaitFor{Function: "() => window.ready.now", Timeout: 10 * time.Second})
	r.js(`setTimeout(()=>window.ready={now:1},150)`)
	if met := r.must(function); met.Matched != "function" {
		t.Errorf("got %+v", met)
	}
	r.must(r.wait(r.ctx, messages.WaitFor{Function: "Promise.resolve(window.ready)"}))
	for _, c := range []messages.WaitFor{{Selector: "p["}, {Function: "() => {"}} {
		c.Timeout = 5 * time.Second
		if _, err := Wait(r.ctx, r.page(), &c); code(err) != messages.CodeInvalidRequest {
			t.Errorf("%+v gives %v", c, err)
		}
	}
}

// A wait ends with its time, its caller or its page, and an evaluation that throws is "not yet" (R58).
func TestWait_Ends(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, map[string]any{"/": "<p>here</p>"})
	began := time.Now()
	_, err := Wait(r.ctx, r.page(), &messages.WaitFor{Text: "never", Timeout: 2 * time.Second})
	if err == nil || strings.Contains(err.Error(), "did not answer") {
		t.Errorf("a page that answers is said not to: %v", err)
	}
	if took := time.Since(began); code(err) != messages.CodeWaitTimeout || took < 1900*time.Millisecond || took > 5*time.Second {
		t.Errorf("after %v: %v", took, err)
	}
	ctx, cancel := context.WithCancel(r.ctx)
	wait := r.wait(ctx, messages.WaitFor{Text: "never"})
	time.AfterFunc(200*time.Millisecond, cancel)
	if got := <-wait; code(got.err) != messages.CodeCancelled {
		t.Errorf("a cancelled wait gives %v", got.err)
	}
	// A dialog holds the page; the wait says so at its end.
	dialog := r.wait(r.ctx, messages.WaitFor{Text: "never", Timeout: 1500 * time.Millisecond})
	r.js(`setTimeout(()=>alert(1),100)`)
	got := <-dialog
	if code(got.err) != messages.CodeWaitTimeout || !strings.Contains(got.err.Error(), "handle_dialog") {
		t.Errorf("with a dialog: %v", got.err)
	}
	r.call(r.session, "Page.handleJavaScriptDialog", map[string]any{"accept": true}, nil)
	closed := r.wait(r.ctx, messages.WaitFor{Text: "never", Timeout: 20 * time.Second})
	time.Sleep(200 * time.Millisecond)
	r.call(r.conn.Root(), "Target.closeTarget", map[string]any{"targetId": r.target}, nil)
	if got := <-closed; code(got.err) != messages.CodeStalePage {
		t.Errorf("a closed page gives %v", got.err)
	}
}

// A page that changes without end is looked at no more often than every 100 ms, and the watcher leaves it.
func TestWait_IsFrugal(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, map[string]any{"/": `<p id=p></p><script>let n=0;setInterval(()=>p.textContent=n++,1)</script>`})
	var before, after struct {
		Metrics []struct {
			Name  string  `json:"name"`
			Value float64 `json:"value"`
		} `json:"metrics"`
	}
	r.call(r.session, "Performance.enable", nil, nil)
	r.call(r.session, "Performance.getMetrics", nil, &before)
	_, err := Wait(r.ctx, r.page(), &messages.WaitFor{Text: "never", Timeout: 2 * time.Second})
	r.call(r.session, "Performance.getMetrics", nil, &after)
	if code(err) != messages.CodeWaitTimeout {
		t.Fatal(err)
	}
	for i, m := range after.Metrics {
		if m.Name == "ScriptDuration" || m.Name == "TaskDuration" || m.Name == "LayoutCount" {
			t.Logf("%s: %.3f in 2 s", m.Name, m.Value-before.Metrics[i].Value)
		}
	}
}
