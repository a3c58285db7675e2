package actors

import (
	"context"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/actors/machinetest"
	"github.com/troupe-browser/troupe/fixtures"
	"github.com/troupe-browser/troupe/messages"
)

// hungEnough is how long a caller waits for a click before a test goes on with the
// page that it hung: the press arrives in milliseconds, on a loaded machine in a second.
const hungEnough = 1500 * time.Millisecond

// hang lets a page compute for ever, as the end of a click that is never answered.
// The caller waits for it for patience at most, or for the effect's own time with 0.
func (r *rig) hang(page messages.PageAddress, patience time.Duration) *messages.Receipt {
	r.t.Helper()
	loop := r.element(r.snapshot(page), "button", "For ever")
	ctx := r.ctx
	if patience > 0 {
		bounded, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		ctx = bounded
	}
	receipt, _ := r.caller.Effect(ctx, &messages.Click{OnElement: on(page, loop)})
	return receipt
}

// A page that hangs delays its own calls and nobody else's: they end in their time
// with what is true, its siblings and the browser's other operations go on, and each
// rung of the ladder brings the page, or what is left of it, back.
func TestChromium_HungPage(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	site := fixtures.Serve(t)
	r := newRig(t, chromiumConfig(t))
	boss := r.runtime.As(machinetest.Operator)
	browser := r.launch().BrowserID
	sibling := r.open(browser, site.URL("/form-twenty"))
	unstick := func(page messages.PageAddress, step messages.UnstickStep) {
		t.Helper()
		within(t, 5*time.Second, string(step), func() {
			if receipt, err := boss.Effect(r.ctx, &messages.Unstick{PageAddress: page, Step: step}); err != nil {
				t.Errorf("%s: %v %+v", step, err, receipt)
			}
		})
	}
	hung := func(t *testing.T, patience time.Duration) messages.PageAddress {
		r.t = t
		page := r.open(browser, site.URL("/trouble-loop"))
		within(t, messages.EffectTimeout+2*time.Second, "the click", func() {
			if receipt := r.hang(page, patience); receipt.ExecutionState == messages.NotStarted {
				t.Errorf("the click that hangs the page: %+v", receipt)
			}
		})
		return page
	}

	t.Run("terminate_script", func(t *testing.T) {
		page := hung(t, 0)
		within(t, messages.ObserveTimeout+time.Second, "a snapshot of a hung page", func() {
			shot, err := r.caller.Snapshot(r.ctx, &messages.TakeSnapshot{PageAddress: page})
			if err == nil && !shot.Busy {
				t.Errorf("a hung page shows %+v", shot)
			}
		})
		r.snapshot(sibling)
		field := r.snapshot(sibling).Nodes[0]
		for _, n := range r.snapshot(sibling).Nodes {
			if n.Role == "textbox" {
				field = n
				break
			}
		}
		r.effect(&messages.SetValue{OnElement: on(sibling, messages.ElementHandle(field.ElementID)), Value: "goes on"})
		if len(r.pages(browser)) < 2 {
			t.Error("the listing does not work while a page hangs")
		}
		unstick(page, messages.UnstickTerminate)
		if shot := r.snapshot(page); shot.Busy || len(shot.Nodes) == 0 {
			t.Errorf("after the script was ended: %+v", shot)
		}
		r.effect(&messages.ClosePage{PageAddress: page})
	})
	t.Run("close_page", func(t *testing.T) {
		page := hung(t, hungEnough)
		within(t, 3*time.Second, "closing a hung page", func() { r.effect(&messages.ClosePage{PageAddress: page}) })
	})
	t.Run("close_target", func(t *testing.T) {
		page := hung(t, hungEnough)
		unstick(page, messages.UnstickClose)
		r.eventually("the page is gone", func() bool { return r.summary(page).PageID == "" })
	})
	t.Run("kill_renderer", func(t *testing.T) {
		page := hung(t, hungEnough)
		unstick(page, messages.UnstickKill)
		r.eventually("the crash is listed", func() bool { return r.summary(page).Crashed })
		r.effect(&messages.Navigate{PageAddress: page, URL: site.URL("/demo")})
		r.snapshot(page)
	})
	t.Run("kill_browser", func(t *testing.T) {
		page := hung(t, hungEnough)
		receipt, _ := boss.Effect(r.ctx, &messages.Unstick{PageAddress: page, Step: messages.UnstickTree})
		if receipt.ExecutionState == messages.NotStarted {
			t.Errorf("kill_browser: %+v", receipt)
		}
		r.eventually("the browser is gone", func() bool {
			_, err := r.caller.Observe(r.ctx, &messages.ListPages{BrowserID: browser})
			return err != nil && messages.AsError(err).Code == messages.CodeBrowserNotFound
		})
	})
	t.Run("shutdown", func(t *testing.T) {
		r.t = t
		browser = r.launch().BrowserID
		hung(t, hungEnough)
		within(t, 5*time.Second, "the shutdown", func() {
			if report := r.runtime.Shutdown(context.Background()); len(report.Removed) != 1 || len(report.Failed)+len(report.Pending) > 0 {
				t.Errorf("report is %+v", report)
			}
		})
	})
}
