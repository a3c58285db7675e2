package actors

import (
	"context"
	"errors"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// onTargets carries out the effects that make, attach and close targets. Each runs in a
// goroutine of its own, since a send can wait for the connection.
func (b *browser) onTargets(c actor.Context, effect browserEffect) {
	e := b.spec.cell.load()
	if e == nil {
		return
	}
	env, self, root := b.env, c.Self(), e.conn.Root()
	bounded := func(work func(ctx context.Context)) {
		env.runners.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), messages.EffectTimeout)
			defer cancel()
			work(ctx)
		})
	}
	switch t := effect.(type) {
	case *createTarget:
		id, plan := b.spec.id, planDownloads(env.config, b.spec.id, b.spec.call.caller.Grants)
		bounded(func(ctx context.Context) {
			env.send(self, makeTarget(ctx, env, root, id, plan, t))
		})
	case *attachTarget:
		bounded(func(ctx context.Context) {
			if root.Execute(ctx, "Target.attachToTarget", map[string]any{"targetId": t.target, "flatten": true}, nil) != nil {
				env.send(self, &attachFailed{target: t.target, at: time.Now()})
			}
		})
	case *closeUnwanted:
		bounded(func(ctx context.Context) {
			// A target that can't be closed ends with the browser.
			_ = root.Execute(ctx, "Target.closeTarget", map[string]any{"targetId": t.target}, nil)
		})
	case *listTargets:
		bounded(func(ctx context.Context) { env.send(self, askTargets(ctx, root, t)) })
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
func askTargets(ctx context.Context, root *cdp.Session, t *listTargets) *targetsListed {
	ctx, cancel := context.WithTimeout(ctx, listWait)
	defer cancel()
	var answer struct {
		Infos []targetInfo `json:"targetInfos"`
	}
	// Without an answer the listing shows what the pages reported last, and reconciles
	// nothing.
	err := root.Execute(ctx, "Target.getTargets", map[string]any{"filter": pageFilter}, &answer)
	return &targetsListed{call: t.call, infos: answer.Infos, answered: err == nil, doubts: t.doubts}
}

// makeTarget makes a page target, in a browser context of its own when it is
// temporary (R16), and says how that ended.
func makeTarget(ctx context.Context, env *environment, root *cdp.Session, browser messages.BrowserID, plan downloadPlan, t *createTarget) *targetCreated {
	created := &targetCreated{call: t.call}
	defer func() { created.at = time.Now() }()
	var live func() bool
	if t.call != nil {
		if !t.call.ticket.start() {
			created.err = messages.NewError(messages.CodeCancelled, "")
			return created
		}
		p := &progress{env: env, call: t.call, browser: browser}
		if created.err = p.Begin(ctx); created.err != nil {
			return created
		}
		live = p.Live
	}
	params := map[string]any{"url": "about:blank"}
	if t.temporary {
		var made struct {
			ID string `json:"browserContextId"`
		}
		if err := root.Execute(ctx, "Target.createBrowserContext", map[string]any{"disposeOnDetach": true}, &made); err != nil {
			// An empty context is no page: nothing that the caller asked for exists.
			created.err = messages.NewError(callError(err).Code, "")
			return created
		}
		created.context, params["browserContextId"] = made.ID, made.ID
		// Without it downloads of this page follow the browser's default, which denies.
		_ = setDownloads(ctx, root, made.ID, plan)
	}
	var made struct {
		TargetID cdp.TargetID `json:"targetId"`
	}
	err := root.SendIf(ctx, live, "Target.createTarget", params).Wait(&made)
	var call *cdp.CallError
	switch {
	case err == nil && made.TargetID == "":
		created.err = messages.UnknownOutcome(messages.CodeCreatePageResultInvalid, "")
	case errors.As(err, &call) && call.Kind == cdp.KindRefused:
		created.err = messages.NewError(messages.CodeCDPError, "The browser refused to open a page.")
	case err != nil:
		created.err = callError(err)
	}
	created.target = made.TargetID
	return created
}
