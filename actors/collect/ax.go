package collect

import (
	"context"
	"errors"
	"strings"
	"time"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// CollectorAX is the name of the collector that reads the accessibility tree and
// one DOM capture.
const CollectorAX = "ax"

// frameTree is the part of Page.getFrameTree that is read. It holds the frames of
// the page's own process only.
type frameTree struct {
	Frame struct {
		ID     string `json:"id"`
		Parent string `json:"parentId"`
		Loader string `json:"loaderId"`
		Origin string `json:"securityOrigin"`
		URL    string `json:"url"`
	} `json:"frame"`
	Children []frameTree `json:"childFrames"`
}

// captureParams asks for the DOM capture that serves as the DOM pass.
type captureParams struct {
	Styles []string `json:"computedStyles"`
}

// axParams asks for the accessibility tree of one frame.
type axParams struct {
	Frame string `json:"frameId"`
}

// collectAX reads one capture of the page's DOM and the accessibility trees of its
// frames (R44, R104, R105). The capture comes first: it is cheap, and its size
// tells whether the trees can be read whole.
func (c *collection) collectAX(ctx context.Context, out *Result) (*snapshot.Tree, error) {
	s := c.page.Session
	frames := s.Send(ctx, "Page.getFrameTree", nil)
	dom := s.Send(ctx, "DOMSnapshot.captureSnapshot", captureParams{snapshot.CaptureStyles})
	var reply struct {
		Tree frameTree `json:"frameTree"`
	}
	if err := frames.Wait(&reply); err != nil {
		return nil, err
	}
	candidates, skipped := c.candidates(&reply.Tree)
	eligible, err := c.confirm(ctx, candidates, skipped)
	if err != nil {
		return nil, err
	}
	capture, err := decodeCapture(dom)
	if err != nil && kindOf(err) != cdp.KindRefused && kindOf(err) != cdp.KindUndecodable {
		return nil, err
	}
	if err != nil && (len(candidates) > 1 || len(skipped) > 0) {
		// With frames there is no role-only fallback (R66, R108).
		return nil, messages.NewError(messages.CodeFrameDocumentUnavailable, "")
	}
	sources := snapshot.Sources{Skipped: skipped, Capture: capture, Scope: c.scope}
	if plan := c.plan(capture, len(candidates)-1+len(skipped)); plan != nil {
		err = c.readSparse(ctx, plan, eligible, &sources)
	} else {
		err = c.readWhole(ctx, eligible, &sources)
	}
	if err != nil {
		return nil, err
	}
	out.Framed = len(sources.Frames) > 1
	out.Snapshot.Collector = CollectorAX
	return snapshot.Build(sources), nil
}

// readWhole reads the accessibility tree of every eligible frame.
func (c *collection) readWhole(ctx context.Context, eligible []snapshot.FrameFact, sources *snapshot.Sources) error {
	pending := make([]*cdp.Pending, len(eligible))
	for i, f := range eligible {
		pending[i] = c.page.Session.Send(ctx, "Accessibility.getFullAXTree", axParams{f.ID})
	}
	for i, p := range pending {
		tree, err := decodeAX(p)
		if err != nil && (i == 0 || kindOf(err) != cdp.KindRefused) {
			return err
		}
		if err != nil {
			sources.Skipped[eligible[i].ID] = "unreadable"
			continue
		}
		sources.Frames = append(sources.Frames, frameAX(eligible[i], tree))
	}
	return nil
}

func frameAX(f snapshot.FrameFact, tree *snapshot.AXTree) snapshot.FrameAX {
	return snapshot.FrameAX{Frame: snapshot.Frame{ID: f.ID, World: f.World}, Tree: tree}
}

// Bounds of the reading of a large page.
const (
	// sparseBatch is how many nodes are asked for at once.
	sparseBatch = 256
	// sparseReserve is the part of the deadline in which no further batch is begun:
	// the window is then cut and says so.
	sparseReserve = 1800 * time.Millisecond
)

// partialParams asks for the accessibility node of one element alone.
type partialParams struct {
	Backend   int64 `json:"backendNodeId"`
	Relatives bool  `json:"fetchRelatives"`
}

// plan decides whether only a part of the accessibility tree is read, and which:
// for a large page, and for a smaller one without frames where the window shows
// controls only. It returns nil for a page to be read whole.
func (c *collection) plan(capture *snapshot.Capture, frames int) *snapshot.Sparse {
	if capture == nil || capture.Size() <= snapshot.SparseNodesCompact {
		return nil
	}
	if capture.Size() <= snapshot.SparseNodes && frames > 0 {
		return nil
	}
	plan := capture.Sparse(c.view(snapshot.Policy{Broad: c.page.Policy.Clickables == target.ClickablesBroad}))
	if capture.Size() <= snapshot.SparseNodes && !plan.Compact {
		return nil
	}
	return plan
}

// readSparse reads only the nodes of the main frame that the window can need, in
// batches, as long as there is time. Inner frames are left out.
func (c *collection) readSparse(ctx context.Context, plan *snapshot.Sparse, eligible []snapshot.FrameFact, sources *snapshot.Sources) error {
	for _, f := range eligible[1:] {
		sources.Skipped[f.ID] = "limit"
	}
	sources.Cut, sources.Compact = plan.Cut, plan.Compact
	deadline, bounded := ctx.Deadline()
	answers := make([]*snapshot.AXTree, 0, len(plan.Backends))
	for len(answers) < len(plan.Backends) {
		if bounded && len(answers) > 0 && time.Until(deadline) < sparseReserve {
			sources.Cut = true
			break
		}
		batch := plan.Backends[len(answers):min(len(answers)+sparseBatch, len(plan.Backends))]
		pending := make([]*cdp.Pending, len(batch))
		for k, backend := range batch {
			pending[k] = c.page.Session.Send(ctx, "Accessibility.getPartialAXTree", partialParams{backend, false})
		}
		for _, p := range pending {
			tree, err := decodeAX(p)
			if err != nil && kindOf(err) != cdp.KindRefused {
				return err
			}
			answers = append(answers, tree)
		}
	}
	sources.Frames = append(sources.Frames, frameAX(eligible[0], plan.Tree(answers)))
	return nil
}

// finishRaw waits for a page function and returns the JSON text of its answer.
func finishRaw(p *cdp.Pending, function string) ([]byte, error) {
	var answer jsonText
	if err := target.Finish(p, function, &answer); err != nil {
		return nil, err
	}
	return answer, nil
}

// jsonText keeps an answer undecoded.
type jsonText []byte

// UnmarshalJSON copies the text.
func (t *jsonText) UnmarshalJSON(data []byte) error {
	*t = append((*t)[:0], data...)
	return nil
}

func decodeAX(p *cdp.Pending) (*snapshot.AXTree, error) {
	var raw jsonv2.Value
	if err := p.Wait(&raw); err != nil {
		return nil, err
	}
	return snapshot.DecodeAX(raw)
}

func decodeCapture(p *cdp.Pending) (*snapshot.Capture, error) {
	var raw jsonv2.Value
	if err := p.Wait(&raw); err != nil {
		return nil, err
	}
	capture, err := snapshot.DecodeCapture(raw)
	if err != nil {
		return nil, &cdp.CallError{Kind: cdp.KindUndecodable, Method: p.Method()}
	}
	return capture, nil
}

func kindOf(err error) cdp.Kind {
	var call *cdp.CallError
	if errors.As(err, &call) {
		return call.Kind
	}
	return 0
}

// candidate is a frame that may be read. inherits marks one whose origin its
// address does not tell.
type candidate struct {
	snapshot.FrameFact
	inherits bool
}

// candidates lists the frames that may be read, the main frame first: those whose
// every ancestor shares the http or https origin and whose world the process
// holds (R104). Others are given with the reason. A frame of another process is
// in neither.
func (c *collection) candidates(tree *frameTree) (frames []candidate, skipped map[string]string) {
	skipped = map[string]string{}
	origin := tree.Frame.Origin
	web := strings.HasPrefix(origin, "http://") || strings.HasPrefix(origin, "https://")
	var visit func(f *frameTree, same bool)
	visit = func(f *frameTree, same bool) {
		world, known := c.page.WorldOf(cdp.FrameID(f.Frame.ID))
		inherits := strings.HasPrefix(f.Frame.URL, "about:")
		fact := snapshot.FrameFact{ID: f.Frame.ID, Parent: f.Frame.Parent, World: string(world.Context)}
		switch {
		case f == tree:
			fact.World = string(c.page.Main.Context)
			frames = append(frames, candidate{fact, false})
		case !same || !web || f.Frame.Origin != origin && !inherits:
			skipped[fact.ID], same = "cross_origin", false
		case !known || f.Frame.Loader == "":
			skipped[fact.ID], same = "not_ready", false
		default:
			frames = append(frames, candidate{fact, inherits})
		}
		for i := range f.Children {
			visit(&f.Children[i], same)
		}
	}
	visit(tree, true)
	return frames, skipped
}

// reachesParent tells, in a frame's own world, whether it shares the origin of
// the frame around it.
const reachesParent = `(() => { try { return String(Boolean(parent.document)) } catch { return "false" } })()`

// confirm asks the frames that have no address of their own whether they share
// the origin of the frame around them, and keeps at most messages.FramesMax child
// frames (R105).
func (c *collection) confirm(ctx context.Context, candidates []candidate, skipped map[string]string) ([]snapshot.FrameFact, error) {
	asked := make([]*cdp.Pending, len(candidates))
	for i, f := range candidates {
		if f.inherits && i <= framesAsked {
			asked[i] = evaluate(ctx, c.page.Session, worldOf(f.FrameFact), reachesParent)
		}
	}
	var frames []snapshot.FrameFact
	for i, f := range candidates {
		if skipped[f.Parent] != "" {
			skipped[f.ID] = skipped[f.Parent]
			continue
		}
		if f.inherits {
			var same bool
			if asked[i] != nil {
				if err := target.Finish(asked[i], "reaches", &same); err != nil && !errors.Is(err, target.ErrDocumentGone) {
					return nil, err
				}
			}
			if !same {
				skipped[f.ID] = "cross_origin"
				continue
			}
		}
		if len(frames) > messages.FramesMax {
			skipped[f.ID] = "limit"
			continue
		}
		frames = append(frames, f.FrameFact)
	}
	return frames, nil
}

// framesAsked bounds the frames that are asked for their origin; further ones are
// over the limit of frames anyway.
const framesAsked = 4 * messages.FramesMax

// worldOf is the world of a frame.
func worldOf(f snapshot.FrameFact) target.World {
	return target.World{Frame: cdp.FrameID(f.ID), Context: cdp.ContextID(f.World)}
}
