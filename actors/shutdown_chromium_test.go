package actors

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/machinetest"
	"github.com/troupe-browser/troupe/fixtures"
	"github.com/troupe-browser/troupe/internal/soak"
	"github.com/troupe-browser/troupe/messages"
)

var (
	shutdownRounds = flag.Int("shutdown.rounds", 0, "how often TestChromium_ShutdownOfMany is repeated, 0 for what package soak says")
	shutdownPages  = flag.Int("shutdown.pages", 4, "pages of each of its four browsers")
)

// A shutdown of four browsers, in which some pages hang, one shows a dialog and calls
// are in flight, is over inside its deadline with a complete report, which every
// caller of Shutdown gets, and leaves nothing (R193).
func TestChromium_ShutdownOfMany(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	site := fixtures.Serve(t)
	rounds := *shutdownRounds
	if rounds == 0 {
		rounds = soak.Rounds(t, 1, 20)
	}
	for round := range rounds {
		shutdownOfMany(t, site, round)
	}
}

func shutdownOfMany(t *testing.T, site *fixtures.Server, round int) {
	config := chromiumConfig(t)
	config.PagesMax = max(messages.PagesPerBrowserMaxDefault, *shutdownPages)
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
	defer cancel()
	runtime, err := Start(ctx, config)
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.Shutdown(context.Background())
	r := &rig{t: t, runtime: runtime, caller: runtime.As(machinetest.Agent), ctx: ctx}
	boss := runtime.As(machinetest.Operator)
	var browsers []messages.BrowserID
	var all []messages.PageAddress
	for range messages.BrowsersMaxDefault {
		first := r.launch()
		browsers = append(browsers, first.BrowserID)
		all = append(all, first)
		for range *shutdownPages - 1 {
			all = append(all, r.open(first.BrowserID, site.URL("/demo")))
		}
	}
	for i, page := range all {
		script := map[int]string{0: "setTimeout(() => { for (;;); }, 1000); 1", 1: "setTimeout(() => confirm('stay?'), 1000); 1"}[i%5]
		if script == "" {
			continue
		}
		if _, err := boss.Effect(ctx, &messages.Evaluate{PageAddress: page, Script: script}); err != nil {
			t.Fatalf("round %d, page %d: %v", round, i, err)
		}
	}
	flying := 0
	answers := make(chan *messages.Receipt, len(all))
	for i, page := range all {
		if i%5 == 2 {
			flying++
			go func() {
				receipt, _ := r.caller.Effect(ctx, &messages.Navigate{PageAddress: page, URL: site.URL("/nav-slow?endless=1")})
				answers <- receipt
			}()
			r.eventually("the navigation is under way", func() bool { return r.summary(page).Title == "Page that loads slowly" })
		}
	}
	begun := time.Now()
	reports := make(chan ShutdownReport, 3)
	for range cap(reports) {
		go func() { reports <- runtime.Shutdown(context.Background()) }()
	}
	report := <-reports
	took := time.Since(begun)
	for range flying {
		if receipt := <-answers; receipt.Code != messages.CodeRunnerShuttingDown || receipt.ExecutionState == messages.NotStarted {
			t.Errorf("round %d: a call in flight ended as %s %s", round, receipt.ExecutionState, receipt.Code)
		}
	}
	for range cap(reports) - 1 {
		if other := <-reports; !reflect.DeepEqual(other, report) {
			t.Errorf("round %d: callers got %+v and %+v", round, report, other)
		}
	}
	if again := runtime.Shutdown(context.Background()); !reflect.DeepEqual(again, report) {
		t.Errorf("round %d: a later call got %+v", round, again)
	}
	if len(report.Removed) != len(browsers) || len(report.Failed)+len(report.Pending) > 0 || took > messages.ShutdownDefault {
		t.Errorf("round %d: after %v: %+v", round, took, report)
	}
	if ended := report.InFlight[messages.OutcomeUnknown] + report.InFlight[messages.Completed]; ended != flying {
		t.Errorf("round %d: %d calls were in flight, the report has %v", round, flying, report.InFlight)
	}
	if left := children(os.Getpid()); len(left) > 0 {
		t.Errorf("round %d left processes: %v", round, left)
	}
	if entries, _ := os.ReadDir(filepath.Join(config.StateDir, kernel.ThrowawayDirName)); len(entries) > 0 {
		t.Errorf("round %d left %d directories", round, len(entries))
	}
	t.Logf("round %d: %d browsers with %d pages ended after %v, %v", round, len(browsers), len(all), took, report.InFlight)
}
