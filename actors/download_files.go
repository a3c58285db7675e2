package actors

import (
	"context"
	"errors"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/troupe-browser/troupe/actors/downloads"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

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
