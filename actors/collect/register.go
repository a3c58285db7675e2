package collect

import (
	"context"
	"encoding/json"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/snapshot"
)

// objectGroup holds the handles of one registration, so that they can be
// released together.
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

// registerFunction stores the nodes in the registry of the page and tells for
// each its index and whether its value must stay in the page (R57). this is the
// document that the tree was read from.
const registerFunction = `function(generation, ax, ...nodes) {
  const secret = (n) => {
    if (!(n instanceof Element) || !/^(input|textarea)$/.test(n.localName)) return false;
    if (troupe.secrets.has(n) || n.type === "password") return true;
    if (/\b(current|new)-password\b/i.test(n.getAttribute("autocomplete") || "")) return true;
    const security = getComputedStyle(n).webkitTextSecurity;
    return Boolean(security) && security !== "none";
  };
  return JSON.stringify({
    document: this === document,
    index: nodes.map((n) => (n.isConnected ? troupe.register(n, generation, ax) : -1)),
    secret: nodes.map(secret),
  });
}`

type registered struct {
	Document bool   `json:"document"`
	Index    []int  `json:"index"`
	Secret   []bool `json:"secret"`
}

type callParams struct {
	Function  string         `json:"functionDeclaration"`
	Object    string         `json:"objectId"`
	Arguments []callArgument `json:"arguments"`
	ByValue   bool           `json:"returnByValue"`
}

type callArgument struct {
	Value  any    `json:"value,omitempty"`
	Object string `json:"objectId,omitempty"`
}

// register puts the nodes of the window that have actions, and the fields whose
// value is shown, into the page's registry. A node that the page does not know
// (any more) keeps no index and therefore gets no id. A frame whose document is
// no longer the one that was read ends the collection (R106).
func (c *collection) register(ctx context.Context, tree *snapshot.Tree, selection *snapshot.Selection) error {
	byFrame := make([][]int, len(tree.Frames))
	for _, i := range selection.Nodes {
		n := &tree.Nodes[i]
		if n.Backend != 0 && n.Index < 0 && (len(n.Actions) > 0 || n.Value != nil && (n.Tag == "input" || n.Tag == "textarea")) {
			byFrame[n.Frame] = append(byFrame[n.Frame], i)
		}
	}
	defer c.release(ctx)
	for frame, nodes := range byFrame {
		if frame > 0 && len(nodes) == 0 {
			continue
		}
		if err := c.registerFrame(ctx, tree, tree.Frames[frame], nodes); err != nil {
			return err
		}
	}
	return nil
}

// release frees the handles. It is not waited for; a failure means that the page
// has gone, and the handles with it.
func (c *collection) release(ctx context.Context) {
	c.page.Session.Send(ctx, "Runtime.releaseObjectGroup", map[string]string{"objectGroup": objectGroup})
}

func (c *collection) registerFrame(ctx context.Context, tree *snapshot.Tree, frame snapshot.Frame, nodes []int) error {
	s := c.page.Session
	var world struct {
		ID int64 `json:"executionContextId"`
	}
	// The world exists, so this makes none: it answers with its number.
	if err := s.Execute(ctx, "Page.createIsolatedWorld", worldParams{frame.ID, c.page.WorldName}, &world); err != nil {
		return lostFrame(err)
	}
	resolve := func(backend int64) *cdp.Pending {
		return s.Send(ctx, "DOM.resolveNode", resolveParams{Backend: backend, Context: world.ID, Group: objectGroup})
	}
	root := resolve(frame.Root)
	pending := make([]*cdp.Pending, len(nodes))
	for k, i := range nodes {
		pending[k] = resolve(tree.Nodes[i].Backend)
	}
	var document resolved
	if err := root.Wait(&document); err != nil {
		return lostFrame(err)
	}
	call := callParams{Function: registerFunction, Object: document.Object.ID, ByValue: true}
	call.Arguments = []callArgument{{Value: c.request.Generation}, {Value: c.page.Computed}}
	kept := make([]int, 0, len(nodes))
	for k, i := range nodes {
		var handle resolved
		if err := pending[k].Wait(&handle); err != nil {
			if kindOf(err) == cdp.KindRefused {
				continue // The node is gone: it is shown, without an id.
			}
			return err
		}
		kept = append(kept, i)
		call.Arguments = append(call.Arguments, callArgument{Object: handle.Object.ID})
	}
	// The fence: a call in exactly the world that the snapshot names, ahead of the
	// registration, fails when the document was replaced.
	fence := evaluate(ctx, s, worldOf(frame), `"true"`)
	answer, err := c.callRegister(ctx, call)
	if err != nil {
		return err
	}
	var alive bool
	if err := target.Finish(fence, "fence", &alive); err != nil {
		return err
	}
	if !answer.Document || len(answer.Index) != len(kept) || len(answer.Secret) != len(kept) {
		return ErrDocumentChanged
	}
	for k, i := range kept {
		n := &tree.Nodes[i]
		n.Index = answer.Index[k]
		if answer.Secret[k] {
			n.Facts |= snapshot.Secret
			n.Value = nil
		}
	}
	return nil
}

// callRegister calls the registration on the document's own handle.
func (c *collection) callRegister(ctx context.Context, call callParams) (*registered, error) {
	var reply struct {
		Result struct {
			Value string `json:"value"`
		} `json:"result"`
		Exception *struct{} `json:"exceptionDetails"`
	}
	if err := c.page.Session.Execute(ctx, "Runtime.callFunctionOn", call, &reply); err != nil {
		return nil, lostFrame(err)
	}
	var answer registered
	if reply.Exception != nil || json.Unmarshal([]byte(reply.Result.Value), &answer) != nil {
		return nil, &target.ScriptError{Function: "register"}
	}
	return &answer, nil
}

// lostFrame reads a refusal about a frame, its world or its document as what it
// is: the document that was read is not there any more.
func lostFrame(err error) error {
	if kindOf(err) == cdp.KindRefused {
		return ErrDocumentChanged
	}
	return err
}
