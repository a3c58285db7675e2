package main

import (
	"context"
	"fmt"
	"time"
)

// series is what one way of reading a page took, a value a round.
type series struct {
	name    string
	browser group
	read    func(context.Context) (int, error)
	times   []time.Duration
	cpu     []time.Duration
	bytes   int
}

// round reads once. The browser's processor time is taken around it; what the page
// does by itself meanwhile is in it as well.
func (s *series) round(ctx context.Context) error {
	before := s.browser.cpu()
	start := time.Now()
	n, err := s.read(ctx)
	s.times = append(s.times, time.Since(start))
	s.cpu = append(s.cpu, s.browser.cpu()-before)
	s.bytes = n
	return err
}

// line prints the series against the floor.
func (s *series) line(page string, floor *series) {
	ms := func(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }
	ratio := func(a, b time.Duration) string {
		if b <= 0 {
			return "-"
		}
		return fmt.Sprintf("%.2fx", float64(a)/float64(b))
	}
	time, base, cpu, cpuBase := median(s.times), median(floor.times), median(s.cpu), median(floor.cpu)
	fmt.Printf("%-22s %-16s %11s %8s %11s %8s %9d\n", page, s.name, ms(time), ratio(time, base), ms(cpu), ratio(cpu, cpuBase), s.bytes)
}

// snapshots compares a snapshot at the tool boundary with the floor and with the
// full accessibility tree: time to the reply, processor time of the browser, bytes.
// Each way has a browser of its own, or its page to itself.
func (b *bench) snapshots(ctx context.Context) error {
	fmt.Printf("\n%-22s %-16s %11s %8s %11s %8s %9s\n", "snapshot of", "by", "time", "", "browser cpu", "", "bytes")
	raw := group(b.raw.process.PID())
	product := childGroup(raw)
	for _, page := range snapshotPages {
		if err := b.raw.open(ctx, b.site.url(page.path)); err != nil {
			return err
		}
		if err := b.raw.warm(ctx); err != nil {
			return err
		}
		if err := b.troupe.open(ctx, b.site.url(page.path)); err != nil {
			return err
		}
		ways := []*series{
			b.script(raw, "floor", floorScript), b.script(raw, "floor with roles", rolesScript),
			b.projection(product, "semantic"), b.projection(product, "tree"),
		}
		if page.ax {
			ways = append(ways, &series{name: "full AX tree", browser: raw, read: b.raw.axTree})
		}
		for range b.rounds {
			for _, way := range ways {
				if err := way.round(ctx); err != nil {
					return fmt.Errorf("%s by %s: %w", page.name, way.name, err)
				}
			}
		}
		for _, way := range ways {
			way.line(page.name, ways[0])
		}
	}
	fmt.Println()
	return nil
}

// script is a walker of the floor.
func (b *bench) script(browser group, name, source string) *series {
	return &series{name: name, browser: browser, read: func(ctx context.Context) (int, error) {
		text, err := b.raw.evaluate(ctx, source)
		return len(text), err
	}}
}

// projection is the product's own snapshot in one form.
func (b *bench) projection(browser group, form string) *series {
	s := &series{name: form, browser: browser}
	s.read = func(ctx context.Context) (int, error) {
		snapshot, bytes, err := b.troupe.snapshot(ctx, form)
		if err == nil && snapshot.Collector != "walker" {
			s.name = form + ", " + snapshot.Collector
		}
		return bytes, err
	}
	return s
}
