package effect

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/messages"
)

// median runs a thing some times and returns the middle time.
func median(n int, do func()) time.Duration {
	took := make([]time.Duration, n)
	for i := range took {
		start := time.Now()
		do()
		took[i] = time.Since(start)
	}
	slices.Sort(took)
	return took[n/2]
}

// TestCost compares a guarded click and a batch of fields with the bare protocol
// calls in the same browser and minute. The bounds are loose, since a machine may
// be busy; the figures are logged.
func TestCost(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	var fields strings.Builder
	var ids []string
	for i := range 20 {
		fmt.Fprintf(&fields, "<input id=f%d aria-label='Field %d'>", i, i)
		ids = append(ids, fmt.Sprintf("#f%d", i))
	}
	r := open(t, `<button id=b>Go</button>`+fields.String())
	r.take(append(ids, "#b")...)
	press := func() {
		for _, kind := range []string{"mousePressed", "mouseReleased"} {
			r.call(r.session, mouseMethod, mouse{x: 20, y: 20}.event(kind, "left", 0, 1), nil)
		}
	}
	raw := median(30, press)
	click := median(30, func() {
		p := &ticket{}
		j := &job{env: r.env(p), caller: r.ctx, ctx: r.ctx}
		j.watch = newWatch(&j.env.Page, false)
		defer j.watch.stop()
		if o := j.conclude(j.one(&messages.Click{OnElement: on("#b")})); o.err != nil {
			t.Fatal(o.err)
		}
	})
	whole := median(30, func() { r.want(r.do(&messages.Click{OnElement: on("#b")}), messages.Completed, "") })
	t.Logf("press and release %v; guarded click %v (%.1f x); with receipt %v (%.1f x)", raw, click, ratio(click, raw), whole, ratio(whole, raw))
	rawFill := median(5, func() {
		for _, id := range ids {
			r.call(r.session, "Runtime.evaluate", map[string]any{"expression": "document.querySelector('" + id + "').focus()"}, nil)
			r.call(r.session, textMethod, map[string]any{"text": "x"}, nil)
		}
		press()
	})
	var settling time.Duration
	batch := median(5, func() {
		var operations []messages.ElementEffect
		for _, id := range ids {
			operations = append(operations, &messages.SetValue{OnElement: on(id), Value: "some text"})
		}
		receipt := r.do(&messages.Batch{Operations: append(operations, &messages.Click{OnElement: on("#b")})})
		r.want(receipt, messages.Completed, "")
	})
	settling = whole - click
	t.Logf("20 fields and a click: bare %v; batch with receipts %v, about %v of it settling (%.1f x without)", rawFill, batch, settling, ratio(batch-settling, rawFill))
	if ratio(click, raw) > 15 || ratio(batch-settling, rawFill) > 6 {
		t.Error("the guarded effects have become several times as dear as the bare calls")
	}
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }
