package effect

import (
	"strings"
	"testing"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/messages"
)

func TestInputText(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := open(t, `<form onsubmit="log.push('submit');return false"><input id=a aria-label=A value="ab"><input id=m aria-label=M maxlength=4>
		<input id=u aria-label=U oninput="this.value=this.value.toUpperCase()"><input id=p type=password aria-label=P><input id=e type=email aria-label=E value="a@b">
		<textarea id=t aria-label=T>one</textarea><div id=c contenteditable aria-label=C>old</div><input id=ro aria-label=RO readonly value=x><input id=d aria-label=D disabled><button>Go</button></form>
		<script>log=[];a.addEventListener('input',e=>log.push(e.isTrusted+':'+e.inputType));a.addEventListener('keydown',e=>log.push(e.key))</script>`)
	r.take("#a", "#m", "#u", "#p", "#e", "#t", "#c", "#ro", "#d")
	for _, c := range []struct{ id, text, value, matches, js string }{
		{"#a", "cd é👍", "abcd é👍", "true", "abcd é👍"},
		{"#m", "abcdef", "abcd", "false", "abcd"},
		{"#u", "abc", "ABC", "false", "ABC"},
		{"#p", "secret", "none", "true", "secret"},
		{"#e", ".c", "a@b.c", "true", "a@b.c"},
		{"#t", " two\nthree", "one two\nthree", "true", "one two\nthree"},
		{"#c", " new", "old new", "true", ""},
	} {
		receipt := r.do(&messages.InputText{OnElement: on(c.id), Text: c.text})
		r.want(receipt, messages.Completed, "")
		o := receipt.Observed
		if o == nil || text(o.Value) != c.value || matches(o.ValueMatches) != c.matches {
			t.Fatalf("%s: %+v (%s), want %s", c.id, o, text(o.Value), c.value)
		}
		if c.js != "" {
			r.equal(c.id, r.js("document.querySelector('"+c.id+"').value"), c.js)
		}
	}
	r.equal("events", r.js("log.join()"), "true:insertText")
	r.want(r.do(&messages.InputText{OnElement: on("#ro"), Text: "y"}), messages.NotStarted, messages.CodeElementNotActionable)
	r.want(r.do(&messages.InputText{OnElement: on("#d"), Text: "y"}), messages.NotStarted, messages.CodeControlDisabled)
	r.policy.Typing = target.TypingKeys
	r.js("log=[]")
	r.want(r.do(&messages.InputText{OnElement: on("#a"), Text: "x.Yü", Submit: true}), messages.Completed, "")
	r.equal("events", r.js("log.join(' ')"), "x true:insertText . true:insertText Y true:insertText ü true:insertText Enter submit")
	r.equal("value", r.js("a.value"), "abcd é👍x.Yü")
}

func TestInputTextSubmits(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := open(t, `<form action=/other><input id=a name=q aria-label=A></form>`)
	r.take("#a")
	receipt := r.do(&messages.InputText{OnElement: on("#a"), Text: "x", Submit: true})
	r.want(receipt, messages.Completed, "")
	if receipt.Document != messages.DocumentNavigated {
		t.Fatalf("%+v", receipt)
	}
}

func TestSetValue(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := open(t, `<input id=a aria-label=A value=old><input id=m aria-label=M maxlength=4><input id=k aria-label=K oninput="this.value=this.value.replace(/\D/g,'')">
		<textarea id=t aria-label=T></textarea><div id=c contenteditable aria-label=C>old <b>text</b></div>
		<input id=n type=number min=0 max=100 step=5 aria-label=N><input id=g type=range min=0 max=10 aria-label=G><input id=d type=date aria-label=D min=2020-01-01>
		<input id=i type=time aria-label=I><input id=o type=month aria-label=O><input id=w type=week aria-label=W><input id=l type=datetime-local aria-label=L><input id=f type=color aria-label=F>
		<input id=p type=password aria-label=P><input id=x type=checkbox aria-label=X>
		<script>log=[];for(const e of document.querySelectorAll('input,textarea'))for(const y of ['input','change'])e.addEventListener(y,()=>log.push(e.id+y[0]))</script>`)
	r.take("#a", "#m", "#k", "#t", "#c", "#n", "#g", "#d", "#i", "#o", "#w", "#l", "#f", "#p", "#x")
	for _, c := range []struct{ id, set, value, matches string }{
		{"#a", "new", "new", "true"}, {"#a", "", "", "true"}, {"#m", "abcdef", "abcd", "false"}, {"#k", "a1b2", "12", "false"},
		{"#t", "1\n2", "1\n2", "true"}, {"#t", "", "", "true"}, {"#c", "new\nline", "new\nline", "true"}, {"#c", "", "", "true"},
		{"#n", "45", "45", "true"}, {"#g", "7", "7", "true"}, {"#d", "2026-12-31", "2026-12-31", "true"}, {"#i", "23:59", "23:59", "true"},
		{"#o", "2026-12", "2026-12", "true"}, {"#w", "2026-W07", "2026-W07", "true"}, {"#l", "2026-12-31T10:00", "2026-12-31T10:00", "true"},
		{"#f", "#AbCdEf", "#abcdef", "true"}, {"#p", "secret", "none", "true"}, {"#n", "", "", "true"},
	} {
		receipt := r.do(&messages.SetValue{OnElement: on(c.id), Value: c.set})
		r.want(receipt, messages.Completed, "")
		o := receipt.Observed
		if o == nil || text(o.Value) != c.value || matches(o.ValueMatches) != c.matches {
			t.Fatalf("%s: %+v %q, want %q", c.id, o, text(o.Value), c.value)
		}
		if o.Withheld != (c.id == "#p") {
			t.Fatalf("%s: withheld %v", c.id, o.Withheld)
		}
	}
	r.equal("events", r.js("log.join(' ')"), "ai ac ai ac mi mc ki kc ti tc ti tc ni nc gi gc di dc ii ic oi oc wi wc li lc fi fc pi pc ni nc")
	r.js("log=[]")
	for _, c := range []struct{ id, set, says string }{
		{"#n", "47", "steps of 5"}, {"#n", "abc", "number"}, {"#n", "105", "100"}, {"#g", "11", "to 10"}, {"#d", "31/12/2026", "YYYY-MM-DD"}, {"#d", "2019-01-01", "2020"},
		{"#d", "2026-02-30", "YYYY-MM-DD"}, {"#i", "9am", "HH:MM"}, {"#f", "red", "#rrggbb"}, {"#l", "2026-12-31 10:00", "YYYY-MM-DDTHH:MM"}, {"#w", "7", "W07"}, {"#a", "two\nlines", "one line"},
	} {
		receipt := r.do(&messages.SetValue{OnElement: on(c.id), Value: c.set})
		r.want(receipt, messages.NotStarted, messages.CodeInvalidControlValue)
		if !strings.Contains(receipt.Message, c.says) {
			t.Fatalf("%s: %q does not say %q", c.id, receipt.Message, c.says)
		}
		if r.lastTicket.begun.Load() != 0 {
			t.Fatal("a refusal spent the operation id")
		}
	}
	r.want(r.do(&messages.SetValue{OnElement: on("#x"), Value: "on"}), messages.NotStarted, messages.CodeElementNotValueControl)
	r.equal("events", r.js("log.length"), "0")
}

func TestSetValueSlider(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := open(t, `<div id=s role=slider tabindex=0 aria-label=S aria-valuemin=0 aria-valuemax=100 aria-valuenow=20>x</div>
		<div id=v role=slider tabindex=0 aria-label=V aria-valuemin=0 aria-valuemax=10 aria-valuenow=0>x</div>
		<script>function keys(e,up,down,step){e.onkeydown=k=>{const d=k.key===up?step:k.key===down?-step:0;setTimeout(()=>e.setAttribute('aria-valuenow',Math.min(100,Math.max(0,+e.getAttribute('aria-valuenow')+d))))}}
		keys(s,'ArrowRight','ArrowLeft',5);keys(v,'ArrowUp','ArrowDown',1)</script>`)
	r.take("#s", "#v")
	for _, c := range []struct{ id, value string }{{"#s", "45"}, {"#s", "10"}, {"#v", "7"}} {
		receipt := r.do(&messages.SetValue{OnElement: on(c.id), Value: c.value})
		r.want(receipt, messages.Completed, "")
		if o := receipt.Observed; o == nil || text(o.Value) != c.value || matches(o.ValueMatches) != "true" {
			t.Fatalf("%s: %+v", c.id, o)
		}
	}
	r.want(r.do(&messages.SetValue{OnElement: on("#s"), Value: "101"}), messages.NotStarted, messages.CodeInvalidControlValue)
	r.want(r.do(&messages.SetValue{OnElement: on("#s"), Value: "12"}), messages.OutcomeUnknown, messages.CodeInvalidControlValue)
}

func TestSelectOption(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := open(t, `<select id=s aria-label=S><option value=a>Alpha<option value=b> Beta
		 two <option value=Alpha>Gamma<option value=d disabled>Delta<option value=x>Twin<option value=y>Twin</select>
		<select id=m multiple aria-label=M><option selected>One<option>Two<option>Three</select><select id=h aria-label=H><option>Full<option hidden>Staff<option style="display:none">Crew<optgroup label=Old hidden><option>Former</optgroup></select><select id=v aria-label=V onchange="this.value='a'"><option value=a>A<option value=b>B</select>
		<script>log=[];for(const y of ['input','change'])s.addEventListener(y,()=>log.push(y))</script>`)
	r.take("#s", "#m", "#v", "#h")
	for _, c := range []struct{ id, option, js string }{{"#s", "b", "b"}, {"#s", "Alpha", "Alpha"}, {"#s", "Beta two", "b"}, {"#m", "Three", "One,Three"}} {
		receipt := r.do(&messages.SelectOption{OnElement: on(c.id), Option: c.option})
		r.want(receipt, messages.Completed, "")
		if o := receipt.Observed; o == nil || matches(o.ValueMatches) != "true" {
			t.Fatalf("%s: %+v", c.id, o)
		}
		r.equal(c.id, r.js("[...document.querySelector('"+c.id+"').selectedOptions].map(o=>o.value).join()"), c.js)
	}
	for _, option := range []string{"Staff", "Crew", "Former"} { // Hidden: no list shows them.
		r.want(r.do(&messages.SelectOption{OnElement: on("#h"), Option: option}), messages.NotStarted, messages.CodeOptionNotFound)
	}
	r.equal("events", r.js("log.join(' ')"), "input change input change input change")
	receipt := r.do(&messages.SelectOption{OnElement: on("#v"), Option: "B"})
	r.want(receipt, messages.Completed, "")
	if matches(receipt.Observed.ValueMatches) != "false" || text(receipt.Observed.Value) != "A" {
		t.Fatalf("%+v", receipt.Observed)
	}
	for option, code := range map[string]messages.Code{"Delta": messages.CodeOptionDisabled, "Twin": messages.CodeOptionAmbiguous, "Nothing": messages.CodeOptionNotFound} {
		r.want(r.do(&messages.SelectOption{OnElement: on("#s"), Option: option}), messages.NotStarted, code)
	}
}

func TestKey(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := open(t, `<input id=a aria-label=A value=abc><button id=b>B</button><script>log=[];document.addEventListener('keydown',e=>log.push([e.key,e.code,e.keyCode,e.ctrlKey,e.shiftKey,e.target.id].join()))</script>`)
	r.take("#a", "#b")
	r.want(r.do(&messages.PressKey{OnElement: on("#a"), Key: "Backspace"}), messages.Completed, "")
	r.want(r.do(&messages.PressKey{OnElement: on("#a"), Key: "a", Modifiers: []messages.Modifier{messages.ModifierCtrl}}), messages.Completed, "")
	r.want(r.do(&messages.PressKey{Key: "Delete"}), messages.Completed, "")
	r.equal("value", r.js("a.value"), "")
	r.want(r.do(&messages.PressKey{Key: "Tab"}), messages.Completed, "")
	r.equal("focus", r.js("document.activeElement.id"), "b")
	r.want(r.do(&messages.PressKey{Key: "Tab", Modifiers: []messages.Modifier{messages.ModifierShift}}), messages.Completed, "")
	r.equal("focus", r.js("document.activeElement.id"), "a")
	r.equal("log", r.js("log.join(' ')"), "Backspace,Backspace,8,false,false,a a,KeyA,65,true,false,a Delete,Delete,46,false,false,a Tab,Tab,9,false,false,a Tab,Tab,9,false,true,b")
	r.js("b.onkeydown=()=>a.focus()")
	r.want(r.do(&messages.PressKey{OnElement: on("#b"), Key: "Space"}), messages.OutcomeUnknown, messages.CodePartialEffectOutcomeUnknown)
}
