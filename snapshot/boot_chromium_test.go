package snapshot_test

import (
	"slices"
	"strings"
	"testing"
	"time"
)

const buttons = `<button id=a>Alpha</button><button id=b>Beta</button><script>at('a',50,50);at('b',50,150)</script>`

var guardPages = map[string]string{
	"/light": buttons + `<input id=i aria-label=First><input id=j aria-label=Second><script>at('i',300,50);at('j',300,100)</script>
<fieldset disabled><legend><button id=ok>Legend</button></legend><button id=d>Dis</button></fieldset><div inert><button id=in>Inert</button></div><div aria-disabled=true><a id=ad href="#x">Off</a></div>
<input id=ro readonly value=x>
<form id=f style="position:absolute;top:300px"><input name=parentNode><input name=ownerDocument><input name=isConnected><input name=getRootNode><button id=fb type=button>Formy</button></form>
<label id=l style="position:absolute;left:500px;top:50px"><input type=checkbox id=c style="position:absolute;opacity:0;width:0;height:0">Accept</label>
<div id=card style="position:absolute;left:500px;top:150px;width:200px;height:40px" role=button tabindex=0>Card <a id=inlink href="#y" style="position:absolute;left:0;top:0;width:110px;height:40px">more</a></div>
<input id=pw type=password value=secret aria-label=Pass>
<div style="height:3000px"></div><button id=far>Far</button>`,
	"/shadow": `<div id=h></div><div id=h2></div><script>at('h',50,50);at('h2',300,50);
const r=h.attachShadow({mode:'closed'});r.innerHTML='<style>button{position:absolute;width:100px;height:30px;left:0}</style><button id=s1 style="top:0">S1</button><button id=s2 style="top:50px">S2</button><div id=deep></div>';
window.root=r;r.addEventListener('click',e=>log.push('root:'+e.target.id));
const q=r.getElementById('deep').attachShadow({mode:'closed'});q.innerHTML='<button id=n1 style="position:absolute;top:100px">N1</button><button id=n2 style="position:absolute;top:150px">N2</button>';window.inner=q;q.addEventListener('click',e=>log.push('inner:'+e.target.id));
const s=h2.attachShadow({mode:'closed'});s.innerHTML='<button id=sb><slot></slot></button>';h2.innerHTML='<span id=sp>Slotted text</span>';window.slotted=s.querySelector('button');slotted.onclick=()=>log.push('slotted');
const o=document.createElement('div');o.id='op';document.body.append(o);const p=o.attachShadow({mode:'open'});p.innerHTML='<button id=o1>O1</button><input id=o2 aria-label=Inner>';at('op',500,50)</script>`,
	"/frames": `<iframe id=fr src="/inner" style="position:absolute;left:100px;top:100px;border:5px solid;padding:7px;width:400px;height:200px"></iframe><iframe id=fr2 src="/inner" style="position:absolute;left:100px;top:400px;width:400px;height:200px"></iframe>`,
	"/inner":  buttons + `<input id=i aria-label=Inner>`,
	"/new":    `<button id=evil style="position:fixed;inset:0;width:100%;height:100%">Evil</button>`,
	"/drag":   `<div id=src draggable=false tabindex=0 role=button>Source</div><div id=dst role=button tabindex=0>Target</div><div id=no role=button tabindex=0>Other</div><script>at('src',50,50);at('dst',300,50);at('no',300,150);for(const t of ['pointerup','mouseup'])addEventListener(t,e=>log.push(t+':'+e.target.id))</script>`,
}

// reached is what the page saw of input.
func reached(log []string) bool { return len(log) > 0 }

func wantHit(t *testing.T, got answer, log []string, entry string) {
	t.Helper()
	if got.Hit == nil || !*got.Hit || !slices.Contains(log, entry) {
		t.Errorf("the input should have arrived: %+v, page saw %v", got, log)
	}
}

func wantStopped(t *testing.T, got answer, log []string, code, word string) {
	t.Helper()
	if got.Hit == nil || *got.Hit || got.Blocked == nil || got.Blocked.Code != code || !strings.Contains(got.Blocked.Detail, word) {
		t.Errorf("the input should have been stopped as %s naming %q: %+v %+v", code, word, got, got.Blocked)
	}
	if reached(log) {
		t.Errorf("the page saw %v of an input that was stopped", log)
	}
}

func wantRefused(t *testing.T, got answer, code, word string) {
	t.Helper()
	if got.OK || got.Code != code || !strings.Contains(got.Detail, word) {
		t.Errorf("should be refused as %s naming %q, got %+v", code, word, got)
	}
}

// R30, R33, R35: the fence around an element, and the guard that makes the check hold at the instant of the event.
func TestR33GuardOnPlainPage(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, guardPages)
	r.open("/light")
	at := r.begin(1, "a", "b", "d", "document.getElementById('in')", "ad", "ok", "fb", "far", "card")
	a, far := at[0], at[7]
	if again := r.register("a", 1); again != a {
		t.Errorf("a second registration gave %d, want %d", again, a)
	}
	if stale := r.register("a", 2); stale != -1 {
		t.Errorf("registering for another generation gave %d", stale)
	}
	wantHit(t, r.click(a, 1), r.log("window"), "click:a")
	wantHit(t, r.click(at[5], 1), r.log("window"), "click:ok")
	wantHit(t, r.click(at[6], 1), r.log("window"), "click:fb")
	wantHit(t, r.click(far, 1), r.log("window"), "click:far")
	r.main("scrollTo(0,0)")
	wantHit(t, r.click(at[8], 1), r.log("window"), "click:card")

	aimed := r.aim(a, 1, "")
	r.main("at('b',50,50);at('a',50,400)")
	wantStopped(t, r.press(aimed), r.log("window"), "element_covered", `button "Beta"`)
	r.main("at('a',50,50);at('b',50,150)")

	aimed = r.aim(a, 1, "")
	r.main("a.textContent='Delete account'")
	wantStopped(t, r.press(aimed), r.log("window"), "ref_changed", "Delete account")
	wantRefused(t, r.aim(a, 1, ""), "ref_changed", `was button "Alpha" and is now button "Delete account"`)
	r.main("a.textContent='Alpha'")

	r.main(`cov=document.createElement('div');cov.style.cssText='position:fixed;inset:0';cov.setAttribute('role','dialog');cov.setAttribute('aria-label','Cookies');document.body.append(cov)`)
	wantRefused(t, r.aim(a, 1, ""), "element_covered", `dialog "Cookies"`)
	r.main("cov.remove()")

	for i, word := range map[int]string{at[2]: "disabled", at[3]: "inert", at[4]: "aria-disabled"} {
		wantRefused(t, r.aim(i, 1, ""), "control_disabled", word)
	}
	r.main("a.replaceWith(a.cloneNode(true))")
	wantRefused(t, r.aim(a, 1, ""), "ref_detached", "replaced")
	r.main("b.remove()")
	wantRefused(t, r.aim(at[1], 1, ""), "ref_detached", "removed")
	r.ours(nil, "troupe.begin(2)")
	wantRefused(t, r.aim(far, 1, ""), "snapshot_stale", "later snapshot")
	if log := r.log("window"); reached(log) {
		t.Errorf("refusals reached the page: %v", log)
	}
}

// C10: under the stale policy an address that the page changed by itself ends its ids.
func TestC10AddressFence(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, guardPages)
	r.open("/light")
	at := r.begin(1, "a")
	r.main("history.pushState(null,'','/elsewhere')")
	wantRefused(t, r.aim(at[0], 1, ",href:true"), "snapshot_stale", "another address")
	wantHit(t, r.click(at[0], 1), r.log("window"), "click:a")
}

// A control that cannot be hit is clicked through its label, and a label passes the click on.
func TestR227HiddenControlBehindLabel(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, guardPages)
	r.open("/light")
	at := r.begin(1, "c", "l")
	aimed := r.aim(at[0], 1, "")
	if aimed.Via != "label" {
		t.Errorf("aimed via %q: %+v", aimed.Via, aimed)
	}
	got := r.press(aimed)
	wantHit(t, got, r.log("window"), "click:c")
	if got.State.Checked != true || got.Clicks != 1 {
		t.Errorf("after the click: %+v", got)
	}
	wantHit(t, r.click(at[1], 1), r.log("window"), "click:c")
	if r.main("String(c.checked)") != "false" {
		t.Error("the click on the label did not reach its control")
	}
}

func TestGuardInClosedRoots(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, guardPages)
	r.open("/shadow")
	at := r.begin(1, "root.getElementById('s1')", "inner.getElementById('n1')", "slotted", "op.shadowRoot.getElementById('o1')")
	wantHit(t, r.click(at[0], 1), r.log("window"), "root:s1")
	wantHit(t, r.click(at[1], 1), r.log("window"), "inner:n1")
	wantHit(t, r.click(at[2], 1), r.log("window"), "slotted")
	wantHit(t, r.click(at[3], 1), r.log("window"), "click:o1")

	aimed := r.aim(at[0], 1, "")
	r.main("root.getElementById('s1').style.top='200px';root.getElementById('s2').style.top='0'")
	wantStopped(t, r.press(aimed), r.log("window"), "element_covered", `button "S2"`)
	aimed = r.aim(at[1], 1, "")
	r.main("inner.getElementById('n1').style.top='300px';inner.getElementById('n2').style.top='100px'")
	wantStopped(t, r.press(aimed), r.log("window"), "element_covered", `button "N2"`)
}

// R104, R107: frames of the same origin share the outer registry and fence.
func TestR107GuardInFrames(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, guardPages)
	r.open("/frames")
	const a, b = "fr.contentDocument.getElementById('a')", "fr2.contentDocument.getElementById('b')"
	at := r.begin(1, a, b)
	wantHit(t, r.click(at[0], 1), r.log("fr.contentWindow"), "click:a")
	wantHit(t, r.click(at[1], 1), r.log("fr2.contentWindow"), "click:b")

	nothing := func() []string {
		return slices.Concat(r.log("window"), r.log("fr.contentWindow"), r.log("fr2.contentWindow"))
	}
	aimed := r.aim(at[0], 1, "")
	r.main("fr.style.top='600px';fr2.style.top='107px'")
	wantStopped(t, r.press(aimed), nothing(), "element_covered", "another frame")
	r.main("fr.style.top='100px';fr2.style.top='400px'")

	r.main(`cov=document.createElement('button');cov.textContent='Overlay';cov.style.cssText='position:fixed;inset:0';document.body.append(cov)`)
	wantRefused(t, r.aim(at[0], 1, ""), "element_covered", "Overlay")
	r.main("cov.remove()")

	aimed = r.aim(at[0], 1, "")
	r.main("new Promise(done=>{fr.onload=done;fr.src='/new'})")
	wantStopped(t, r.press(aimed), nothing(), "element_covered", "another frame")
	wantRefused(t, r.aim(at[1], 1, ""), "snapshot_stale", "frame")
	var human answer
	r.ours(&human, "troupe.human()")
	if human.Taken {
		t.Error("our own input counted as a person's")
	}
}

// A press in flight must not hit a document that replaced the one it was aimed at.
func TestR30NavigationBetweenAimAndPress(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, guardPages)
	for range 3 {
		r.open("/light")
		at := r.begin(1, "a")
		aimed := r.aim(at[0], 1, "")
		r.open("/new")
		for _, pending := range []interface{ Wait(any) error }{r.mouse("mousePressed", aimed.X, aimed.Y), r.mouse("mouseReleased", aimed.X, aimed.Y)} {
			if err := pending.Wait(nil); err != nil {
				t.Fatal(err)
			}
		}
		if log := r.log("window"); reached(log) {
			t.Fatalf("the new document got %v", log)
		}
	}
	r.ours(nil, "troupe.open()")
	_ = r.mouse("mousePressed", 50, 50).Wait(nil)
	_ = r.mouse("mouseReleased", 50, 50).Wait(nil)
	if log := r.log("window"); !slices.Contains(log, "click:evil") {
		t.Errorf("an opened document should take input, saw %v", log)
	}
}

// Keys and inserted text reach the field they were meant for or nothing.
func TestR30GuardOfKeys(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, guardPages)
	r.open("/light")
	at := r.begin(1, "i", "j", "ro", "pw")
	focus := func(index int, more string) (out answer) {
		r.ours(&out, "troupe.focus({i:%d,g:1%s})", index, more)
		return out
	}
	insert := func(aimed answer, text string) (out answer) {
		r.call(r.page, "Input.insertText", map[string]any{"text": text}, nil)
		r.ours(&out, "troupe.verdict(%d)", aimed.Token)
		return out
	}
	got := insert(focus(at[0], ",act:'input_text',caret:'all'"), "héllo")
	wantHit(t, got, r.log("window"), "input:i")
	if got.State.Value == nil || *got.State.Value != "héllo" {
		t.Errorf("state %+v", got.State)
	}
	got = insert(focus(at[0], ",act:'input_text',caret:'end'"), "!")
	if got.State.Value == nil || *got.State.Value != "héllo!" {
		t.Errorf("caret at the end: %+v", got.State)
	}
	r.log("window")
	aimed := focus(at[0], ",act:'input_text',caret:'end'")
	r.main("j.focus()")
	wantStopped(t, insert(aimed, "stray"), r.log("window"), "element_covered", "Second")
	if r.main("i.value+'|'+j.value") != "héllo!|" {
		t.Errorf("values %s", r.main("i.value+'|'+j.value"))
	}
	aimed = focus(at[0], "")
	r.main("j.focus()")
	r.call(r.page, "Input.dispatchKeyEvent", map[string]any{"type": "keyDown", "key": "a", "code": "KeyA", "text": "a", "windowsVirtualKeyCode": 65}, nil)
	r.call(r.page, "Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": "a", "code": "KeyA", "windowsVirtualKeyCode": 65}, nil)
	r.ours(&got, "troupe.verdict(%d)", aimed.Token)
	wantStopped(t, got, r.log("window"), "element_covered", "Second")

	wantRefused(t, focus(at[2], ",act:'input_text'"), "element_not_actionable", "read-only")
	var read answer
	r.ours(&read, "troupe.read(%d)", at[3])
	if read.Value != nil || !read.Withheld {
		t.Errorf("a password was read: %+v", read)
	}
	r.main("pw.type='text'")
	r.ours(&read, "troupe.read(%d)", at[3])
	if read.Value != nil || !read.Withheld {
		t.Errorf("a former password was read: %+v", read)
	}
}

// A drag ends on its own target or is stopped before the page learns of the drop.
func TestR227GuardOfDrag(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, guardPages)
	r.open("/drag")
	at := r.begin(1, "src", "dst")
	drag := func(before string) (answer, []string) {
		aimed := r.aim(at[0], 1, ",kind:'drag',to:1")
		if !aimed.OK {
			t.Fatalf("%+v", aimed)
		}
		_ = r.mouse("mousePressed", aimed.X, aimed.Y).Wait(nil)
		r.main("%s", before)
		_ = r.mouse("mouseReleased", aimed.ToX, aimed.ToY).Wait(nil)
		var out answer
		r.ours(&out, "troupe.verdict(%d)", aimed.Token)
		return out, r.log("window")
	}
	got, log := drag("0")
	wantHit(t, got, log, "pointerup:dst")
	if got.Drops != 1 {
		t.Errorf("drops %d", got.Drops)
	}
	got, log = drag("at('dst',300,300);at('no',300,50)")
	if got.Blocked == nil || got.Drops != 0 || slices.Contains(log, "pointerup:no") {
		t.Errorf("the drop should have been stopped: %+v, page saw %v", got, log)
	}
}

// R158, R159: trusted input outside our own windows is a person's, sticky until the next snapshot.
func TestR159TakeOver(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, guardPages)
	r.open("/light")
	at := r.begin(1, "a")
	wantHit(t, r.click(at[0], 1), r.log("window"), "click:a")
	var human answer
	r.ours(&human, "troupe.human()")
	if human.Taken || human.Count != 0 {
		t.Errorf("our own click counted: %+v", human)
	}
	r.main("new Promise(done=>setTimeout(done,1600))")
	_ = r.mouse("mousePressed", 5, 5).Wait(nil)
	_ = r.mouse("mouseReleased", 5, 5).Wait(nil)
	r.ours(&human, "troupe.human()")
	if !human.Taken || human.Count != 1 {
		t.Errorf("a person's click: %+v", human)
	}
	wantRefused(t, r.aim(at[0], 1, ",takeover:true"), "taken_over", "person")
	at = r.begin(2, "a")
	wantHit(t, r.click(at[0], 2), r.log("window"), "click:a")
}

// document.open() takes every listener away; the guard comes back by itself.
func TestGuardSurvivesDocumentOpen(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, guardPages)
	r.open("/light")
	r.main("w=document.documentElement.outerHTML;document.open();document.write('<button id=a style=\"position:absolute;left:50px;top:50px;width:100px;height:30px\">Alpha</button>');document.close();window.log=[];a.onclick=()=>log.push('click:a')")
	r.ours(nil, "troupe.open()")
	_ = r.mouse("mousePressed", 60, 60).Wait(nil)
	_ = r.mouse("mouseReleased", 60, 60).Wait(nil)
	var human answer
	r.ours(&human, "troupe.human()")
	if human.Count == 0 {
		t.Error("after document.open() a person's input went unseen")
	}
	at := r.begin(1, "a")
	wantHit(t, r.click(at[0], 1), r.log("window"), "click:a")
}

// R76: the observer is up before the press, so that a handler's own changes count, and the cap is kept.
func TestR76Settle(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, guardPages)
	r.open("/light")
	at := r.begin(1, "a", "b")
	r.main("a.onclick=()=>{a.title='now';setTimeout(()=>a.lang='x',60)}")
	got := r.click(at[0], 1)
	if got.Mutations < 1 {
		t.Errorf("the handler's change was not counted: %+v", got)
	}
	r.ours(&got, "troupe.settle({frames:3,quietMs:100})")
	if !got.Quiet || got.Mutations < 2 {
		t.Errorf("settle %+v", got)
	}
	r.main("ticking=setInterval(()=>a.title=Math.random(),5)")
	start := time.Now()
	r.ours(&got, "troupe.settle({frames:2,quietMs:50,capMs:300})")
	if got.Quiet || got.Reason != "dom_changed" || time.Since(start) > 3*time.Second {
		t.Errorf("a page that never rests: %+v after %v", got, time.Since(start))
	}
	r.main("clearInterval(ticking)")
}

// A point of a frame that is turned, mirrored, skewed or zoomed is found exactly;
// where a frame leaves the plane the click reaches its element or nothing.
func TestGuardInTransformedFrames(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, map[string]string{
		"/inner": `<button id=a style="position:absolute;left:220px;top:10px;width:60px;height:20px">A</button>` +
			`<button id=b style="position:absolute;left:10px;top:70px;width:60px;height:20px">B</button>`,
	})
	for style, flat := range map[string]bool{
		"transform:rotate(20deg)": true, "transform:rotate(180deg)": true, "transform:scaleX(-1)": true, "rotate:-75deg": true,
		"transform:skew(20deg,5deg)": true, "transform:rotate(30deg) scale(.6,1.2);zoom:1.4": true,
		"rotate:40deg;scale:.8 1.1;transform:skewX(10deg);transform-origin:0 0": true, "transform:perspective(400px) rotateY(40deg)": false,
	} {
		for _, around := range []string{"", "transform:rotate(-35deg);zoom:1.2"} {
			r.pages["/"] = `<div style="margin:200px;` + around + `"><iframe id=fr src=/inner style="width:300px;height:100px;border:7px solid;padding:3px;` + style + `"></iframe></div>`
			r.open("/")
			at := r.begin(1, "fr.contentDocument.getElementById('a')", "fr.contentDocument.getElementById('b')")
			for i, name := range []string{"a", "b"} {
				aimed := r.aim(at[i], 1, "")
				if !aimed.OK && !flat {
					continue
				}
				got := r.press(aimed)
				hits := r.log("fr.contentWindow")
				hit := slices.Contains(hits, "click:"+name)
				if flat && !hit || len(hits) > 0 && !hit || got.Hit != nil && *got.Hit != hit {
					t.Errorf("%s in %q: %s: aimed %+v, %+v, the page got %s", style, around, name, aimed, got, hits)
				}
			}
		}
	}
}
