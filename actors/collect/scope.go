package collect

import (
	"context"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/messages"
)

// scopeFunction finds the first element of the document that a selector matches.
// The method is taken from the prototype, which the page cannot shadow.
const scopeFunction = `function(selector) { return Document.prototype.querySelector.call(document, selector) }`

// findScope resolves the operator's selector to the subtree that the snapshot is
// limited to (R54, C2). A selector that cannot be read, or that matches nothing, is
// refused.
func (c *collection) findScope(ctx context.Context) error {
	selector := c.request.Command.Selector
	if selector == "" {
		return nil
	}
	var reply struct {
		handleReply
		Exception *struct{} `json:"exceptionDetails"`
	}
	call := struct {
		Function  string         `json:"functionDeclaration"`
		Context   string         `json:"uniqueContextId"`
		Arguments []callArgument `json:"arguments"`
		Group     string         `json:"objectGroup"`
	}{scopeFunction, string(c.page.Main.Context), []callArgument{{Value: selector}}, objectGroup}
	if err := c.page.Session.Execute(ctx, "Runtime.callFunctionOn", call, &reply); err != nil {
		return lostFrame(err)
	}
	switch {
	case reply.Exception != nil:
		return messages.NewError(messages.CodeInvalidRequest, "The selector cannot be read.")
	case reply.Result.ID == "":
		return messages.NewError(messages.CodeInvalidRequest, "The selector matches nothing in the page.")
	}
	var node struct {
		Node described `json:"node"`
	}
	if err := c.page.Session.Execute(ctx, "DOM.describeNode", describeParams{reply.Result.ID}, &node); err != nil {
		return lostFrame(err)
	}
	if node.Node.Backend == 0 {
		return &target.ScriptError{Function: "scope"}
	}
	c.scope = node.Node.Backend
	return nil
}
