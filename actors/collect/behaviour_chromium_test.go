package collect_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/actors/collect"
	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/messages"
)

// both runs a test once with each collector.
func both(t *testing.T, test func(t *testing.T, r *rig)) {
	t.Helper()
	bothOf(t, newRig, test)
}

// bothOf is both with rigs of the test's choice.
func bothOf(t *testing.T, open func(testing.TB, map[string]string) *rig, test func(t *testing.T, r *rig)) {
	t.Helper()
	for _, computed := range []bool{true, false} {
		name := "ax"
		if computed {
			name = "walker"
		}
		t.Run(name, func(t *testing.T) {
			r := open(t, nil)
			r.computed = computed
			test(t, r)
		})
	}
}

var full = messages.TakeSnapshot{Mode: messages.ModeFull, MaxNodes: messages.SnapshotNodesMax}

func unseen(s *messages.Snapshot) string {
	var parts []string
	for _, u := range s.Unseen {
		parts = append(parts, fmt.Sprintf("%s/%s=%d", u.Kind, u.Reason, u.Count))
	}
	slices.Sort(parts)
	return strings.Join(parts, " ")
}

func TestSnapshotR57PasswordsStayInThePage(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	both(t, func(t *testing.T, r *rig) {
		r.show(`<label>Now <input type=password value=secret-one></label>
<label>Once <input type=password id=once value=secret-two></label>
<label>Painted <input style="-webkit-text-security:disc" value=secret-three></label>
<label>Auto <input autocomplete=current-password value=secret-four></label>
<label>Late <input type=password id=late></label><label>Open <input value=plain></label>
<label>Fixed <input type=password readonly value=secret-five></label>`)
		r.js(`once.type="text";late.value="secret-six";late.type="text"`)
		for _, projection := range []messages.Projection{messages.ProjectionSemantic, messages.ProjectionTree, messages.ProjectionFlat} {
			command := full
			command.Projection = projection
			s := r.snap(command).Snapshot
			if text := show(s); strings.Contains(text, "secret") {
				t.Errorf("%s shows a password:\n%s", projection, text)
			} else if !strings.Contains(text, "plain") {
				t.Errorf("%s does not show an ordinary value", projection)
			}
		}
	})
}

func TestSnapshotR104FramesOfTheOrigin(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	both(t, func(t *testing.T, r *rig) {
		r.pages = map[string]string{
			"/inner": `<button>Inner</button><iframe srcdoc="<button>Deep</button>"></iframe>`,
			"/outer": `<button>Before</button><iframe src="/inner"></iframe><button>Between</button>` +
				`<iframe src="{other}/inner"></iframe><iframe sandbox="allow-scripts" src="/inner"></iframe><iframe srcdoc="<button>Doc</button>"></iframe><button>After</button>`,
			"/plain": `<button>Alone</button>`,
		}
		r.open("/outer")
		result := r.snap(full)
		var order []string
		for _, n := range result.Snapshot.Nodes {
			if n.Role == "button" {
				order = append(order, n.Name)
				if n.ElementID == "" {
					t.Errorf("%s has no id", n.Name)
				}
			}
		}
		if got := strings.Join(order, " "); got != "Before Inner Deep Between Doc After" {
			t.Errorf("order %q", got)
		}
		if got := unseen(result.Snapshot); got != "frame/cross_origin=1 frame/sandboxed=1" {
			t.Errorf("unseen %q", got)
		}
		if !result.Framed {
			t.Error("the result does not say that frames gave out ids")
		}
		r.open("/plain")
		if result := r.snap(full); result.Framed || len(result.Snapshot.Unseen) != 0 {
			t.Errorf("a page without frames: %+v", result)
		}
	})
}

func TestSnapshotR105AtMost32Frames(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	both(t, func(t *testing.T, r *rig) {
		r.show(strings.Repeat(`<iframe srcdoc="<button>F</button>" style="width:9px;height:9px"></iframe>`, 35))
		s := r.snap(full).Snapshot
		if got := unseen(s); got != "frame/limit=3" {
			t.Errorf("unseen %q", got)
		}
		if n := strings.Count(show(s), `"name":"F"`); n != messages.FramesMax {
			t.Errorf("%d frames were read", n)
		}
	})
}

func TestSnapshotR62ShadowRoots(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	both(t, func(t *testing.T, r *rig) {
		r.show(`<x-open></x-open><x-closed></x-closed><label>Day <input type=date></label><script>
for (const mode of ["open","closed"]) customElements.define("x-"+mode, class extends HTMLElement {
  connectedCallback() { this.attachShadow({mode}).innerHTML = "<button>In "+mode+"</button><input aria-label='Text "+mode+"'>" }
})</script>`)
		s := r.snap(full).Snapshot
		if s.Collector != "ax" {
			t.Errorf("%s answered although there is a closed root", s.Collector)
		}
		for _, name := range []string{"In open", "In closed"} {
			if n := find(t, s, "button", name); n.ElementID == "" || !slices.Contains(n.Actions, "click") {
				t.Errorf("%s cannot be clicked", name)
			}
		}
		if n := find(t, s, "textbox", "Text closed"); !slices.Contains(n.Actions, "set_value") {
			t.Errorf("a field in a closed root admits %v", n.Actions)
		}
		for _, n := range s.Nodes {
			if n.Role == "spinbutton" || n.Name == "Show date picker" {
				t.Errorf("a private part is listed beside its owner: %+v", n)
			}
		}
	})
}

func TestSnapshotR227HiddenFileInputsAndLabels(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	both(t, func(t *testing.T, r *rig) {
		r.show(`<label>Portrait <input type=file style="display:none"></label>
<input type=file hidden disabled aria-label=Off>
<input type=checkbox id=c style="position:absolute;opacity:0;width:1px;height:1px"><label for=c>Newsletter</label>
<input type=checkbox id=v><label for=v>Visible</label>
<div draggable=true>Card to drag</div>`)
		s := r.snap(full).Snapshot
		portrait := find(t, s, "button", "Portrait")
		if actions(portrait) != "upload_file" || portrait.ElementID == "" {
			t.Errorf("hidden file input: %+v", portrait)
		}
		if off := find(t, s, "button", "Off"); len(off.Actions) != 0 || off.ElementID != "" {
			t.Errorf("disabled hidden file input: %+v", off)
		}
		labels := 0
		for _, n := range s.Nodes {
			if n.Role == "LabelText" {
				labels++
				if !slices.Contains(n.Actions, "click") {
					t.Errorf("label %+v", n)
				}
			}
			if slices.Equal(n.Actions, []messages.Action{"drag"}) {
				labels += 10
			}
		}
		// One label stands in for a checkbox nobody sees, and one for the file input.
		if labels != 12 {
			t.Errorf("labels and draggable: %d in\n%s", labels, show(s))
		}
	})
}

func TestSnapshotBusyPageSaysSoWithinItsDeadline(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	both(t, func(t *testing.T, r *rig) {
		r.show(`<button>Here</button>`)
		r.snap(full)
		r.js(`setTimeout(() => { const end = Date.now() + 8000; while (Date.now() < end); }, 10)`)
		time.Sleep(100 * time.Millisecond)
		began := time.Now()
		s := r.snap(full).Snapshot
		if !s.Busy || len(s.Nodes) != 0 {
			t.Errorf("busy %v with %d nodes", s.Busy, len(s.Nodes))
		}
		if took := time.Since(began); took > messages.ObserveTimeout {
			t.Errorf("it took %v", took)
		}
	})
}

func TestSnapshotOpenDialogMakesNoCall(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, nil)
	r.show(`<button>Here</button>`)
	r.call(r.page, "Runtime.evaluate", map[string]any{"expression": `setTimeout(() => confirm("Sure?"), 10)`}, nil)
	opened := <-r.dialog
	request := r.request(full)
	request.Dialog = &opened
	result, err := collect.Snapshot(r.ctx, r.target(), request)
	if err != nil || result.Snapshot.Dialog == nil || result.Snapshot.Dialog.Message != "Sure?" || len(result.Snapshot.Nodes) != 0 {
		t.Errorf("%+v %v", result.Snapshot, err)
	}
	r.call(r.page, "Page.handleJavaScriptDialog", map[string]any{"accept": true}, nil)
}

func TestSnapshotR38ReplacedDocumentIsNotPublished(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	both(t, func(t *testing.T, r *rig) {
		r.show(`<button>Old</button>`)
		old := r.target()
		r.show(`<button>New</button>`)
		if _, err := collect.Snapshot(r.ctx, old, r.request(full)); !errors.Is(err, collect.ErrDocumentChanged) {
			t.Errorf("a snapshot of the old document ends with %v", err)
		}
		r.js(`location.href = "javascript:'<button>Third</button>'"`)
		old = r.target()
		r.AwaitLoad()
		if _, err := collect.Snapshot(r.ctx, old, r.request(full)); err != nil && !errors.Is(err, collect.ErrDocumentChanged) {
			t.Errorf("a javascript: document ends with %v", err)
		}
		find(t, r.snap(full).Snapshot, "button", "Third")
	})
}

func TestSnapshotCancelledCallerGetsAnError(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, nil)
	r.show(`<button>Here</button>`)
	ctx, cancel := context.WithCancel(r.ctx)
	cancel()
	if _, err := collect.Snapshot(ctx, r.target(), r.request(full)); err == nil {
		t.Error("a cancelled snapshot answered")
	}
}

func TestSnapshotDeepAndLargePages(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	both(t, func(t *testing.T, r *rig) {
		r.show(strings.Repeat("<div>", 400) + "<button>Deep</button>" + strings.Repeat("</div>", 400))
		find(t, r.snap(full).Snapshot, "button", "Deep")
		r.show(strings.Repeat("<section aria-label=S>", 40) + "<button>Deeper</button>" + strings.Repeat("</section>", 40))
		s := r.snap(full).Snapshot
		if !s.Truncated || unseen(s) != "nodes/depth=8" {
			t.Errorf("truncated %v, unseen %q", s.Truncated, unseen(s))
		}
		r.show(`<body><script>for(let i=0;i<20000;i++){const b=document.createElement("button");b.textContent="B"+i;document.body.append(b)}</script>`)
		began := time.Now()
		s = r.snap(messages.TakeSnapshot{}).Snapshot
		// The deadline of an observation, and as much again for a machine on which nothing gets its turn.
		if took := time.Since(began); took > 2*messages.ObserveTimeout {
			t.Errorf("20,000 buttons took %v", took)
		}
		// A machine under load may not get there in time, and then the answer says so.
		if !s.Busy && (!s.Truncated || len(s.Nodes) != messages.SnapshotNodesDefault || s.NextNodeOffset == nil) {
			t.Errorf("20,000 buttons: truncated %v, %d nodes", s.Truncated, len(s.Nodes))
		}
		t.Logf("20,000 buttons by %s in %v", s.Collector, time.Since(began))
	})
}

func TestSnapshotPagingNeitherRepeatsNorSkips(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	both(t, func(t *testing.T, r *rig) {
		r.show(`<body><script>for(let i=0;i<600;i++){const b=document.createElement("button");b.textContent="B"+i;document.body.append(b)}</script>`)
		seen := 0
		refs := map[messages.Ref]bool{}
		for offset := 0; ; {
			s := r.snap(messages.TakeSnapshot{NodeOffset: offset}).Snapshot
			for _, n := range s.Nodes {
				if n.Name != fmt.Sprintf("B%d", seen) {
					t.Fatalf("node %d is %q", seen, n.Name)
				}
				if refs[n.Ref] {
					t.Fatalf("ref %s was given out twice", n.Ref)
				}
				refs[n.Ref] = true
				seen++
			}
			if s.NextNodeOffset == nil {
				break
			}
			offset = *s.NextNodeOffset
		}
		if seen != 600 {
			t.Errorf("%d of 600 nodes", seen)
		}
	})
}

func TestSnapshotR47Queries(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	both(t, func(t *testing.T, r *rig) {
		r.show(`<h2>Billing</h2><fieldset><legend>Card</legend><div>Number</div><input><label>Name <input></label></fieldset>
<h2>Shipping</h2><div role=radiogroup aria-label=Speed><label><input type=radio name=s> Fast</label><label><input type=radio name=s disabled> Slow</label></div>
<input placeholder="Street and house"><button aria-description="Sends the order">Order</button><p>Some order text</p>`)
		for _, c := range []struct {
			query messages.Query
			want  string
		}{
			{messages.Query{FieldsOnly: true}, "textbox: textbox:Name radio:Fast radio:Slow textbox:Street and house"},
			{messages.Query{Text: "number"}, "text:Number textbox:"},
			{messages.Query{Text: "STREET"}, "textbox:Street and house"},
			{messages.Query{Text: "order"}, "button:Order text:Some order text"},
			{messages.Query{Text: "sends"}, "button:Order"},
			{messages.Query{Role: "Radio"}, "radio:Fast radio:Slow"},
			{messages.Query{Role: "radi"}, ""},
			{messages.Query{Group: "speed", FieldsOnly: true}, "radio:Fast radio:Slow"},
			{messages.Query{Group: "card", FieldsOnly: true}, "textbox: textbox:Name"},
			{messages.Query{Section: "billing", FieldsOnly: true}, "textbox: textbox:Name"},
			{messages.Query{Section: "shipping", Role: "button"}, "button:Order"},
			{messages.Query{Section: "shipping", Text: "slow"}, "radio:Slow"},
		} {
			var got []string
			for _, n := range r.snap(messages.TakeSnapshot{Query: c.query}).Snapshot.Nodes {
				got = append(got, n.Role+":"+n.Name)
			}
			if text := strings.Join(got, " "); text != c.want {
				t.Errorf("%+v finds %q, want %q", c.query, text, c.want)
			}
		}
	})
}

func TestSnapshotR99CardsByTheEnginesFact(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	both(t, func(t *testing.T, r *rig) {
		r.show(`<style>.p{cursor:pointer;margin:4px}</style>
<div class=p id=yes>Good card</div><div class=p>No listener</div><div id=nocursor>No cursor</div>
<div class=p id=nested>With <a href=#>a link</a></div><div class=p id=attr onclick="1">By attribute</div>
<ul><li class=p id=item>An item</li></ul><span class=p id=span>A span</span>
<div inert><div class=p id=inert>Inert</div></div><div style="opacity:0"><div class=p id=unseen>Unseen</div></div>
<iframe srcdoc="<div style='cursor:pointer' onclick=1>In a frame</div>"></iframe>
<script>for (const id of ["yes","nocursor","nested","item","span","inert","unseen"]) document.getElementById(id).addEventListener("click", () => {})</script>`)
		var got []string
		for _, n := range r.snap(messages.TakeSnapshot{Mode: messages.ModeInteractive}).Snapshot.Nodes {
			if n.Role != "link" {
				got = append(got, n.Name+n.Label+": "+actions(n))
			}
		}
		const clicked = ": click hover scroll drag"
		if text := strings.Join(got, "|"); text != "Good card"+clicked+"|By attribute"+clicked+"|An item"+clicked {
			t.Errorf("cards: %q", got)
		}
	})
}

func TestSnapshotR228BroadClickables(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, nil)
	r.policy = target.Policy{Clickables: target.ClickablesBroad}
	r.show(`<style>i{display:inline-block;width:9px;height:9px}</style>
<div id=card style="cursor:pointer">Card <i id=icon class="icon-trash" style="cursor:default"></i></div>
<svg width=20 height=20><circle id=dot r=5 cx=9 cy=9 tabindex=0></circle></svg><div tabindex=0 hidden>Hidden</div>
<div tabindex=0 inert>Inert</div><span>Plain</span>
<script>for (const id of ["card","icon"]) document.getElementById(id).addEventListener("click", () => {})</script>`)
	s := r.snap(messages.TakeSnapshot{Mode: messages.ModeInteractive}).Snapshot
	var hints []string
	for _, n := range s.Nodes {
		if !slices.Contains(n.Actions, "click") {
			t.Errorf("%+v admits no click", n)
		}
		hints = append(hints, n.Hint)
	}
	if len(s.Nodes) != 3 || !slices.Contains(hints, "icon-trash") {
		t.Errorf("%d nodes with hints %q:\n%s", len(s.Nodes), hints, show(s))
	}
}

func TestSnapshotObservingChangesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	both(t, func(t *testing.T, r *rig) {
		r.show(formPage + `<script>window.before = Object.getOwnPropertyNames(window).sort().join();window.seen = 0;
new MutationObserver(r => { seen += r.length }).observe(document, {subtree:true,childList:true,attributes:true,characterData:true});
for (const t of ["focus","blur","focusin","scroll","pointermove","click","input","change"]) addEventListener(t, () => { seen++ }, true);
window.html = document.documentElement.outerHTML</script>`)
		r.js(`(html = document.documentElement.outerHTML, seen = 0)`)
		r.snap(full)
		r.snap(messages.TakeSnapshot{Projection: messages.ProjectionTree})
		for what, expression := range map[string]string{
			"markup": `html === document.documentElement.outerHTML`, "events and mutations": `seen === 0`,
			"globals":    `before + ",html" === before + ",html" && Object.getOwnPropertyNames(window).filter(n => n !== "html" && n !== "seen" && n !== "before").sort().join() === before.split(",").filter(n => n !== "html" && n !== "seen" && n !== "before").join()`,
			"our global": `typeof troupe === "undefined"`,
		} {
			if got := r.js(expression); got != "true" {
				t.Errorf("observing changed %s: %s", what, r.js("String(seen)"))
			}
		}
	})
}

func TestSnapshotR33WhatWasReadIsWhatIsRegistered(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	both(t, func(t *testing.T, r *rig) {
		r.show(`<body><script>for(let i=0;i<60;i++){const b=document.createElement("button");b.id="b"+i;b.textContent="Button 0 of "+i;document.body.append(b)}
let n=0;setInterval(()=>{n++;for(let i=0;i<60;i+=2)document.getElementById("b"+i).textContent="Button "+n+" of "+i},3)</script>`)
		for range 10 {
			result := r.snap(messages.TakeSnapshot{})
			stable := 0
			names := map[messages.ElementID]string{}
			for _, n := range result.Snapshot.Nodes {
				names[n.ElementID] = n.Name
			}
			for _, record := range result.Records {
				name := names[record.ElementID]
				var held struct {
					target.Refusal
				}
				if err := target.Call(r.ctx, r.page, r.target().Main, "check",
					map[string]any{"g": record.Generation, "i": record.Index, "ax": false}, &held); err != nil {
					t.Fatal(err)
				}
				if held.OK {
					stable++
				} else if held.Code != messages.CodeRefChanged {
					t.Fatalf("%s: %s", name, held.Code)
				}
				// The name in the page at registration must be the one that was given out:
				// an element that holds still may only be refused if its name moved on.
				if !held.OK && !strings.HasPrefix(held.Detail, fmt.Sprintf("the element was button %q and is now", name)) {
					t.Fatalf("given out as %q, registered as: %s", name, held.Detail)
				}
			}
			if stable < 30 {
				t.Errorf("only %d of 30 buttons that hold still can be used", stable)
			}
		}
	})
}

func TestSnapshotR54SelectorScopesToOneSubtree(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, nil)
	r.show(`<button>Out</button><div class=box><p>Text in</p><button>In</button><input type=file hidden aria-label=File></div><p>Text out</p><input type=file hidden aria-label=Other>`)
	s := r.snap(messages.TakeSnapshot{Projection: messages.ProjectionTree, Selector: ".box"}).Snapshot
	if s.Text != "\"Text in\"\nbutton \"In\" e1\nbutton:file \"File\" e2\n" {
		t.Errorf("scoped:\n%s", s.Text)
	}
	for _, selector := range []string{".none", "[["} {
		request := r.request(messages.TakeSnapshot{Projection: messages.ProjectionTree, Selector: selector})
		if _, err := collect.Snapshot(r.ctx, r.target(), request); messages.AsError(err).Code != messages.CodeInvalidRequest {
			t.Errorf("%s gives %v", selector, err)
		}
	}
}
