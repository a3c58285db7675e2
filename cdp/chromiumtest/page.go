package chromiumtest

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/troupe-browser/troupe/cdp"
)

// Open attaches to a new, empty page of its own browser context, which is thrown away
// with the test, and returns its session. No domain is enabled in it.
func Open(ctx context.Context, t testing.TB, conn *cdp.Conn) *cdp.Session {
	t.Helper()
	var made struct {
		Context string `json:"browserContextId"`
		Target  string `json:"targetId"`
		Session string `json:"sessionId"`
	}
	root := conn.Root()
	Call(ctx, t, root, "Target.createBrowserContext", nil, &made)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), closeWait)
		defer cancel()
		_ = root.Execute(ctx, "Target.disposeBrowserContext", map[string]any{"browserContextId": made.Context}, nil)
	})
	Call(ctx, t, root, "Target.createTarget", map[string]any{"url": "about:blank", "browserContextId": made.Context}, &made)
	Call(ctx, t, root, "Target.attachToTarget", map[string]any{"targetId": made.Target, "flatten": true}, &made)
	return conn.Session(cdp.SessionID(made.Session), cdp.TargetID(made.Target))
}

// Enable switches domains of a session on, and lets its page behave as one that has the
// focus: a page in the background runs no animation frame and slows its timers down.
func Enable(ctx context.Context, t testing.TB, session *cdp.Session, domains ...string) {
	t.Helper()
	for _, domain := range domains {
		Call(ctx, t, session, domain+".enable", nil, nil)
	}
	Call(ctx, t, session, "Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true}, nil)
}

// Call makes a protocol call that must succeed.
func Call(ctx context.Context, t testing.TB, session *cdp.Session, method string, params, result any) {
	t.Helper()
	if err := session.Execute(ctx, method, params, result); err != nil {
		t.Fatalf("%s: %v", method, err)
	}
}

// Evaluate runs a script, in the execution context or with "" in the page's own world,
// awaits a promise that it comes to, and returns the value as JSON. A script that
// throws fails the test.
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
