package browser

import (
	"context"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/downloads"
	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// onFiles carries out the effects that work on downloads, each in a goroutine of
// its own.
func (b *browser) onFiles(c actor.Context, effect Effect) {
	env, self, spec := b.env, c.Self(), b.spec
	store := engine.DownloadStore(env.Config, spec.ID)
	switch f := effect.(type) {
	case *settleFiles:
		env.Runners.Go(func() { env.Send(self, nameFiles(env, store, f.files)) })
	case *removeFiles:
		env.Runners.Go(func() {
			done := &filesDone{call: f.call}
			done.receipt = wholeEffect(env, spec.ID, f.call, func(context.Context, func() bool) error {
				names := make([]string, 0, len(f.ended))
				for _, e := range f.ended {
					names = append(names, e.Name)
				}
				if err := store.Remove(names); err != nil {
					// Some of the files may be gone.
					return messages.UnknownOutcome(messages.CodeIOError, "").WithOperator(err.Error())
				}
				return nil
			})
			if done.receipt.ExecutionState == messages.Completed {
				done.removed = f.ended
			}
			env.Send(self, done)
		})
	case *cancelDownload:
		e := spec.Cell.Load()
		if e == nil {
			if f.call != nil {
				f.call.Fail(messages.NewError(messages.CodeBrowserUnavailable, ""))
			}
			return
		}
		root := e.Conn.Root()
		env.Runners.Go(func() { stopDownload(env, spec.ID, root, f) })
	}
}

// nameFiles gives finished files their names. One that can't be named keeps its
// GUID, which is its name then (R130).
func nameFiles(env *kernel.Environment, store downloads.Store, files []downloads.Unnamed) *filesDone {
	done := &filesDone{}
	for _, file := range files {
		name, err := store.Settle(file.GUID, file.Suggested)
		if err != nil {
			env.Config.Logger.Warn().Msg("a downloaded file could not be given its name")
		}
		done.named = append(done.named, downloads.Ended{GUID: file.GUID, Name: name})
	}
	return done
}

func stopDownload(env *kernel.Environment, browser messages.BrowserID, root *cdp.Session, f *cancelDownload) {
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
	f.call.Finish(wholeEffect(env, browser, f.call, func(ctx context.Context, live func() bool) error {
		return root.SendIf(ctx, live, "Browser.cancelDownload", params).Wait(nil)
	}), nil)
}

// wholeEffect runs a call whose effect is one step, and makes its receipt.
func wholeEffect(env *kernel.Environment, browser messages.BrowserID, c *call.Call, step func(ctx context.Context, live func() bool) error) *messages.Receipt {
	if !c.Ticket.Start() {
		return messages.Refusal(c.Operation, messages.NewError(messages.CodeCancelled, ""))
	}
	ctx, cancel := context.WithTimeout(c.Context, messages.EffectTimeout)
	defer cancel()
	single := call.Single{Progress: &call.Progress{Env: env, Call: c, Browser: browser}, Whole: true}
	if err := single.Do(ctx, func(live func() bool) error { return step(ctx, live) }); err != nil {
		return messages.Refusal(c.Operation, err)
	}
	return &messages.Receipt{ExecutionState: messages.Completed}
}
