package collect

import (
	"context"
	"errors"
	"fmt"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// CollectorWalker is the name of the collector that runs in the page.
const CollectorWalker = "walker"

// errCold says that the walker did nothing and the other collector must answer.
var errCold = errors.New("the walker cannot answer here")

// warm keeps reading computed roles cheap in every document of the page: the
// accessibility tree of a frame is built once, when its root is asked for. The
// calls are pipelined in front of the walk and not waited for; where one fails
// the walker notices that it is slow.
func warm(ctx context.Context, page *target.Page) {
	s := page.Session
	s.Send(ctx, "Accessibility.enable", nil)
	s.Send(ctx, "Accessibility.getRootAXNode", axParams{string(page.Main.Frame)})
	for i, w := range page.Worlds {
		if w.Frame != page.Main.Frame && i <= messages.FramesMax {
			s.Send(ctx, "Accessibility.getRootAXNode", axParams{string(w.Frame)})
		}
	}
}

// Cool ends the upkeep of the accessibility tree that the walker needs. It is for
// a page that was not observed for a while; the next snapshot warms it again.
func Cool(ctx context.Context, page target.Page) error {
	return page.Session.Execute(ctx, "Accessibility.disable", nil, nil)
}

// walks reports whether the walker may be tried: where the browser offers
// computed roles, and not for broad clickables, which need the engine's own fact
// for every element (R228).
func (c *collection) walks() bool {
	return c.page.Computed && c.page.Policy.Clickables != target.ClickablesBroad
}

// walk takes the whole snapshot by one evaluation in the page. It returns errCold
// when the other collector must answer: the roles are slow to read, or the page
// has a closed shadow root, which only the accessibility tree shows.
func (c *collection) walk(ctx context.Context, out *Result) error {
	short, cancel := context.WithTimeout(ctx, busyAfter)
	defer cancel()
	warm(short, c.page)
	view := c.view(snapshot.Policy{})
	pending := target.Start(short, c.page.Session, c.page.Main, "snap", snapshot.WalkView(view, c.request.Generation), nil)
	raw, err := finishRaw(pending, "snap")
	var call *cdp.CallError
	if errors.As(err, &call) && call.Kind == cdp.KindTimeout && ctx.Err() == nil {
		return errBusy
	}
	if err != nil {
		return err
	}
	walk, err := snapshot.DecodeWalk(raw)
	if err != nil {
		return &target.ScriptError{Function: "snap"}
	}
	if walk.Cold || hidesRoots(walk) {
		return errCold
	}
	cards, err := c.cards(ctx, walk.CardIndices())
	if err != nil {
		return err
	}
	c.url, c.title = walk.URL, walk.Title
	main := snapshot.Frame{ID: string(c.page.Main.Frame), World: string(c.page.Main.Context)}
	tree, selection := walk.Tree(view, main, cards)
	if walk.Deep > 0 {
		tree.AddUnseen("nodes", "depth", walk.Deep)
	}
	out.Snapshot.Collector = CollectorWalker
	out.Framed = walk.Frames > 0
	c.publish(tree, selection, out)
	return nil
}

// hidesRoots reports whether the walker met a closed shadow root.
func hidesRoots(walk *snapshot.Walk) bool {
	for _, u := range walk.Unseen {
		if u.Kind == "closed_shadow" {
			return true
		}
	}
	return false
}

// describeParams asks for the backend id of a node behind a handle.
type describeParams struct {
	Object string `json:"objectId"`
}

// cards asks the engine which candidates react to a click, by one capture that is
// made only when there are any (R100, R101). Whatever goes wrong grants nothing.
func (c *collection) cards(ctx context.Context, indices []int) (map[int]bool, error) {
	if len(indices) == 0 {
		return nil, nil
	}
	s := c.page.Session
	defer c.release(ctx)
	capture := s.Send(ctx, "DOMSnapshot.captureSnapshot", captureParams{snapshot.CaptureStyles})
	handles := make([]*cdp.Pending, len(indices))
	for k, i := range indices {
		handles[k] = s.Send(ctx, "Runtime.evaluate", struct {
			Expression string `json:"expression"`
			Context    string `json:"uniqueContextId"`
			Group      string `json:"objectGroup"`
		}{fmt.Sprintf("troupe.handle({g:%d,i:%d})", c.request.Generation, i), string(c.page.Main.Context), objectGroup})
	}
	nodes := make([]*cdp.Pending, len(indices))
	for k := range handles {
		var handle struct {
			Result struct {
				ID string `json:"objectId"`
			} `json:"result"`
		}
		if err := handles[k].Wait(&handle); err != nil {
			return nil, documentErrorOf(err)
		}
		if handle.Result.ID != "" {
			nodes[k] = s.Send(ctx, "DOM.describeNode", describeParams{handle.Result.ID})
		}
	}
	captured, err := decodeCapture(capture)
	if err != nil {
		return nil, ignoreRefusal(err)
	}
	evidence := captured.Cards()
	found := map[int]bool{}
	for k, i := range indices {
		var node struct {
			Node struct {
				Backend int64 `json:"backendNodeId"`
			} `json:"node"`
		}
		if nodes[k] != nil && nodes[k].Wait(&node) == nil && evidence[node.Node.Backend] {
			found[i] = true
		}
	}
	return found, nil
}

// ignoreRefusal drops an error with which the browser answered: the evidence is
// missing, and that is all (R102).
func ignoreRefusal(err error) error {
	if k := kindOf(err); k == cdp.KindRefused || k == cdp.KindUndecodable {
		return nil
	}
	return err
}

// documentErrorOf reads the refusal of a call in one world as a lost document.
func documentErrorOf(err error) error {
	if kindOf(err) == cdp.KindRefused {
		return ErrDocumentChanged
	}
	return err
}
