package collect

import (
	"context"
	"encoding/json"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/snapshot"
)

// objectGroup holds the handles of one collection, so that they can be released
// together.
const objectGroup = "troupe-collect"

// resolveParams asks for a handle of a node in one world.
type resolveParams struct {
	Backend int64  `json:"backendNodeId"`
	Context int64  `json:"executionContextId"`
	Group   string `json:"objectGroup"`
}

type resolved struct {
	Object struct {
		ID string `json:"objectId"`
	} `json:"object"`
}

// worldParams asks for the number of a world that exists. Handles can only be
// made by number; the unique id, which is the fence, is checked by every call
// that follows.
type worldParams struct {
	Frame string `json:"frameId"`
	Name  string `json:"worldName"`
}

// registration is the page's answer about the nodes that it was given.
type registration struct {
	// Documents says that every document that was read is still the one shown.
	Documents bool `json:"documents"`
	// Index, Secret and Touched have an entry a node: its place in the registry or
	// -1, whether its value must stay in the page (R57), and whether something
	// that its name may depend on changed since the collection began.
	Index   []int  `json:"index"`
	Secret  []bool `json:"secret"`
	Touched []bool `json:"touched"`
}

// register puts the nodes of the window that have actions, and the fields whose
// value is shown, into the page's registry, all in one call in exactly the main
// document's world. It returns how many lost their place, because they are gone
// or changed while they were read: such a node is shown without an id. Documents
// that are no longer those that were read end the collection (R106).
func (c *collection) register(ctx context.Context, tree *snapshot.Tree, selection *snapshot.Selection) (lost int, err error) {
	var nodes []int
	for _, i := range selection.Nodes {
		n := &tree.Nodes[i]
		if n.Backend != 0 && n.Index < 0 && (len(n.Actions) > 0 || n.Value != nil && (n.Tag == "input" || n.Tag == "textarea")) {
			nodes = append(nodes, i)
		}
	}
	kept, arguments, err := c.resolve(ctx, tree, nodes)
	if err != nil {
		return 0, err
	}
	arguments = append([]callArgument{{Object: c.watch}, {Value: c.request.Generation}, {Value: c.page.Computed}, {Value: len(tree.Frames)}}, arguments...)
	var answer registration
	if err := c.callIn(ctx, registerFunction, arguments, &answer); err != nil {
		return 0, err
	}
	if !answer.Documents || len(answer.Index) != len(kept) || len(answer.Secret) != len(kept) || len(answer.Touched) != len(kept) {
		return 0, ErrDocumentChanged
	}
	var touched []int
	for k, i := range kept {
		n := &tree.Nodes[i]
		n.Index = answer.Index[k]
		if answer.Secret[k] {
			n.Facts |= snapshot.Secret
			n.Value = nil
		}
		if answer.Touched[k] && n.Index >= 0 {
			touched = append(touched, i)
		}
	}
	if err := c.verify(ctx, tree, touched); err != nil {
		return 0, err
	}
	for _, i := range nodes {
		if tree.Nodes[i].Index < 0 && len(tree.Nodes[i].Actions) > 0 {
			lost++
		}
	}
	return lost, nil
}

// resolve makes handles of the documents that were read and of the nodes, all in
// the main document's world, which reaches every frame that may be read. A node
// that is gone is left out.
func (c *collection) resolve(ctx context.Context, tree *snapshot.Tree, nodes []int) (kept []int, handles []callArgument, err error) {
	s := c.page.Session
	var world struct {
		ID int64 `json:"executionContextId"`
	}
	// The world exists, so this makes none: it answers with its number.
	if err := s.Execute(ctx, "Page.createIsolatedWorld", worldParams{string(c.page.Main.Frame), c.page.WorldName}, &world); err != nil {
		return nil, nil, lostFrame(err)
	}
	send := func(backend int64) *cdp.Pending {
		return s.Send(ctx, "DOM.resolveNode", resolveParams{Backend: backend, Context: world.ID, Group: objectGroup})
	}
	var roots, pending []*cdp.Pending
	for i := range tree.Frames {
		roots = append(roots, send(tree.Frames[i].Root))
	}
	for _, i := range nodes {
		pending = append(pending, send(tree.Nodes[i].Backend))
	}
	for _, p := range roots {
		var handle resolved
		if err := p.Wait(&handle); err != nil {
			return nil, nil, lostFrame(err)
		}
		handles = append(handles, callArgument{Object: handle.Object.ID})
	}
	for k, i := range nodes {
		var handle resolved
		err := pending[k].Wait(&handle)
		switch {
		case err == nil:
			kept = append(kept, i)
			handles = append(handles, callArgument{Object: handle.Object.ID})
		case kindOf(err) != cdp.KindRefused:
			return nil, nil, err
		}
	}
	return kept, handles, nil
}

// verify reads role and name of the touched nodes again. Where they are still
// what was read, and nothing touched the node meanwhile, the registration holds;
// else the node loses its place. So what was read is what is registered.
func (c *collection) verify(ctx context.Context, tree *snapshot.Tree, touched []int) error {
	if len(touched) == 0 {
		return nil
	}
	pending := make([]*cdp.Pending, len(touched))
	for k, i := range touched {
		pending[k] = c.page.Session.Send(ctx, "Accessibility.getPartialAXTree", partialParams{tree.Nodes[i].Backend, false})
	}
	indices := make([]int, len(touched))
	for k, i := range touched {
		n := &tree.Nodes[i]
		indices[k] = n.Index
		again, err := decodeAX(pending[k])
		if err != nil && kindOf(err) != cdp.KindRefused {
			return err
		}
		if err != nil || !again.Confirms(n) {
			n.Index = -1
		}
	}
	var since struct {
		Touched []bool `json:"touched"`
	}
	if err := c.callIn(ctx, touchedFunction, []callArgument{{Object: c.watch}, {Value: indices}, {Value: c.request.Generation}}, &since); err != nil {
		return err
	}
	if len(since.Touched) != len(touched) {
		return &target.ScriptError{Function: "touched"}
	}
	for k, i := range touched {
		if since.Touched[k] {
			tree.Nodes[i].Index = -1
		}
	}
	return nil
}

type callParams struct {
	Function  string         `json:"functionDeclaration"`
	Context   string         `json:"uniqueContextId"`
	Arguments []callArgument `json:"arguments"`
	ByValue   bool           `json:"returnByValue"`
}

type callArgument struct {
	Value  any    `json:"value,omitempty"`
	Object string `json:"objectId,omitempty"`
}

// callIn calls a function in exactly the main document's world and decodes the
// JSON text that it returns.
func (c *collection) callIn(ctx context.Context, function string, arguments []callArgument, out any) error {
	var reply struct {
		Result struct {
			Value string `json:"value"`
		} `json:"result"`
		Exception *struct{} `json:"exceptionDetails"`
	}
	call := callParams{Function: function, Context: string(c.page.Main.Context), Arguments: arguments, ByValue: true}
	if err := c.page.Session.Execute(ctx, "Runtime.callFunctionOn", call, &reply); err != nil {
		return lostFrame(err)
	}
	if reply.Exception != nil || json.Unmarshal([]byte(reply.Result.Value), out) != nil {
		return &target.ScriptError{Function: "register"}
	}
	return nil
}

// release frees the handles. It is not waited for; a failure means that the page
// has gone, and the handles with it.
func (c *collection) release(ctx context.Context) {
	c.page.Session.Send(ctx, "Runtime.releaseObjectGroup", map[string]string{"objectGroup": objectGroup})
}

// lostFrame reads a refusal about a frame, its world or its document as what it
// is: the document that was read is not there any more.
func lostFrame(err error) error {
	if kindOf(err) == cdp.KindRefused {
		return ErrDocumentChanged
	}
	return err
}
