package collect_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/troupe-browser/troupe/actors/collect"
	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/cdp/cdptest"
	"github.com/troupe-browser/troupe/messages"
)

// Without the DOM the roles alone may admit ordinary controls (R66), but not on a
// page with frames: there it is an error (R108).
func TestSnapshotR108NoFallbackWithFrames(t *testing.T) {
	for name, children := range map[string][]any{
		"without frames": nil,
		"with a frame":   {map[string]any{"frame": map[string]any{"id": "K", "parentId": "F", "loaderId": "L2", "securityOrigin": "http://a", "url": "http://a/k"}}},
		"with a frame of another origin": {
			map[string]any{"frame": map[string]any{"id": "K", "parentId": "F", "loaderId": "L2", "securityOrigin": "http://b", "url": "http://b/k"}}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := cdptest.New(t)
				conn := cdp.NewConn(b.Transport(), cdp.Options{})
				defer func() { _ = conn.Close() }()
				b.Handle("Runtime.evaluate", func(c *cdptest.Call) {
					c.Reply(map[string]any{"result": map[string]any{"type": "string", "value": `{"ok":true,"title":"T","url":"http://a/"}`, "objectId": "O"}})
				})
				b.Handle("Page.getFrameTree", func(c *cdptest.Call) {
					c.Reply(map[string]any{"frameTree": map[string]any{"childFrames": children,
						"frame": map[string]any{"id": "F", "loaderId": "L", "securityOrigin": "http://a", "url": "http://a/"}}})
				})
				b.Handle("DOMSnapshot.captureSnapshot", func(c *cdptest.Call) { c.Error(-32000, "refused") })
				b.HandleRest(func(c *cdptest.Call) { c.Error(-32000, "not asked for here") })
				page := target.Page{
					Session: conn.Session("S", "T"), Browser: conn.Root(), Main: target.World{Frame: "F", Context: "w"},
					Worlds: []target.World{{Frame: "F", Context: "w"}, {Frame: "K", Context: "w2"}},
				}
				_, err := collect.Snapshot(context.Background(), page, collect.Request{Command: &messages.TakeSnapshot{}, Generation: 1})
				var refused *messages.Error
				unavailable := errors.As(err, &refused) && refused.Code == messages.CodeFrameDocumentUnavailable
				if unavailable != (children != nil) {
					t.Errorf("the snapshot ended with %v", err)
				}
			})
		})
	}
}
