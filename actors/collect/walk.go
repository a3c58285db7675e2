package collect

import (
	"context"
	"errors"
	"fmt"
	"slices"

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

// Cool ends the upkeep of the accessibility tree that the walker needs, which costs a
// page that changes much some of its time. It is for a page that was not observed for
// a while; the next snapshot warms it again. It only sends: a page that is gone has
// nothing to be cooled.
func Cool(ctx context.Context, page target.Page) {
	target.Start(ctx, page.Session, page.Main, "cool", nil, nil)
	page.Session.Send(ctx, "Accessibility.disable", nil)
}

// walks reports whether the walker may be tried: where the browser offers
// computed roles, and neither for broad clickables, which need the engine's own
// fact for every element (R228), nor for the subtree of a selector.
func (c *collection) walks() bool {
	return c.request.Command.Selector == "" && c.page.Computed && c.page.Policy.Clickables != target.ClickablesBroad
}

// walk takes the whole snapshot by one evaluation in the page. It returns errCold
// when the other collector must answer: the roles are slow to read, or the page
// has a closed shadow root, which only the accessibility tree shows.
func (c *collection) walk(ctx context.Context, out *Result) error {
	view := c.view(snapshot.Policy{})
	defer c.releaseProof(ctx)
	walk, err := c.snap(ctx, view)
	if err != nil {
		return err
	}
	compacted := view.Projection == messages.ProjectionTree && view.Mode == messages.ModeAuto && view.Offset > 0 && view.Query.Empty()
	if walk.Overflows(view) {
		again := view
		again.Mode = messages.ModeInteractive
		if walk, err = c.snap(ctx, again); err != nil {
			return err
		}
		compacted = true
	}
	walk.Compacted = walk.Compacted || compacted
	closed, err := c.closedRoots(ctx, walk.Suspects)
	if err != nil {
		return err
	}
	if closed {
		return errCold
	}
	// Every guess was checked, and none held.
	walk.Unseen = slices.DeleteFunc(walk.Unseen, func(u messages.Unseen) bool { return u.Kind == "closed_shadow" })
	c.url, c.title = walk.URL, walk.Title
	main := snapshot.Frame{ID: string(c.page.Main.Frame), World: string(c.page.Main.Context)}
	tree, selection := walk.Tree(view, main)
	if walk.Deep > 0 {
		tree.AddUnseen("nodes", "depth", walk.Deep)
	}
	out.Snapshot.Collector = CollectorWalker
	out.Framed = walk.Frames > 0
	c.publish(tree, selection, out)
	return nil
}

// snap calls the walker, first as it is: the page remembers which of its documents
// were warmed, and notices where that is no longer true. Then on a page made warm.
func (c *collection) snap(ctx context.Context, view snapshot.View) (*snapshot.Walk, error) {
	short, cancel := context.WithTimeout(ctx, busyAfter)
	defer cancel()
	options := snapshot.WalkView(view, c.request.Generation)
	options.Kept = c.request.Kept
	for _, options.Warmed = range []bool{false, true} {
		if options.Warmed {
			warm(short, c.page)
		}
		walk, err := c.snapOnce(short, &options)
		if err == nil && walk.Asks {
			if c.proof, err = c.prove(short); err == nil {
				walk, err = c.snapOnce(short, &options)
			}
		}
		var failed *cdp.CallError
		if errors.As(err, &failed) && failed.Kind == cdp.KindTimeout && ctx.Err() == nil {
			return nil, errBusy
		}
		if err != nil {
			return nil, err
		}
		if !walk.Cold {
			return walk, nil
		}
	}
	return nil, errCold
}

// snapOnce is one call of the walker, with the cards where they are known.
func (c *collection) snapOnce(ctx context.Context, options *snapshot.WalkOptions) (*snapshot.Walk, error) {
	var pending *cdp.Pending
	if c.proof == nil {
		pending = evaluate(ctx, c.page.Session, c.page.Main, target.Expression("snap", options))
	} else {
		pending = c.page.Session.Send(ctx, "Runtime.callFunctionOn", callParams{
			Function: snapFunction, Context: string(c.page.Main.Context), ByValue: true, Arguments: append([]callArgument{{Value: options}}, c.proof...),
		})
	}
	raw, err := finishRaw(pending, "snap")
	if err != nil {
		return nil, err
	}
	walk, err := snapshot.DecodeWalk(raw)
	if err != nil {
		return nil, &target.ScriptError{Function: "snap"}
	}
	return walk, nil
}

// snapFunction walks with the elements that are proved to be cards.
const snapFunction = `function(options, ...proved) { return troupe.snap({...options, proved}) }`

// suspectsMax bounds the elements that are asked for a closed root; the page
// names one of each kind.
const suspectsMax = 64

// closedRoots asks whether any of the suspects really holds a closed root.
func (c *collection) closedRoots(ctx context.Context, indices []int) (bool, error) {
	if len(indices) == 0 {
		return false, nil
	}
	defer c.release(ctx)
	nodes, err := c.describe(ctx, indices[:min(len(indices), suspectsMax)])
	if err != nil {
		return false, err
	}
	for _, n := range nodes {
		for _, root := range n.Roots {
			if root.Kind == "closed" {
				return true, nil
			}
		}
	}
	return false, nil
}

// described is what is read of a node: its backend id and its shadow roots.
type described struct {
	Backend int64 `json:"backendNodeId"`
	Roots   []struct {
		Kind string `json:"shadowRootType"`
	} `json:"shadowRoots"`
}

type describeParams struct {
	Object string `json:"objectId"`
}

// describe reads registered nodes; one that is gone is left zero.
func (c *collection) describe(ctx context.Context, indices []int) ([]described, error) {
	s := c.page.Session
	handles := make([]*cdp.Pending, len(indices))
	for k, i := range indices {
		expression := fmt.Sprintf("troupe.handle({g:%d,i:%d})", c.request.Generation, i)
		handles[k] = s.Send(ctx, "Runtime.evaluate", handleParams{expression, string(c.page.Main.Context), objectGroup})
	}
	pending := make([]*cdp.Pending, len(indices))
	for k := range handles {
		var handle handleReply
		if err := handles[k].Wait(&handle); err != nil {
			return nil, lostFrame(err)
		}
		if handle.Result.ID != "" {
			pending[k] = s.Send(ctx, "DOM.describeNode", describeParams{handle.Result.ID})
		}
	}
	out := make([]described, len(indices))
	for k, p := range pending {
		var reply struct {
			Node described `json:"node"`
		}
		if p == nil {
			continue
		}
		if err := p.Wait(&reply); err != nil && kindOf(err) != cdp.KindRefused {
			return nil, err
		}
		out[k] = reply.Node
	}
	return out, nil
}
