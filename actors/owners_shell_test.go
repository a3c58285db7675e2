package actors

import (
	"context"
	"os"
	"os/exec"
	"testing"
	"testing/synctest"
	"time"

	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/machinetest"
	"github.com/troupe-browser/troupe/messages"
)

// fleet gives each launch a scripted browser of its own.
type fleet struct {
	t        *testing.T
	browsers []*fakeBrowser // in the order of the launches, which a test makes one by one
}

// Connect implements Connector.
func (f *fleet) Connect(context.Context, ConnectPlan) (Connection, error) {
	b := newFakeBrowser(f.t)
	f.browsers = append(f.browsers, b)
	return b, nil
}

func (f *fleet) closed() []bool {
	out := make([]bool, len(f.browsers))
	for i, b := range f.browsers {
		out[i] = b.closed.Load() > 0
	}
	return out
}

// stageFleet is stage with a browser for each launch.
func stageFleet(t *testing.T, change func(*Config), test func(*testing.T, *fleet, *rig)) {
	t.Helper()
	var f *fleet
	stage(t, func(c *Config) {
		f = &fleet{}
		c.Connector = f
		if change != nil {
			change(c)
		}
	}, func(t *testing.T, _ *fakeBrowser, r *rig) {
		f.t = t
		test(t, f, r)
	})
}

func (r *rig) launchAs(caller messages.Caller, command *messages.Launch) messages.BrowserID {
	r.t.Helper()
	receipt, err := r.runtime.As(caller).Effect(r.ctx, command)
	if err != nil {
		r.t.Fatal(err)
	}
	return receipt.BrowserID
}

func wantClosed(t *testing.T, f *fleet, want ...bool) {
	t.Helper()
	synctest.Wait()
	got := f.closed()
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("closed are %v, want %v", got, want)
			return
		}
	}
}

// The end of an owner closes its browsers and no other's, and is answered when the
// last is gone (R23).
func TestShell_OwnerEnds(t *testing.T) {
	stageFleet(t, nil, func(t *testing.T, f *fleet, r *rig) {
		ada, bob := machinetest.Operator, machinetest.Operator
		ada.Owner, bob.Owner = "ada", "bob"
		r.launchAs(ada, &messages.Launch{})
		r.launchAs(bob, &messages.Launch{})
		r.launchAs(ada, &messages.Launch{})
		f.browsers[2].ending = make(chan struct{})
		ended := make(chan error, 1)
		go func() {
			_, err := r.runtime.As(machinetest.Operator).Effect(r.ctx, &messages.EndOwner{OwnerID: "ada"})
			ended <- err
		}()
		wantClosed(t, f, true, false, false)
		select {
		case err := <-ended:
			t.Fatalf("answered before the last browser was gone: %v", err)
		default:
		}
		close(f.browsers[2].ending)
		if err := <-ended; err != nil {
			t.Error(err)
		}
		wantClosed(t, f, true, false, true)
	})
}

// A browser whose owning process has ended is closed, one whose owner lives is not (R23).
func TestShell_OwnerProcessEnds(t *testing.T) {
	owner := exec.Command(os.Args[0], "-test.run=^$")
	if err := owner.Run(); err != nil {
		t.Fatal(err)
	}
	stageFleet(t, nil, func(t *testing.T, f *fleet, r *rig) {
		r.launchAs(machinetest.Operator, &messages.Launch{OwnerPID: os.Getpid(), Held: true})
		r.launchAs(machinetest.Operator, &messages.Launch{OwnerPID: owner.Process.Pid, Held: true})
		time.Sleep(2 * kernel.OwnerPollInterval)
		wantClosed(t, f, false, true)
	})
}

// Idle and overdue browsers are ended by the tick, whose interval is the operator's;
// a busy one is looked at again, a held one ends only when nobody uses it (R192, R200).
func TestShell_Reaping(t *testing.T) {
	reaping := func(idle, lifetime time.Duration) func(*Config) {
		return func(c *Config) {
			c.ReapInterval, c.IdleMax, c.LifetimeMax = 5*time.Millisecond, idle, lifetime
		}
	}
	t.Run("idle", func(t *testing.T) {
		stageFleet(t, reaping(50*time.Millisecond, time.Hour), func(t *testing.T, f *fleet, r *rig) {
			used := r.launchAs(machinetest.Operator, &messages.Launch{})
			r.launchAs(machinetest.Operator, &messages.Launch{})
			for range 10 {
				time.Sleep(20 * time.Millisecond)
				r.pages(used)
			}
			wantClosed(t, f, false, true)
		})
	})
	t.Run("busy", func(t *testing.T) {
		stageFleet(t, reaping(50*time.Millisecond, 100*time.Millisecond), func(t *testing.T, f *fleet, r *rig) {
			page := r.launch()
			answers := r.pending(r.ctx, page)
			time.Sleep(messages.NavigateTimeout / 2)
			wantClosed(t, f, false)
			if receipt := <-answers; receipt.Code == messages.CodeBrowserUnavailable {
				t.Errorf("the call in flight ended as %+v", receipt)
			}
			time.Sleep(time.Second)
			wantClosed(t, f, true)
			_, err := r.caller.Observe(r.ctx, &messages.ListPages{BrowserID: page.BrowserID})
			wantCode(t, err, messages.CodeBrowserNotFound)
		})
	})
	t.Run("lifetime and held", func(t *testing.T) {
		stageFleet(t, reaping(50*time.Millisecond, 200*time.Millisecond), func(t *testing.T, f *fleet, r *rig) {
			model := r.launchAs(machinetest.Operator, &messages.Launch{})
			held := r.launchAs(machinetest.Operator, &messages.Launch{Held: true})
			for range 20 {
				time.Sleep(20 * time.Millisecond)
				for _, browser := range []messages.BrowserID{model, held} {
					_, _ = r.runtime.As(machinetest.Operator).Effect(r.ctx, &messages.Heartbeat{BrowserID: browser}) // one of them is gone at some time
				}
			}
			wantClosed(t, f, true, false)
			time.Sleep(100 * time.Millisecond)
			wantClosed(t, f, true, true)
		})
	})
}
