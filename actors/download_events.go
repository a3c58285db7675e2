package actors

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/troupe-browser/troupe/actors/downloads"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// downloadPlan says what becomes of a browser's downloads.
type downloadPlan struct {
	store downloads.Store
	// allowed says that the launcher has files:download (C5).
	allowed bool
	// discard says that the files go with the browser, claim is the proof that the
	// browser's process lives, for the sweep of another.
	discard bool
	claim   *downloads.Claim
}

// downloadsDir is where the browsers of a runtime download to, one directory each,
// beside the profiles and not inside them (R129).
func downloadsDir(config Config) string {
	return filepath.Join(config.StateDir, browserDirName, downloadsDirName)
}

func downloadStore(config Config, browser messages.BrowserID) downloads.Store {
	return downloads.Store{Dir: filepath.Join(downloadsDir(config), string(browser))}
}

// planDownloads makes the plan of one browser. The directory exists only where
// something may be put into it.
func planDownloads(config Config, browser messages.BrowserID, grants messages.GrantSet) downloadPlan {
	return downloadPlan{
		store: downloadStore(config, browser), allowed: grants.Has(messages.GrantDownload), discard: config.Retention == 0,
		claim: &downloads.Claim{},
	}
}

// end removes what was downloaded, unless it is kept (R129, C5).
func (p downloadPlan) end() error {
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

// setDownloads tells the browser what to do with downloads of a browser context,
// the default one when it is empty. Without the grant they are denied, so that a
// page can't fill the disk (R128).
func setDownloads(ctx context.Context, root *cdp.Session, browserContext string, plan downloadPlan) error {
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

// sweepDownloads removes the downloads that a dead run left although they were to go
// with their browser, and those that were kept long enough (R129).
func sweepDownloads(env *environment) {
	age := env.config.Retention
	if age == 0 {
		age = messages.RetentionAge
	}
	claimed, claimedErr := downloads.SweepClaimed(downloadsDir(env.config))
	swept, err := downloads.Sweep(downloadsDir(env.config), time.Now(), age)
	swept.Removed, swept.Failed, err = swept.Removed+claimed.Removed, swept.Failed+claimed.Failed, errors.Join(claimedErr, err)
	if err != nil || swept.Removed > 0 || swept.Failed > 0 {
		env.config.Logger.Info().Int("removed", swept.Removed).Int("failed", swept.Failed).Bool("readable", err == nil).
			Msg("old downloads were looked through")
	}
}

// onFiles carries out the effects that work on downloads, each in a goroutine of
// its own.
func (b *browser) onFiles(c actor.Context, effect browserEffect) {
	env, self, spec := b.env, c.Self(), b.spec
	store := downloadStore(env.config, spec.id)
	switch f := effect.(type) {
	case *settleFiles:
		env.runners.Go(func() { env.send(self, nameFiles(env, store, f.files)) })
	case *removeFiles:
		env.runners.Go(func() {
			done := &filesDone{call: f.call}
			done.receipt = wholeEffect(env, spec.id, f.call, func(context.Context, func() bool) error {
				names := make([]string, 0, len(f.ended))
				for _, e := range f.ended {
					names = append(names, e.Name)
				}
				return store.Remove(names)
			})
			if done.receipt.ExecutionState == messages.Completed {
				done.removed = f.ended
			}
			env.send(self, done)
		})
	case *cancelDownload:
		e := spec.cell.load()
		if e == nil {
			if f.call != nil {
				f.call.fail(messages.NewError(messages.CodeBrowserUnavailable, ""))
			}
			return
		}
		root := e.conn.Root()
		env.runners.Go(func() { stopDownload(env, spec.id, root, f) })
	}
}

// nameFiles gives finished files their names. One that can't be named keeps its
// GUID, which is its name then (R130).
func nameFiles(env *environment, store downloads.Store, files []downloads.Unnamed) *filesDone {
	done := &filesDone{}
	for _, file := range files {
		name, err := store.Settle(file.GUID, file.Suggested)
		if err != nil {
			env.config.Logger.Warn().Msg("a downloaded file could not be given its name")
		}
		done.named = append(done.named, downloads.Ended{GUID: file.GUID, Name: name})
	}
	return done
}

func stopDownload(env *environment, browser messages.BrowserID, root *cdp.Session, f *cancelDownload) {
	params := map[string]any{"guid": f.guid}
	if f.context != "" {
		params["browserContextId"] = f.context
	}
	if f.call == nil {
		ctx, cancel := context.WithTimeout(context.Background(), messages.EffectTimeout)
		defer cancel()
		// One that can't be cancelled goes on untracked until the browser ends.
		_ = root.Execute(ctx, "Browser.cancelDownload", params, nil)
		return
	}
	f.call.finish(wholeEffect(env, browser, f.call, func(ctx context.Context, live func() bool) error {
		return root.SendIf(ctx, live, "Browser.cancelDownload", params).Wait(nil)
	}), nil)
}

// wholeEffect runs a call whose effect is one step, and makes its receipt.
func wholeEffect(env *environment, browser messages.BrowserID, c *call, step func(ctx context.Context, live func() bool) error) *messages.Receipt {
	if !c.ticket.start() {
		return messages.Refusal(c.operation, messages.NewError(messages.CodeCancelled, ""))
	}
	ctx, cancel := context.WithTimeout(c.ctx, messages.EffectTimeout)
	defer cancel()
	p := &progress{env: env, call: c, browser: browser}
	if refusal := p.Begin(ctx); refusal != nil {
		return messages.Refusal(c.operation, refusal)
	}
	err := step(ctx, p.Live)
	var call *cdp.CallError
	switch {
	case err == nil:
		p.End(true)
		return &messages.Receipt{ExecutionState: messages.Completed}
	case errors.As(err, &call) && (!call.Sent() || call.Kind == cdp.KindRefused):
		p.End(false)
		refusal := callError(err)
		return messages.Refusal(c.operation, messages.NewError(refusal.Code, ""))
	case errors.As(err, &call):
		return messages.Refusal(c.operation, callError(err).AsUnknown())
	}
	return messages.Refusal(c.operation, messages.UnknownOutcome(messages.CodeIOError, "").WithOperator(err.Error()))
}
