package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/troupe-browser/troupe/cdp"
)

// floorScript is the least that an in-page snapshot does: visit every visible
// element, those of open shadow roots and of frames of the origin as well, and
// write tag, text and place down.
const floorScript = `(() => { const out = [];
const all = (root) => { for (const el of root.querySelectorAll("*")) {
if (!el.checkVisibility()) continue;
const r = el.getBoundingClientRect();
out.push({t: el.localName, n: (el.getAttribute("aria-label") || (el.firstChild && el.firstChild.nodeType === 3 ? el.firstChild.data : "")).slice(0, 80), x: r.x, y: r.y});
if (el.shadowRoot) all(el.shadowRoot);
if (el.localName === "iframe" && el.contentDocument) all(el.contentDocument); } };
all(document);
return JSON.stringify(out) })()`

// rolesScript is the least that says what an agent needs: the floor with the
// browser's own role and name of every element in place of its tag and text.
const rolesScript = `(() => { const out = [];
const all = (root) => { for (const el of root.querySelectorAll("*")) {
if (!el.checkVisibility()) continue;
const r = el.getBoundingClientRect();
out.push({t: el.computedRole, n: el.computedName.slice(0, 80), x: r.x, y: r.y});
if (el.shadowRoot) all(el.shadowRoot);
if (el.localName === "iframe" && el.contentDocument) all(el.contentDocument); } };
all(document);
return JSON.stringify(out) })()`

// raw is the floor: a browser of its own, driven without any promise.
type raw struct {
	dir     string
	process *cdp.Process
	conn    *cdp.Conn
	session *cdp.Session
}

func startRaw(ctx context.Context) (*raw, error) {
	engine, err := cdp.Discover(cdp.DiscoverOptions{})
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "troupe-bench-")
	if err != nil {
		return nil, err
	}
	r := &raw{dir: dir}
	r.process, err = cdp.Launch(ctx, cdp.LaunchConfig{Engine: engine, ThrowawayParent: dir, Headless: true, NoSandbox: sandboxOff()})
	if err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	r.conn = cdp.NewConn(r.process.Transport(), cdp.Options{})
	if err := r.attach(ctx); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

func sandboxOff() bool { return os.Getenv("TROUPE_SANDBOX") == "off" }

func (r *raw) attach(ctx context.Context) error {
	var created struct {
		TargetID string `json:"targetId"`
	}
	if err := r.conn.Root().Execute(ctx, "Target.createTarget", map[string]any{"url": "about:blank"}, &created); err != nil {
		return err
	}
	var attached struct {
		SessionID string `json:"sessionId"`
	}
	if err := r.conn.Root().Execute(ctx, "Target.attachToTarget", map[string]any{"targetId": created.TargetID, "flatten": true}, &attached); err != nil {
		return err
	}
	r.session = r.conn.Session(cdp.SessionID(attached.SessionID), cdp.TargetID(created.TargetID))
	for _, method := range []string{"Page.enable", "Accessibility.enable"} {
		if err := r.session.Execute(ctx, method, nil, nil); err != nil {
			return err
		}
	}
	return r.session.Execute(ctx, "Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}, nil)
}

func (r *raw) close() {
	_ = r.conn.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := r.process.Close(ctx, false); err != nil {
		fmt.Fprintln(os.Stderr, "bench: the floor's browser:", err)
	}
	_ = os.RemoveAll(r.dir)
}

// open navigates and waits for the load event.
func (r *raw) open(ctx context.Context, url string) error {
	tap := r.session.Tap(64, func(method string) bool { return method == "Page.loadEventFired" })
	defer tap.Close()
	if err := r.session.Execute(ctx, "Page.navigate", map[string]any{"url": url}, nil); err != nil {
		return err
	}
	select {
	case <-tap.C():
		return nil
	case <-ctx.Done():
		return errors.New("the floor's page did not load")
	}
}

// warm asks for the accessibility tree of each frame, without which every read of a
// role would build one.
func (r *raw) warm(ctx context.Context) error {
	type frame struct {
		ID string `json:"id"`
	}
	var reply struct {
		Tree struct {
			Frame    frame `json:"frame"`
			Children []struct {
				Frame frame `json:"frame"`
			} `json:"childFrames"`
		} `json:"frameTree"`
	}
	if err := r.session.Execute(ctx, "Page.getFrameTree", nil, &reply); err != nil {
		return err
	}
	ids := []string{reply.Tree.Frame.ID}
	for _, child := range reply.Tree.Children {
		ids = append(ids, child.Frame.ID)
	}
	for _, id := range ids {
		if err := r.session.Execute(ctx, "Accessibility.getRootAXNode", map[string]any{"frameId": id}, nil); err != nil {
			return err
		}
	}
	return nil
}

// evaluate runs a script and returns its text.
func (r *raw) evaluate(ctx context.Context, script string) (string, error) {
	var out struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
	}
	err := r.session.Execute(ctx, "Runtime.evaluate", map[string]any{"expression": script, "returnByValue": true}, &out)
	return string(out.Result.Value), err
}

// axTree reads the whole accessibility tree and returns its size in bytes.
func (r *raw) axTree(ctx context.Context) (int, error) {
	var out struct {
		Nodes json.RawMessage `json:"nodes"`
	}
	err := r.session.Execute(ctx, "Accessibility.getFullAXTree", nil, &out)
	return len(out.Nodes), err
}

// click presses and releases at a point, both on the wire before either answers.
func (r *raw) click(ctx context.Context, x, y float64) error {
	press := r.session.Send(ctx, "Input.dispatchMouseEvent", mouse("mousePressed", x, y))
	release := r.session.Send(ctx, "Input.dispatchMouseEvent", mouse("mouseReleased", x, y))
	return errors.Join(press.Wait(nil), release.Wait(nil))
}

func mouse(kind string, x, y float64) map[string]any {
	return map[string]any{"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}
}

// centre returns the middle of an element.
func (r *raw) centre(ctx context.Context, selector string) (x, y float64, err error) {
	text, err := r.evaluate(ctx, fmt.Sprintf(`(() => { const r = document.querySelector(%q).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()`, selector))
	if err != nil {
		return 0, 0, err
	}
	var at [2]float64
	err = json.Unmarshal([]byte(text), &at)
	return at[0], at[1], err
}

// fill focuses and types into each field in turn, then clicks.
func (r *raw) fill(ctx context.Context, fields int, x, y float64) error {
	for i := range fields {
		if _, err := r.evaluate(ctx, fmt.Sprintf("document.getElementById('f%d').focus()", i)); err != nil {
			return err
		}
		if err := r.session.Execute(ctx, "Input.insertText", map[string]any{"text": fmt.Sprintf("value %d", i)}, nil); err != nil {
			return err
		}
	}
	return r.click(ctx, x, y)
}
