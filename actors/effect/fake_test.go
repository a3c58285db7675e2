package effect

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/cdp/cdptest"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

const (
	fakeSession = cdp.SessionID("S")
	fakeWorld   = cdp.ContextID("W")
	fakeFrame   = cdp.FrameID("F")
)

// fakePage is a page behind the scripted browser: it answers the page functions
// and keeps its own record of what was done to it.
type fakePage struct {
	browser *cdptest.Browser
	// values are the fields by index; a nil one is read-only.
	values map[int]*string
	// done is the page's own record: one entry for every change or click.
	done []string
	// fault is called for every call, under the name of the page function or
	// protocol method, before it is carried out; true means that it has dealt with it.
	fault func(name string, c *cdptest.Call) bool
	// blocks says that the guard stops the press.
	blocks bool
	// unseen says that the press never arrives.
	unseen bool
	seen   *cdptest.Call
	armed  int
}

var pageFunction = regexp.MustCompile(`troupe(?:Acts)?\.(\w+)\((.*)\)`)

func newFakePage(t cdptest.TB) *fakePage {
	p := &fakePage{browser: cdptest.New(t), values: map[int]*string{}}
	p.browser.HandleRest(p.answer)
	return p
}

func (p *fakePage) answer(c *cdptest.Call) {
	name, argument := c.Method, ""
	if c.Method == "Runtime.evaluate" {
		var e target.Evaluation
		c.Decode(&e)
		if e.Expression == "1" {
			name = "idle"
		} else if found := pageFunction.FindStringSubmatch(e.Expression); found != nil {
			name, argument = found[1], found[2]
		}
	}
	if p.fault != nil && p.fault(name, c) {
		return
	}
	switch name {
	case "idle":
		c.Reply(map[string]any{"result": map[string]any{"type": "number", "value": 1}})
	case "aim":
		p.armed++
		answerText(c, fmt.Sprintf(`{"ok":true,"token":%d,"x":5,"y":5}`, p.armed))
	case "reaim":
		answerText(c, fmt.Sprintf(`{"ok":true,"token":%d,"x":5,"y":5}`, p.armed))
	case mouseMethod:
		p.mouse(c)
	case "seen":
		p.seen = c
	case "poke":
		answerText(c, `{"ok":true}`)
		p.verdict()
	case "prepare":
		answerText(c, `{"ok":true,"kind":"text"}`)
	case "change":
		p.change(c, argument)
	case "observe":
		p.observe(c, argument)
	case "settle":
		answerText(c, `{"ok":true,"quiet":true,"mutations":0}`)
	default:
		answerText(c, `{"ok":true}`)
	}
}

// answerText answers an evaluation with JSON text.
func answerText(c *cdptest.Call, value string) {
	c.Reply(map[string]any{"result": map[string]any{"type": "string", "value": value}})
}

func (p *fakePage) mouse(c *cdptest.Call) {
	var e struct {
		Type string `json:"type"`
	}
	c.Decode(&e)
	c.Reply(nil)
	if e.Type == "mouseReleased" && !p.blocks && !p.unseen {
		p.done = append(p.done, "click")
		p.verdict()
	}
}

// verdict answers the call that waits for the press.
func (p *fakePage) verdict() {
	if p.seen == nil {
		return
	}
	call := p.seen
	p.seen = nil
	switch {
	case p.blocks:
		answerText(call, `{"ok":true,"armed":true,"hit":false,"blocked":{"ok":false,"code":"element_covered","detail":"stopped"},"events":["-pointerdown"]}`)
	case p.unseen:
		answerText(call, `{"ok":true,"armed":true,"hit":null,"events":[]}`)
	default:
		answerText(call, `{"ok":true,"armed":true,"hit":true,"presses":1,"clicks":1,"gestures":1,"events":["+pointerdown","+click"]}`)
	}
}

type fakeArgument struct {
	Index int    `json:"i"`
	Value string `json:"value"`
	List  []int  `json:"list"`
}

func (p *fakePage) change(c *cdptest.Call, argument string) {
	var a fakeArgument
	if json.Unmarshal([]byte(cutTail(argument)), &a) != nil || p.values[a.Index] == nil {
		answerText(c, `{"ok":false,"code":"element_not_actionable","detail":"the field is read-only"}`)
		return
	}
	p.apply(a)
	answerText(c, fmt.Sprintf(`{"ok":true,"kind":"text","state":{"ok":true,"connected":true,"value":%q,"judged":true,"how":"value"}}`, a.Value))
}

func (p *fakePage) apply(a fakeArgument) {
	*p.values[a.Index] = a.Value
	p.done = append(p.done, fmt.Sprintf("%d=%s", a.Index, a.Value))
}

func (p *fakePage) observe(c *cdptest.Call, argument string) {
	var a fakeArgument
	_ = json.Unmarshal([]byte(cutTail(argument)), &a)
	var list []map[string]any
	for _, i := range a.List {
		state := map[string]any{"ok": true, "connected": true}
		if v := p.values[i]; v != nil {
			state["value"], state["judged"], state["how"] = *v, true, "value"
		}
		list = append(list, state)
	}
	data, _ := json.Marshal(map[string]any{"ok": true, "list": list})
	answerText(c, string(data))
}

// cutTail removes what follows the JSON argument in an expression.
func cutTail(argument string) string {
	var value json.RawMessage
	d := json.NewDecoder(strings.NewReader(argument))
	if d.Decode(&value) != nil {
		return "{}"
	}
	return string(value)
}

// fakeEnv is the environment of an operation on the fake page.
func fakeEnv(t testing.TB, p *fakePage, ticket *ticket) Env {
	conn := cdp.NewConn(p.browser.Transport(), cdp.Options{})
	t.Cleanup(func() { _ = conn.Close() })
	session := conn.Session(fakeSession, "T")
	main := target.World{Frame: fakeFrame, Context: fakeWorld}
	return Env{
		Page:     target.Page{Session: session, Browser: conn.Root(), Main: main, WorldName: "w"},
		Progress: ticket,
		Resolve: func(h messages.ElementHandle, _ messages.Action) (*snapshot.Record, *messages.Error) {
			var index int
			if _, err := fmt.Sscanf(string(h), "e%d", &index); err != nil {
				return nil, messages.NewError(messages.CodeRefMalformed, "")
			}
			return &snapshot.Record{Index: index, Generation: 1, Role: "textbox", Tag: "input"}, nil
		},
		Operation: "op",
	}
}

// runFake carries a command out on the fake page.
func runFake(t testing.TB, ctx context.Context, p *fakePage, command messages.Effect) (*messages.Receipt, *ticket) {
	ticket := &ticket{}
	return Run(ctx, fakeEnv(t, p, ticket), command), ticket
}
