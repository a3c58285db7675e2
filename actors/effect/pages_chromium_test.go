package effect

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/messages"
)

// Each verb of navigation, what its receipt says, and a load that fails (R112, R114).
func TestNavigate(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := open(t, `<p>start`)
	receipt := r.do(&messages.Navigate{URL: r.origin + "/other?q=1"})
	r.want(receipt, messages.Completed, "")
	if receipt.LoadState != messages.LoadComplete || receipt.Document != messages.DocumentNavigated || !strings.HasSuffix(receipt.URL, "/other?q=1") || !receipt.Stability.Stable {
		t.Fatalf("%+v %+v", receipt, receipt.Stability)
	}
	r.want(r.do(&messages.Navigate{URL: r.origin + "/other?q=1#part"}), messages.Completed, "")
	receipt = r.do(&messages.Back{})
	r.want(receipt, messages.Completed, "")
	receipt = r.do(&messages.Back{})
	r.want(receipt, messages.Completed, "")
	if !strings.HasSuffix(receipt.URL, "/") || receipt.LoadState != messages.LoadComplete {
		t.Fatalf("%+v", receipt)
	}
	receipt = r.do(&messages.Forward{})
	r.want(receipt, messages.Completed, "")
	if !strings.HasSuffix(receipt.URL, "/other?q=1") {
		t.Fatalf("%+v", receipt)
	}
	receipt = r.do(&messages.Reload{})
	r.want(receipt, messages.Completed, "")
	if receipt.Document != messages.DocumentNavigated || receipt.LoadState != messages.LoadComplete {
		t.Fatalf("%+v", receipt)
	}
	r.want(r.do(&messages.Stop{}), messages.Completed, "")
	r.want(r.do(&messages.SetViewport{Width: 640, Height: 480}), messages.Completed, "")
	r.equal("size", r.js("innerWidth+'x'+innerHeight"), "640x480")
	r.want(r.do(&messages.SetViewport{}), messages.Completed, "")
	r.want(r.do(&messages.Navigate{URL: "file:///etc/hosts"}), messages.NotStarted, messages.CodeUnsupportedURLScheme)

	start := time.Now()
	receipt = r.do(&messages.Navigate{URL: r.origin + "/empty"})
	r.want(receipt, messages.Completed, "")
	if receipt.Document != messages.DocumentSame || time.Since(start) > 5*time.Second {
		t.Fatalf("%+v after %v", receipt, time.Since(start))
	}
	receipt = r.do(&messages.Navigate{URL: "http://127.0.0.1:1/"})
	r.want(receipt, messages.Completed, messages.CodeNavigationFailed)
	if receipt.LoadState != messages.LoadFailed || !strings.Contains(receipt.Message, "ERR_") {
		t.Fatalf("%+v", receipt)
	}
}

// A history entry that is missing is a refusal (R112).
func TestNavigateHistoryEnds(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := open(t, `<p>start`)
	r.want(r.do(&messages.Forward{}), messages.NotStarted, messages.CodeHistoryEntryMissing)
	if r.lastTicket.begun.Load() != 0 {
		t.Fatal("spent")
	}
}

func TestNavigateMeetsDialogs(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := openWith(t, http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch q.URL.Path {
		case "/":
			fmt.Fprint(w, `<button id=b>touch</button><script>addEventListener('beforeunload',e=>e.preventDefault())</script>`)
		case "/alert":
			fmt.Fprint(w, `<script>alert('hello')</script>`)
		case "/slow":
			_ = http.NewResponseController(w).Flush()
			<-q.Context().Done()
		}
	}))
	r.take("#b")
	r.want(r.do(&messages.Click{OnElement: on("#b")}), messages.Completed, "")
	start := time.Now()
	receipt := r.do(&messages.Navigate{URL: r.origin + "/alert"})
	r.want(receipt, messages.Completed, "")
	if d := receipt.Dialog; d == nil || d.Kind != messages.DialogAlert || !d.Open || time.Since(start) > 4*time.Second {
		t.Fatalf("%+v after %v", d, time.Since(start))
	}
	r.call(r.session, "Page.handleJavaScriptDialog", map[string]any{"accept": true}, nil)
}

func TestHoverAndScroll(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := open(t, `<button id=h onmouseenter="log.push('enter')">H</button><div id=s tabindex=0 aria-label=S style="overflow:auto;height:100px;width:200px"><div style="height:2000px">x</div></div><div style="height:3000px"></div><script>log=[]</script>`)
	r.take("#h", "#s")
	r.want(r.do(&messages.Hover{OnElement: on("#h")}), messages.Completed, "")
	r.want(r.do(&messages.Hover{OnElement: on("#h")}), messages.Completed, "")
	r.equal("log", r.js("log.join()"), "enter")
	r.want(r.do(&messages.Scroll{OnElement: on("#s"), Direction: messages.ScrollDown, Amount: 300}), messages.Completed, "")
	r.equal("inner", r.js("s.scrollTop+' '+scrollY"), "300 0")
	r.want(r.do(&messages.Scroll{Direction: messages.ScrollDown}), messages.Completed, "")
	r.equal("outer", r.js("Math.round(scrollY)"), "640")
	r.want(r.do(&messages.Scroll{Direction: messages.ScrollUp, Amount: 100}), messages.Completed, "")
	r.equal("outer", r.js("Math.round(scrollY)"), "540")
}

// Focus goes to the element under its fence, and nothing else happens: no key, no press, and no guard is left behind.
func TestFocus(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := open(t, `<input id=a aria-label=A><button id=b>B</button><input id=c aria-label=C onfocus="a.focus()"><div id=d role=button>D</div>
		<script>log=[];for(const n of ['focusin','keydown','mousedown','click'])addEventListener(n,e=>log.push(n+' '+e.target.id),true)</script>`)
	r.take("#a", "#b", "#c", "#d")
	r.want(r.do(&messages.Focus{OnElement: on("#b")}), messages.Completed, "")
	r.equal("log", r.js("log.join()+' '+document.activeElement.id"), "focusin b b")
	r.want(r.do(&messages.PressKey{Key: "Tab"}), messages.Completed, "")
	r.js("a.focus();log=[]")
	r.want(r.do(&messages.Batch{Operations: []messages.ElementEffect{&messages.Focus{OnElement: on("#b")}, &messages.Focus{OnElement: on("#a")}}}), messages.Completed, "")
	r.equal("log", r.js("log.join()"), "focusin b,focusin a")
	// The one passes the focus on, the other takes none: what the page's handlers did meanwhile is not known.
	for _, id := range []string{"#c", "#d"} {
		r.want(r.do(&messages.Focus{OnElement: on(id)}), messages.OutcomeUnknown, messages.CodeElementNotActionable)
	}
	r.js("b.remove()")
	r.want(r.do(&messages.Focus{OnElement: on("#b")}), messages.NotStarted, messages.CodeRefDetached)
}

func TestDrag(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := open(t, `<style>div{width:80px;height:40px;margin:10px;background:#ccc}</style><div id=m tabindex=0>mouse</div><div id=n draggable=true tabindex=0>native</div><div id=to tabindex=0>target</div>
		<script>log=[];let down=false;m.onmousedown=()=>down=true;to.onmouseup=()=>{if(down)log.push('up');down=false};onmousemove=e=>{if(down)moves++};moves=0
		n.ondragstart=e=>{e.dataTransfer.setData('text','payload');log.push('start')};to.ondragover=e=>e.preventDefault();to.ondrop=e=>{e.preventDefault();log.push('drop:'+e.dataTransfer.getData('text'))};n.ondragend=()=>log.push('end')</script>`)
	r.take("#m", "#n", "#to")
	r.want(r.do(&messages.Drag{OnElement: on("#m"), TargetElementID: "#to"}), messages.Completed, "")
	r.equal("log", r.js("log.join()+' '+(moves>3)"), "up true")
	r.js("log=[]")
	receipt := r.do(&messages.Drag{OnElement: on("#n"), TargetElementID: "#to"})
	r.want(receipt, messages.Completed, "")
	r.equal("log", r.js("log.join()"), "start,drop:payload,end")
	r.js("to.remove()")
	r.want(r.do(&messages.Drag{OnElement: on("#m"), TargetElementID: "#to"}), messages.NotStarted, messages.CodeRefDetached)
}

// folder is a FileRoots of one directory.
type folder string

func (f folder) Resolve(_, path string) (string, *messages.Error) {
	return filepath.Join(string(f), path), nil
}

func TestUpload(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := open(t, `<input type=file id=f aria-label=F style="display:none"><input type=file id=z aria-label=Z onchange="got=this.files[0].name;this.value=''"><script>got='';log=[];f.onchange=()=>log.push(f.files[0].name+f.files[0].size)</script>`)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	r.files = folder(dir)
	r.take("#f", "#z")
	receipt := r.do(&messages.UploadFile{OnElement: on("#f"), Path: "a.txt"})
	r.want(receipt, messages.Completed, "")
	if o := receipt.Observed; o == nil || text(o.Value) != "a.txt" || matches(o.ValueMatches) != "true" {
		t.Fatalf("%+v", o)
	}
	r.equal("log", r.js("log.join()"), "a.txt5")
	r.want(r.do(&messages.UploadFile{OnElement: on("#z"), Path: "a.txt"}), messages.Completed, "")
	r.equal("got", r.js("got"), "a.txt")
	r.want(r.do(&messages.UploadFile{OnElement: on("#f"), Path: "missing.txt"}), messages.NotStarted, messages.CodeUploadFileUnavailable)
}

func TestBatch(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := open(t, `<form action=/other><input id=a aria-label=A><input id=ro aria-label=RO readonly value=keep><select id=s aria-label=S><option>X<option>Y</select><input type=checkbox id=c aria-label=C><button id=go>Go</button></form>
		<button id=dlg onclick="confirm('x')">D</button><button id=push onclick="history.pushState(0,'','/y')">P</button>`)
	r.take("#a", "#ro", "#s", "#c", "#go", "#dlg", "#push")
	batch := func(ops ...messages.ElementEffect) *messages.Receipt { return r.do(&messages.Batch{Operations: ops}) }
	set := func(id, v string) messages.ElementEffect {
		return &messages.SetValue{OnElement: on(id), Value: v}
	}
	click := func(id string) messages.ElementEffect { return &messages.Click{OnElement: on(id)} }
	progress := func(receipt *messages.Receipt) string {
		b := receipt.Batch
		at := "-"
		if b.StoppedAtIndex != nil {
			at = fmt.Sprint(*b.StoppedAtIndex)
		}
		return fmt.Sprint(receipt.ExecutionState, " ", receipt.Code, " ", b.CompletedCount, " ", at, " ", b.StoppedExecutionState, " ", b.RemainingCount, " ", len(b.Results))
	}
	receipt := batch(set("#a", "1"), &messages.SelectOption{OnElement: on("#s"), Option: "Y"}, click("#c"))
	r.equal("progress", progress(receipt), "completed  3 -  0 3")
	if o := receipt.Batch.Results; text(o[0].Observed.Value) != "1" || matches(o[1].Observed.ValueMatches) != "true" || matches(o[2].Observed.StateMatches) != "true" {
		t.Fatalf("%+v", o)
	}
	if p := r.lastTicket; p.begun.Load() != 3 || p.changed.Load() != 3 {
		t.Fatalf("%d %d", p.begun.Load(), p.changed.Load())
	}
	receipt = batch(set("#a", "2"), set("#ro", "x"), set("#a", "3"))
	r.equal("progress", progress(receipt), "completed element_not_actionable 1 1 not_started 2 2")
	if !receipt.NeedsSnapshot {
		t.Fatal("no needs_snapshot")
	}
	r.equal("values", r.js("a.value+ro.value"), "2keep")
	r.equal("progress", progress(batch(set("#ro", "x"), set("#a", "3"))), "not_started element_not_actionable 0 0 not_started 2 1")
	receipt = batch(click("#push"), set("#a", "4"))
	r.equal("progress", progress(receipt), "completed snapshot_stale 1 0 completed 1 1")
	r.take("#a", "#go", "#dlg", "#c")
	receipt = batch(set("#a", "5"), click("#dlg"), set("#a", "6"))
	r.equal("progress", progress(receipt), "completed dialog_open 2 1 completed 1 2")
	r.call(r.session, "Page.handleJavaScriptDialog", map[string]any{"accept": true}, nil)
	receipt = batch(set("#a", "7"), click("#go"))
	r.equal("progress", progress(receipt), "completed  2 -  0 2")
	if receipt.Document != messages.DocumentNavigated || !receipt.NeedsSnapshot {
		t.Fatalf("%+v", receipt)
	}
}
