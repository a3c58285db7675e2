package collect_test

import (
	"strings"
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

// seen are small pages beside what a person reads from them, as the tree projection
// says it. Each is a kind of thing that a snapshot once passed over or said badly.
var seen = []struct{ what, page, want, unseen string }{
	{
		what: "a marked row, buttons in a cell, and a drawing in a button",
		page: `<table><caption>Orders</caption><tr><th>Who<th>Do<tr aria-selected=true><td>Ada<td><button title=Edit><svg width=9 height=9><path d="M0 0L9 9"/></svg></button> <button>Ship</button></table>`,
		want: "table \"Orders\"\n row: \"Who\"|\"Do\"\n row selected: \"Ada\"|button \"Edit\" e1 button \"Ship\" e2\n",
	},
	{
		what: "days of a grid that are chosen or shut",
		page: `<div role=grid aria-label=May><div role=row><span role=gridcell tabindex=0 aria-selected=true>1</span> <span role=gridcell tabindex=-1 aria-disabled=true>2</span> <span role=gridcell tabindex=-1>3</span></div></div>`,
		want: "grid \"May\"\n row: \"1\" selected|\"2\" disabled|\"3\"\n",
	},
	{
		what: "labels that stand for radio buttons nobody sees",
		page: `<style>input{display:none}</style><input type=radio name=p id=a checked><label for=a>Monthly</label><input type=radio name=p id=b><label for=b>Yearly <em>-20 %</em></label>`,
		want: "LabelText e1 checked label=\"Monthly\"\nLabelText e2 unchecked label=\"Yearly -20 %\"\n",
	},
	{
		what: "text by CSS",
		page: `<style>.q::before{content:"“"}.q::after{content:"”"}@media all{.due::after{content:" (" attr(data-days) " days)"}}.none::before{content:""}.icon::before{content:"\f015"}.price::before{content:"\20AC "}.row{text-transform:uppercase}.row::after{content:" left"}</style>
<p class=q>quoted</p><p class=due data-days=3>Due soon</p><p class=none>plain</p><p class=icon>Home</p><p class=price>12.50</p><p class=row>nine</p><p>Then <q>said</q>.</p>`,
		want: "\"“quoted”\"\n\"Due soon (3 days)\"\n\"plain\"\n\"Home\"\n\"€12.50\"\n\"NINE LEFT\"\n\"Then “said”.\"\n",
	},
	{
		what: "a popover that is open",
		page: `<button popovertarget=p>Options</button><div popover id=p><button>Inside</button></div><script>p.showPopover()</script>`,
		want: "button \"Options\" e1 expanded\ngroup\n button \"Inside\" e2\n",
	},
	{
		what: "a chart with a description, a link and a text of two pieces",
		page: `<svg width=300 height=90><title>Visits</title><desc>By day</desc><a href="#wed"><text y=20>Wed</text></a><text y=60><tspan>Peak</tspan> <tspan>140</tspan></text></svg>`,
		want: "SvgRoot \"Visits\"\n link \"Wed\" e1\n \"Peak 140\"\n",
	},
	{
		what:   "documents inside object and embed",
		page:   `<p>Before</p><object data="data:text/html,<p>in an object</p>" width=90 height=40></object><embed src="data:text/html,<p>embedded</p>" width=90 height=40><object data="/none"><p>instead</p></object><p>After</p>`,
		want:   "\"Before\"\nPluginObject\nEmbeddedObject\n\"instead\"\n\"After\"\n",
		unseen: "frame/embed=1 frame/object=1",
	},
	{
		what: "what a title says of a button with a sign for a name",
		page: `<button title="Edit order">✎</button><button title=Save>Save</button>`,
		want: "button \"✎\" e1 (\"Edit order\")\nbutton \"Save\" e2\n",
	},
	{
		what: "a text next to a field that has a name of its own, and to one that has none",
		page: `<div>Price: 120</div><div><label>Name <input></label></div><div>Filter: <input placeholder=Customer></div><div>Amount <input></div>`,
		want: "\"Price: 120\"\ntextbox \"Name\" e1\ntextbox \"Customer\" e2 label=\"Filter:\"\ntextbox e3 label=\"Amount\"\n",
	},
	{
		what: "toggles",
		page: `<button aria-pressed=true>B</button><button aria-pressed=false>I</button><button aria-pressed=mixed>U</button>`,
		want: "button \"B\" e1 pressed\nbutton \"I\" e2\nbutton \"U\" e3 half-pressed\n",
	},
	{
		what: "text that nobody sees, and text for screen readers",
		page: `<style>.only{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}</style>
<p>Sum <span style="font-size:0">11</span><span>7</span></p><p style="opacity:0"><b>clear</b></p><p style="text-indent:-9999px">indented</p><div style="position:absolute;left:-5000px">afar</div>
<p><span class=only>spoken</span>drawn</p><div style="max-height:0;overflow:hidden"><p>folded</p></div><div style="font-size:0"><span style="font-size:16px">kept</span></div>`,
		want: "\"Sum 7\"\n\"spoken\" unseen\n\"drawn\"\n\"folded\" unseen\n\"kept\"\n",
	},
	{
		what: "a paragraph before a form labels none of its fields",
		page: `<h1>Shop</h1><p>Choose below.</p><form aria-label=Order><input title=Name><input></form><div>Colour <input></div>`,
		want: "heading \"Shop\" 1\n\"Choose below.\"\nform \"Order\"\n textbox \"Name\" e1\n textbox e2\ntextbox e3 label=\"Colour\"\n",
	},
	{
		what: "options that nobody can choose, and disabled ones",
		page: `<select aria-label=Fare><option>Full</option><option hidden>Staff</option><option disabled>Shut</option><optgroup label=Old hidden><option>Former</option></optgroup><optgroup label=New disabled><option>Coming</option></optgroup></select>`,
		want: "combobox \"Fare\" e1 collapsed = \"Full\" [\"Full\"|\"Shut\" disabled|\"Coming\" disabled]\n",
	},
	{
		what:   "what an open dialog shuts off",
		page:   `<h1>Behind</h1><dialog id=d><p>Sure?</p><button>Yes</button></dialog><script>d.showModal()</script>`,
		want:   "dialog\n \"Sure?\"\n button \"Yes\" e1\n",
		unseen: "document/modal_dialog=1",
	},
}

// What a person sees on a page is what a snapshot says of it, by both collectors.
func TestSnapshotSaysWhatAPersonSees(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	both(t, func(t *testing.T, r *rig) {
		for _, c := range seen {
			r.show(c.page)
			r.nextRef = 1
			s := r.snapIdle(messages.TakeSnapshot{Projection: messages.ProjectionTree}).Snapshot
			if s.Text != c.want {
				t.Errorf("%s:\n%swant\n%s", c.what, s.Text, c.want)
			}
			if got := unseen(s); got != c.unseen {
				t.Errorf("%s: unseen %q, want %q", c.what, got, c.unseen)
			}
		}
	})
}

// What labels a field is what the page says labels it: a text before one that has a name is no second label.
func TestSnapshotLabelsByName(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	both(t, func(t *testing.T, r *rig) {
		r.show(`<p>Welcome.</p><form aria-label=Order>Say <label>Name <input></label></form>`)
		s := r.snapIdle(full).Snapshot
		if n := find(t, s, "textbox", "Name"); n.Label != "" {
			t.Errorf("label %q", n.Label)
		}
	})
}

// What a drawing says of itself, and where a link in it leads, are in the nodes.
func TestSnapshotReadsDrawings(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	both(t, func(t *testing.T, r *rig) {
		r.show(`<svg width=90 height=90><title>Visits</title><desc>By day</desc><a href="#wed"><text y=20>Wed</text></a></svg>`)
		s := r.snapIdle(full).Snapshot
		if n := find(t, s, "", "Visits"); n.Description != "By day" {
			t.Errorf("description %q", n.Description)
		}
		if n := find(t, s, "link", "Wed"); !strings.HasSuffix(n.URL, "/shown#wed") {
			t.Errorf("address %q", n.URL)
		}
	})
}
