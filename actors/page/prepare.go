package page

import (
	"context"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/inspect"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// prepare enables the page's domains in a runner. Page comes first, or a dialog
// would hang the tab for good; everything is pipelined, because a page that waits
// for its start answers nothing before it is told to run.
func (p *page) prepare() {
	env, self, link := p.env, p.self, p.link
	width, height := p.spec.viewport()
	again := link.Memory.Booted
	link.Memory.Booted = true
	env.Runners.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), kernel.PrepareTimeout)
		defer cancel()
		env.Send(self, prepareTarget(ctx, env, link, again, width, height))
	})
}

// frameTree is the part of the answer to Page.getFrameTree that is used.
type frameTree struct {
	FrameTree struct {
		Frame frame `json:"frame"`
	} `json:"frameTree"`
}

func prepareTarget(ctx context.Context, env *kernel.Environment, link *engine.Link, again bool, width, height int) *prepared {
	s := link.Session
	var sent []*cdp.Pending
	send := func(method string, params any) *cdp.Pending {
		pending := s.Send(ctx, method, params)
		sent = append(sent, pending)
		return pending
	}
	send("Page.enable", nil)
	if !again {
		send("Page.addScriptToEvaluateOnNewDocument", map[string]any{
			"source": snapshot.BootSource(), "worldName": env.WorldName, "runImmediately": true})
	} else {
		// A domain announces its contexts when it is enabled: a page that restarted
		// hears of its worlds again.
		send("Runtime.disable", nil)
	}
	send("Runtime.enable", nil)
	send("Runtime.addBinding", map[string]any{"name": target.GuardBinding, "executionContextName": env.WorldName})
	send("Network.enable", inspect.NetworkBuffers())
	send("Log.enable", nil)
	send("Emulation.setFocusEmulationEnabled", map[string]any{"enabled": true})
	if width > 0 && height > 0 {
		send("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 0, "mobile": false})
	}
	if link.Waiting {
		send("Runtime.runIfWaitingForDebugger", nil)
	}
	tree := send("Page.getFrameTree", nil)
	ready := s.Send(ctx, "Runtime.evaluate", map[string]any{"expression": "document.readyState", "returnByValue": true})
	out := &prepared{}
	for _, pending := range sent {
		if err := pending.Wait(nil); err != nil {
			out.err = call.Failure(err, call.Before)
			return out
		}
	}
	var answer frameTree
	if err := tree.Wait(&answer); err != nil {
		out.err = call.Failure(err, call.Before)
		return out
	}
	out.mainFrame = answer.FrameTree.Frame.ID
	out.url = answer.FrameTree.Frame.URL + answer.FrameTree.Frame.Fragment
	var state struct {
		Result struct {
			Value string `json:"value"`
		} `json:"result"`
	}
	// A page that navigates away at this moment is loading.
	out.loading = ready.Wait(&state) != nil || state.Result.Value != "complete"
	return out
}

// answerDialog answers a dialog by the rule, in a runner.
func (p *page) answerDialog(e *answerDialog) {
	env, self := p.env, p.self
	b := &besideRunner{page: p.target(), link: p.link, progress: call.Unasked{}}
	env.Runners.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), messages.EffectTimeout)
		defer cancel()
		answered := &dialogAnswered{number: e.number}
		if receipt := b.handleDialog(ctx, &messages.HandleDialog{Accept: e.accept}); receipt.Code != "" {
			answered.err = messages.NewError(receipt.Code, "")
		}
		env.Send(self, answered)
	})
}
