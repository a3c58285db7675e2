package snapshot_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

var walkerPages = map[string]string{
	"/fields": `<h2>Account</h2><form aria-label=Login><div role=group aria-label=Box>Email <input id=e placeholder="you@example.com"></div>
<input type=password id=pw value=hunter2 aria-label=Pass><input id=was type=password value=oldsecret aria-label=Was><input id=dots value=dotsecret aria-label=Dots style="-webkit-text-security:disc"><input value=autosecret autocomplete="section-x current-password" aria-label=Auto>
<textarea aria-label=Notes>n</textarea><select aria-label=Size><option>S<option selected>M</select><select multiple aria-label=Many><option>A</select>
<input type=number aria-label=Num><input type=range aria-label=Rng><input type=date aria-label=Date><input type=month aria-label=Month><input type=week aria-label=Week><input type=time aria-label=Time><input type=datetime-local aria-label=Local><input type=color aria-label=Col>
<input type=checkbox aria-label=Chk checked><input type=radio aria-label=Rad><input type=file aria-label=File><input type=file id=hidf style="display:none"><input type=hidden value=nothing>
<button disabled>Off</button><input aria-label=Ro readonly value=fixed><fieldset disabled><input aria-label=InSet></fieldset></form>
<fieldset><legend>Ship</legend><input aria-label=Street></fieldset>
<div aria-hidden=true><button>Hidden A</button></div><div style="display:none"><button>Hidden B</button></div><div inert><button>Hidden C</button></div><div style="visibility:hidden">Hidden D <button style="visibility:visible">Shown D</button></div><details><summary>More</summary><button>Hidden E</button></details>`,
	"/beyond": `<div contenteditable id=ed>Edit <b>me</b></div><label id=l><input type=checkbox id=c style="position:absolute;opacity:0;width:1px;height:1px">Fancy</label><div role=slider tabindex=0 aria-label=Vol aria-valuenow=1 aria-valuemin=0 aria-valuemax=5></div><div role=slider aria-label=Still aria-valuenow=1 aria-valuemin=0 aria-valuemax=5></div><div role=spinbutton aria-label=Spin></div><div draggable=true id=dg>Drag me</div>
<div role=combobox tabindex=0 aria-label=Pick aria-expanded=false>One</div><button aria-haspopup=listbox>Open list</button><button class="ant-select">Not by class</button><input aria-label=When class=flatpickr-input readonly><input aria-label=Where class="x-cascader"><input aria-label=Plain>
<div id=card style="cursor:pointer">Card text</div><div style="cursor:pointer">Has a <a href="#q">link</a></div><span style="cursor:pointer" title="Spanner">&nbsp;</span>`,
	"/hostile": `<form id=f aria-label=Trap><input name=parentNode aria-label=A><input name=firstChild aria-label=B><input name=nextSibling aria-label=C><input name=localName aria-label=D><input name=getAttribute aria-label=E><input name=shadowRoot aria-label=F><input name=ownerDocument aria-label=G><input name=checkVisibility><input name=nodeType><input name=children><button>Inside</button></form><img name=querySelectorAll><img name=body><img name=title><img name=documentElement><iframe name=troupe></iframe><p id=troupe>x</p>`,
	"/frames":  `<iframe title=Blank></iframe><iframe title=Src srcdoc="<h3>Deep</h3><button id=in>In frame</button><iframe srcdoc='<button>Nested</button>'></iframe>"></iframe><iframe sandbox title=Boxed srcdoc="x"></iframe><iframe title=Other src="data:text/html,other"></iframe>`,
	"/modal":   `<button>Behind</button><dialog id=d><button>In front</button></dialog><script>d.showModal()</script>`,
	"/rows":    `<table>` + strings.Repeat(`<tr><td>Cell <td><a href="/x">Link</a><td><button>Do</button></tr>`, 400) + `</table>`,
	"/hosts":   `<x-open></x-open><x-closed></x-closed><div id=h style="width:50px;height:20px"></div><script>customElements.define('x-open',class extends HTMLElement{constructor(){super();this.attachShadow({mode:'open'}).innerHTML='<button>Open inner</button>'}});customElements.define('x-closed',class extends HTMLElement{constructor(){super();this.attachShadow({mode:'closed'}).innerHTML='<button>Closed inner</button>'}});h.attachShadow({mode:'closed'}).innerHTML='<button>Div inner</button>'</script>`,
	"/text":    `<p>Hello <b>bold</b> and <i>more</i> text</p><p style="text-transform:uppercase">shout <em>it</em></p><p>` + strings.Repeat("long words ", 100) + `</p>`,
}

func (w *walked) names() []string {
	var out []string
	for i := range w.Nodes {
		if w.Nodes[i].Name != "" {
			out = append(out, w.Nodes[i].Name)
		}
	}
	return out
}

func (w *walked) find(t *testing.T, name string) *walkedNode {
	t.Helper()
	for i := range w.Nodes {
		if w.Nodes[i].Name == name && w.Nodes[i].Role != "text" {
			return &w.Nodes[i]
		}
	}
	t.Fatalf("no node named %q among %q", name, w.names())
	return nil
}

func wantActions(t *testing.T, out *walked, want map[string]string) {
	t.Helper()
	for name, actions := range want {
		n := out.find(t, name)
		var got []string
		for _, a := range n.Actions {
			got = append(got, string(a))
		}
		if strings.Join(got, " ") != actions {
			t.Errorf("%s admits %q, want %q", name, got, actions)
		}
		if (n.I >= 0) != (len(got) > 0) {
			t.Errorf("%s has index %d with actions %q (R52)", name, n.I, got)
		}
	}
}

const (
	clicks = "click hover scroll drag"
	typed  = "click input_text set_value hover scroll drag"
)

// R60, R61, R63, R227: actions by element name and type, none while disabled.
func TestR60WalkerAdmission(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, walkerPages)
	r.open("/fields")
	out := r.snap("generation:1,mode:'full'")
	wantActions(t, &out, map[string]string{
		"Pass": typed, "Notes": typed, "Size": "select_option", "Many": "select_option", "Num": "set_value", "Rng": "set_value", "Date": "set_value",
		"Month": "set_value", "Week": "set_value", "Time": "set_value", "Local": "set_value", "Col": "set_value", "Chk": clicks, "Rad": clicks,
		"File": "upload_file", "Choose File": "upload_file", "Off": "", "Ro": clicks, "InSet": "", "Street": typed, "Shown D": clicks, "More": clicks,
	})
	if last := out.Nodes[len(out.Nodes)-1]; last.Name != "Choose File" {
		t.Errorf("the hidden file input should come last, that is %q", last.Name)
	}
	for _, name := range out.names() {
		if strings.Contains(name, "Hidden") {
			t.Errorf("%q is hidden from everybody and was listed", name)
		}
	}
	if n := out.find(t, "Size"); !slices.Equal(n.Options, []string{"S", "M"}) || n.Value == nil || *n.Value != "M" {
		t.Errorf("the choices of a native select: %+v", n)
	}
	if n := out.find(t, "Street"); n.Group != "Ship" {
		t.Errorf("group %q", n.Group)
	}
	if n := out.find(t, "Off"); n.Disabled == nil || !*n.Disabled {
		t.Error("a disabled control should say so (R53)")
	}
	r.open("/beyond")
	var asked struct{ Asks bool }
	r.warm()
	r.ours(&asked, "troupe.snap({warm_limit_ms:500,generation:2,mode:'full',candidates:true})")
	if !asked.Asks {
		t.Error("the walker should ask for the evidence of what may be a card (R100)")
	}
	out = r.snap("generation:2,mode:'full',candidates:true,proved:[document.getElementById('card')]")
	wantActions(t, &out, map[string]string{
		"Fancy": clicks, "Vol": "set_value", "Still": "", "Spin": "", "Pick": "click select_choice hover scroll drag",
		"Open list": "click select_choice hover scroll drag", "Not by class": clicks, "When": "click set_date hover scroll drag",
		"Where": "click input_text set_value select_choice hover scroll drag", "Plain": typed,
	})
	var editor, drag, label, cards int
	for _, n := range out.Nodes {
		switch {
		case n.Role == "generic" && slices.Contains(n.Actions, "input_text"):
			editor++
		case n.Role == "generic" && n.Actions != nil && n.Actions[0] == "click" && n.Label == "Card text" && n.I >= 0:
			cards++
		case n.Role == "LabelText" && slices.Contains(n.Actions, "click"):
			label++
		case len(n.Actions) == 1 && n.Actions[0] == "drag":
			drag++
		}
	}
	if editor != 1 || drag != 1 || label != 1 || cards != 1 {
		t.Errorf("editing hosts %d, draggable %d, labels of hidden controls %d, cards %d; want one each", editor, drag, label, cards)
	}
	out = r.snap("generation:3,mode:'full',candidates:true,clickables:'broad'")
	hinted := slices.ContainsFunc(out.Nodes, func(n walkedNode) bool { return n.Tag == "span" && n.Hint == "Spanner" && len(n.Actions) > 0 })
	if !hinted {
		t.Error("broad should admit a span with a pointer of its own, with a hint")
	}
}

// R57: no password leaves the page, whatever it was turned into.
func TestR57WalkerWithholdsPasswords(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, walkerPages)
	r.open("/fields")
	r.main("was.type='text';was.removeAttribute('type');0")
	r.warm()
	answer := r.evaluate(map[string]any{"expression": "troupe.snap({generation:1,mode:'full',warm_limit_ms:500})", "uniqueContextId": r.Newest().Context, "returnByValue": true})
	for _, secret := range []string{"hunter2", "oldsecret", "dotsecret", "autosecret"} {
		if strings.Contains(string(answer.Result.Value), secret) {
			t.Errorf("%s left the page", secret)
		}
	}
}

// R45, R46, R49, R50: windows that neither repeat nor skip, and that say what they leave out.
func TestR50WalkerWindows(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, walkerPages)
	r.open("/rows")
	whole := r.snap("generation:1,mode:'full',max_nodes:100000,horizon:100000,bytes_max:1e9")
	if whole.Truncated || whole.Next != nil || whole.Total == nil || *whole.Total != len(whole.Nodes) {
		t.Errorf("the whole page: %d nodes, truncated %v, next %v, total %v", len(whole.Nodes), whole.Truncated, whole.Next, whole.Total)
	}
	var paged []walkedNode
	offset := 0
	for generation := 2; ; generation++ {
		part := r.snap(fmt.Sprintf("generation:%d,mode:'full',max_nodes:256,offset:%d", generation, offset))
		paged = append(paged, part.Nodes...)
		if part.Next == nil {
			if part.Truncated {
				t.Error("the last window says truncated")
			}
			break
		}
		if *part.Next != offset+len(part.Nodes) {
			t.Fatalf("offset %d with %d nodes goes on at %d", offset, len(part.Nodes), *part.Next)
		}
		offset = *part.Next
	}
	if len(paged) != len(whole.Nodes) {
		t.Errorf("paging gave %d of %d nodes", len(paged), len(whole.Nodes))
	}
	small := r.snap("generation:50,mode:'full',max_nodes:256,bytes_max:2000")
	if !small.Truncated || small.Next == nil || *small.Next != len(small.Nodes) || len(small.Nodes) > 30 {
		t.Errorf("a byte budget of 2,000 gave %d nodes, next %v", len(small.Nodes), small.Next)
	}
	auto := r.snap("generation:51")
	if !auto.Compacted || auto.Mode != "interactive" || len(auto.Nodes) != 128 || slices.ContainsFunc(auto.Nodes, func(n walkedNode) bool { return n.Role == "cell" }) {
		t.Errorf("auto: compacted %v, %s, %d nodes", auto.Compacted, auto.Mode, len(auto.Nodes))
	}
	horizon := r.snap("generation:52,query:{text:'nowhere'},horizon:100")
	if !horizon.Truncated || horizon.Next != nil || len(horizon.Nodes) != 0 {
		t.Errorf("past the horizon: %+v", horizon)
	}
	r.open("/fields")
	if out := r.snap("generation:53"); out.Compacted || out.Truncated {
		t.Errorf("a small page was compacted or cut: %+v", out)
	}
}

// R47, R48: every filter, alone and together.
func TestR47WalkerQuery(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, walkerPages)
	r.open("/fields")
	for i, c := range []struct{ query, want string }{
		{"text:'YOU@'", "textbox you@example.com"},
		{"text:'EMAIL'", "text Email|textbox you@example.com"},
		{"role:'SLIDER'", "slider Rng"},
		{"group:'ship'", "textbox Street"},
		{"section:'logi',role:'checkbox'", "checkbox Chk"},
		{"fields_only:true,text:'n'", "textbox Notes|listbox Many|spinbutton Num|slider Rng|DateTime Month|textbox InSet"},
		{"text:'hidden'", ""},
	} {
		out := r.snap(fmt.Sprintf("generation:%d,query:{%s}", i+1, c.query))
		var got []string
		for _, n := range out.Nodes {
			got = append(got, n.Role+" "+n.Name)
		}
		if strings.Join(got, "|") != c.want {
			t.Errorf("%s found %q, want %q", c.query, got, c.want)
		}
		if out.Compacted {
			t.Errorf("%s was compacted (R48)", c.query)
		}
	}
}

// R104, R105: frames of the same origin are in, others are reported, and what is inside can be acted on.
func TestR104WalkerFrames(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, walkerPages)
	r.open("/frames")
	out := r.snap("generation:1,mode:'full'")
	if out.Frames != 3 {
		t.Errorf("entered %d frames, want 3", out.Frames)
	}
	want := []messages.Unseen{{Kind: "frame", Reason: "sandboxed", Count: 1}, {Kind: "frame", Reason: "cross_origin", Count: 1}}
	if !slices.Equal(out.Unseen, want) {
		t.Errorf("unseen %+v", out.Unseen)
	}
	r.main("for(const w of [frames[1]])w.addEventListener('click',e=>log.push('click:'+e.target.id));0")
	wantHit(t, r.click(out.find(t, "In frame").I, 1), r.log("window"), "click:in")
	out.find(t, "Nested")
	r.open("/modal")
	out = r.snap("generation:2,mode:'full'")
	out.find(t, "In front")
	if slices.Contains(out.names(), "Behind") {
		t.Error("what a modal dialog shuts off was listed")
	}
}

// A page's names for its fields do not lead the walker or the guard astray.
func TestWalkerOnHostilePage(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, walkerPages)
	r.open("/hostile")
	out := r.snap("generation:1,mode:'full'")
	for _, name := range []string{"A", "B", "C", "D", "E", "F", "G", "Inside"} {
		if n := out.find(t, name); n.Section != "Trap" {
			t.Errorf("%s is in section %q", name, n.Section)
		}
	}
	r.main("f.addEventListener('submit',e=>e.preventDefault())")
	got := r.click(out.find(t, "Inside").I, 1)
	wantHit(t, got, r.log("window"), "click:button")
}

// Observing changes nothing: no attribute, no global, no mutation record.
func TestC9WalkerChangesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, walkerPages)
	for i, path := range []string{"/fields", "/beyond", "/frames", "/hosts"} {
		r.open(path)
		r.main("window.before='';window.mo=new MutationObserver(()=>{});mo.observe(document,{subtree:true,childList:true,attributes:true,characterData:true});window.before=document.documentElement.outerHTML+Object.getOwnPropertyNames(window).sort()")
		r.snap(fmt.Sprintf("generation:%d,mode:'full',candidates:true", i+1))
		if n := r.main("String(mo.takeRecords().length)"); n != "0" {
			t.Errorf("%s: %s mutation records", path, n)
		}
		if same := r.main("String(before===document.documentElement.outerHTML+Object.getOwnPropertyNames(window).sort())"); same != "true" {
			t.Errorf("%s: the page or its globals changed", path)
		}
	}
}

// A closed root cannot be seen, but its host is named as a suspect; open ones are walked.
func TestWalkerSuspectsClosedRoots(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, walkerPages)
	r.open("/hosts")
	r.warm()
	var out struct {
		walked
		Suspects []int
	}
	r.ours(&out, "troupe.snap({generation:1,mode:'full',warm_limit_ms:500})")
	out.find(t, "Open inner")
	closed := 0
	for _, i := range out.Suspects {
		found := r.evaluate(map[string]any{"expression": fmt.Sprintf("troupe.handle({g:1,i:%d})", i), "uniqueContextId": r.Newest().Context})
		var node struct {
			Node struct {
				ShadowRoots []struct{ ShadowRootType string }
			}
		}
		r.call(r.page, "DOM.describeNode", map[string]any{"objectId": found.Result.ObjectID}, &node)
		for _, root := range node.Node.ShadowRoots {
			if root.ShadowRootType == "closed" {
				closed++
			}
		}
	}
	if closed != 2 {
		t.Errorf("%d of 2 closed roots were suspected: %v", closed, out.Suspects)
	}
}

// Text of one line is one node, in the case that is shown, and a long one is split between words.
func TestWalkerText(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, walkerPages)
	r.open("/text")
	out := r.snap("generation:1,mode:'full'")
	got := out.names()
	if len(got) < 3 || got[0] != "Hello bold and more text" || got[1] != "SHOUT IT" {
		t.Errorf("texts %q", got)
	}
	long := strings.Join(got[2:], " ")
	if long != strings.TrimSpace(strings.Repeat("long words ", 100)) {
		t.Errorf("the long text came as %d pieces: %q", len(got)-2, got[2:])
	}
}

// Without cheap computed roles the walker does nothing, and the registry stays.
func TestWalkerCold(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, guardPages)
	r.open("/light")
	at := r.begin(1, "a")
	var out walked
	r.ours(&out, "troupe.snap({generation:2,warm_limit_ms:-1})")
	if !out.Cold || out.Nodes != nil {
		t.Errorf("%+v", out)
	}
	wantHit(t, r.click(at[0], 1), r.log("window"), "click:a")
	r.ours(&out, "troupe.snap({generation:3,identity:'lite',mode:'full'})")
	if n := out.find(t, "Alpha"); n.Role != "button" || n.I < 0 {
		t.Errorf("by our own names: %+v", n)
	}
	if _, err := json.Marshal(out); err != nil {
		t.Fatal(err)
	}
}
