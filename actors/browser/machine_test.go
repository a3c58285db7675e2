package browser

import (
	"slices"
	"testing"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/machinetest"
	"github.com/troupe-browser/troupe/actors/page"
	"github.com/troupe-browser/troupe/messages"
)

// browserWith returns the machine of a browser that is up with its first page,
// pg_1 on target T1.
func browserWith(t *testing.T, change func(*kernel.Config, *messages.Launch)) *Machine {
	t.Helper()
	config, launch := kernel.Config{StateDir: t.TempDir()}, &messages.Launch{}
	if change != nil {
		change(&config, launch)
	}
	m := NewMachine(&Spec{
		Env: &kernel.Environment{Config: config.WithDefaults()}, ID: "br", Mode: messages.LaunchEphemeral, Launch: launch, Call: machinetest.CallOf(launch), Memory: NewBrowserMemory(machinetest.Agent)})
	machinetest.WantKinds(t, m.Step(&Started{At: machinetest.Noon}), "Connect")
	machinetest.WantKinds(t, m.Step(&EngineReady{Ownership: messages.OwnedEphemeral, At: machinetest.Noon}), "SendLater SendLater")
	machinetest.WantKinds(t, m.Step(machinetest.Attached(1, machinetest.FakeLink("T1", ""))), "SpawnPage PublishEvent ReportToRoot")
	up := m.Step(&page.Prepared{Page: "pg_1"})
	if launch.URL == "" {
		machinetest.WantKinds(t, up, "ReportToRoot")
	} else {
		machinetest.WantKinds(t, up, "ReportToRoot ForwardToPage")
	}
	return m
}

func pageIDs(m *Machine, caller messages.Caller) string {
	var out string
	for _, p := range m.list(caller).Pages {
		out += string(p.PageID) + " "
	}
	return out
}

func TestBrowserMachine_LaunchWithURL(t *testing.T) {
	browserWith(t, func(_ *kernel.Config, l *messages.Launch) { l.URL = "http://a/" })
}

func TestBrowserMachine_ATabFasterThanTheEngine(t *testing.T) {
	env := &kernel.Environment{Config: kernel.Config{StateDir: t.TempDir()}.WithDefaults()}
	m := NewMachine(&Spec{Env: env, ID: "br", Launch: &messages.Launch{}, Call: machinetest.CallOf(&messages.Launch{}), Memory: NewBrowserMemory(machinetest.Agent)})
	m.Step(&Started{At: machinetest.Noon})
	m.Step(machinetest.Attached(1, machinetest.FakeLink("T1", "")))
	machinetest.WantKinds(t, m.Step(&page.Prepared{Page: m.Pages[0].ID}), "")
	machinetest.WantKinds(t, m.Step(&EngineReady{Ownership: messages.OwnedEphemeral, At: machinetest.Noon}), "ReportToRoot")
}

func TestBrowserMachine_NoTabOfItsOwn(t *testing.T) {
	env := &kernel.Environment{Config: kernel.Config{StateDir: t.TempDir()}.WithDefaults()}
	m := NewMachine(&Spec{Env: env, ID: "br", Launch: &messages.Launch{}, Call: machinetest.CallOf(&messages.Launch{}), Memory: NewBrowserMemory(machinetest.Agent)})
	m.Step(&Started{At: machinetest.Noon})
	m.Step(&EngineReady{Ownership: messages.OwnedEphemeral, At: machinetest.Noon})
	machinetest.WantEffects(t, m.Step(&firstPageDue{}), Effect(&CreateTarget{}))
	machinetest.WantEffects(t, m.Step(&firstPageDue{}))
	t.Run("and none can be made", func(t *testing.T) {
		effects := m.Step(&TargetCreated{Err: messages.NewError(messages.CodeCDPError, ""), At: machinetest.Noon})
		machinetest.WantKinds(t, effects, "ReportToRoot CloseEngine")
	})
}

func TestBrowserMachine_ConnectFails(t *testing.T) {
	env := &kernel.Environment{Config: kernel.Config{StateDir: t.TempDir()}.WithDefaults()}
	m := NewMachine(&Spec{Env: env, ID: "br", Launch: &messages.Launch{}, Call: machinetest.CallOf(&messages.Launch{}), Memory: NewBrowserMemory(machinetest.Agent)})
	m.Step(&Started{At: machinetest.Noon})
	err := messages.NewError(messages.CodeEngineUnavailable, "")
	machinetest.WantEffects(t, m.Step(&EngineFailed{Err: err, At: machinetest.Noon}),
		Effect(&ReportToRoot{&Down{Browser: "br", Err: err, At: machinetest.Noon}}),
		Effect(&ReportToRoot{&Ended{Browser: "br", At: machinetest.Noon}}))
	machinetest.WantKinds(t, m.Step(&Call{Call: machinetest.CallOf(&messages.ListPages{BrowserID: "br"})}), "FailCall")
}

// A creation gets exactly the page that was made for it, whichever news is first.
func TestBrowserMachine_NewPage(t *testing.T) {
	for name, attachedFirst := range map[string]bool{"attached first": true, "created first": false} {
		t.Run(name, func(t *testing.T) {
			m := browserWith(t, nil)
			c := machinetest.CallOf(&messages.NewPage{BrowserID: "br"})
			machinetest.WantEffects(t, m.Step(&Call{Call: c}), Effect(&CreateTarget{Call: c}))
			attach := func() {
				machinetest.One[*SpawnPage](t, m.Step(machinetest.Attached(2, machinetest.FakeLink("T2", ""))))
			}
			if attachedFirst {
				attach()
				if got := pageIDs(m, machinetest.Agent); got != "pg_1 " {
					t.Errorf("a page that nobody claimed yet is listed: %s", got)
				}
				machinetest.WantKinds(t, m.Step(&TargetCreated{Call: c, Target: "T2", At: machinetest.Noon}), "tellPage")
			} else {
				machinetest.WantKinds(t, m.Step(&TargetCreated{Call: c, Target: "T2", At: machinetest.Noon}), "SendLater")
				attach()
			}
			receipt := machinetest.One[*FinishCall](t, m.Step(&page.Prepared{Page: "pg_2"})).Receipt
			if receipt.PageID != "pg_2" || receipt.BrowserID != "br" {
				t.Errorf("receipt is %+v", receipt)
			}
			machinetest.WantKinds(t, m.Step(&creationOverdue{call: c}), "")
			if got := pageIDs(m, machinetest.Agent); got != "pg_1 pg_2 " {
				t.Errorf("pages are %s", got)
			}
		})
	}
}

// After an uncertain creation no page is made until somebody has looked (R43).
func TestBrowserMachine_UncertainCreation(t *testing.T) {
	for name, uncertain := range map[string]func(*Machine, *call.Call) []Effect{
		"no answer": func(m *Machine, c *call.Call) []Effect {
			return m.Step(&TargetCreated{Call: c, Err: messages.UnknownOutcome(messages.CodeCDPReceiveTimeout, ""), At: machinetest.Noon})
		},
		"never seen": func(m *Machine, c *call.Call) []Effect {
			m.Step(&TargetCreated{Call: c, Target: "T9", At: machinetest.Noon})
			return m.Step(&creationOverdue{call: c})
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := browserWith(t, nil)
			c := machinetest.CallOf(&messages.NewPage{BrowserID: "br"})
			m.Step(&Call{Call: c})
			receipt := machinetest.One[*FinishCall](t, uncertain(m, c)).Receipt
			if receipt.ExecutionState != messages.OutcomeUnknown || receipt.Recovery.Arguments["action"] != "pages" {
				t.Errorf("receipt is %+v", receipt)
			}
			again := machinetest.CallOf(&messages.NewPage{BrowserID: "br"})
			if got := machinetest.One[*FailCall](t, m.Step(&Call{Call: again})).Err.Code; got != messages.CodePageLimit {
				t.Errorf("the next creation is refused with %s", got)
			}
			lookedAt(t, m, false)
			machinetest.WantKinds(t, m.Step(&Call{Call: again}), "FailCall")
			lookedAt(t, m, true)
			machinetest.WantKinds(t, m.Step(&Call{Call: again}), "CreateTarget")
		})
	}
	t.Run("a certain refusal is none", func(t *testing.T) {
		m := browserWith(t, nil)
		c := machinetest.CallOf(&messages.NewPage{BrowserID: "br"})
		m.Step(&Call{Call: c})
		receipt := machinetest.One[*FinishCall](t, m.Step(&TargetCreated{Call: c, Err: messages.NewError(messages.CodeCDPError, ""), At: machinetest.Noon})).Receipt
		if receipt.ExecutionState != messages.NotStarted || m.creations.uncertain() {
			t.Errorf("receipt is %+v", receipt)
		}
	})
}

// One page more than the bound is refused before anything is made (R17).
func TestBrowserMachine_PageLimit(t *testing.T) {
	m := browserWith(t, func(c *kernel.Config, _ *messages.Launch) { c.PagesMax = 2 })
	machinetest.WantKinds(t, m.Step(&Call{Call: machinetest.CallOf(&messages.NewPage{BrowserID: "br"})}), "CreateTarget")
	if got := machinetest.One[*FailCall](t, m.Step(&Call{Call: machinetest.CallOf(&messages.NewPage{BrowserID: "br"})})).Err.Code; got != messages.CodePageLimit {
		t.Errorf("refused with %s", got)
	}
	machinetest.One[*SpawnPage](t, m.Step(machinetest.Attached(2, machinetest.FakeLink("T2", "T1"))))
	machinetest.WantKinds(t, m.Step(machinetest.Attached(3, machinetest.FakeLink("T3", "T1"))), "CloseUnwanted")
}

// A popup is a new target: it belongs to its opener's owner, is told in the receipt, and is presented until it is gone
// (R122, R123, C15, C27).
func TestBrowserMachine_Popup(t *testing.T) {
	m := browserWith(t, func(c *kernel.Config, _ *messages.Launch) { c.PresentPopups = true })
	m.page("pg_1").owner.Caller = "somebody"
	spawned := machinetest.One[*SpawnPage](t, m.Step(machinetest.Attached(2, machinetest.FakeLink("T2", "T1"))))
	if spawned.opener != "pg_1" || spawned.owner.Caller != "somebody" {
		t.Errorf("spawned as %+v", spawned)
	}
	seen := m.witness("pg_1", machinetest.Noon)
	if len(seen.Opened) != 1 || seen.Opened[0].PageID != "pg_2" {
		t.Errorf("witnessed %+v", seen.Opened)
	}
	if len(m.witness("pg_2", machinetest.Noon).Opened) != 0 || len(m.witness("pg_1", machinetest.Noon.Add(1)).Opened) != 0 {
		t.Error("a page of somebody else's, or of before, is witnessed")
	}
	pages := m.list(machinetest.Operator).Pages
	if pages[0].Presented || !pages[1].Presented || pages[1].OpenerPageID != "pg_1" {
		t.Errorf("presented: %+v", pages)
	}
	m.Step(&engine.TargetDestroyed{Target: "T2"})
	if pages := m.list(machinetest.Operator).Pages; !pages[0].Presented {
		t.Error("the opener is not shown again")
	}
}

// Grants and ownership are judged again before anything is dispatched (R203, C27).
func TestBrowserMachine_Admission(t *testing.T) {
	m := browserWith(t, nil)
	page := messages.PageAddress{BrowserID: "br", PageID: "pg_1"}
	for name, c := range map[string]struct {
		caller  messages.Caller
		command messages.Command
		want    messages.Code
	}{
		"owner":             {machinetest.Agent, &messages.TakeSnapshot{PageAddress: page}, ""},
		"operator":          {machinetest.Operator, &messages.TakeSnapshot{PageAddress: page}, ""},
		"stranger":          {messages.Caller{ID: "x", Grants: messages.DefaultGrants()}, &messages.TakeSnapshot{PageAddress: page}, messages.CodeNoGrant},
		"no grant":          {messages.Caller{ID: machinetest.Agent.ID}, &messages.TakeSnapshot{PageAddress: page}, messages.CodeNoGrant},
		"read only":         {messages.Caller{ID: machinetest.Agent.ID, Grants: messages.NewGrantSet(messages.GrantRead)}, &messages.Reload{PageAddress: page}, messages.CodeNoGrant},
		"stranger's page":   {messages.Caller{ID: "x", Grants: messages.DefaultGrants()}, &messages.NewPage{BrowserID: "br"}, messages.CodeNoGrant},
		"operator's action": {machinetest.Agent, &messages.Unstick{PageAddress: page, Step: messages.UnstickClose}, messages.CodeNoGrant},
		"no such page":      {machinetest.Agent, &messages.Reload{PageAddress: messages.PageAddress{BrowserID: "br", PageID: "pg_9"}}, messages.CodeStalePage},
	} {
		t.Run(name, func(t *testing.T) {
			call := machinetest.CallOf(c.command)
			call.Caller = c.caller
			effects := m.Step(&Call{Call: call})
			if c.want == "" {
				machinetest.WantEffects(t, effects, Effect(&ForwardToPage{Page: "pg_1", Call: call}))
				return
			}
			if got := machinetest.One[*FailCall](t, effects).Err.Code; got != c.want {
				t.Errorf("refused with %s, want %s", got, c.want)
			}
		})
	}
}

// A target that is gone takes its page id along (R127).
// A page in somebody else's browser has its cookies and sign-ins, so only its owner,
// the operator, and whoever has browser:shared opens one (C37).
func TestBrowserMachine_C37PagesInBrowsersOfOthers(t *testing.T) {
	for name, c := range map[string]struct {
		caller  messages.Caller
		refused bool
	}{
		"owner":    {machinetest.Agent, false},
		"operator": {messages.Caller{ID: "op", Plane: messages.PlaneOperator, Grants: messages.DefaultGrants()}, false},
		"shared":   {messages.Caller{ID: "x", Grants: messages.DefaultGrants().Union(messages.NewGrantSet(messages.GrantShared))}, false},
		"stranger": {messages.Caller{ID: "x", Grants: messages.NewGrantSet(slices.DeleteFunc(messages.AllGrants(), func(g messages.Grant) bool { return g == messages.GrantShared })...)}, true},
	} {
		for _, temporary := range []bool{false, true} {
			m := browserWith(t, nil)
			made := machinetest.CallOf(&messages.NewPage{BrowserID: "br", Temporary: temporary})
			made.Caller = c.caller
			effects := m.Step(&Call{Call: made})
			if !c.refused {
				machinetest.One[*CreateTarget](t, effects)
				continue
			}
			refusal := machinetest.One[*FailCall](t, effects).Err
			if refusal.Code != messages.CodeNoGrant || refusal.Recovery == nil || refusal.Recovery.Arguments["action"] != "launch" || len(m.creations.open) != 0 {
				t.Errorf("%s: %+v", name, refusal)
			}
		}
	}
}

func TestBrowserMachine_TargetGone(t *testing.T) {
	m := browserWith(t, nil)
	link := m.page("pg_1").target
	machinetest.WantKinds(t, m.Step(&engine.TargetDetached{Session: link.Session}), "PublishEvent ReportToRoot EndPage")
	machinetest.WantKinds(t, m.Step(&engine.TargetDestroyed{Target: link.Target}), "")
	machinetest.WantKinds(t, m.Step(&pageEnded{page: "pg_1"}), "")
	if got := pageIDs(m, machinetest.Operator); got != "" {
		t.Errorf("pages are %s", got)
	}
}

// A page whose restarts are spent takes its tab with it.
func TestBrowserMachine_PageGivenUp(t *testing.T) {
	m := browserWith(t, nil)
	machinetest.WantKinds(t, m.Step(&pageEnded{page: "pg_1"}), "PublishEvent ReportToRoot CloseUnwanted")
}

func TestBrowserMachine_TemporaryContextEndsWithItsLastPage(t *testing.T) {
	m := browserWith(t, nil)
	c := machinetest.CallOf(&messages.NewPage{BrowserID: "br", Temporary: true})
	machinetest.WantEffects(t, m.Step(&Call{Call: c}), Effect(&CreateTarget{Call: c, temporary: true}))
	m.Step(&TargetCreated{Call: c, Target: "T2", context: "C", At: machinetest.Noon})
	first, popup := machinetest.FakeLink("T2", ""), machinetest.FakeLink("T3", "T2")
	first.Context, popup.Context = "C", "C"
	m.Step(machinetest.Attached(2, first))
	m.Step(machinetest.Attached(3, popup))
	if !m.page("pg_2").temporary || !m.page("pg_3").temporary || m.page("pg_1").temporary {
		t.Error("the wrong pages are temporary")
	}
	machinetest.WantKinds(t, m.Step(&engine.TargetDestroyed{Target: "T2"}), "PublishEvent ReportToRoot EndPage FailCall") // its creation waits
	machinetest.WantKinds(t, m.Step(&engine.TargetDestroyed{Target: "T3"}), "PublishEvent ReportToRoot disposeContext EndPage")
}

func TestBrowserMachine_Lost(t *testing.T) {
	m := browserWith(t, nil)
	c := machinetest.CallOf(&messages.NewPage{BrowserID: "br"})
	m.Step(&Call{Call: c})
	effects := m.Step(&engine.Lost{})
	machinetest.WantKinds(t, effects, "EndPage FailCall ReportToRoot CloseEngine")
	if got := effects[0].(*EndPage).Cause.Code; got != messages.CodeBrowserCrashed {
		t.Errorf("pages are told %s", got)
	}
	machinetest.WantKinds(t, m.Step(&engine.Lost{}), "")
	machinetest.WantKinds(t, m.Step(&Close{}), "")
	machinetest.WantEffects(t, m.Step(&EngineClosed{At: machinetest.Noon}), Effect(&ReportToRoot{&Ended{Browser: "br", At: machinetest.Noon}}))
}

func TestBrowserMachine_Close(t *testing.T) {
	m := browserWith(t, nil)
	machinetest.WantKinds(t, m.Step(&Close{Graceful: true}), "EndPage CloseEngine")
	machinetest.WantKinds(t, m.Step(&engine.Lost{}), "")
	machinetest.WantKinds(t, m.Step(machinetest.Attached(5, machinetest.FakeLink("T5", ""))), "")
	machinetest.WantKinds(t, m.Step(&Call{Call: machinetest.CallOf(&messages.ListPages{BrowserID: "br"})}), "FailCall")
}

// A restarted actor takes the tabs over under new ids; owners stay.
func TestBrowserMachine_Restart(t *testing.T) {
	env := &kernel.Environment{Config: kernel.Config{StateDir: t.TempDir()}.WithDefaults()}
	memory := NewBrowserMemory(machinetest.Agent)
	memory.owners["T2"] = page.PageOwner{Caller: "somebody"}
	m := NewMachine(&Spec{Env: env, ID: "br", Launch: &messages.Launch{}, Call: machinetest.CallOf(&messages.Launch{}), Memory: memory})
	effects := m.Step(&Started{Ready: true, Ownership: messages.OwnedEphemeral, At: machinetest.Noon,
		Attached: []engine.TargetAttached{*machinetest.Attached(1, machinetest.FakeLink("T1", "")), *machinetest.Attached(2, machinetest.FakeLink("T2", "T1"))}})
	var owners []messages.CallerID
	for _, e := range effects {
		if spawned, ok := e.(*SpawnPage); ok {
			owners = append(owners, spawned.owner.Caller)
		}
	}
	if len(owners) != 2 || owners[0] != machinetest.Agent.ID || owners[1] != "somebody" {
		t.Errorf("owners are %v", owners)
	}
}

// Somebody else's browser: its own tabs are neither listed nor driven (R8, C15).
func TestBrowserMachine_Endpoint(t *testing.T) {
	env := &kernel.Environment{Config: kernel.Config{StateDir: t.TempDir()}.WithDefaults()}
	m := NewMachine(&Spec{Env: env, ID: "br", Launch: &messages.Launch{}, Call: machinetest.CallOf(&messages.Launch{}), Memory: NewBrowserMemory(machinetest.Agent)})
	m.Step(&Started{At: machinetest.Noon})
	machinetest.WantKinds(t, m.Step(&EngineReady{Ownership: messages.AttachedEndpoint, At: machinetest.Noon}), "SendLater CreateTarget")
	machinetest.WantEffects(t, m.Step(&TargetCreated{Target: "T1", At: machinetest.Noon}), Effect(&attachTarget{"T1"}))
	machinetest.One[*SpawnPage](t, m.Step(machinetest.Attached(1, machinetest.FakeLink("T1", ""))))
	m.Step(&page.Prepared{Page: m.Pages[0].ID})
	machinetest.WantKinds(t, m.Step(&engine.TargetSeen{Info: engine.TargetInfo{TargetID: "U", Type: "page"}}), "")
	machinetest.WantKinds(t, m.Step(&engine.TargetSeen{Info: engine.TargetInfo{TargetID: "U", OpenerID: "V"}}), "")
	machinetest.WantEffects(t, m.Step(&engine.TargetSeen{Info: engine.TargetInfo{TargetID: "T2", OpenerID: "T1"}}), Effect(&attachTarget{"T2"}))
	effects := m.Step(&engine.Lost{})
	if got := effects[0].(*EndPage).Cause.Code; got != messages.CodeBrowserUnavailable {
		t.Errorf("a lost endpoint is told as %s", got)
	}
	machinetest.WantEffects(t, m.Step(&TargetCreated{Target: "T3", At: machinetest.Noon}), Effect(&CloseUnwanted{"T3"})) // nobody else would
}

func TestBrowserMachine_ListingAsksTheBrowserProcess(t *testing.T) {
	m := browserWith(t, nil)
	c := machinetest.CallOf(&messages.ListPages{BrowserID: "br"})
	machinetest.WantEffects(t, m.Step(&Call{Call: c}), Effect(&ListTargets{Call: c}))
	effects := m.Step(&TargetsListed{Call: c, infos: []engine.TargetInfo{{TargetID: "T1", URL: "http://a/", Title: "A"}, {TargetID: "U", Title: "a user's"}}})
	machinetest.WantKinds(t, effects, "tellPage AnswerCall")
	if pages := effects[1].(*AnswerCall).Reply.(*messages.PageList).Pages; len(pages) != 1 || pages[0].Title != "A" {
		t.Errorf("pages are %+v", pages)
	}
	machinetest.WantKinds(t, m.Step(&TargetsListed{Call: c}), "AnswerCall")
}

func TestBrowserMachine_UnknownMessages(t *testing.T) {
	m := browserWith(t, nil)
	for _, message := range []Message{
		machinetest.Strange{}, &pageEnded{page: "pg_9"}, &page.Prepared{Page: "pg_9"}, &page.Report{}, &engine.TargetDetached{Session: "s"}, &engine.TargetChanged{Target: "U"},
		&creationOverdue{}, &TargetCreated{Call: machinetest.CallOf(&messages.NewPage{})}, &call.Withdraw{Call: machinetest.CallOf(&messages.ListBrowsers{})}, &firstPageDue{},
	} {
		machinetest.WantKinds(t, m.Step(message), "")
	}
}
