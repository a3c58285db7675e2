package collect_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/troupe-browser/troupe/actors/collect"
	"github.com/troupe-browser/troupe/messages"
)

// lines gives a snapshot as one line a node, without ids.
func lines(s *messages.Snapshot) []string {
	out := make([]string, 0, len(s.Nodes))
	for _, n := range s.Nodes {
		n.ElementID, n.Ref = "", ""
		data, err := json.Marshal(n)
		if err != nil {
			out = append(out, err.Error())
			continue
		}
		out = append(out, string(data))
	}
	return out
}

// compare takes a snapshot with each collector and returns the differences.
func (r *rig) compare(command messages.TakeSnapshot) []string {
	r.t.Helper()
	r.computed = true
	walker := r.snapIdle(command)
	r.computed = false
	ax := r.snapIdle(command)
	r.computed = true
	if walker.Snapshot.Collector != "walker" {
		return nil
	}
	return diff(lines(ax.Snapshot), lines(walker.Snapshot))
}

// snapIdle takes a snapshot of a page that has nothing to do. Where it counts as busy
// all the same, the machine is, and it is taken again; the test's deadline bounds that.
func (r *rig) snapIdle(command messages.TakeSnapshot) collect.Result {
	r.t.Helper()
	for {
		if result := r.snap(command); !result.Snapshot.Busy {
			return result
		}
	}
}

// diff is the shortest edit between two lists of lines, as - and + lines.
func diff(a, b []string) []string {
	table := make([][]int, len(a)+1)
	for i := range table {
		table[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				table[i][j] = table[i+1][j+1] + 1
			} else {
				table[i][j] = max(table[i+1][j], table[i][j+1])
			}
		}
	}
	var out []string
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && table[i+1][j] >= table[i][j+1]:
			out = append(out, "ax     "+a[i])
			i++
		default:
			out = append(out, "walker "+b[j])
			j++
		}
	}
	return out
}

// compareAll compares the projections and modes, and returns what differs.
func (r *rig) compareAll() []string {
	var out []string
	for _, command := range []messages.TakeSnapshot{
		{Mode: messages.ModeFull, MaxNodes: messages.SnapshotNodesMax}, {}, {Mode: messages.ModeInteractive},
		{Query: messages.Query{FieldsOnly: true}}, {Query: messages.Query{Text: "alpha"}}, {Mode: messages.ModeInteractive, NodeOffset: 3, MaxNodes: 5},
	} {
		for _, line := range r.compare(command) {
			out = append(out, fmt.Sprintf("%s %+v: %s", command.Mode, command.Query, line))
		}
	}
	r.computed = true
	r.nextRef = 1
	walker := r.snapIdle(messages.TakeSnapshot{Projection: messages.ProjectionTree}).Snapshot
	r.computed = false
	r.nextRef = 1
	ax := r.snapIdle(messages.TakeSnapshot{Projection: messages.ProjectionTree}).Snapshot
	if walker.Collector == "walker" && walker.AutoCompacted != ax.AutoCompacted {
		out = append(out, "the tree projection is compacted by one only")
	}
	for _, line := range diff(strings.Split(ax.Text, "\n"), strings.Split(walker.Text, "\n")) {
		if walker.Collector == "walker" {
			out = append(out, "tree: "+line)
		}
	}
	return out
}

func TestDifferentialR59FormInEveryProjection(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, nil)
	for name, page := range recorded {
		if name == "shadow" || name == "cards" {
			continue // A closed root, and parts of a player: the tree's alone.
		}
		r.show(page)
		if d := r.compareAll(); len(d) > 0 {
			t.Errorf("%s: %d differences:\n%s", name, len(d), strings.Join(d[:min(len(d), 20)], "\n"))
		}
	}
}

// Pages on which the two once differed.
func TestDifferentialR59PagesThatDiffered(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, nil)
	for name, page := range map[string]string{
		"a document that listens":              `<p>Text</p><button>Press</button><script>document.addEventListener("click", () => {})</script>`,
		"an accordion of one":                  `<details name=a><summary>First</summary>one</details><details name=a open><summary>Second</summary>two</details>`,
		"levels that nobody says":              `<ul role=tree aria-label=Files><li role=treeitem aria-expanded=true tabindex=0>src<ul role=group><li role=treeitem tabindex=-1>main.go</li></ul></li></ul>`,
		"a label that repeats":                 `<label title=Size><input type=radio style="opacity:0"><span>Size</span></label>`,
		"values of comboboxes":                 `<div role=combobox aria-expanded=true aria-label=Fruit tabindex=0><span>Apple</span><button aria-label=Clear>x</button><input aria-label=Search placeholder=Find><div role=listbox aria-label=All><div role=option>Pear</div><p>No more</p></div></div><div role=combobox aria-expanded=false tabindex=0><label for=q>Size</label><input id=q></div><div role=combobox aria-expanded=false tabindex=0><style>.x::after{content:"×"}</style><b>Fr</b>ance<i class=x></i></div><button role=combobox aria-label=Region title=Choose aria-expanded=false><span>Choose</span><svg role=img aria-label="Open menu" width=9 height=9></svg></button><div role=combobox aria-expanded=false tabindex=0 aria-label=None><span aria-hidden=true>hid</span></div><div role=combobox aria-label=Up tabindex=0 style="text-transform:uppercase" aria-expanded=false>small</div>`,
		"values of edited ranges":              `<div role=group aria-label=Due><span role=spinbutton contenteditable aria-label=Month aria-valuetext=Empty aria-valuemin=1 aria-valuemax=12>MM</span><span role=spinbutton contenteditable aria-label=Day aria-valuenow=5 aria-valuemin=1 aria-valuemax=31>05</span><span role=spinbutton contenteditable aria-label=Year>2020</span><span role=spinbutton tabindex=0 aria-label=Y2>2021</span></div><div contenteditable role=textbox aria-label=Empty></div><div contenteditable aria-label=E2></div><span contenteditable data-x tabindex=0 aria-placeholder="" role=textbox aria-label=Tags></span>`,
		"titles that repeat the text":          `<div role=listbox aria-label=L><div role=option tabindex=0 title=France>France<button aria-label=Remove>x</button></div><div role=option title="Germany" tabindex=0>Germany</div></div><button title="Save it">Save it</button><button aria-label=Shut title=Close>Close</button><button aria-label=A title=T>X</button><li title="hello">hello</li><a href=# title="a   b">a b</a>`,
		"list boxes that open":                 `<div role=listbox aria-expanded=false aria-label=Friend tabindex=0><div role=alert>Select</div></div><div role=listbox aria-expanded=true aria-label=F2 tabindex=0><div role=option aria-selected=true>One</div></div>`,
		"cards that inherit their hand":        `<style>ul,.in{cursor:pointer}</style><ul><li class=c>First</li><li>Second</li></ul><div class=in role=combobox tabindex=0 aria-expanded=false aria-label=Ship><div class=c>France</div></div><div class=in><div class=c>Deep <b>card</b></div><div>Quiet</div></div><script>for(const e of document.querySelectorAll(".c"))e.addEventListener("click",()=>{})</script>`,
		"labels of custom elements":            `<script>customElements.define("x-f",class extends HTMLElement{static formAssociated=true;constructor(){super();this.attachInternals()}})</script><label for=a>Doctor</label><x-f id=a role=combobox tabindex=0 aria-label=Doctor>William</x-f><label for=b>Plain</label><x-g id=b tabindex=0 aria-label=Plain role=button>W</x-g><label for=c>Hid</label><x-f id=c style="opacity:0" role=checkbox tabindex=0>a</x-f>`,
		"labels of no control":                 `<label id=l><div><div>Volume</div></div><div role=slider tabindex=0 aria-labelledby=l aria-valuemin=0 aria-valuemax=9 aria-valuenow=3></div></label><label>Nothing</label><label role=presentation>Present</label><label for=zz>Lost</label><label id=m>Both</label><div role=textbox tabindex=0 contenteditable aria-labelledby=m></div><style>i::after{content:"x"}</style><i></i>`,
		"a window that ends among controls":    `<section aria-label=S><p>Volume</p><input type=range aria-valuemin=1><i id=k></i></section><button>a</button><script>k.outerHTML="<button>b</button>".repeat(12)</script>`,
		"details without a summary":            `<details><summary>Sum <b>x</b></summary>in<button>B</button></details><details open><summary>Open</summary>in2<details><summary>Inner</summary>z</details></details><details open><p>no summary</p></details>`,
		"controls in an editor":                `<div contenteditable>Text <button>in</button> <a href=#>l</a><input aria-label=i><span contenteditable=false>no<button>x</button></span><div contenteditable>nested</div></div><div contenteditable=false>f</div><div contenteditable role=combobox aria-expanded=false aria-label=ce>v</div><div contenteditable=plaintext-only>pl</div><div contenteditable aria-readonly=true aria-label=ro>r</div>`,
		"kinds of inputs":                      `<input type=hidden value=h><input type=image alt=Im src=x><input type=submit><input type=reset value=Rs><input type=button value=Bt><input type=file aria-label=Fi multiple><input type=color aria-label=Co><input type=range aria-label=Ra><input type=password value=sec aria-label=Pw><input type=date aria-label=Da value=2020-01-02><input type=datetime-local aria-label=dl><input type=week aria-label=we><input type=time aria-label=ti><input type=month aria-label=mo><input type=number aria-label=nu value=3><input type=search aria-label=se><input type=bogus aria-label=bo><input list=dl aria-label=li><datalist id=dl><option>a</datalist><input type=checkbox aria-label=ck checked><input type=radio aria-label=ra><meter value=.5>m</meter><progress value=.3></progress><output>out</output><textarea aria-label=ta readonly>x</textarea><input readonly aria-label=ro><input type=checkbox readonly aria-label=cr>`,
		"parts that are owned":                 `<div role=listbox aria-label=L aria-owns="b a"></div><div><div role=option id=a>A</div></div><div role=option id=b>B</div><div role=group aria-label=G aria-owns="x"><button>in</button></div><button id=x>X</button><div aria-owns=self id=self>cyc</div>`,
		"controls that are said to be nothing": `<button role=none>N</button><a href=# role=none>LN</a><input role=none aria-label=IN><select role=presentation aria-label=SN><option>o</select><img role=none src=x alt=pic><ul role=none><li>a</ul><table role=none><tr><td>c<td><button>b</button></table><button role=none tabindex=0 disabled>ND</button><input type=checkbox role=none aria-label=CN>`,
		"kinds of selects":                     `<select><optgroup label=G1><option>a<option disabled>b</optgroup><optgroup label=G2 disabled><option>c</optgroup><hr><option value=q label=Lab>d</select><select multiple aria-label=M><option selected>x<option selected>y</select><select size=3 aria-label=S><option>1<option>2</select><select disabled aria-label=D><option>o</select><select aria-label=E></select><select required aria-label=R><option value="">pick<option>v</select><style>.b,.b::picker(select){appearance:base-select}</style><select class=b aria-label=B><button><selectedcontent></selectedcontent></button><option>One<span>!</span><option selected><b>Two</b> rich</select>`,
		"ids in roots and slots":               `<div id=h>light<span slot=a>sl</span><b slot=none>lost</b></div><div id=g></div><script>h.attachShadow({mode:"open"}).innerHTML="<slot name=a>fb</slot><slot name=z>fallback<button>F</button></slot><slot></slot>";g.attachShadow({mode:"open"}).innerHTML="<slot>only fb</slot><label for=i>Lb</label><input id=i><div id=i2 role=textbox contenteditable aria-labelledby=l></div><i id=l>L2</i>"</script><label for=i>Outer</label><input id=i><i id=l>OL</i><div role=textbox contenteditable aria-labelledby=l></div>`,
		"labels around fields":                 `<label>First <input> after</label><label>Two <input type=checkbox> boxes <input type=radio></label><label>Sel <select><option>o</select></label><label for=k>K</label><label for=k>K2</label><input id=k><label><span hidden>hid</span>T<textarea>v</textarea></label><label>Btn <button>b</button></label><label for=nope>Dangling</label><label>Outer<label>Inner<input></label></label>`,
		"ids given twice":                      `<label for=d>One</label><input id=d><input id=d><span id=e>E1</span><span id=e>E2</span><button aria-labelledby=e>b</button><button aria-labelledby="e e zz">c</button><button aria-describedby=e>d</button>`,
		"what is shut off":                     `<div inert>gone<button>G</button></div><div aria-hidden=true><button>Foc</button><input aria-label=Y></div><div aria-hidden=false>vis</div><fieldset disabled><legend>L<button>In legend</button></legend><input aria-label=Z><button>Off</button><a href=#>Lnk</a></fieldset><div aria-disabled=true><button>AD</button><input aria-label=ad></div>`,
		"an empty drawing":                     `<button aria-label=Next><svg width=9 height=9></svg></button>`,
	} {
		r.show(page)
		if d := r.compareAll(); len(d) > 0 {
			t.Errorf("%s:\n%s", name, strings.Join(d[:min(len(d), 8)], "\n"))
		}
	}
}

// Content that is not laid out until it is scrolled near has no nodes in the engine's
// tree, so the collector that reads it cannot list it; the other one can, and what it
// lists can be used.
func TestDifferentialR59FarContentIsTheWalkersAlone(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, nil)
	r.show(`<p>Top</p><div style="height:9000px"></div><div style="content-visibility:auto;contain-intrinsic-size:900px"><button>Far</button></div>`)
	found := r.compare(full)
	if len(found) != 1 || !strings.HasPrefix(found[0], `walker {"role":"button","name":"Far","actions":["click"`) {
		t.Errorf("differences: %q", found)
	}
	r.call(r.page, "Runtime.evaluate", map[string]any{"expression": "scrollTo(0, 9000)"}, nil)
	r.call(r.page, "Runtime.evaluate", map[string]any{"expression": "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))", "awaitPromise": true}, nil)
	if found := r.compare(full); len(found) != 0 {
		t.Errorf("differences once it is near: %q", found)
	}
}

var (
	seed  = flag.Uint64("differential.seed", 1, "seed of the generated pages, 0 for a new one")
	pages = flag.Int("differential.pages", 12, "how many pages are generated")
)

// drawPage writes an arbitrary page of nested containers, texts and controls.
func drawPage(random *rand.Rand) string {
	var b strings.Builder
	id := 0
	word := func() string {
		return []string{"Alpha", "Beta", "Gamma delta", "One two three", "Ünïcode", "9 %"}[random.IntN(6)]
	}
	attributes := func() string {
		var out string
		for _, a := range []string{
			` aria-label="` + word() + `"`, ` title="` + word() + `"`, ` tabindex=0`, ` hidden`, ` aria-hidden=true`, ` aria-disabled=true`,
			` style="visibility:hidden"`, ` style="display:none"`, ` role=group aria-label="` + word() + `"`,
		} {
			if random.IntN(24) == 0 {
				out += a
			}
		}
		return out
	}
	var draw func(depth int)
	draw = func(depth int) {
		for range 1 + random.IntN(4) {
			id++
			switch kind := random.IntN(20); {
			case kind < 5 && depth < 6:
				tag := []string{"div", "section", "ul", "fieldset", "nav", "article", "p", "span", "form"}[random.IntN(9)]
				fmt.Fprintf(&b, "<%s%s>", tag, attributes())
				draw(depth + 1)
				fmt.Fprintf(&b, "</%s>", tag)
			case kind < 8:
				b.WriteString(word() + " ")
			case kind == 8:
				fmt.Fprintf(&b, "<h%d>%s</h%d>", 1+random.IntN(6), word(), 1+random.IntN(6))
			case kind < 11:
				fmt.Fprintf(&b, "<button%s%s>%s</button>", attributes(), []string{"", " disabled"}[random.IntN(2)], word())
			case kind < 14:
				types := []string{"text", "search", "number", "checkbox", "radio", "range", "password", "email", "submit", "file", "color"}
				fmt.Fprintf(&b, "<label for=i%d>%s</label><input id=i%d type=%s%s%s>", id, word(), id, types[random.IntN(len(types))], attributes(), []string{"", " readonly", " required", " placeholder=Hint"}[random.IntN(4)])
			case kind == 14:
				fmt.Fprintf(&b, "<label>%s <select%s><option>%s<option selected>%s</select></label>", word(), attributes(), word(), word())
			case kind == 15:
				fmt.Fprintf(&b, "<a href=#%d%s>%s <b>%s</b></a>", id, attributes(), word(), word())
			case kind == 16:
				fmt.Fprintf(&b, "<table><tr><th>%s<td>%s<td><button>%s</button></table>", word(), word(), word())
			case kind == 17:
				fmt.Fprintf(&b, "<div><template shadowrootmode=open><button>%s</button><slot></slot></template><i>%s</i></div>", word(), word())
			case kind == 18:
				fmt.Fprintf(&b, "<li%s>%s</li><textarea%s>%s</textarea>", attributes(), word(), attributes(), word())
			default:
				fmt.Fprintf(&b, "<div contenteditable%s>%s</div><details%s><summary>%s</summary>%s</details>", attributes(), word(), attributes(), word(), word())
			}
		}
	}
	draw(0)
	return b.String()
}

// generated are the differences that generated pages may show, each with its reason.
var generated = []struct{ part, why string }{
	{"LabelText", "the text that stands for a missing name is put together differently where hidden fields are inside"},
	{`"role":"group"`, "the tree does not call a group disabled that is inside something disabled by ARIA"},
	{"group disabled", "the same in the tree projection"},
}

func TestDifferentialR59GeneratedPages(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	if *seed == 0 {
		*seed = rand.Uint64()
	}
	r := newRig(t, nil)
	for n := range *pages {
		at := *seed + uint64(n)
		page := drawPage(rand.New(rand.NewPCG(at, 1)))
		r.show(page)
		found := slices.DeleteFunc(r.compareAll(), func(line string) bool {
			return slices.ContainsFunc(generated, func(p struct{ part, why string }) bool { return strings.Contains(line, p.part) })
		})
		if len(found) > 0 {
			t.Errorf("replay with -run GeneratedPages -args -differential.seed=%d -differential.pages=1\n%s\n%s", at, page, strings.Join(found[:min(len(found), 12)], "\n"))
			return
		}
	}
}
