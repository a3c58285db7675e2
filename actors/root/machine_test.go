package root

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/actors/browser"
	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/machinetest"
	"github.com/troupe-browser/troupe/messages"
)

// startedRoot returns a root's machine whose reaper runs.
func startedRoot(c kernel.Config) *machine {
	m := newMachine(c)
	m.step(&reaperStarted{at: machinetest.Noon})
	return m
}

// rootWith returns a root's machine with a browser for each launch, ready unless
// its mode is left launching.
func rootWith(t *testing.T, config kernel.Config, launches ...*messages.Launch) (*machine, []*call.Call) {
	t.Helper()
	m := startedRoot(config.WithDefaults())
	var calls []*call.Call
	for i, launch := range launches {
		c := machinetest.CallOf(launch)
		id := messages.BrowserID("br_" + string(rune('a'+i)))
		machinetest.WantEffects(t, m.step(&Call{Call: c, At: machinetest.Noon, FreshID: id}), Effect(&beginAtRoot{call: c}))
		machinetest.One[*spawnBrowser](t, m.step(&Begun{call: c, at: machinetest.Noon}))
		m.step(&browser.Up{Browser: id, Ownership: m.browsers[id].ownership, Receipt: &messages.Receipt{}, At: machinetest.Noon})
		calls = append(calls, c)
	}
	return m, calls
}

// A launch takes its place, which is bounded, before anything is started (R17, C31).
func TestRootMachine_Launch(t *testing.T) {
	m := startedRoot(kernel.Config{BrowsersMax: 1}.WithDefaults())
	c := machinetest.CallOf(&messages.Launch{})
	machinetest.WantEffects(t, m.step(&Call{Call: c, At: machinetest.Noon, FreshID: "br_a"}), Effect(&beginAtRoot{call: c}))

	t.Run("the place counts before the browser is there", func(t *testing.T) {
		second := machinetest.CallOf(&messages.Launch{})
		failed := machinetest.One[*failCall](t, m.step(&Call{Call: second, At: machinetest.Noon, FreshID: "br_b"}))
		if failed.err.Code != messages.CodeBrowserLimit {
			t.Errorf("refused with %s", failed.err.Code)
		}
	})
	machinetest.WantEffects(t, m.step(&Begun{call: c, at: machinetest.Noon}),
		Effect(&spawnBrowser{browser: "br_a", call: c, mode: messages.LaunchEphemeral, launch: c.Command.(*messages.Launch)}))
	up := m.step(&browser.Up{Browser: "br_a", Ownership: messages.OwnedEphemeral, Receipt: &messages.Receipt{PageID: "pg"}, At: machinetest.Noon})
	machinetest.WantKinds(t, up, "publishEvent finishCall")
	if receipt := machinetest.One[*finishCall](t, up).receipt; receipt.BrowserID != "br_a" || receipt.ExecutionState != messages.Completed {
		t.Errorf("receipt is %+v", receipt)
	}
	machinetest.WantEffects(t, m.step(&browser.Up{Browser: "br_a", Receipt: &messages.Receipt{}, At: machinetest.Noon})) // a restarted browser says so again
}

func TestRootMachine_ARefusedLaunchGivesItsPlaceBack(t *testing.T) {
	m := startedRoot(kernel.Config{BrowsersMax: 1}.WithDefaults())
	c := machinetest.CallOf(&messages.Launch{})
	m.step(&Call{Call: c, At: machinetest.Noon, FreshID: "br_a"})
	spent := messages.NewError(messages.CodeOperationIDSpent, "")
	machinetest.WantEffects(t, m.step(&Begun{call: c, refusal: spent, at: machinetest.Noon}), Effect(&failCall{c, spent}))
	if len(m.browsers) != 0 {
		t.Error("the place is still taken")
	}
}

// Nothing is launched that nobody would reap (R18).
func TestRootMachine_NoLaunchWithoutTheReaper(t *testing.T) {
	config := kernel.Config{}.WithDefaults()
	refused := func(m *machine, after time.Duration) bool {
		t.Helper()
		effects := m.step(&Call{Call: machinetest.CallOf(&messages.Launch{}), At: machinetest.Noon.Add(after), FreshID: "br_a"})
		if machinetest.Kinds(effects) == "beginAtRoot" {
			return false
		}
		machinetest.WantKinds(t, effects, "failCall startReaper")
		if got := effects[0].(*failCall).err.Code; got != messages.CodeReaperUnavailable || len(m.browsers) != 0 {
			t.Errorf("refused with %s, %d browsers", got, len(m.browsers))
		}
		return true
	}
	limit := config.ReapInterval + kernel.ReaperGrace
	if !refused(newMachine(config), 0) {
		t.Error("launched before the reaper was started")
	}
	if refused(startedRoot(config), limit) || !refused(startedRoot(config), limit+1) {
		t.Errorf("the bound is not %v", limit)
	}
	m := startedRoot(config)
	m.step(&reapTick{at: machinetest.Noon.Add(limit + 1)})
	if refused(m, limit+2) {
		t.Error("refused although the reaper has come back")
	}
	attach := m.step(&Call{Call: machinetest.CallOf(&messages.Attach{AttachmentID: "a"}), At: machinetest.Noon.Add(3 * limit)})
	machinetest.WantKinds(t, attach, "failCall startReaper")
}

// A slow failure is remembered, one that the caller caused or that was quick is not (R9).
func TestRootMachine_StartFailures(t *testing.T) {
	for _, row := range []struct {
		code       messages.Code
		took       time.Duration
		remembered bool
	}{
		{messages.CodeLaunchTimeout, 0, true}, {messages.CodeCancelled, 0, false}, {messages.CodeEngineUnavailable, 0, false},
		{messages.CodeLaunchFailed, time.Second, false}, {messages.CodeLaunchFailed, slowFailure, true}, {messages.CodeCancelled, time.Minute, false},
	} {
		t.Run(fmt.Sprintf("%s after %s", row.code, row.took), func(t *testing.T) {
			end := machinetest.Noon.Add(row.took)
			m := startedRoot(kernel.Config{}.WithDefaults())
			c := machinetest.CallOf(&messages.Launch{})
			m.step(&Call{Call: c, At: machinetest.Noon, FreshID: "br_a"})
			m.step(&Begun{call: c, at: machinetest.Noon})
			err := messages.NewError(row.code, "")
			machinetest.WantKinds(t, m.step(&browser.Down{Browser: "br_a", Err: err, At: end}), "")
			machinetest.WantKinds(t, m.step(&browser.Ended{Browser: "br_a", At: end}), "stopBrowserActor publishEvent finishCall")
			again := m.step(&Call{Call: machinetest.CallOf(&messages.Launch{}), At: end.Add(time.Second), FreshID: "br_b"})
			if got := machinetest.Kinds(again) == "failCall"; got != row.remembered {
				t.Errorf("the next launch gives %s", machinetest.Kinds(again))
			}
			later := m.step(&Call{Call: machinetest.CallOf(&messages.Launch{}), At: end.Add(time.Second + kernel.StartFailureMemory), FreshID: "br_c"})
			machinetest.WantKinds(t, later, "beginAtRoot")
		})
	}
}

func TestRootMachine_Addresses(t *testing.T) {
	m, _ := rootWith(t, kernel.Config{}, &messages.Launch{}, &messages.Launch{})
	for address, want := range map[messages.BrowserID]messages.Code{
		"br_a": "", "browser:1": "", "browser:2": "", "br_": messages.CodeBrowserAmbiguous,
		"browser:3": messages.CodeBrowserNotFound, "nothing": messages.CodeBrowserNotFound,
	} {
		t.Run(string(address), func(t *testing.T) {
			c := machinetest.CallOf(&messages.ListPages{BrowserID: address})
			effects := m.step(&Call{Call: c, At: machinetest.Noon})
			if want == "" {
				machinetest.WantKinds(t, effects, "forward")
				return
			}
			if got := machinetest.One[*failCall](t, effects).err.Code; got != want {
				t.Errorf("%s: %s, want %s", address, got, want)
			}
		})
	}
	reply := machinetest.One[*answerCall](t, m.step(&Call{Call: machinetest.CallOf(&messages.ListBrowsers{}), At: machinetest.Noon.Add(time.Minute)})).reply.(*messages.BrowserList)
	if len(reply.Browsers) != 2 || reply.Browsers[0].Short != "browser:1" || reply.Browsers[1].Short != "browser:2" || reply.Browsers[0].IdleSeconds != 60 {
		t.Errorf("list is %+v", reply)
	}
}

// A browser is ended once, whoever asks how often, and announced once (R197).
func TestRootMachine_OneClosedEvent(t *testing.T) {
	m, _ := rootWith(t, kernel.Config{}, &messages.Launch{})
	first, second := machinetest.CallOf(&messages.CloseBrowser{BrowserID: "br_a"}), machinetest.CallOf(&messages.CloseBrowser{BrowserID: "br_a"})
	machinetest.WantEffects(t, m.step(&Call{Call: first, At: machinetest.Noon}), Effect(&beginAtRoot{call: first, browser: "br_a"}))
	machinetest.WantEffects(t, m.step(&Call{Call: second, At: machinetest.Noon}), Effect(&beginAtRoot{call: second, browser: "br_a"}))
	machinetest.WantEffects(t, m.step(&Begun{call: first, browser: "br_a", at: machinetest.Noon}),
		Effect(&tellBrowser{browser: "br_a", message: &browser.Close{}}))
	machinetest.WantEffects(t, m.step(&Begun{call: second, browser: "br_a", at: machinetest.Noon}))
	machinetest.WantEffects(t, m.step(&browser.Down{Browser: "br_a", Err: messages.NewError(messages.CodeBrowserCrashed, ""), At: machinetest.Noon}))
	ended := m.step(&browser.Ended{Browser: "br_a", At: machinetest.Noon})
	machinetest.WantKinds(t, ended, "stopBrowserActor publishEvent finishCall finishCall")
	machinetest.WantEffects(t, m.step(&browser.Ended{Browser: "br_a", At: machinetest.Noon}))
	machinetest.WantEffects(t, m.step(&browser.Down{Browser: "br_a", Err: messages.NewError(messages.CodeBrowserCrashed, ""), At: machinetest.Noon}))
}

func TestRootMachine_CloseIsTheLaunchersOrTheOperators(t *testing.T) {
	m, _ := rootWith(t, kernel.Config{}, &messages.Launch{})
	c := machinetest.CallOf(&messages.CloseBrowser{BrowserID: "br_a"})
	c.Caller = messages.Caller{ID: "other", Grants: messages.DefaultGrants()}
	if got := machinetest.One[*failCall](t, m.step(&Call{Call: c, At: machinetest.Noon})).err.Code; got != messages.CodeNoGrant {
		t.Errorf("refused with %s", got)
	}
	c = machinetest.CallOf(&messages.CloseBrowser{BrowserID: "br_a"})
	c.Caller = machinetest.Operator
	machinetest.WantKinds(t, m.step(&Call{Call: c, At: machinetest.Noon}), "beginAtRoot")
}

// Idle and overdue browsers go, busy and held ones stay (R192, R200, C19).
func TestRootMachine_Reaping(t *testing.T) {
	config := kernel.Config{IdleMax: 10 * time.Minute, LifetimeMax: time.Hour}
	for name, c := range map[string]struct {
		held, busy, used bool
		after            time.Duration
		reaped           bool
	}{
		"fresh":         {after: time.Minute},
		"idle":          {after: 10 * time.Minute, reaped: true},
		"idle and busy": {after: 10 * time.Minute, busy: true},
		"in use":        {after: 15 * time.Minute, used: true},
		"overdue":       {after: time.Hour, used: true, reaped: true},
		"held, overdue": {after: time.Hour, used: true, held: true},
		"held, idle":    {after: time.Hour, held: true, reaped: true},
	} {
		t.Run(name, func(t *testing.T) {
			m, _ := rootWith(t, config, &messages.Launch{Held: c.held})
			if c.used {
				m.step(&Call{Call: machinetest.CallOf(&messages.ListPages{BrowserID: "br_a"}), At: machinetest.Noon.Add(c.after - time.Minute)})
			}
			effects := m.step(&reapTick{at: machinetest.Noon.Add(c.after), busy: map[messages.BrowserID]bool{"br_a": c.busy}})
			if c.reaped {
				machinetest.WantKinds(t, effects, "publishEvent tellBrowser")
				if _, refusal := m.find("br_a"); refusal == nil {
					t.Error("a browser that is being reaped can still be found")
				}
				return
			}
			machinetest.WantEffects(t, effects)
		})
	}
}

func TestRootMachine_EndOwner(t *testing.T) {
	m := startedRoot(kernel.Config{}.WithDefaults())
	for _, id := range []messages.BrowserID{"br_a", "br_b", "br_c"} {
		c := machinetest.CallOf(&messages.Launch{})
		c.Caller.Owner = map[messages.BrowserID]messages.OwnerID{"br_a": "one", "br_b": "one", "br_c": "two"}[id]
		m.step(&Call{Call: c, At: machinetest.Noon, FreshID: id, Owner: map[messages.BrowserID]process{"br_c": {pid: 77, started: 1}}[id]})
		m.step(&Begun{call: c, at: machinetest.Noon})
		m.step(&browser.Up{Browser: id, Receipt: &messages.Receipt{}, At: machinetest.Noon})
	}
	c := machinetest.CallOf(&messages.EndOwner{OwnerID: "one"})
	machinetest.WantEffects(t, m.step(&Call{Call: c, At: machinetest.Noon}), Effect(&beginAtRoot{call: c}))
	machinetest.WantKinds(t, m.step(&Begun{call: c, at: machinetest.Noon}), "tellBrowser tellBrowser")
	machinetest.WantKinds(t, m.step(&browser.Ended{Browser: "br_a", At: machinetest.Noon}), "stopBrowserActor publishEvent")
	machinetest.WantKinds(t, m.step(&browser.Ended{Browser: "br_b", At: machinetest.Noon}), "stopBrowserActor publishEvent finishCall")
	machinetest.WantKinds(t, m.step(&ownersEnded{processes: []process{{pid: 77, started: 2}}}), "")
	machinetest.WantKinds(t, m.step(&ownersEnded{processes: []process{{pid: 77, started: 1}}}), "tellBrowser")
}

func TestRootMachine_Shutdown(t *testing.T) {
	ask := func(after time.Duration) *shutdownBegan {
		return &shutdownBegan{at: machinetest.Noon, deadline: machinetest.Noon.Add(after)}
	}
	t.Run("nothing to end", func(t *testing.T) {
		m, _ := rootWith(t, kernel.Config{})
		machinetest.WantKinds(t, m.step(ask(time.Minute)), "publishEvent startShutdownTimer reportShutdown")
		machinetest.WantKinds(t, m.step(ask(time.Minute)), "reportShutdown")
		c := machinetest.CallOf(&messages.ListBrowsers{})
		if got := machinetest.One[*failCall](t, m.step(&Call{Call: c, At: machinetest.Noon})).err.Code; got != messages.CodeRunnerShuttingDown {
			t.Errorf("a late call is refused with %s", got)
		}
	})
	t.Run("a managed browser has time to end by itself", func(t *testing.T) {
		m, _ := rootWith(t, kernel.Config{}, &messages.Launch{Mode: messages.LaunchManaged, Profile: "p"}, &messages.Launch{})
		effects := m.step(ask(time.Minute))
		machinetest.WantEffects(t, effects[2:],
			Effect(&tellBrowser{"br_a", &browser.Close{Reason: messages.CodeRunnerShuttingDown, Graceful: true}}),
			Effect(&tellBrowser{"br_b", &browser.Close{Reason: messages.CodeRunnerShuttingDown}}))
		machinetest.WantKinds(t, m.step(&browser.Ended{Browser: "br_b", At: machinetest.Noon}), "stopBrowserActor publishEvent")
		machinetest.WantEffects(t, m.step(ask(time.Minute))) // one more caller waits for the same end
		failure := messages.NewError(messages.CodeShutdownFailed, "")
		done := machinetest.One[*reportShutdown](t, m.step(&browser.Ended{Browser: "br_a", Failure: failure, At: machinetest.Noon.Add(time.Second)}))
		want := ShutdownReport{Removed: []messages.BrowserID{"br_b"}, Failed: []messages.BrowserID{"br_a"}, Took: time.Second}
		machinetest.WantEffects(t, []Effect{done}, Effect(&reportShutdown{report: want}))
	})
	t.Run("no grace when the deadline is near, pending after it", func(t *testing.T) {
		m, _ := rootWith(t, kernel.Config{}, &messages.Launch{Mode: messages.LaunchManaged, Profile: "p"})
		effects := m.step(ask(time.Second))
		machinetest.WantEffects(t, effects[2:], Effect(&tellBrowser{"br_a", &browser.Close{Reason: messages.CodeRunnerShuttingDown}}))
		report := machinetest.One[*reportShutdown](t, m.step(&shutdownElapsed{at: machinetest.Noon.Add(time.Second)})).report
		if len(report.Pending) != 1 || report.Took != time.Second {
			t.Errorf("report is %+v", report)
		}
		machinetest.WantEffects(t, m.step(&shutdownElapsed{at: machinetest.Noon.Add(time.Second)}))
		machinetest.WantKinds(t, m.step(&browser.Ended{Browser: "br_a", At: machinetest.Noon}), "stopBrowserActor publishEvent")
	})
}

func TestRootMachine_CrashIsOutOfReachBeforeItIsAnnounced(t *testing.T) {
	m, _ := rootWith(t, kernel.Config{}, &messages.Launch{})
	machinetest.WantKinds(t, m.step(&browser.Down{Browser: "br_a", Err: messages.NewError(messages.CodeBrowserCrashed, ""), At: machinetest.Noon}), "publishEvent")
	if _, refusal := m.find("br_a"); refusal == nil {
		t.Error("a lost browser can still be found")
	}
	machinetest.WantKinds(t, m.step(&browser.Ended{Browser: "br_a", At: machinetest.Noon}), "stopBrowserActor publishEvent")
	if m.crashes != 1 {
		t.Errorf("%d crashes counted", m.crashes)
	}
}

// A launch is refused when its browser is gone from the listing, not before: what the caller does next meets nothing of it
// (R196).
func TestRootMachine_ARefusedLaunchIsGoneWhenItIsRefused(t *testing.T) {
	m := startedRoot(kernel.Config{}.WithDefaults())
	c := machinetest.CallOf(&messages.Launch{})
	m.step(&Call{Call: c, At: machinetest.Noon, FreshID: "br_a"})
	m.step(&Begun{call: c, at: machinetest.Noon})
	cause := messages.NewError(messages.CodeLaunchFailed, "")
	machinetest.WantKinds(t, m.step(&browser.Down{Browser: "br_a", Err: cause, At: machinetest.Noon}), "")
	if listed := m.list(machinetest.Noon).Browsers; len(listed) != 1 {
		t.Errorf("while it ends, the listing is %+v", listed)
	}
	effects := m.step(&browser.Ended{Browser: "br_a", At: machinetest.Noon})
	machinetest.WantKinds(t, effects, "stopBrowserActor publishEvent finishCall")
	if told, ok := effects[len(effects)-1].(*finishCall); !ok || !reflect.DeepEqual(told, &finishCall{c, messages.Refusal("", cause)}) {
		t.Errorf("told is %+v", told)
	}
	if listed := m.list(machinetest.Noon).Browsers; len(listed) != 0 {
		t.Errorf("when the refusal is told, the listing is %+v", listed)
	}
}

func TestRootMachine_UnknownMessages(t *testing.T) {
	m, _ := rootWith(t, kernel.Config{}, &messages.Launch{})
	machinetest.WantEffects(t, m.step(machinetest.Strange{}))
	machinetest.WantEffects(t, m.step(&browser.Ended{Browser: "br_z", At: machinetest.Noon}))
	machinetest.WantEffects(t, m.step(&browser.Up{Browser: "br_z", Receipt: &messages.Receipt{}, At: machinetest.Noon}))
	machinetest.WantEffects(t, m.step(&Withdraw{Call: machinetest.CallOf(&messages.ListBrowsers{})}))
}

// What can be done is told bit by bit, and a bit that nobody set is off: no extension without its listener, no handing
// over of windows here, no launch before an engine was found (R19, R205).
func TestRootMachine_Capabilities(t *testing.T) {
	got := startedRoot(kernel.Config{}.WithDefaults()).targets().Capabilities
	want := messages.Capabilities{
		Observe: true, Control: true, ActionAdmission: true, Batch: true, SemanticQuery: true, ComplexControls: true, ManagedProfile: true,
	}
	if got != want {
		t.Errorf("it is %+v, want %+v", got, want)
	}
}
