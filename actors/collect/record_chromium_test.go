package collect_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/troupe-browser/troupe/snapshot"
)

var record = flag.Bool("record", false, "write the inputs of the golden tests of package snapshot anew")

// recorded are the pages whose sources the golden tests of package snapshot read.
var recorded = map[string]string{
	"form": formPage,
	"context": `<h2>Billing</h2><fieldset><legend>Card</legend><div>Number</div><input><label>Name <input></label></fieldset>
<section aria-label=Shipping><div role=radiogroup aria-label=Speed><label><input type=radio name=s> Fast</label><label><input type=radio name=s disabled> Slow</label></div></section>
<table><tr><th>City</th><th>Mayor</th></tr><tr><td>Lima</td><td><a href=#>Ana</a></td></tr></table>
<ul role=tree><li role=treeitem aria-expanded=true aria-level=1 tabindex=0>Fruit</li></ul><p>One <b>bold</b> line<br>and another</p>`,
	"shadow": `<div id=o></div><div id=c></div><label>Day <input type=date></label><video controls></video><script>
o.attachShadow({mode:"open"}).innerHTML="<button>Open</button>";c.attachShadow({mode:"closed"}).innerHTML="<button>Closed</button>"</script>`,
	"hidden": `<label>Portrait <input type=file style="display:none"></label><input type=checkbox id=k style="opacity:0"><label for=k>News</label>
<div style="display:none"><button>Gone</button></div><div aria-hidden=true><button>Quiet</button></div><div inert><button>Inert</button></div>
<div style="visibility:hidden"><button>Shadow</button></div><button style="opacity:0">Glass</button>`,
	"cards": `<style>.p{cursor:pointer}</style><div class=p id=a>Card one</div><div class=p id=b>With <a href=#>link</a></div><div class=p>Quiet</div>
<script>for(const id of "ab")document.getElementById(id).addEventListener("click",()=>{})</script>`,
	"pickers": `<div class="ant-select-x"><input role=combobox aria-haspopup=listbox aria-label=Country></div>
<div class="ant-picker-input"><input aria-label=Start placeholder=Day></div><input readonly aria-haspopup=listbox aria-label=Origin>
<button aria-haspopup=dialog>Choose</button><button class=dropdown>Plain</button><div role=listbox tabindex=0 aria-label=List><div role=option>A</div></div>
<input list=l aria-label=Suggest><datalist id=l><option>x</datalist><select multiple aria-label=Many><option>1<option selected>2</select>`,
}

func TestRecordGoldenInputs(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	if !*record {
		return
	}
	dir := filepath.Join("..", "..", "snapshot", "testdata")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r := newRig(t, nil)
	for name, page := range recorded {
		r.show(page)
		for kind, call := range map[string]struct {
			method string
			params any
		}{
			"ax":  {"Accessibility.getFullAXTree", nil},
			"dom": {"DOMSnapshot.captureSnapshot", map[string]any{"computedStyles": snapshot.CaptureStyles}},
		} {
			var raw jsonv2.Value
			r.call(r.page, call.method, call.params, &raw)
			raw = bytes.ReplaceAll(raw, []byte(r.server.URL), []byte("http://page.test"))
			var slim bytes.Buffer
			if err := json.Compact(&slim, slimmed(raw)); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name+"."+kind+".json"), append(slim.Bytes(), '\n'), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// slimmed drops what package snapshot never reads, to keep the files small.
func slimmed(raw []byte) []byte {
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return raw
	}
	drop(v)
	out, err := json.Marshal(v)
	if err != nil {
		return raw
	}
	return out
}

func drop(v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range []string{"sources", "chromeRole", "ignoredReasons", "relatedNodes", "textBoxes", "stackingContexts", "text"} {
			delete(v, key)
		}
		for _, child := range v {
			drop(child)
		}
	case []any:
		for _, child := range v {
			drop(child)
		}
	}
}
