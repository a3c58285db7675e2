package collect_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

// cardPage wraps what is to be judged: everything with the class "c" has a listener.
func cardPage(body string) string {
	return `<style>.c{cursor:pointer;margin:4px}</style>` + body +
		`<script>for (const el of document.querySelectorAll(".c")) el.addEventListener("click", () => {})</script>`
}

// cards lists the labels of the nodes that admit a click and are no controls.
func (r *rig) cards(command messages.TakeSnapshot) []string {
	r.t.Helper()
	var found []string
	for _, n := range r.snap(command).Snapshot.Nodes {
		switch n.Role {
		case "generic", "listitem", "article", "group":
			if strings.HasPrefix(actions(n), "click hover") { // An editing host takes text as well.
				found = append(found, strings.TrimSpace(n.Name+" "+n.Label))
			}
		}
	}
	return found
}

func TestSnapshotR100EvidenceOfACard(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	both(t, func(t *testing.T, r *rig) {
		r.show(cardPage(`<div class=c>Plain</div><article class=c><p>Article</p></article>
<div class=c style="pointer-events:none">No pointer events</div><div class=c style="visibility:hidden">Invisible</div>
<div class=c style="height:0;overflow:hidden">Flat</div><div class=c></div><div class=c style="opacity:0">Clear</div>
<div class=c>` + strings.Repeat("long ", 200) + `</div><div class=c>Many` + strings.Repeat("<b>x</b>", 70) + `</div>
<div class=c>Nested <span class=c>target</span></div><div class=c>With <input></div><div class=c>With <iframe></iframe></div>
<div contenteditable><div class=c>Edited</div></div><div aria-disabled=true><div class=c>Off</div></div><div inert><div class=c>Inert</div></div>
<section class=c>Section</section><span class=c>Span</span><p class=c>Paragraph</p>
<div style="cursor:pointer" onmouseover="1">Only a cursor</div>
<section style="cursor:pointer"><div id=inner>Hand of the parent</div><div>No listener</div></section><script>inner.addEventListener("click", () => {})</script>`))
		if got := strings.Join(r.cards(messages.TakeSnapshot{Mode: messages.ModeInteractive}), "|"); got != "Plain|Article|Hand of the parent" {
			t.Errorf("cards %q", got)
		}
	})
}

func TestSnapshotR101CardsAreBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	both(t, func(t *testing.T, r *rig) {
		many := ""
		for i := range messages.CardsMax + 8 {
			many += fmt.Sprintf("<div class=c>Card %d</div>", i)
		}
		r.show(cardPage(many))
		if got := r.cards(messages.TakeSnapshot{Mode: messages.ModeInteractive}); len(got) != messages.CardsMax || got[0] != "Card 0" {
			t.Errorf("%d cards, first %q", len(got), got[:min(len(got), 1)])
		}
	})
}

func TestSnapshotR102NoEvidenceNoCard(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	both(t, func(t *testing.T, r *rig) {
		r.show(cardPage(`<div class=c>Card</div><button>Native</button><script>
for (let i = 0; i < 5000; i++) document.body.append(document.createElement("wbr"))
const host = document.createElement("div"); host.attachShadow({mode: "open"}).innerHTML = "<div style='cursor:pointer'>Inside a root</div>";
host.shadowRoot.firstChild.addEventListener("click", () => {}); document.body.append(host);
const all = document.createElement("div"); all.innerHTML = "<div style='cursor:pointer'>Delegated</div>"; all.addEventListener("click", () => {}); document.body.append(all);
</script>`))
		s := r.snap(messages.TakeSnapshot{Mode: messages.ModeInteractive}).Snapshot
		if got := actions(find(t, s, "button", "Native")); !strings.HasPrefix(got, "click") {
			t.Errorf("the control of a page too large for cards admits %q", got)
		}
		if got := r.cards(messages.TakeSnapshot{Mode: messages.ModeInteractive}); len(got) != 0 {
			t.Errorf("cards of a page over the bound: %q", got)
		}
	})
	both(t, func(t *testing.T, r *rig) {
		r.show(`<div id=h></div><div id=d><div style="cursor:pointer">Delegated</div></div><script>
h.attachShadow({mode: "open"}).innerHTML = "<div style='cursor:pointer'>Inside a root</div>";
h.shadowRoot.firstChild.addEventListener("click", () => {}); d.addEventListener("click", () => {})</script>`)
		if got := r.cards(messages.TakeSnapshot{Mode: messages.ModeInteractive}); len(got) != 0 {
			t.Errorf("cards by inference: %q", got)
		}
	})
}

// A card is acted on like any other element, under the same fences.
func TestSnapshotR103ACardIsFencedLikeAControl(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	p := openProduct(t, cardPage(`<div class=c id=card>Card</div><script>window.n = 0; card.addEventListener("click", () => { n++; document.title = "hit " + n })</script>`))
	node := p.node("generic", "Card")
	if receipt, err := p.click(node); err != nil || receipt.ExecutionState != messages.Completed {
		t.Fatalf("%+v %v", receipt, err)
	}
	p.run(`card.setAttribute("aria-label", "Another")`)
	if receipt, err := p.click(node); err == nil || receipt.ExecutionState != messages.NotStarted || receipt.Code != messages.CodeRefChanged {
		t.Errorf("a card that was renamed: %+v", receipt)
	}
	if title := p.snapshot().Title; title != "hit 1" {
		t.Errorf("the page counted %q", title)
	}
	if receipt, err := p.click(node); err == nil || receipt.Code != messages.CodeSnapshotStale {
		t.Errorf("an id of an older snapshot: %+v", receipt)
	}
}
