package collect

import (
	"context"
	"errors"
	"strings"

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

// collectAX reads the accessibility trees of the page's frames and one capture of
// its DOM (R44, R104, R105).
func (c *collection) collectAX(ctx context.Context, out *Result) (*snapshot.Tree, error) {
	s := c.page.Session
	frames := s.Send(ctx, "Page.getFrameTree", nil)
	main := s.Send(ctx, "Accessibility.getFullAXTree", axParams{string(c.page.Main.Frame)})
	dom := s.Send(ctx, "DOMSnapshot.captureSnapshot", captureParams{snapshot.CaptureStyles})
	var reply struct {
		Tree frameTree `json:"frameTree"`
	}
	if err := frames.Wait(&reply); err != nil {
		return nil, err
	}
	eligible, skipped := c.eligible(&reply.Tree)
	pending := []*cdp.Pending{main}
	for _, f := range eligible[1:] {
		pending = append(pending, s.Send(ctx, "Accessibility.getFullAXTree", axParams{f.ID}))
	}
	sources := snapshot.Sources{Skipped: skipped}
	for i, p := range pending {
		tree, err := decodeAX(p)
		if err != nil && i == 0 {
			return nil, err
		}
		if err != nil {
			if kindOf(err) != cdp.KindRefused {
				return nil, err
			}
			skipped[eligible[i].ID] = "unreadable"
			continue
		}
		sources.Frames = append(sources.Frames, snapshot.FrameAX{
			Frame: snapshot.Frame{ID: eligible[i].ID, World: eligible[i].World}, Tree: tree,
		})
	}
	capture, err := decodeCapture(dom)
	if err != nil && kindOf(err) != cdp.KindRefused && kindOf(err) != cdp.KindUndecodable {
		return nil, err
	}
	if err != nil && (len(eligible) > 1 || len(skipped) > 0) {
		// With frames there is no role-only fallback (R66, R108).
		return nil, messages.NewError(messages.CodeFrameDocumentUnavailable, "")
	}
	sources.Capture = capture
	if len(eligible) > 1 {
		out.Framed = true
		out.Fingerprint = snapshot.Fingerprint(eligible)
	}
	out.Snapshot.Collector = CollectorAX
	return snapshot.Build(sources), nil
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

// eligible lists the frames that may be read, the main frame first: at most
// messages.FramesMax child frames whose every ancestor shares the http or https
// origin and whose world the process holds (R104, R105). Others are given with
// the reason.
func (c *collection) eligible(tree *frameTree) (frames []snapshot.FrameFact, skipped map[string]string) {
	skipped = map[string]string{}
	origin := tree.Frame.Origin
	web := strings.HasPrefix(origin, "http://") || strings.HasPrefix(origin, "https://")
	var visit func(f *frameTree, same bool)
	visit = func(f *frameTree, same bool) {
		world, known := c.page.WorldOf(cdp.FrameID(f.Frame.ID))
		fact := snapshot.FrameFact{
			ID: f.Frame.ID, Parent: f.Frame.Parent, Loader: f.Frame.Loader, Origin: f.Frame.Origin, World: string(world.Context),
		}
		switch {
		case f == tree:
			fact.World = string(c.page.Main.Context)
			frames = append(frames, fact)
		case !same || !web || f.Frame.Origin != origin:
			skipped[fact.ID], same = "cross_origin", false
		case !known || fact.Loader == "":
			skipped[fact.ID], same = "not_ready", false
		case len(frames) > messages.FramesMax:
			skipped[fact.ID], same = "limit", false
		default:
			frames = append(frames, fact)
		}
		for i := range f.Children {
			visit(&f.Children[i], same)
		}
	}
	visit(tree, true)
	return frames, skipped
}

// worldOf is the world of a frame of the tree.
func worldOf(f snapshot.Frame) target.World {
	return target.World{Frame: cdp.FrameID(f.ID), Context: cdp.ContextID(f.World)}
}
