package actors

import (
	"context"
	"time"

	"github.com/troupe-browser/troupe/cdp"
)

// setDownloads tells the browser what to do with downloads of a browser context,
// the default one when it is empty. Without the grant they are denied, so that a
// page can't fill the disk (R128).
func setDownloads(ctx context.Context, root *cdp.Session, _ *environment, browserContext string, _ bool) error {
	params := map[string]any{"behavior": "deny", "eventsEnabled": true}
	if browserContext != "" {
		params["browserContextId"] = browserContext
	}
	return root.Execute(ctx, "Browser.setDownloadBehavior", params, nil)
}

// decodeDownload reads the two download events of the browser.
func decodeDownload(event cdp.Event) *downloadSeen {
	var p struct {
		Frame     string  `json:"frameId"`
		GUID      string  `json:"guid"`
		Suggested string  `json:"suggestedFilename"`
		State     string  `json:"state"`
		Received  float64 `json:"receivedBytes"`
		Total     float64 `json:"totalBytes"`
	}
	if event.Decode(&p) != nil || p.GUID == "" {
		return nil
	}
	return &downloadSeen{
		frame: p.Frame, guid: p.GUID, suggested: p.Suggested, state: p.State,
		received: int64(p.Received), total: int64(p.Total), at: time.Now(),
	}
}
