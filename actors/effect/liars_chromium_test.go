package effect

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/troupe-browser/troupe/internal/soak"
	"github.com/troupe-browser/troupe/messages"
)

var liarSeed = flag.Uint64("liar.seed", 0, "run this one seed of TestLiars")

// lies are what a page does to its button, B, while it is clicked. D is a button that must never be pressed, C a cover.
var lies = []string{
	`B.style.marginLeft='300px'`,
	`B.style.transform='scale(0.1)'`,
	`B.style.transform='translate(250px)'`,
	`B.replaceWith(B.cloneNode(true))`,
	`B.remove()`,
	`B.textContent='Delete account'`,
	`B.setAttribute('role','menuitem')`,
	`B.style.pointerEvents='none'`,
	`P.inert=true`,
	`B.disabled=true`,
	`C.style.display='block'`,
	`D.style.cssText='position:fixed;left:0;top:0;width:100vw;height:100vh'`,
	`P.prepend(D)`,
	`F.focus()`,
	`B.dispatchEvent(new MouseEvent('click',{bubbles:true}))`,
	`D.click()`,
	`event.stopImmediatePropagation()`,
	`event.preventDefault()`,
	`B.animate([{transform:'none'},{transform:'translate(300px)'}],{duration:300,fill:'forwards'})`,
	`history.pushState(0,'','?moved')`,
	`document.body.style.display='none'`,
}

var (
	lieMoments = []string{"pointerover", "mousemove", "pointerdown", "mousedown", "focusin", "pointerup", "mouseup"}
	lieDelays  = []int{-1, 0, 50, 500} // Milliseconds; -1 is in the handler itself.
)

// liar is the page of a seed: one or two lies, each at a moment of the gesture. Its record, S, is kept by listeners that
// came first, of trusted events alone.
func liar(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 39))
	var script string
	for range 1 + r.IntN(2) {
		lie, moment, delay := lies[r.IntN(len(lies))], lieMoments[r.IntN(len(lieMoments))], lieDelays[r.IntN(len(lieDelays))]
		if delay >= 0 {
			lie = fmt.Sprintf("setTimeout(()=>{%s},%d)", lie, delay)
		}
		script += fmt.Sprintf("addEventListener(%q,(event)=>{%s},{capture:true,once:true});\n", moment, lie)
	}
	return `<input id=F><div id=P><button id=B>Save</button></div><button id=D>Delete account</button>
<div id=C style="display:none;position:fixed;inset:0;background:#fff"></div><script>
const S={press:0,click:0,other:0},mine=B;
for(const n of ['pointerdown','click'])addEventListener(n,(e)=>{
	if(!e.isTrusted)return;
	const path=e.composedPath();
	if(path.includes(mine))S[n==='click'?'click':'press']++; else if(path.includes(D)||path.includes(C)||path.some((x)=>x.id==='B'))S.other++;
},true);
` + script + `</script>`
}

// Pages that lie about what happens to a click: none is completed that did not arrive, none is not_started that did, and
// nothing else of the page is pressed (C39).
func TestLiars(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	first, rounds := uint64(1), soak.Rounds(t, 30, 200)
	if *liarSeed != 0 {
		first, rounds = *liarSeed, 1
	}
	for i := range rounds {
		seed := first + uint64(i)
		page := liar(seed)
		r := open(t, page)
		r.take("#B")
		receipt := r.do(&messages.Click{OnElement: on("#B")})
		var s struct{ Press, Click, Other int }
		if err := json.Unmarshal([]byte(r.js("JSON.stringify(S)")), &s); err != nil {
			t.Fatal(err)
		}
		state := receipt.ExecutionState
		if (state == messages.Completed && s.Click != 1) || (state == messages.NotStarted && s.Press+s.Click > 0) || s.Other > 0 || s.Click > 1 {
			t.Errorf("seed %d: %s %s %q, and the page had %+v\nreplay: go test ./actors/effect -run TestLiars -args -liar.seed=%d\n%s",
				seed, state, receipt.Code, receipt.Message, s, seed, page)
		}
	}
}
