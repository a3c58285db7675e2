package engine

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/troupe-browser/troupe/actors/downloads"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// DownloadPlan says what becomes of a browser's downloads.
type DownloadPlan struct {
	store downloads.Store
	// allowed says that the launcher has files:download (C5).
	allowed bool
	// discard says that the files go with the browser, claim is the proof that the
	// browser's process lives, for the sweep of another.
	discard bool
	claim   *downloads.Claim
}

// DownloadStore is where the files of one browser lie.
func DownloadStore(config kernel.Config, browser messages.BrowserID) downloads.Store {
	return downloads.Store{Dir: filepath.Join(kernel.DownloadsDir(config), string(browser))}
}

// PlanDownloads makes the plan of one browser. The directory exists only where
// something may be put into it.
func PlanDownloads(config kernel.Config, browser messages.BrowserID, grants messages.GrantSet) DownloadPlan {
	return DownloadPlan{
		store: DownloadStore(config, browser), allowed: grants.Has(messages.GrantDownload), discard: config.Retention == 0,
		claim: &downloads.Claim{},
	}
}

// end removes what was downloaded, unless it is kept (R129, C5).
func (p DownloadPlan) end() error {
	switch {
	case !p.allowed:
		return nil
	case !p.discard:
		p.store.DiscardEmpty()
		return nil
	}
	err := p.store.Discard()
	if err == nil {
		p.claim.Release(p.store)
	}
	return err
}

// SetDownloads tells the browser what to do with downloads of a browser context,
// the default one when it is empty. Without the grant they are denied, so that a
// page can't fill the disk (R128).
func SetDownloads(ctx context.Context, root *cdp.Session, browserContext string, plan DownloadPlan) error {
	params := map[string]any{"behavior": "deny", "eventsEnabled": true}
	if plan.allowed {
		// A temporary context has the directory of its browser, which is claimed already.
		if plan.discard && browserContext == "" {
			if err := plan.claim.Take(plan.store); err != nil {
				return messages.NewError(messages.CodeStateUnavailable, "").WithOperator(err.Error())
			}
		}
		if err := plan.store.Prepare(); err != nil {
			return messages.NewError(messages.CodeStateUnavailable, "").WithOperator(err.Error())
		}
		params["behavior"], params["downloadPath"] = "allowAndName", plan.store.Dir
	}
	if browserContext != "" {
		params["browserContextId"] = browserContext
	}
	return root.Execute(ctx, "Browser.setDownloadBehavior", params, nil)
}

// decodeDownload reads the two download events of the browser.
func decodeDownload(event cdp.Event) *DownloadSeen {
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
	return &DownloadSeen{
		Frame: p.Frame, GUID: p.GUID, Suggested: p.Suggested, State: p.State,
		Received: int64(p.Received), Total: int64(p.Total), At: time.Now(),
	}
}

// SweepDownloads removes the downloads that a dead run left although they were to go
// with their browser, and those that were kept long enough (R129).
func SweepDownloads(env *kernel.Environment) {
	age := env.Config.Retention
	if age == 0 {
		age = messages.RetentionAge
	}
	claimed, claimedErr := downloads.SweepClaimed(kernel.DownloadsDir(env.Config))
	swept, err := downloads.Sweep(kernel.DownloadsDir(env.Config), time.Now(), age)
	swept.Removed, swept.Failed, err = swept.Removed+claimed.Removed, swept.Failed+claimed.Failed, errors.Join(claimedErr, err)
	if err != nil || swept.Removed > 0 || swept.Failed > 0 {
		env.Config.Logger.Info().Int("removed", swept.Removed).Int("failed", swept.Failed).Bool("readable", err == nil).
			Msg("old downloads were looked through")
	}
}
