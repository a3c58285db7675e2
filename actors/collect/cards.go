package collect

import (
	"context"
	"maps"
	"slices"

	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/snapshot"
)

// prove asks the engine which elements of the main document are cards, by one capture
// that is made only when something may be one, and returns handles of them for the
// walker, never nil (R100, R101). Evidence that is missing grants nothing (R102).
func (c *collection) prove(ctx context.Context) ([]callArgument, error) {
	s := c.page.Session
	proof := []callArgument{}
	capture := s.Send(ctx, "DOMSnapshot.captureSnapshot", captureParams{snapshot.CaptureStyles})
	var world struct {
		ID int64 `json:"executionContextId"`
	}
	// The world exists, so this makes none: it answers with its number.
	if err := s.Execute(ctx, "Page.createIsolatedWorld", worldParams{string(c.page.Main.Frame), c.page.WorldName}, &world); err != nil {
		return nil, lostFrame(err)
	}
	captured, err := decodeCapture(capture)
	if err != nil {
		return proof, ignoreRefusal(err)
	}
	var pending []*cdp.Pending
	for _, backend := range slices.Sorted(maps.Keys(captured.Cards())) {
		pending = append(pending, s.Send(ctx, "DOM.resolveNode", resolveParams{Backend: backend, Context: world.ID, Group: objectGroup}))
	}
	for _, p := range pending {
		var handle resolved
		err := p.Wait(&handle)
		switch {
		case err == nil:
			proof = append(proof, callArgument{Object: handle.Object.ID})
		case kindOf(err) != cdp.KindRefused:
			return nil, err
		}
	}
	return proof, nil
}

// releaseProof frees the handles of the cards.
func (c *collection) releaseProof(ctx context.Context) {
	if len(c.proof) > 0 {
		c.release(ctx)
	}
}

// ignoreRefusal drops an error with which the browser answered: the evidence is
// missing, and that is all (R102).
func ignoreRefusal(err error) error {
	if k := kindOf(err); k == cdp.KindRefused || k == cdp.KindUndecodable {
		return nil
	}
	return err
}
