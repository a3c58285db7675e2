package effect

import (
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

// Each row is one sequence of events and what it means (C39; the table stands in ARCHITECTURE, "Certainty"). The page's
// own record of clicks is the truth that the outcome is held against.
func TestGestures(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	const script = `<script>log=[];out=document.getElementById('out');for(const n of ['mousedown','mouseup','click','auxclick','contextmenu'])b.addEventListener(n,()=>log.push(n))</script>`
	unknown, partial := messages.OutcomeUnknown, messages.CodePartialEffectOutcomeUnknown
	rows := []struct {
		name, body string
		click      messages.Click
		state      messages.ExecutionState
		code       messages.Code
		log        string
	}{
		{"press, release and click", `<button id=b>Save</button>`, messages.Click{}, messages.Completed, "", "mousedown,mouseup,click"},
		{"a part of the element takes them", `<button id=b><span>Sa<i>ve</i></span></button>`, messages.Click{}, messages.Completed, "", "mousedown,mouseup,click"},
		{"two clicks", `<button id=b>Save</button>`, messages.Click{Count: 2}, messages.Completed, "", "mousedown,mouseup,click,mousedown,mouseup,click"},
		{"the right button", `<button id=b>Save</button>`, messages.Click{Button: messages.ButtonRight}, messages.Completed, "", "mousedown,contextmenu,mouseup,auxclick"},
		{"the middle button", `<button id=b>Save</button>`, messages.Click{Button: messages.ButtonMiddle}, messages.Completed, "", "mousedown,mouseup,auxclick"},
		{"moved by the press", `<div style="height:120px"><button id=b onmousedown="this.style.marginTop='70px'">Save</button></div>`, messages.Click{}, unknown, partial, "mousedown"},
		{"moved while it is pressed", `<style>#b:active{transform:translate(200px)}</style><button id=b>Save</button>`, messages.Click{}, unknown, partial, "mousedown"},
		{"moved by the focus that the press takes", `<input autofocus onblur="e.style.height='60px'"><div id=e style="height:0;overflow:hidden">Wrong</div><button id=b>Save</button><script>document.querySelector('input').focus()</script>`,
			messages.Click{}, unknown, partial, "mousedown"},
		{"replaced by the press", `<div id=p><button id=b onmousedown="p.innerHTML='<button>Save</button>'">Save</button></div>`, messages.Click{}, unknown, partial, "mousedown"},
		{"covered by the press", `<button id=b onmousedown="c.style.display='block'">Save</button><div id=c style="display:none;position:fixed;inset:0;background:#fff"></div>`, messages.Click{}, unknown, partial, "mousedown"},
		{"covered between two clicks", `<button id=b onclick="c.style.display='block'">Save</button><div id=c style="display:none;position:fixed;inset:0;background:#fff"></div>`,
			messages.Click{Count: 2}, unknown, partial, "mousedown,mouseup,click"},
		{"inert from the press on", `<div id=p><button id=b onmousedown="p.inert=true">Save</button></div>`, messages.Click{}, unknown, partial, "mousedown"},
		{"no pointer from the press on", `<button id=b onmousedown="this.style.pointerEvents='none'">Save</button>`, messages.Click{}, unknown, partial, "mousedown"},
		{"handlers that stop the events", `<button id=b onpointerdown="event.preventDefault()">Save</button><script>for(const n of ['mousedown','mouseup','click'])addEventListener(n,e=>e.stopImmediatePropagation(),true)</script>`,
			messages.Click{}, messages.Completed, "", ""},
		{"through its label", `<label>News <input type=checkbox id=b style="opacity:0;position:absolute;pointer-events:none"></label>`, messages.Click{}, messages.Completed, "", "click"},
		{"the one control inside", `<ul style="list-style:none"><li id=b role=tab style="float:left;border:1px solid"><a href="#x" style="float:left;padding:6px" onclick="log.push('link');return false">Two</a></li></ul>`,
			messages.Click{}, messages.Completed, "", "mousedown,mouseup,link,click"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			r := open(t, "<script>log=[]</script>"+row.body+"<p id=out></p>"+script)
			r.take("#b")
			row.click.OnElement = on("#b")
			r.want(r.do(&row.click), row.state, row.code)
			r.equal("log", r.js("log.join()"), row.log)
		})
	}
}

// A switch of a component's own: the click that its label passes on to the input inside its shadow tree is the element's.
func TestGestures_PassedOnInsideAShadowTree(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := open(t, `<x-switch id=b role=switch aria-checked=false aria-label=Reminders tabindex=0>Reminders</x-switch><script>on=0;customElements.define('x-switch',class extends HTMLElement{constructor(){super();
		const s=this.attachShadow({mode:'open'});s.innerHTML='<style>:host{display:inline-block}label{display:flex}input{display:none}</style><label for=i><input id=i type=checkbox><div><slot></slot></div><div style="width:36px;height:14px;background:#999"></div></label>';
		s.querySelector('input').addEventListener('change',e=>{on++;this.setAttribute('aria-checked',e.target.checked)})}})</script>`)
	r.take("#b")
	receipt := r.do(&messages.Click{OnElement: on("#b")})
	r.want(receipt, messages.Completed, "")
	r.equal("on", r.js("on+' '+b.getAttribute('aria-checked')"), "1 true")
}

// What is fixed over the page leaves one place of the scroll on one axis: it is found (R30).
func TestClickFindsTheFreePlace(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := open(t, `<style>body{margin:0;width:5000px}#rail{position:fixed;left:0;top:0;bottom:0;width:300px;z-index:1}#rail button{width:100%;height:100%}#r{padding-left:310px;white-space:nowrap}#r button{width:150px;height:40px}</style>
		<div id=rail><button id=u>People</button></div><div id=r></div><script>pressed=[];for(let i=1;i<=30;i++){const b=document.createElement('button');b.id='d'+i;b.textContent='Day '+i;b.onclick=()=>pressed.push(i);r.append(b)}u.onclick=()=>pressed.push('people')</script>`)
	r.take("#d20", "#d3")
	r.want(r.do(&messages.Click{OnElement: on("#d20")}), messages.Completed, "")
	r.want(r.do(&messages.Click{OnElement: on("#d3")}), messages.Completed, "")
	r.equal("pressed", r.js("pressed.join()"), "20,3")
}

// After a drag that the browser took over, only a drop is a drop.
func TestDragOntoWhatTakesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := open(t, `<style>div{width:120px;height:60px;margin:10px;background:#ccc}</style><div id=p draggable=true tabindex=0>Photo</div><div id=ok tabindex=0>Album</div><div id=no tabindex=0>Sealed album</div>
		<script>log=[];p.ondragstart=e=>e.dataTransfer.setData('text/plain','1');p.ondragend=e=>log.push(e.dataTransfer.dropEffect);ok.ondragover=e=>e.preventDefault();ok.ondrop=e=>{e.preventDefault();log.push('put')}</script>`)
	r.take("#p", "#ok", "#no")
	r.want(r.do(&messages.Drag{OnElement: on("#p"), TargetElementID: "#no"}), messages.OutcomeUnknown, messages.CodePartialEffectOutcomeUnknown)
	r.want(r.do(&messages.Drag{OnElement: on("#p"), TargetElementID: "#ok"}), messages.Completed, "")
	r.equal("dropped", r.js("log.filter(e=>e==='put').length"), "1")
}
