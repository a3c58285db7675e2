package actors

import (
	"testing"
	"time"

	"github.com/troupe-browser/troupe/messages"
)

// startedRoot returns a root's machine whose reaper runs.
func startedRoot(c Config) *rootMachine {
	m := newRootMachine(c)
	m.step(&reaperStarted{at: noon})
	return m
}

// rootWith returns a root's machine with a browser for each launch, ready unless
// its mode is left launching.
func rootWith(t *testing.T, config Config, launches ...*messages.Launch) (*rootMachine, []*call) {
	t.Helper()
	m := startedRoot(config.withDefaults())
	var calls []*call
	for i, launch := range launches {
		c := callOf(launch)
		id := messages.BrowserID("br_" + string(rune('a'+i)))
		wantEffects(t, m.step(&rootCall{call: c, at: noon, freshID: id}), rootEffect(&beginAtRoot{call: c}))
		one[*spawnBrowser](t, m.step(&rootBegun{call: c, at: noon}))
		m.step(&browserUp{browser: id, ownership: m.browsers[id].ownership, receipt: &messages.Receipt{}, at: noon})
		calls = append(calls, c)
	}
	return m, calls
}

// A launch takes its place, which is bounded, before anything is started (R17, C31).
func TestRootMachine_Launch(t *testing.T) {
	m := startedRoot(Config{BrowsersMax: 1}.withDefaults())
	c := callOf(&messages.Launch{})
	wantEffects(t, m.step(&rootCall{call: c, at: noon, freshID: "br_a"}), rootEffect(&beginAtRoot{call: c}))

	t.Run("the place counts before the browser is there", func(t *testing.T) {
		second := callOf(&messages.Launch{})
		failed := one[*rootFail](t, m.step(&rootCall{call: second, at: noon, freshID: "br_b"}))
		if failed.err.Code != messages.CodeBrowserLimit {
			t.Errorf("refused with %s", failed.err.Code)
		}
	})
	wantEffects(t, m.step(&rootBegun{call: c, at: noon}),
		rootEffect(&spawnBrowser{browser: "br_a", call: c, mode: messages.LaunchEphemeral, launch: c.command.(*messages.Launch)}))
	up := m.step(&browserUp{browser: "br_a", ownership: messages.OwnedEphemeral, receipt: &messages.Receipt{PageID: "pg"}, at: noon})
	wantKinds(t, up, "rootPublish rootFinish")
	if receipt := one[*rootFinish](t, up).receipt; receipt.BrowserID != "br_a" || receipt.ExecutionState != messages.Completed {
		t.Errorf("receipt is %+v", receipt)
	}
	wantEffects(t, m.step(&browserUp{browser: "br_a", receipt: &messages.Receipt{}, at: noon})) // a restarted browser says so again
}

func TestRootMachine_ARefusedLaunchGivesItsPlaceBack(t *testing.T) {
	m := startedRoot(Config{BrowsersMax: 1}.withDefaults())
	c := callOf(&messages.Launch{})
	m.step(&rootCall{call: c, at: noon, freshID: "br_a"})
	spent := messages.NewError(messages.CodeOperationIDSpent, "")
	wantEffects(t, m.step(&rootBegun{call: c, refusal: spent, at: noon}), rootEffect(&rootFail{c, spent}))
	if len(m.browsers) != 0 {
		t.Error("the place is still taken")
	}
}

// Nothing is launched that nobody would reap (R18).
func TestRootMachine_NoLaunchWithoutTheReaper(t *testing.T) {
	config := Config{}.withDefaults()
	refused := func(m *rootMachine, after time.Duration) bool {
		t.Helper()
		effects := m.step(&rootCall{call: callOf(&messages.Launch{}), at: noon.Add(after), freshID: "br_a"})
		if kinds(effects) == "beginAtRoot" {
			return false
		}
		wantKinds(t, effects, "rootFail startReaper")
		if got := effects[0].(*rootFail).err.Code; got != messages.CodeReaperUnavailable || len(m.browsers) != 0 {
			t.Errorf("refused with %s, %d browsers", got, len(m.browsers))
		}
		return true
	}
	limit := config.ReapInterval + ReaperGrace
	if !refused(newRootMachine(config), 0) {
		t.Error("launched before the reaper was started")
	}
	if refused(startedRoot(config), limit) || !refused(startedRoot(config), limit+1) {
		t.Errorf("the bound is not %v", limit)
	}
	m := startedRoot(config)
	m.step(&reapTick{at: noon.Add(limit + 1)})
	if refused(m, limit+2) {
		t.Error("refused although the reaper has come back")
	}
	attach := m.step(&rootCall{call: callOf(&messages.Attach{AttachmentID: "a"}), at: noon.Add(3 * limit)})
	wantKinds(t, attach, "rootFail startReaper")
}

// A slow failure is remembered, one that the caller caused or that was quick is not (R9).
func TestRootMachine_StartFailures(t *testing.T) {
	for code, remembered := range map[messages.Code]bool{
		messages.CodeLaunchTimeout: true, messages.CodeCancelled: false, messages.CodeEngineUnavailable: false,
	} {
		m := startedRoot(Config{}.withDefaults())
		c := callOf(&messages.Launch{})
		m.step(&rootCall{call: c, at: noon, freshID: "br_a"})
		m.step(&rootBegun{call: c, at: noon})
		err := messages.NewError(code, "")
		wantKinds(t, m.step(&browserDown{browser: "br_a", err: err, at: noon}), "rootFinish")
		wantKinds(t, m.step(&browserEnded{browser: "br_a", at: noon}), "stopBrowserActor rootPublish")
		again := m.step(&rootCall{call: callOf(&messages.Launch{}), at: noon.Add(time.Second), freshID: "br_b"})
		if got := kinds(again) == "rootFail"; got != remembered {
			t.Errorf("%s: the next launch gives %s", code, kinds(again))
		}
		later := m.step(&rootCall{call: callOf(&messages.Launch{}), at: noon.Add(time.Second + StartFailureMemory), freshID: "br_c"})
		wantKinds(t, later, "beginAtRoot")
	}
}

func TestRootMachine_Addresses(t *testing.T) {
	m, _ := rootWith(t, Config{}, &messages.Launch{}, &messages.Launch{})
	for address, want := range map[messages.BrowserID]messages.Code{
		"br_a": "", "browser:1": "", "browser:2": "", "br_": messages.CodeBrowserAmbiguous,
		"browser:3": messages.CodeBrowserNotFound, "nothing": messages.CodeBrowserNotFound,
	} {
		c := callOf(&messages.ListPages{BrowserID: address})
		effects := m.step(&rootCall{call: c, at: noon})
		if want == "" {
			wantKinds(t, effects, "forward")
			continue
		}
		if got := one[*rootFail](t, effects).err.Code; got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
	reply := one[*rootAnswer](t, m.step(&rootCall{call: callOf(&messages.ListBrowsers{}), at: noon.Add(time.Minute)})).reply.(*messages.BrowserList)
	if len(reply.Browsers) != 2 || reply.Browsers[0].Short != "browser:1" || reply.Browsers[1].Short != "browser:2" || reply.Browsers[0].IdleSeconds != 60 {
		t.Errorf("list is %+v", reply)
	}
}

// A browser is ended once, whoever asks how often, and announced once (R197).
func TestRootMachine_OneClosedEvent(t *testing.T) {
	m, _ := rootWith(t, Config{}, &messages.Launch{})
	first, second := callOf(&messages.CloseBrowser{BrowserID: "br_a"}), callOf(&messages.CloseBrowser{BrowserID: "br_a"})
	wantEffects(t, m.step(&rootCall{call: first, at: noon}), rootEffect(&beginAtRoot{call: first, browser: "br_a"}))
	wantEffects(t, m.step(&rootCall{call: second, at: noon}), rootEffect(&beginAtRoot{call: second, browser: "br_a"}))
	wantEffects(t, m.step(&rootBegun{call: first, browser: "br_a", at: noon}),
		rootEffect(&tellBrowser{browser: "br_a", message: &closeBrowser{}}))
	wantEffects(t, m.step(&rootBegun{call: second, browser: "br_a", at: noon}))
	wantEffects(t, m.step(&browserDown{browser: "br_a", err: messages.NewError(messages.CodeBrowserCrashed, ""), at: noon}))
	ended := m.step(&browserEnded{browser: "br_a", at: noon})
	wantKinds(t, ended, "stopBrowserActor rootPublish rootFinish rootFinish")
	wantEffects(t, m.step(&browserEnded{browser: "br_a", at: noon}))
	wantEffects(t, m.step(&browserDown{browser: "br_a", err: messages.NewError(messages.CodeBrowserCrashed, ""), at: noon}))
}

func TestRootMachine_CloseIsTheLaunchersOrTheOperators(t *testing.T) {
	m, _ := rootWith(t, Config{}, &messages.Launch{})
	c := callOf(&messages.CloseBrowser{BrowserID: "br_a"})
	c.caller = messages.Caller{ID: "other", Grants: messages.DefaultGrants()}
	if got := one[*rootFail](t, m.step(&rootCall{call: c, at: noon})).err.Code; got != messages.CodeNoGrant {
		t.Errorf("refused with %s", got)
	}
	c = callOf(&messages.CloseBrowser{BrowserID: "br_a"})
	c.caller = operator
	wantKinds(t, m.step(&rootCall{call: c, at: noon}), "beginAtRoot")
}

// Idle and overdue browsers go, busy and held ones stay (R192, R200, C19).
func TestRootMachine_Reaping(t *testing.T) {
	config := Config{IdleMax: 10 * time.Minute, LifetimeMax: time.Hour}
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
				m.step(&rootCall{call: callOf(&messages.ListPages{BrowserID: "br_a"}), at: noon.Add(c.after - time.Minute)})
			}
			effects := m.step(&reapTick{at: noon.Add(c.after), busy: map[messages.BrowserID]bool{"br_a": c.busy}})
			if c.reaped {
				wantKinds(t, effects, "rootPublish tellBrowser")
				if _, refusal := m.find("br_a"); refusal == nil {
					t.Error("a browser that is being reaped can still be found")
				}
				return
			}
			wantEffects(t, effects)
		})
	}
}

func TestRootMachine_EndOwner(t *testing.T) {
	m := startedRoot(Config{}.withDefaults())
	for _, id := range []messages.BrowserID{"br_a", "br_b", "br_c"} {
		c := callOf(&messages.Launch{})
		c.caller.Owner = map[messages.BrowserID]messages.OwnerID{"br_a": "one", "br_b": "one", "br_c": "two"}[id]
		m.step(&rootCall{call: c, at: noon, freshID: id, owner: map[messages.BrowserID]process{"br_c": {pid: 77, started: 1}}[id]})
		m.step(&rootBegun{call: c, at: noon})
		m.step(&browserUp{browser: id, receipt: &messages.Receipt{}, at: noon})
	}
	c := callOf(&messages.EndOwner{OwnerID: "one"})
	wantEffects(t, m.step(&rootCall{call: c, at: noon}), rootEffect(&beginAtRoot{call: c}))
	wantKinds(t, m.step(&rootBegun{call: c, at: noon}), "tellBrowser tellBrowser")
	wantKinds(t, m.step(&browserEnded{browser: "br_a", at: noon}), "stopBrowserActor rootPublish")
	wantKinds(t, m.step(&browserEnded{browser: "br_b", at: noon}), "stopBrowserActor rootPublish rootFinish")
	wantKinds(t, m.step(&ownersEnded{processes: []process{{pid: 77, started: 2}}}), "")
	wantKinds(t, m.step(&ownersEnded{processes: []process{{pid: 77, started: 1}}}), "tellBrowser")
}

func TestRootMachine_Shutdown(t *testing.T) {
	ask := func(after time.Duration) *shutdownBegan {
		return &shutdownBegan{at: noon, deadline: noon.Add(after)}
	}
	t.Run("nothing to end", func(t *testing.T) {
		m, _ := rootWith(t, Config{})
		wantKinds(t, m.step(ask(time.Minute)), "rootPublish startShutdownTimer rootReport")
		wantKinds(t, m.step(ask(time.Minute)), "rootReport")
		c := callOf(&messages.ListBrowsers{})
		if got := one[*rootFail](t, m.step(&rootCall{call: c, at: noon})).err.Code; got != messages.CodeRunnerShuttingDown {
			t.Errorf("a late call is refused with %s", got)
		}
	})
	t.Run("a managed browser has time to end by itself", func(t *testing.T) {
		m, _ := rootWith(t, Config{}, &messages.Launch{Mode: messages.LaunchManaged, Profile: "p"}, &messages.Launch{})
		effects := m.step(ask(time.Minute))
		wantEffects(t, effects[2:],
			rootEffect(&tellBrowser{"br_a", &closeBrowser{reason: messages.CodeRunnerShuttingDown, graceful: true}}),
			rootEffect(&tellBrowser{"br_b", &closeBrowser{reason: messages.CodeRunnerShuttingDown}}))
		wantKinds(t, m.step(&browserEnded{browser: "br_b", at: noon}), "stopBrowserActor rootPublish")
		wantEffects(t, m.step(ask(time.Minute))) // one more caller waits for the same end
		failure := messages.NewError(messages.CodeShutdownFailed, "")
		done := one[*rootReport](t, m.step(&browserEnded{browser: "br_a", failure: failure, at: noon.Add(time.Second)}))
		want := ShutdownReport{Removed: []messages.BrowserID{"br_b"}, Failed: []messages.BrowserID{"br_a"}, Took: time.Second}
		wantEffects(t, []rootEffect{done}, rootEffect(&rootReport{report: want}))
	})
	t.Run("no grace when the deadline is near, pending after it", func(t *testing.T) {
		m, _ := rootWith(t, Config{}, &messages.Launch{Mode: messages.LaunchManaged, Profile: "p"})
		effects := m.step(ask(time.Second))
		wantEffects(t, effects[2:], rootEffect(&tellBrowser{"br_a", &closeBrowser{reason: messages.CodeRunnerShuttingDown}}))
		report := one[*rootReport](t, m.step(&shutdownElapsed{at: noon.Add(time.Second)})).report
		if len(report.Pending) != 1 || report.Took != time.Second {
			t.Errorf("report is %+v", report)
		}
		wantEffects(t, m.step(&shutdownElapsed{at: noon.Add(time.Second)}))
		wantKinds(t, m.step(&browserEnded{browser: "br_a", at: noon}), "stopBrowserActor rootPublish")
	})
}

func TestRootMachine_CrashIsOutOfReachBeforeItIsAnnounced(t *testing.T) {
	m, _ := rootWith(t, Config{}, &messages.Launch{})
	wantKinds(t, m.step(&browserDown{browser: "br_a", err: messages.NewError(messages.CodeBrowserCrashed, ""), at: noon}), "rootPublish")
	if _, refusal := m.find("br_a"); refusal == nil {
		t.Error("a lost browser can still be found")
	}
	wantKinds(t, m.step(&browserEnded{browser: "br_a", at: noon}), "stopBrowserActor rootPublish")
	if m.crashes != 1 {
		t.Errorf("%d crashes counted", m.crashes)
	}
}

func TestRootMachine_UnknownMessages(t *testing.T) {
	m, _ := rootWith(t, Config{}, &messages.Launch{})
	wantEffects(t, m.step(strange{}))
	wantEffects(t, m.step(&browserEnded{browser: "br_z", at: noon}))
	wantEffects(t, m.step(&browserUp{browser: "br_z", receipt: &messages.Receipt{}, at: noon}))
	wantEffects(t, m.step(&rootWithdraw{call: callOf(&messages.ListBrowsers{})}))
}

// What can be done is told bit by bit, and a bit that nobody set is off: no extension without its listener, no handing
// over of windows here, no launch before an engine was found (R19, R205).
func TestRootMachine_Capabilities(t *testing.T) {
	got := startedRoot(Config{}.withDefaults()).targets().Capabilities
	want := messages.Capabilities{
		Observe: true, Control: true, ActionAdmission: true, Batch: true, SemanticQuery: true, ComplexControls: true, ManagedProfile: true,
	}
	if got != want {
		t.Errorf("it is %+v, want %+v", got, want)
	}
}
