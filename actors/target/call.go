package target

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// GuardBinding is the name of the function by which the page side's guard tells of
// input at the moment of its arrival. It exists in our worlds only.
const GuardBinding = "troupeSaw"

// ScriptError is an exception of a page function of ours: a fault of Troupe, or
// of a page that breaks what our world shares with it. It holds no page text.
type ScriptError struct{ Function string }

// Error names the function.
func (e *ScriptError) Error() string { return "page function " + e.Function + " failed" }

// Evaluation is one call of a page function, as it goes over the wire.
type Evaluation struct {
	Expression      string `json:"expression"`
	UniqueContextID string `json:"uniqueContextId"`
	ReturnByValue   bool   `json:"returnByValue"`
	AwaitPromise    bool   `json:"awaitPromise,omitempty"`
	UserGesture     bool   `json:"userGesture,omitempty"`
}

// evaluated is the part of the answer that is read.
type evaluated struct {
	Result struct {
		Type  string          `json:"type"`
		Value json.RawMessage `json:"value"`
	} `json:"result"`
	Exception *struct {
		Text string `json:"text"`
	} `json:"exceptionDetails"`
}

// Expression returns the source of a call of one function of the world's global
// with one JSON argument. JSON is JavaScript except for two line separators,
// which encoding/json escapes.
func Expression(function string, argument any) string {
	if argument == nil {
		return "troupe." + function + "()"
	}
	data, err := json.Marshal(argument)
	if err != nil {
		// Arguments are structs of this module made of strings, numbers and bools.
		panic(fmt.Sprintf("target: argument of %s cannot be encoded: %v", function, err))
	}
	return "troupe." + function + "(" + string(data) + ")"
}

// Call runs one function of the world's global in exactly the document of w and
// decodes the JSON text that it returns into out, which may be nil.
//
// It returns ErrDocumentGone when the document was replaced before (nothing
// ran), ErrDocumentLeft when the page went away while it ran, *ScriptError when
// the function threw, or the *cdp.CallError of the connection.
func Call(ctx context.Context, s *cdp.Session, w World, function string, argument, out any) error {
	return Finish(Start(ctx, s, w, function, argument, nil), function, out)
}

// Start sends a call without waiting for its answer, so that calls can be
// pipelined. live, when not nil, is checked as the bytes go out.
func Start(ctx context.Context, s *cdp.Session, w World, function string, argument any, live func() bool) *cdp.Pending {
	e := Evaluation{
		Expression:      Expression(function, argument),
		UniqueContextID: string(w.Context),
		ReturnByValue:   true,
		AwaitPromise:    true,
	}
	if live != nil {
		return s.SendIf(ctx, live, "Runtime.evaluate", e)
	}
	return s.Send(ctx, "Runtime.evaluate", e)
}

// Finish waits for the answer of Start and decodes it as Call does.
func Finish(p *cdp.Pending, function string, out any) error {
	var answer evaluated
	if err := p.Wait(&answer); err != nil {
		return DocumentError(err)
	}
	if answer.Exception != nil {
		return &ScriptError{Function: function}
	}
	if out == nil {
		return nil
	}
	var text string
	if err := json.Unmarshal(answer.Result.Value, &text); err != nil {
		return &ScriptError{Function: function}
	}
	if err := json.Unmarshal([]byte(text), out); err != nil {
		return &ScriptError{Function: function}
	}
	return nil
}

// Refusal is what a page function answers instead of its result when it did
// nothing: a code of the catalogue and a sentence without page text beyond an
// accessible name.
type Refusal struct {
	OK     bool          `json:"ok"`
	Code   messages.Code `json:"code"`
	Detail string        `json:"detail"`
}

// Err returns the refusal as an error, or nil when the function did its work.
func (r Refusal) Err() *messages.Error {
	if r.OK {
		return nil
	}
	if r.Code == "" {
		return messages.NewError(messages.CodeInternalError, "")
	}
	return messages.NewError(r.Code, "%s", r.Detail)
}
