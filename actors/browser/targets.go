package browser

import (
	"context"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// onTargets carries out the effects that make, attach and close targets. Each runs in a
// goroutine of its own, since a send can wait for the connection.
func (b *browser) onTargets(c actor.Context, effect Effect) {
	e := b.spec.Cell.Load()
	if e == nil {
		return
	}
	env, self, root := b.env, c.Self(), e.Conn.Root()
	bounded := func(work func(ctx context.Context)) {
		env.Runners.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), messages.EffectTimeout)
			defer cancel()
			work(ctx)
		})
	}
	switch t := effect.(type) {
	case *CreateTarget:
		id, plan := b.spec.ID, engine.PlanDownloads(env.Config, b.spec.ID, b.spec.Call.Caller.Grants)
		bounded(func(ctx context.Context) {
			env.Send(self, makeTarget(ctx, env, root, id, plan, t))
		})
	case *attachTarget:
		bounded(func(ctx context.Context) {
			if root.Execute(ctx, "Target.attachToTarget", map[string]any{"targetId": t.target, "flatten": true}, nil) != nil {
				env.Send(self, &attachFailed{target: t.target, at: time.Now()})
			}
		})
	case *CloseUnwanted:
		bounded(func(ctx context.Context) {
			// A target that can't be closed ends with the browser.
			_ = root.Execute(ctx, "Target.closeTarget", map[string]any{"targetId": t.Target}, nil)
		})
	case *ListTargets:
		bounded(func(ctx context.Context) { env.Send(self, askTargets(ctx, root, t)) })
	case *disposeContext:
		bounded(func(ctx context.Context) {
			// A context that can't be disposed of ends with the connection.
			_ = root.Execute(ctx, "Target.disposeBrowserContext", map[string]any{"browserContextId": t.context}, nil)
		})
	}
}

// listWait bounds how long a listing waits for the browser process; at the bound it
// shows what is known.
const listWait = time.Second

// askTargets asks the browser process for its pages.
func askTargets(ctx context.Context, root *cdp.Session, t *ListTargets) *TargetsListed {
	ctx, cancel := context.WithTimeout(ctx, listWait)
	defer cancel()
	var answer struct {
		Infos []engine.TargetInfo `json:"targetInfos"`
	}
	// Without an answer the listing shows what the pages reported last, and reconciles
	// nothing.
	err := root.Execute(ctx, "Target.getTargets", map[string]any{"filter": engine.PageFilter}, &answer)
	return &TargetsListed{Call: t.Call, infos: answer.Infos, Answered: err == nil, Doubts: t.Doubts}
}

// makeTarget makes a page target, in a browser context of its own when it is
// temporary (R16), and says how that ended.
func makeTarget(ctx context.Context, env *kernel.Environment, root *cdp.Session, browser messages.BrowserID, plan engine.DownloadPlan, t *CreateTarget) *TargetCreated {
	created := &TargetCreated{Call: t.Call}
	defer func() { created.At = time.Now() }()
	// It stays open: the page's own actor says when there is a page.
	single := call.Single{Progress: call.Unasked{}, Whole: true, Open: true}
	if t.Call != nil {
		if !t.Call.Ticket.Start() {
			created.Err = messages.NewError(messages.CodeCancelled, "")
			return created
		}
		single.Progress = &call.Progress{Env: env, Call: t.Call, Browser: browser}
	}
	created.Err = single.Do(ctx, func(live func() bool) error { return created.make(ctx, root, live, plan, t.temporary) })
	return created
}

// make makes the browser context and the target.
func (created *TargetCreated) make(ctx context.Context, root *cdp.Session, live func() bool, plan engine.DownloadPlan, temporary bool) error {
	params := map[string]any{"url": "about:blank"}
	if temporary {
		var made struct {
			ID string `json:"browserContextId"`
		}
		if err := root.Execute(ctx, "Target.createBrowserContext", map[string]any{"disposeOnDetach": true}, &made); err != nil {
			// An empty context is no page: nothing that the caller asked for exists.
			return call.Failure(err, call.Before)
		}
		created.context, params["browserContextId"] = made.ID, made.ID
		// Without it downloads of this page follow the browser's default, which denies.
		_ = engine.SetDownloads(ctx, root, made.ID, plan)
	}
	var made struct {
		TargetID cdp.TargetID `json:"targetId"`
	}
	err := root.SendIf(ctx, live, "Target.createTarget", params).Wait(&made)
	if err == nil && made.TargetID == "" {
		return messages.UnknownOutcome(messages.CodeCreatePageResultInvalid, "")
	}
	created.Target = made.TargetID
	return err
}
