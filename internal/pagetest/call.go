package pagetest

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/troupe-browser/troupe/cdp"
)

// Call makes a protocol call that must succeed.
func Call(ctx context.Context, t testing.TB, session *cdp.Session, method string, params, result any) {
	t.Helper()
	if err := session.Execute(ctx, method, params, result); err != nil {
		t.Fatalf("%s: %v", method, err)
	}
}

// Evaluate runs a script, in the execution context or with "" in the page's own world, awaits a promise that it comes
// to, and returns the value as JSON. A script that throws fails the test.
func Evaluate(ctx context.Context, t testing.TB, session *cdp.Session, in cdp.ContextID, expression string) json.RawMessage {
	t.Helper()
	var out struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		Exception *struct {
			Text      string `json:"text"`
			Exception struct {
				Description string `json:"description"`
			} `json:"exception"`
		} `json:"exceptionDetails"`
	}
	params := map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}
	if in != "" {
		params["uniqueContextId"] = in
	}
	Call(ctx, t, session, "Runtime.evaluate", params, &out)
	if e := out.Exception; e != nil {
		t.Fatalf("%s: %s %s", expression, e.Text, e.Exception.Description)
	}
	return out.Result.Value
}
