package snapshot_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/internal/pagetest"
)

// browser is the one browser of this package's tests.
var browser pagetest.Browser

func TestMain(m *testing.M) { browser.Main(m) }

// A rig is one page of the shared browser with our isolated world in it, driven by
// bare protocol calls: what these tests prove is the page-side code alone.
type rig struct {
	*pagetest.Page
	t      *testing.T
	ctx    context.Context
	page   *cdp.Session
	origin string
	pages  map[string]string
}

// newRig opens a page and serves the pages by path.
func newRig(t *testing.T, pages map[string]string) *rig {
	t.Helper()
	server := pagetest.Serve(t, func(path string) any {
		text, ok := pages[path]
		if !ok {
			return nil
		}
		return recorder + text
	})
	r := &rig{t: t, origin: server.URL, pages: pages}
	r.Page = browser.Open(t, pagetest.Setup{World: "troupe", Domains: []string{"Page", "Runtime", "Accessibility"}})
	r.ctx, r.page = r.Ctx, r.Session
	return r
}

// recorder is what every page keeps of the events that its own listeners saw.
const recorder = `<style>body{margin:0}</style><script>
window.log=[];for(const t of ['pointerdown','mousedown','click','keydown','input','wheel','drop'])
addEventListener(t,e=>log.push(t+':'+(e.composedPath()[0].id||e.composedPath()[0].localName)));
window.at=(id,x,y,w=100,h=30)=>{const s=document.getElementById(id).style;s.position='absolute';s.left=x+'px';s.top=y+'px';s.width=w+'px';s.height=h+'px'};
</script>`

func (r *rig) call(session *cdp.Session, method string, params, result any) {
	r.t.Helper()
	var raw json.RawMessage
	pagetest.Call(r.ctx, r.t, session, method, params, &raw)
	if result == nil {
		return
	}
	// The answers' types here leave out the names of the fields, which the protocol writes in another case.
	if err := json.Unmarshal(raw, result); err != nil {
		r.t.Fatalf("%s: %v", method, err)
	}
}

// open navigates to one of the rig's pages and waits for its load.
func (r *rig) open(path string) {
	r.t.Helper()
	r.Visit(r.origin + path)
}

// visit navigates to an address and waits for its load.
func (r *rig) visit(address string) {
	r.t.Helper()
	r.Visit(address)
}

type evaluation struct {
	Result struct {
		Value    json.RawMessage
		ObjectID string
		Type     string
		Subtype  string
	}
	ExceptionDetails *struct {
		Text      string
		Exception struct{ Description string }
	}
}

func (r *rig) evaluate(params map[string]any) evaluation {
	r.t.Helper()
	var out evaluation
	r.call(r.page, "Runtime.evaluate", params, &out)
	if out.ExceptionDetails != nil {
		r.t.Fatalf("%v: %s %s", params["expression"], out.ExceptionDetails.Text, out.ExceptionDetails.Exception.Description)
	}
	return out
}

// main runs a script of the page itself, in its main world.
func (r *rig) main(expression string, args ...any) string {
	r.t.Helper()
	out := r.evaluate(map[string]any{"expression": fmt.Sprintf(expression, args...), "returnByValue": true, "awaitPromise": true})
	var text string
	if json.Unmarshal(out.Result.Value, &text) == nil {
		return text
	}
	return string(out.Result.Value)
}

// ours calls one of our functions in the top world and decodes its answer.
func (r *rig) ours(result any, expression string, args ...any) {
	r.t.Helper()
	out := r.evaluate(map[string]any{"expression": fmt.Sprintf(expression, args...), "uniqueContextId": r.Newest().Context, "returnByValue": true, "awaitPromise": true})
	var text string
	if err := json.Unmarshal(out.Result.Value, &text); err != nil {
		r.t.Fatalf("%s answered %s", expression, out.Result.Value)
	}
	if result == nil {
		return
	}
	if err := json.Unmarshal([]byte(text), result); err != nil {
		r.t.Fatalf("%s answered %s: %v", expression, text, err)
	}
}

// register puts the node of a main-world expression into the registry, as the
// accessibility collector does it.
func (r *rig) register(expression string, generation int) int {
	r.t.Helper()
	found := r.evaluate(map[string]any{"expression": expression})
	var node struct{ Node struct{ BackendNodeID int64 } }
	r.call(r.page, "DOM.describeNode", map[string]any{"objectId": found.Result.ObjectID}, &node)
	var object struct{ Object struct{ ObjectID string } }
	r.call(r.page, "DOM.resolveNode", map[string]any{"backendNodeId": node.Node.BackendNodeID, "executionContextId": r.NewestNumber()}, &object)
	var out evaluation
	r.call(r.page, "Runtime.callFunctionOn", map[string]any{
		"objectId": object.Object.ObjectID, "functionDeclaration": "function(g){return troupe.register(this,g,true)}",
		"arguments": []any{map[string]any{"value": generation}}, "returnByValue": true,
	}, &out)
	var index int
	if err := json.Unmarshal(out.Result.Value, &index); err != nil {
		r.t.Fatalf("register %s: %s", expression, out.Result.Value)
	}
	return index
}

// begin starts a generation and registers the nodes of the expressions.
func (r *rig) begin(generation int, expressions ...string) []int {
	r.t.Helper()
	r.ours(nil, "troupe.begin(%d)", generation)
	indices := make([]int, len(expressions))
	for i, expression := range expressions {
		indices[i] = r.register(expression, generation)
	}
	return indices
}

type answer struct {
	OK        bool
	Code      string
	Detail    string
	Touched   bool
	Token     int
	X, Y      float64
	ToX       float64 `json:"to_x"`
	ToY       float64 `json:"to_y"`
	Via       string
	Moved     bool
	Armed     bool
	Hit       *bool
	Clicks    int
	Inputs    int
	Drops     int
	Mutations int
	Blocked   *answer
	Events    []string
	State     state
	Count     int
	Taken     bool
	Quiet     bool
	Reason    string
	Value     *string
	Withheld  bool
	Connected bool
}

type state struct {
	Connected bool
	Focused   bool
	Disabled  bool
	Value     *string
	Withheld  bool
	Checked   any
	Selected  *bool
	Expanded  *bool
}

func (r *rig) aim(index, generation int, more string) answer {
	r.t.Helper()
	var out answer
	r.ours(&out, "troupe.aim({i:%d,g:%d,ax:true%s})", index, generation, more)
	return out
}

// press dispatches press and release at the point and reads the verdict, all
// pipelined, as the effects do.
func (r *rig) press(aimed answer) answer {
	r.t.Helper()
	down := r.mouse("mousePressed", aimed.X, aimed.Y)
	up := r.mouse("mouseReleased", aimed.X, aimed.Y)
	for _, pending := range []*cdp.Pending{down, up} {
		if err := pending.Wait(nil); err != nil {
			r.t.Fatal(err)
		}
	}
	var out answer
	r.ours(&out, "troupe.verdict(%d)", aimed.Token)
	return out
}

func (r *rig) mouse(kind string, x, y float64) *cdp.Pending {
	return r.page.Send(r.ctx, "Input.dispatchMouseEvent", map[string]any{"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1})
}

// log takes what the page itself saw, of the given window expression.
func (r *rig) log(window string) []string {
	r.t.Helper()
	var out []string
	if err := json.Unmarshal([]byte(r.main("JSON.stringify(%s.log.splice(0))", window)), &out); err != nil {
		r.t.Fatal(err)
	}
	return out
}

func (r *rig) click(index, generation int) answer {
	r.t.Helper()
	aimed := r.aim(index, generation, "")
	if !aimed.OK {
		return aimed
	}
	return r.press(aimed)
}
