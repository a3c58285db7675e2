package actors

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/machinetest"
	"github.com/troupe-browser/troupe/fixtures"
	"github.com/troupe-browser/troupe/internal/soak"
	"github.com/troupe-browser/troupe/messages"
)

// answerLimit is how soon a caller must be told of a death. deathNotice is added
// where the browser has to notice it first: 60 to 130 ms at rest, several times
// that on a machine whose processors are shared.
const (
	answerLimit = 500 * time.Millisecond
	deathNotice = time.Second
)

// inFlight starts a navigation that can't end by itself and returns where its
// answer comes, once it is under way.
func (r *rig) inFlight(page messages.PageAddress, site *fixtures.Server) <-chan *messages.Receipt {
	r.t.Helper()
	answers := make(chan *messages.Receipt, 1)
	go func() {
		receipt, _ := r.caller.Effect(r.ctx, &messages.Navigate{PageAddress: page, URL: site.URL("/nav-slow?endless=1")})
		answers <- receipt
	}()
	// The load can't end: its picture never comes.
	r.eventually("the document is shown", func() bool { return r.summary(page).Title == "Page that loads slowly" })
	return answers
}

// answered waits for the receipt of a killed call and demands that it came in time.
func (r *rig) answered(answers <-chan *messages.Receipt, killed time.Time, limit time.Duration) *messages.Receipt {
	r.t.Helper()
	select {
	case receipt := <-answers:
		if took := time.Since(killed); took > limit {
			r.t.Errorf("answered after %v, at most %v", took, limit)
		}
		return receipt
	case <-time.After(5 * time.Second):
		r.t.Fatal("the caller was never answered")
		return nil
	}
}

// Each part of the tree may die in the middle of an operation; its caller hears the
// truth at once and the rest goes on.
func TestChromium_Deaths(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	site := fixtures.Serve(t)
	r := newRig(t, chromiumConfig(t))
	page := r.launch()
	sibling := r.open(page.BrowserID, site.URL("/demo"))

	t.Run("page actor", func(t *testing.T) {
		r.t = t
		answers := r.inFlight(page, site)
		killed := time.Now()
		failPage(r, page)
		receipt := r.answered(answers, killed, answerLimit)
		if receipt.ExecutionState != messages.OutcomeUnknown && receipt.ExecutionState != messages.Completed || receipt.Code != messages.CodePageRestarted {
			t.Errorf("receipt: %+v", receipt)
		}
		r.snapshot(sibling)
		r.effect(&messages.Navigate{PageAddress: page, URL: site.URL("/demo")})
		r.snapshot(page)
	})
	t.Run("renderer", func(t *testing.T) {
		r.t = t
		answers := r.inFlight(page, site)
		pids := renderers(r)
		killed := time.Now()
		for _, pid := range pids {
			_ = syscall.Kill(pid, syscall.SIGKILL) // one may have ended by itself
		}
		receipt := r.answered(answers, killed, answerLimit+deathNotice)
		// The browser reports the end of the loading before the crash, so the
		// navigation, whose document was there, may have ended by then.
		if receipt.ExecutionState != messages.Completed && (receipt.ExecutionState != messages.OutcomeUnknown || receipt.Code != messages.CodePageCrashed) {
			t.Errorf("receipt: %+v", receipt)
		}
		// An operation that begins before the report of the crash is ended by it.
		for _, p := range []messages.PageAddress{page, sibling} {
			r.eventually("the crash is listed", func() bool { return r.summary(p).Crashed })
		}
		r.effect(&messages.Navigate{PageAddress: page, URL: site.URL("/demo")})
		r.snapshot(page)
		r.effect(&messages.Navigate{PageAddress: sibling, URL: site.URL("/demo")})
	})
	t.Run("browser actor", func(t *testing.T) {
		r.t = t
		answers := r.inFlight(page, site)
		killed := time.Now()
		r.runtime.env.Send(browserPID(r.runtime, page.BrowserID), &engine.LinkAttached{})
		receipt := r.answered(answers, killed, answerLimit)
		if receipt.ExecutionState == messages.NotStarted {
			t.Errorf("receipt: %+v", receipt)
		}
		r.eventually("the browser's tabs are adopted anew", func() bool { return len(r.pagesOrNone(page.BrowserID)) == 2 })
		for _, p := range r.pages(page.BrowserID) {
			if p.PageID == page.PageID || p.PageID == sibling.PageID {
				t.Errorf("the old id %s lives on", p.PageID)
			}
			r.snapshot(messages.PageAddress{BrowserID: page.BrowserID, PageID: p.PageID})
		}
		page.PageID = r.pages(page.BrowserID)[0].PageID
	})
	t.Run("browser process", func(t *testing.T) {
		r.t = t
		events, err := r.runtime.Subscribe(r.ctx)
		if err != nil {
			t.Fatal(err)
		}
		answers := r.inFlight(page, site)
		killed := time.Now()
		_ = syscall.Kill(browserProcess(r), syscall.SIGKILL)
		receipt := r.answered(answers, killed, answerLimit+deathNotice)
		if receipt.ExecutionState == messages.NotStarted {
			t.Errorf("receipt: %+v", receipt)
		}
		closed := 0
		for closed == 0 {
			if e := <-events; e.Kind == messages.EventBrowserClosed {
				closed++
			}
		}
		_, err = r.caller.Snapshot(r.ctx, &messages.TakeSnapshot{PageAddress: page})
		wantCode(t, err, messages.CodeBrowserNotFound)
		r.launch()
		r.runtime.Shutdown(context.Background())
		for e := range events {
			if e.Kind == messages.EventBrowserClosed && e.BrowserID == page.BrowserID {
				closed++
			}
		}
		if closed != 1 {
			t.Errorf("%d closed events of one browser", closed)
		}
	})
}

// pagesOrNone lists the pages while the browser may not answer.
func (r *rig) pagesOrNone(browser messages.BrowserID) []messages.PageSummary {
	reply, err := r.caller.Observe(r.ctx, &messages.ListPages{BrowserID: browser})
	if err != nil {
		return nil
	}
	return reply.(*messages.PageList).Pages
}

// children returns the process ids below a process, from /proc.
func children(parent int) []int {
	var out []int
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		data, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		fields := strings.Fields(string(data[strings.LastIndexByte(string(data), ')')+1:]))
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if ppid, _ := strconv.Atoi(fields[1]); ppid == parent && fields[0] != "Z" {
			out = append(out, pid)
		}
	}
	return out
}

func commandLine(pid int) string {
	data, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	return strings.ReplaceAll(string(data), "\x00", " ")
}

// browserProcess returns the browser that this test started.
func browserProcess(r *rig) int {
	r.t.Helper()
	for _, pid := range children(os.Getpid()) {
		if strings.Contains(commandLine(pid), "--user-data-dir=") {
			return pid
		}
	}
	r.t.Fatal("no browser process")
	return 0
}

// renderers returns the renderers of the browser that this test started.
func renderers(r *rig) []int {
	var out []int
	var walk func(int)
	walk = func(parent int) {
		for _, pid := range children(parent) {
			if strings.Contains(commandLine(pid), "--type=renderer") {
				out = append(out, pid)
			}
			walk(pid)
		}
	}
	walk(browserProcess(r))
	return out
}

// Twenty runtimes come and go without leaving a goroutine, a process or a
// descriptor. Goroutines are counted here because goleak looks only at the end.
func TestChromium_NothingIsLeft(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	rounds := soak.Rounds(t, 6, 20)
	var goroutines, files int
	for i := range rounds {
		config := chromiumConfig(t)
		runtime_, err := Start(context.Background(), config)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		receipt, err := runtime_.As(machinetest.Agent).Effect(ctx, &messages.Launch{})
		cancel()
		if err != nil {
			t.Fatalf("round %d: %v %s", i, err, receipt.Operator)
		}
		if report := runtime_.Shutdown(context.Background()); len(report.Removed) != 1 {
			t.Fatalf("round %d: %+v", i, report)
		}
		if left := children(os.Getpid()); len(left) > 0 {
			t.Fatalf("round %d left processes: %v", i, left)
		}
		if entries, _ := os.ReadDir(filepath.Join(config.StateDir, kernel.ThrowawayDirName)); len(entries) > 0 {
			t.Fatalf("round %d left %d directories", i, len(entries))
		}
		time.Sleep(4 * deadLetterInterval)
		descriptors, _ := os.ReadDir("/proc/self/fd")
		if i == 2 { // the first rounds fill caches
			goroutines, files = runtime.NumGoroutine(), len(descriptors)
		}
		if i > 2 && (runtime.NumGoroutine() > goroutines+2 || len(descriptors) > files) {
			t.Fatalf("round %d: %d goroutines of %d, %d descriptors of %d", i, runtime.NumGoroutine(), goroutines, len(descriptors), files)
		}
	}
}
