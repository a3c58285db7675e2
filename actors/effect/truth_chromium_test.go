package effect

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/messages"
)

// Who picks what is selected already changes nothing, and the page hears of nothing.
func TestSelectOptionThatIsSelectedAlready(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := open(t, `<select id=one aria-label=Shift><option>Early<option selected>Late</select>
		<select id=many multiple aria-label=Tags><option selected>wet<option>dry</select>
		<select id=empty aria-label=None><option>First<option>Second</select>
		<script>log=[];for(const s of [one,many,empty])s.oninput=s.onchange=e=>log.push(s.id+' '+e.type);empty.selectedIndex=-1</script>`)
	r.take("#one", "#many", "#empty")
	r.want(r.do(&messages.SelectOption{OnElement: on("#one"), Option: "Late"}), messages.Completed, "")
	receipt := r.do(&messages.SelectOption{OnElement: on("#many"), Option: "wet"})
	r.want(receipt, messages.Completed, "")
	if o := receipt.Observed; o == nil || matches(o.ValueMatches) != "true" || receipt.NeedsSnapshot {
		t.Errorf("%+v %v", o, receipt.NeedsSnapshot)
	}
	r.equal("the page heard", r.js("log.join()"), "")
	r.want(r.do(&messages.SelectOption{OnElement: on("#empty"), Option: "First"}), messages.Completed, "")
	r.equal("the page heard", r.js("log.join()"), "empty input,empty change")
}

// What a handler changes while it runs counts, wherever the control is.
func TestChangesOfHandlersAskForASnapshot(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	const page = `<input id=still aria-label=Still><input id=x type=number aria-label=Seats><input id=typed aria-label=Typed>
		<select id=s aria-label=Plan><option>Free<option>Paid</select><input id=f type=file aria-label=File><div id=host></div><p id=p></p>
		<script>const add=()=>p.append(document.createElement('button'));x.onchange=add;typed.oninput=add;s.onchange=add;f.onchange=add;
		host.attachShadow({mode:'open'}).innerHTML='<input aria-label=Inner><p></p>';
		host.shadowRoot.querySelector('input').oninput=()=>host.shadowRoot.querySelector('p').textContent='changed'</script>`
	r := open(t, page)
	r.files = uploads(t, "a.txt")
	r.take("#still", "#x", "#typed", "#s", "#f", "#host >>> input")
	for _, c := range []struct {
		command messages.Effect
		want    bool
	}{
		{&messages.SetValue{OnElement: on("#still"), Value: "4"}, false},
		{&messages.SetValue{OnElement: on("#x"), Value: "4"}, true},
		{&messages.SetValue{OnElement: on("#typed"), Value: "4"}, true},
		{&messages.SelectOption{OnElement: on("#s"), Option: "Paid"}, true},
		{&messages.UploadFile{OnElement: on("#f"), Path: "a.txt"}, true},
		{&messages.SetValue{OnElement: on("#host >>> input"), Value: "4"}, true},
		{&messages.Batch{Operations: []messages.ElementEffect{
			&messages.SetValue{OnElement: on("#x"), Value: "5"}, &messages.SetValue{OnElement: on("#still"), Value: "5"}}}, true},
	} {
		receipt := r.do(c.command)
		r.want(receipt, messages.Completed, "")
		if receipt.NeedsSnapshot != c.want {
			text, _ := json.Marshal(c.command)
			t.Errorf("%s %s: needs_snapshot %v", c.command.Action(), text, receipt.NeedsSnapshot)
		}
	}
}

// A request that is answered by another address is listed as well as where it led.
func TestReceiptListsRedirects(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := openWith(t, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch q.URL.Path {
		case "/login":
			http.Redirect(w, q, "/hop?secret=1", http.StatusFound)
		case "/hop":
			http.Redirect(w, q, "/home", http.StatusSeeOther)
		case "/home":
			fmt.Fprint(w, "<!doctype html><title>home</title>home")
		default:
			fmt.Fprint(w, "<!doctype html><title>t</title><form method=post action=/login><input name=u><button id=b>Sign in</button></form>")
		}
	}))
	r.take("#b")
	receipt := r.do(&messages.Click{OnElement: on("#b")})
	r.want(receipt, messages.Completed, "")
	var list []string
	for _, one := range receipt.Requests.List {
		list = append(list, fmt.Sprintf("%s %s %d", one.Method, one.Path, one.Status))
	}
	if got := strings.Join(list, "; "); got != "POST /login 302; GET /hop 303; GET /home 200" || receipt.Requests.Count != 3 {
		t.Errorf("%d requests: %s", receipt.Requests.Count, got)
	}
}

// A navigation to the address of one that still runs waits for that one, and one that the
// browser gives up is not completed.
func TestNavigationsThatAreGivenUp(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	gate := make(chan struct{})
	r := openWith(t, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch q.URL.Path {
		case "/late":
			select {
			case <-gate:
			case <-q.Context().Done():
			}
			fmt.Fprint(w, "<!doctype html><title>late</title>late")
		case "/to":
			w.Header().Set("Location", q.URL.RawQuery)
			w.WriteHeader(http.StatusFound)
		default:
			fmt.Fprint(w, "<!doctype html><title>t</title>start")
		}
	}))
	for _, to := range []string{"javascript:alert(1)", "ftp://site.test/a", "view-source:" + r.origin + "/", "mailto:ada@site.test"} {
		receipt := r.do(&messages.Navigate{URL: r.origin + "/to?" + to})
		r.want(receipt, messages.Completed, messages.CodeNavigationFailed)
		if receipt.LoadState != messages.LoadComplete {
			t.Errorf("%s: the page that stayed is %s", to, receipt.LoadState)
		}
	}
	ctx, cancel := context.WithCancel(r.ctx)
	time.AfterFunc(300*time.Millisecond, cancel)
	r.want(Run(ctx, r.env(&ticket{}), &messages.Navigate{URL: r.origin + "/late"}), messages.OutcomeUnknown, messages.CodeCancelled)
	time.AfterFunc(300*time.Millisecond, func() { close(gate) })
	receipt := r.do(&messages.Navigate{URL: r.origin + "/late"})
	r.want(receipt, messages.Completed, "")
	if receipt.Document != messages.DocumentNavigated || receipt.LoadState != messages.LoadComplete || !strings.HasSuffix(receipt.URL, "/late") {
		t.Errorf("%+v", receipt)
	}
}

// set_value in a rich editor leaves what select-all and typing leaves, and an empty
// block behind it is a difference.
func TestSetValueReplacesBlocks(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	const editor = `<div id=%s contenteditable role=textbox aria-label=%[1]s style="white-space:pre-wrap">%s</div>`
	r := open(t, fmt.Sprintf(editor, "kept", "<h2>Old title</h2><p>Old body.</p>")+fmt.Sprintf(editor, "trailing", "<h2>Old title</h2><p>Old body.</p>")+
		fmt.Sprintf(editor, "list", "<ul><li>one</li><li>two</li></ul><p>end</p>")+
		`<script>trailing.addEventListener('input',()=>{if(trailing.lastElementChild?.localName!=='p')trailing.insertAdjacentHTML('beforeend','<p><br></p>')})</script>`)
	r.take("#kept", "#trailing", "#list")
	for id, want := range map[string]string{"#kept": "true", "#trailing": "false", "#list": "true"} {
		receipt := r.do(&messages.SetValue{OnElement: on(id), Value: "Only this."})
		r.want(receipt, messages.Completed, "")
		if o := receipt.Observed; o == nil || matches(o.ValueMatches) != want {
			t.Errorf("%s: %q %+v, want %s", id, text(o.Value), o, want)
		}
		if got := r.js("document.querySelector('" + id + "').textContent"); got != "Only this." {
			t.Errorf("%s holds %q: %s", id, got, r.js("document.querySelector('"+id+"').innerHTML"))
		}
	}
	receipt := r.do(&messages.SetValue{OnElement: on("#kept"), Value: "one\n\nthree"})
	r.want(receipt, messages.Completed, "")
	if o := receipt.Observed; matches(o.ValueMatches) != "true" {
		t.Errorf("lines: %q: %s", text(o.Value), r.js("document.querySelector('#kept').innerHTML"))
	}
}

// uploads is an upload root with small files of these names.
func uploads(t *testing.T, names ...string) folder {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("12345"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder(dir)
}
