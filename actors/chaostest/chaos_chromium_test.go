package chaostest

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"go.uber.org/goleak"

	"github.com/troupe-browser/troupe/actors"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/internal/soak"
	"github.com/troupe-browser/troupe/messages"
)

var (
	seedFlag     = flag.Uint64("chaos.seed", 1, "seed of the faults")
	durationFlag = flag.Duration("chaos.duration", 0, "how long faults go on, 0 for what package soak says")
	paceFlag     = flag.Duration("chaos.pace", 900*time.Millisecond, "the most that passes between two faults, beside a tenth of a second")
	traceFlag    = flag.Bool("chaos.trace", false, "print every fault as it happens")
)

// The size of a run. Two processors carry it.
const (
	slotsMax      = 2
	tabsPerSlot   = 3
	callersPerTab = 2
	tracedMax     = 40
	// A call that is in hand when an actor dies is answered by its death, not by its own
	// deadline, which is seconds away. It is in hand when it was made deathReach before.
	deathReach     = 500 * time.Millisecond
	deathAnswerMax = 3 * time.Second
	answerSlack    = 1500 * time.Millisecond // beyond messages.CancelGrace, on a machine that others use too
	afterKillMax   = 5 * time.Second         // most of it is the browser's, on a machine that is overloaded
	shutdownBudget = 15 * time.Second
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// chaos is one run.
type chaos struct {
	t       *testing.T
	site    *site
	system  *actor.ActorSystem
	runtime *actors.Runtime
	root    *actor.PID
	slots   []*slot
	events  *witness
	began   time.Time
	// dir is the runtime's state directory, descriptors how many were open before it.
	dir         string
	descriptors int
	numbers     atomic.Int64
	// fuse lets the next batch panic in its runner.
	fuse atomic.Bool
	// spent is an operation id with which an effect was begun.
	spent atomic.Pointer[messages.OperationID]

	mu      sync.Mutex
	ops     []*op
	open    map[int64]string // calls that are not answered yet
	calls   int64
	answers map[string]int
	faults  map[string]int
	kills   int
	// deaths are when the actor of a page, or with no page id that of a browser, died.
	deaths   map[messages.PageAddress][]time.Time
	slowest  time.Duration // answer after a kill
	slowCode messages.Code
	late     time.Duration // the most that an answer came after its deadline
	siblings time.Duration
	lines    []string
	failures []string
}

// trace keeps what happened last, for a run that fails.
func (c *chaos) trace(format string, args ...any) {
	line := fmt.Sprintf("%8v ", time.Since(c.began).Round(time.Millisecond)) + fmt.Sprintf(format, args...)
	if *traceFlag {
		fmt.Println(line)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lines = append(c.lines, line); len(c.lines) > tracedMax {
		c.lines = c.lines[1:]
	}
}

func (c *chaos) fail(format string, args ...any) {
	c.trace("BROKEN: "+format, args...)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failures = append(c.failures, fmt.Sprintf(format, args...))
}

// ended are the codes of calls that a death answered.
var ended = []messages.Code{
	messages.CodePageRestarted, messages.CodePageCrashed, messages.CodeBrowserCrashed, messages.CodeBrowserUnavailable,
	messages.CodeStalePage, messages.CodeInternalError, messages.CodeCDPClosed, messages.CodeCDPSendFailed,
	messages.CodeCDPDeliveryUncertain, messages.CodeCDPReceiveUncertain,
}

// do makes one call and holds its answer against the clock. The context must have a
// deadline.
func (c *chaos) do(ctx context.Context, s *slot, who messages.Caller, command messages.Command) (messages.Reply, error) {
	c.mu.Lock()
	c.calls++
	number := c.calls
	c.open[number] = fmt.Sprintf("%s since %v", command.Action(), time.Since(c.began))
	c.mu.Unlock()
	began := time.Now()
	reply, err := c.runtime.Do(ctx, who, command)
	now := time.Now()
	deadline, _ := ctx.Deadline()
	if deadline.Before(began) {
		deadline = began // it had passed while the caller waited for something else
	}
	c.mu.Lock()
	delete(c.open, number)
	late := now.Sub(deadline)
	c.late = max(c.late, late)
	outlived := c.outlived(command, began, now)
	if refusal := messages.AsError(err); refusal != nil && slices.Contains(ended, refusal.Code) {
		killed := time.Unix(0, s.killed.Load())
		if killed.After(began) && now.Sub(killed) > c.slowest {
			c.slowest, c.slowCode = now.Sub(killed), refusal.Code
		}
	}
	c.mu.Unlock()
	if outlived > deathAnswerMax {
		c.fail("%s was in hand when its actor died, and was answered %v later", command.Action(), outlived)
	}
	if late > messages.CancelGrace+answerSlack {
		c.fail("%s was answered %v after its deadline", command.Action(), late)
	}
	return reply, err
}

// died notes the death of an actor.
func (c *chaos) died(actor messages.PageAddress) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.deaths[actor] = append(c.deaths[actor], time.Now())
}

// outlived returns how long a call went on after the death of an actor that had it in
// hand, 0 when none had. c.mu is held.
func (c *chaos) outlived(command messages.Command, began, ended time.Time) time.Duration {
	on, ok := command.(messages.PageCommand)
	if !ok {
		return 0
	}
	for _, actor := range []messages.PageAddress{on.Page(), {BrowserID: on.Page().BrowserID}} {
		for _, death := range c.deaths[actor] {
			if began.Add(deathReach).Before(death) && death.Before(ended) {
				return ended.Sub(death)
			}
		}
	}
	return 0
}

// TestChaos drives browsers while their parts die, and demands that no answer is
// false, none is late, and nothing is left.
func TestChaos(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	seed, duration := *seedFlag, *durationFlag
	if duration == 0 {
		duration = soak.Duration(t, 20*time.Second, 10*time.Minute)
	}
	t.Logf("replay: make chaos SEED=%d DURATION=%v (pace %v)", seed, duration, *paceFlag)
	c := start(t)
	c.play(seed, warmMax+duration, func(ctx context.Context) {
		c.await(ctx, func() bool { return c.completed() > 0 })
		ctx, cancel := context.WithTimeout(ctx, duration)
		defer cancel()
		(&killer{chaos: c, ctx: ctx, rng: rand.New(rand.NewPCG(seed, 1<<32))}).run()
	})
	c.end()
	if c.kills == 0 && duration >= 10*time.Second {
		t.Error("nothing was killed")
	}
}

// warmMax bounds how long a run waits for its browsers, which a slow machine may take
// long to start: until then no fault would meet anything.
const warmMax = 90 * time.Second

// await waits until a condition holds, but no longer than warmMax.
func (c *chaos) await(ctx context.Context, holds func() bool) {
	for ctx.Err() == nil && time.Since(c.began) < warmMax && !holds() {
		pause(ctx, 200*time.Millisecond)
	}
}

// completed returns on how many pages something was completed.
func (c *chaos) completed() (pages int) {
	for _, s := range c.slots {
		for _, page := range s.tabs {
			if page.completed.Load() > 0 {
				pages++
			}
		}
	}
	return pages
}

// start begins a run: site, actor system and runtime.
func start(t *testing.T) *chaos {
	engine, err := cdp.Discover(cdp.DiscoverOptions{})
	if err != nil {
		t.Fatalf("%v: install Chromium, or set TROUPE_BROWSER to its executable", err)
	}
	c := &chaos{t: t, dir: t.TempDir(), began: time.Now(), open: map[int64]string{}, answers: map[string]int{}, faults: map[string]int{}, deaths: map[messages.PageAddress][]time.Time{}}
	c.site = newSite(t)
	for i := range slotsMax {
		s := &slot{chaos: c, index: i}
		for j := range tabsPerSlot {
			s.tabs = append(s.tabs, &tab{slot: s, index: j})
		}
		c.slots = append(c.slots, s)
	}
	c.descriptors = openFiles()
	c.system = actor.NewActorSystem(actor.WithLoggerFactory(func(*actor.ActorSystem) *slog.Logger {
		return slog.New(slog.NewTextHandler(io.Discard, nil))
	}), actor.WithDeadLetterThrottleInterval(50*time.Millisecond)) // a goroutine of it lives as long
	config := c.settings(&connector{engine: engine, dir: c.runDir(), slots: c.slots})
	if c.runtime, c.root, err = actors.SpawnRoot(t.Context(), c.system, nil, "troupe", config); err != nil {
		t.Fatal(err)
	}
	c.events = newWitness(t, c)
	return c
}

// runDir is where the browsers' throwaway directories are.
func (c *chaos) runDir() string { return filepath.Join(c.dir, "run") }

// end shuts the runtime down and judges the run.
func (c *chaos) end() {
	begun := time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), shutdownBudget)
	report := c.runtime.Shutdown(ctx)
	cancel()
	c.trace("shutdown took %v: %v", time.Since(begun), report)
	<-c.events.done
	c.system.Shutdown()
	c.site.end()
	c.events.judge(report)
	c.judge()
	c.leaks()
	c.print(report)
}

// play lets callers and killer act for as long as the run takes, and demands that
// every caller comes back. It ends when beside does, which goes on at the same time,
// or after the duration.
func (c *chaos) play(seed uint64, duration time.Duration, beside func(context.Context)) {
	ctx, cancel := context.WithTimeout(context.Background(), duration)
	defer cancel()
	var callers sync.WaitGroup
	for _, s := range c.slots {
		for _, t := range s.tabs {
			for i := range callersPerTab {
				rng := rand.New(rand.NewPCG(seed, uint64(100*s.index+10*t.index+i)))
				callers.Go(func() { c.drive(ctx, t, rng, i) })
			}
		}
	}
	callers.Go(func() {
		beside(ctx)
		cancel()
	})
	back := make(chan struct{})
	go func() {
		callers.Wait()
		close(back)
	}()
	select {
	case <-back:
	case <-time.After(duration + 45*time.Second):
		stacks := make([]byte, 4<<20)
		stacks = stacks[:runtime.Stack(stacks, true)]
		c.t.Fatalf("calls without an answer: %v\n%s", c.open, stacks)
	}
}

func openFiles() int {
	entries, _ := os.ReadDir("/proc/self/fd")
	return len(entries)
}
