package effect

import (
	"strings"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/internal/soak"
	"github.com/troupe-browser/troupe/messages"
)

func TestClickCompletes(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := open(t, `<button id=b>Go</button><script>n=[];b.onclick=e=>n.push([e.isTrusted,e.detail,e.button,e.shiftKey].join())
		b.oncontextmenu=e=>{n.push("menu");e.preventDefault()};b.onauxclick=e=>n.push("aux"+e.button)</script>`)
	r.take("#b")
	receipt := r.do(&messages.Click{OnElement: on("#b")})
	r.want(receipt, messages.Completed, "")
	if receipt.OperationID != "op" || receipt.Document != messages.DocumentSame || !receipt.Stability.Stable || (receipt.Requests != nil && receipt.Requests.Count > 0) {
		t.Fatalf("%+v", receipt)
	}
	if p := r.lastTicket; p.begun.Load() != 1 || p.changed.Load() != 1 || p.takenBack.Load() != 0 {
		t.Fatalf("progress %+v", p)
	}
	r.want(r.do(&messages.Click{OnElement: on("#b"), Count: 2, Modifiers: []messages.Modifier{messages.ModifierShift}}), messages.Completed, "")
	r.want(r.do(&messages.Click{OnElement: on("#b"), Button: messages.ButtonRight}), messages.Completed, "")
	r.want(r.do(&messages.Click{OnElement: on("#b"), Button: messages.ButtonMiddle}), messages.Completed, "")
	r.equal("log", r.js("n.join(' ')"), "true,1,0,false true,1,0,true true,2,0,true menu aux2 aux1")
}

// Each of these is a row of the peers' table: the page changed since the
// snapshot in a way in which a click would do the wrong thing.
func TestClickRefusesWhatChanged(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	const page = `<div id=p><button id=b onclick="n++">Archive</button></div><script>n=0</script>`
	for name, c := range map[string]struct {
		change string
		code   messages.Code
		detail string
	}{
		"renamed":  {`b.textContent='Delete account'`, messages.CodeRefChanged, "Delete account"},
		"removed":  {`b.remove()`, messages.CodeRefDetached, "removed"},
		"replaced": {`p.innerHTML='<button id=b onclick="n++">Archive</button>'`, messages.CodeRefDetached, "replaced"},
		"disabled": {`b.disabled=true`, messages.CodeControlDisabled, "disabled"},
		"hidden":   {`b.style.visibility='hidden'`, messages.CodeElementNotActionable, "hidden"},
		"covered": {`document.body.insertAdjacentHTML('beforeend','<div role=dialog aria-label="Cookie notice" style="position:fixed;inset:0" onclick="n++">x</div>')`,
			messages.CodeElementCovered, "Cookie notice"},
		"moved address": {`history.pushState(0,'','/elsewhere')`, messages.CodeSnapshotStale, ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := open(t, page)
			r.take("#b")
			r.js(c.change)
			start := time.Now()
			receipt := r.do(&messages.Click{OnElement: on("#b")})
			r.want(receipt, messages.NotStarted, c.code)
			if !strings.Contains(receipt.Message, c.detail) {
				t.Fatalf("message %q does not say %q", receipt.Message, c.detail)
			}
			if took := time.Since(start); took > 2*time.Second {
				t.Fatalf("took %v", took)
			}
			if p := r.lastTicket; p.begun.Load() != p.takenBack.Load() {
				t.Fatal("an effect that was not started is still open")
			}
			r.equal("clicks", r.js("n"), "0")
		})
	}
}

func TestClickFindsItsElementAmongNewSiblings(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := open(t, `<div id=p><button id=b onclick="n.push('b')">Go</button></div><script>n=[]</script>`)
	r.take("#b")
	r.js(`p.insertAdjacentHTML('afterbegin','<button onclick="n.push(\'new\')">Go</button>')`)
	r.want(r.do(&messages.Click{OnElement: on("#b")}), messages.Completed, "")
	r.equal("log", r.js("n.join()"), "b")
}

func TestClickOpensDialog(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := open(t, `<button id=c onclick="n=confirm('Sure?')">Go</button><button id=m onmousedown="alert('down')">M</button><script>n=0</script>`)
	r.take("#c", "#m")
	start := time.Now()
	receipt := r.do(&messages.Click{OnElement: on("#c")})
	r.want(receipt, messages.Completed, "")
	if d := receipt.Dialog; d == nil || d.Kind != messages.DialogConfirm || d.Message != "Sure?" || !d.Open || receipt.Stability.Reason != messages.ReasonDialogOpen {
		t.Fatalf("%+v %+v", receipt.Dialog, receipt.Stability)
	}
	if took := time.Since(start); took > 2*time.Second {
		t.Fatalf("took %v", took)
	}
	r.call(r.session, "Page.handleJavaScriptDialog", map[string]any{"accept": true}, nil)
	r.equal("n", r.js("n"), "true")
	receipt = r.do(&messages.Click{OnElement: on("#m")})
	r.want(receipt, messages.Completed, "")
	if receipt.Dialog == nil || !receipt.Dialog.Open {
		t.Fatal("no dialog")
	}
	r.call(r.session, "Page.handleJavaScriptDialog", map[string]any{"accept": true}, nil)
}

func TestClickWithDialogsAnswered(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := open(t, `<button id=c onclick="n=confirm('Sure?')">Go</button><script>n=0</script>`)
	r.auto = true
	r.take("#c")
	receipt := r.do(&messages.Click{OnElement: on("#c")})
	r.want(receipt, messages.Completed, "")
	if d := receipt.Dialog; d == nil || d.Open || d.Answered != "dismissed" {
		t.Fatalf("%+v", d)
	}
	r.equal("n", r.js("n"), "false")
}

// loadSlack is what a machine under load may take beyond a bound; the handler below blocks for longer than both.
const loadSlack = 1500 * time.Millisecond

func TestClickWhoseHandlerBlocks(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := open(t, `<button id=b onclick="n++;const e=performance.now()+7000;while(performance.now()<e);">Go</button><script>n=0</script>`)
	r.take("#b")
	start := time.Now()
	receipt := r.do(&messages.Click{OnElement: on("#b")})
	took := time.Since(start)
	r.want(receipt, messages.OutcomeUnknown, messages.CodePageUnresponsive)
	if took > messages.EffectTimeout+loadSlack || receipt.Stability.Reason != messages.ReasonPageBusy {
		t.Fatalf("took %v, %+v", took, receipt.Stability)
	}
	if p := r.lastTicket; p.begun.Load() != 1 || p.changed.Load()+p.takenBack.Load() != 0 {
		t.Fatal("an unknown outcome must stay open")
	}
	r.equal("n", r.js("n"), "1")
}

func TestClickOnBusyPage(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := open(t, `<button id=b onclick="n++">Go</button><script>n=0</script>`)
	r.take("#b")
	r.js(`setTimeout(()=>{const e=performance.now()+6000;while(performance.now()<e);},20)`)
	time.Sleep(100 * time.Millisecond)
	r.want(r.do(&messages.Click{OnElement: on("#b")}), messages.NotStarted, messages.CodePageUnresponsive)
	r.equal("n", r.js("n"), "0")
}

func TestClickAgainstMovement(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := open(t, `<div id=s style="height:80px"></div><button id=b onclick="n++" style="display:block">Go</button>
		<button id=d onclick="bad++" style="display:block">Danger</button>
		<script>n=bad=0;b.onpointerover=()=>{s.style.height='60px'}</script>`)
	r.take("#b")
	receipt := r.do(&messages.Click{OnElement: on("#b")})
	r.want(receipt, messages.Completed, "")
	r.equal("clicks", r.js("n+' '+bad"), "1 0")
}

func TestClickThatNavigates(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := open(t, `<a id=a href=/other>Other</a><button id=p onclick="history.pushState(0,'','/x?q=1')">P</button><button id=s onclick="fetch('/save?secret=1',{method:'POST'})">S</button>
		<button id=o onclick="document.open();document.write('<p>new');document.close()">O</button>`)
	r.take("#a", "#p", "#s", "#o")
	receipt := r.do(&messages.Click{OnElement: on("#s")})
	r.want(receipt, messages.Completed, "")
	if q := receipt.Requests; q == nil || q.Count != 1 || q.Failed != 0 || q.List[0] != (messages.RequestDigest{Method: "POST", Path: "/save", Status: 201}) {
		t.Fatalf("%+v", receipt.Requests)
	}
	receipt = r.do(&messages.Click{OnElement: on("#p")})
	r.want(receipt, messages.Completed, "")
	if receipt.Document != messages.DocumentNavigated || !receipt.NeedsSnapshot {
		t.Fatalf("%+v", receipt)
	}
	r.take("#a", "#o")
	receipt = r.do(&messages.Click{OnElement: on("#a")})
	r.want(receipt, messages.Completed, "")
	if receipt.Document != messages.DocumentNavigated || !receipt.NeedsSnapshot || (!receipt.Stability.Stable && receipt.Stability.Reason != messages.ReasonDocumentLoading) || !strings.HasSuffix(receipt.URL, "/other") {
		t.Fatalf("%+v %+v", receipt, receipt.Stability)
	}
	r.visit(r.origin + "/")
	r.take("#o")
	receipt = r.do(&messages.Click{OnElement: on("#o")})
	r.want(receipt, messages.Completed, "")
	if receipt.Document != messages.DocumentReplaced {
		t.Fatalf("%+v", receipt)
	}
}

func TestClickReportsCheckState(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := open(t, `<input type=checkbox id=c aria-label=C><input type=checkbox id=r aria-label=R onclick="return false">
		<input type=radio id=o name=x aria-label=O checked>
		<div role=switch id=s tabindex=0 aria-checked=false aria-label=S onclick="this.setAttribute('aria-checked','true')">s</div>
		<label id=l>Label <input type=checkbox id=h style="opacity:0;position:absolute;pointer-events:none"></label>
		<button id=e aria-expanded=false onclick="this.setAttribute('aria-expanded','true')">E</button>`)
	r.take("#c", "#r", "#o", "#s", "#l", "#h", "#e")
	for id, want := range map[string]string{"#c": "true true", "#r": "false false", "#o": "true true", "#s": "true true", "#l": "true true"} {
		receipt := r.do(&messages.Click{OnElement: on(id)})
		r.want(receipt, messages.Completed, "")
		if o := receipt.Observed; o == nil || string(o.Checked)+" "+matches(o.StateMatches) != want {
			t.Fatalf("%s: %+v, want %s", id, o, want)
		}
	}
	receipt := r.do(&messages.Click{OnElement: on("#h")})
	r.want(receipt, messages.Completed, "")
	r.equal("hidden box", r.js("h.checked"), "false")
	if o := receipt.Observed; o == nil || o.Checked != messages.CheckedFalse || matches(o.StateMatches) != "true" {
		t.Fatalf("%+v", o)
	}
	receipt = r.do(&messages.Click{OnElement: on("#e")})
	if o := receipt.Observed; o == nil || o.Expanded == nil || !*o.Expanded {
		t.Fatalf("%+v", o)
	}
}

func TestClickKnowsBackgroundRequests(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := open(t, `<button id=b onclick="fetch('/save')">Go</button><script>function poll(){fetch('/empty')}setInterval(poll,30)</script>`)
	r.background = map[string]struct{}{}
	tap := r.session.Tap(64, func(m string) bool { return m == "Network.requestWillBeSent" })
	for range 2 {
		var sent target.RequestSent
		if e := <-tap.C(); e.Decode(&sent) == nil {
			r.background[sent.Key()] = struct{}{}
		}
	}
	tap.Close()
	r.take("#b")
	receipt := r.do(&messages.Click{OnElement: on("#b")})
	r.want(receipt, messages.Completed, "")
	if q := receipt.Requests; q == nil || q.Count != 1 || q.Background == 0 || q.List[0].Path != "/save" {
		t.Fatalf("%+v", q)
	}
}

func TestClickWithKeepPolicy(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := open(t, `<button id=b onclick="n++">Go</button><script>n=0</script>`)
	r.policy.SameDocument = target.SameDocumentKeep
	r.take("#b")
	r.js("history.pushState(0,'','/x')")
	r.want(r.do(&messages.Click{OnElement: on("#b")}), messages.Completed, "")
}

// Input that comes before a new document has drawn its first frame must not get
// lost, and a slow machine must not let the reading of the guard overtake it.
func TestClickRightAfterLoad(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := open(t, `<button id=b onclick="n++">Go</button><script>n=0</script>`)
	for range soak.Rounds(t, 5, 100) {
		r.visit(r.origin + "/")
		r.take("#b")
		r.want(r.do(&messages.Click{OnElement: on("#b")}), messages.Completed, "")
		r.equal("n", r.js("n"), "1")
	}
}
