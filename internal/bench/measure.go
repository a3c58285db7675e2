package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/tools"
)

// bench holds both sides of the comparison.
type bench struct {
	site   *site
	rounds int
	raw    *raw
	troupe *product
}

func newBench(ctx context.Context, site *site, rounds int) (*bench, error) {
	r, err := startRaw(ctx)
	if err != nil {
		return nil, err
	}
	p, err := startProduct(ctx, site.url("/form"))
	if err != nil {
		r.close()
		return nil, err
	}
	return &bench{site: site, rounds: rounds, raw: r, troupe: p}, nil
}

func (b *bench) close() {
	b.troupe.close()
	b.raw.close()
}

func row(name string, floor, troupe time.Duration, note string) {
	ms := func(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }
	fmt.Printf("%-34s %12s %12s %7.2fx   %s\n", name, ms(floor), ms(troupe), float64(troupe)/float64(floor), note)
}

func median(d []time.Duration) time.Duration {
	slices.Sort(d)
	return d[len(d)/2]
}

// timed runs f and appends how long it took.
func timed(into *[]time.Duration, f func() error) error {
	start := time.Now()
	err := f()
	*into = append(*into, time.Since(start))
	return err
}

// measureStart compares from nothing to the first snapshot of a page.
func measureStart(ctx context.Context, site *site) error {
	var floor, troupe []time.Duration
	for range 3 {
		err := timed(&floor, func() error {
			r, err := startRaw(ctx)
			if err != nil {
				return err
			}
			defer r.close()
			if err := r.open(ctx, site.url("/form")); err != nil {
				return err
			}
			_, err = r.evaluate(ctx, floorScript)
			return err
		})
		if err != nil {
			return err
		}
		err = timed(&troupe, func() error {
			p, err := startProduct(ctx, site.url("/form"))
			if err != nil {
				return err
			}
			defer p.close()
			_, _, err = p.snapshot(ctx, "semantic")
			return err
		})
		if err != nil {
			return err
		}
	}
	row("start, first snapshot, end", median(floor), median(troupe), "")
	return nil
}

// clicksPerBatch is how many clicks share one settling.
const clicksPerBatch = 20

// clicks compares a click with its receipt, and one without its settling: what one
// more click in a batch costs, since a batch settles once.
func (b *bench) clicks(ctx context.Context) error {
	if err := b.raw.open(ctx, b.site.url("/click")); err != nil {
		return err
	}
	if err := b.troupe.open(ctx, b.site.url("/click")); err != nil {
		return err
	}
	x, y, err := b.raw.centre(ctx, "#b")
	if err != nil {
		return err
	}
	s, _, err := b.troupe.snapshot(ctx, "semantic")
	if err != nil {
		return err
	}
	button := ids(s, "click")[0]
	batch := make([]map[string]any, clicksPerBatch+1)
	for i := range batch {
		batch[i] = map[string]any{"action": "click", "element_id": button}
	}
	var floor, full, one, many []time.Duration
	for range b.rounds {
		err := timed(&floor, func() error { return b.raw.click(ctx, x, y) })
		if err == nil {
			err = timed(&full, func() error {
				_, err := b.troupe.call(ctx, tools.Control, map[string]any{"action": "click", "element_id": button})
				return err
			})
		}
		for _, m := range []struct {
			into *[]time.Duration
			ops  []map[string]any
		}{{&one, batch[:1]}, {&many, batch}} {
			if err == nil {
				err = timed(m.into, func() error {
					_, err := b.troupe.call(ctx, tools.Control, map[string]any{"action": "batch", "operations": m.ops})
					return err
				})
			}
		}
		if err != nil {
			return err
		}
	}
	row("click without its settling", median(floor), (median(many)-median(one))/clicksPerBatch, "one more click in a batch")
	row("click with its receipt", median(floor), median(full), "")
	return nil
}

// fill compares twenty fields and a submit, up to the arrival of the form at the
// server; what the receipt waits for after that is printed apart.
func (b *bench) fill(ctx context.Context) error {
	var floor, troupe, settling []time.Duration
	for range b.rounds {
		if err := b.raw.open(ctx, b.site.url("/form")); err != nil {
			return err
		}
		x, y, err := b.raw.centre(ctx, "button")
		if err != nil {
			return err
		}
		b.site.drained()
		start := time.Now()
		if err := b.raw.fill(ctx, 20, x, y); err != nil {
			return err
		}
		floor = append(floor, (<-b.site.submitted).Sub(start))

		operations, err := b.fillOperations(ctx)
		if err != nil {
			return err
		}
		b.site.drained()
		start = time.Now()
		if _, err := b.troupe.call(ctx, tools.Control, map[string]any{"action": "batch", "operations": operations}); err != nil {
			return err
		}
		end := time.Now()
		arrived := <-b.site.submitted
		troupe, settling = append(troupe, arrived.Sub(start)), append(settling, end.Sub(arrived))
	}
	row("fill 20 fields and submit", median(floor), median(troupe), fmt.Sprintf("settling after it %.1f ms", float64(median(settling).Microseconds())/1000))
	return nil
}

func (b *bench) fillOperations(ctx context.Context) ([]map[string]any, error) {
	if err := b.troupe.open(ctx, b.site.url("/form")); err != nil {
		return nil, err
	}
	s, _, err := b.troupe.snapshot(ctx, "semantic")
	if err != nil {
		return nil, err
	}
	var operations []map[string]any
	for i, id := range ids(s, "set_value") {
		operations = append(operations, map[string]any{"action": "set_value", "element_id": id, "value": fmt.Sprintf("value %d", i)})
	}
	for _, node := range s.Nodes {
		if node.Role == "button" {
			operations = append(operations, map[string]any{"action": "click", "element_id": string(node.ElementID)})
		}
	}
	return operations, nil
}

// measureMemory prints the resident memory of this process with ten pages open.
func measureMemory(ctx context.Context, site *site) error {
	p, err := startProduct(ctx, site.url("/form"))
	if err != nil {
		return err
	}
	defer p.close()
	for range 9 {
		if _, err := p.runtime.Do(ctx, p.caller, &messages.NewPage{BrowserID: p.page.BrowserID, URL: site.url("/form")}); err != nil {
			return err
		}
	}
	if _, _, err := p.snapshot(ctx, "semantic"); err != nil {
		return err
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		fmt.Println("resident memory: this system does not tell")
		return nil
	}
	for line := range strings.Lines(string(status)) {
		if value, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			fmt.Printf("%-34s %25s\n", "resident with ten pages, idle", strings.TrimSpace(value))
		}
	}
	return nil
}
