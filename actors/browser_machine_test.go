package actors

import (
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

// browserWith returns the machine of a browser that is up with its first page,
// pg_1 on target T1.
func browserWith(t *testing.T, change func(*Config, *messages.Launch)) *browserMachine {
	t.Helper()
	config, launch := Config{StateDir: t.TempDir()}, &messages.Launch{}
	if change != nil {
		change(&config, launch)
	}
	m := newBrowserMachine(&browserSpec{
		env: &environment{config: config.withDefaults()}, id: "br", mode: messages.LaunchEphemeral, launch: launch, call: callOf(launch), memory: newBrowserMemory(agent)})
	wantKinds(t, m.step(&browserStarted{at: noon}), "connect")
	wantKinds(t, m.step(&engineReady{ownership: messages.OwnedEphemeral, at: noon}), "browserTimer browserTimer")
	wantKinds(t, m.step(attached(1, fakeLink("T1", ""))), "spawnPage browserPublish reportToRoot")
	up := m.step(&pagePrepared{page: "pg_1"})
	if launch.URL == "" {
		wantKinds(t, up, "reportToRoot")
	} else {
		wantKinds(t, up, "reportToRoot forwardToPage")
	}
	return m
}

func pageIDs(m *browserMachine, caller messages.Caller) string {
	var out string
	for _, p := range m.list(caller).Pages {
		out += string(p.PageID) + " "
	}
	return out
}

func TestBrowserMachine_LaunchWithURL(t *testing.T) {
	browserWith(t, func(_ *Config, l *messages.Launch) { l.URL = "http://a/" })
}

func TestBrowserMachine_ATabFasterThanTheEngine(t *testing.T) {
	env := &environment{config: Config{StateDir: t.TempDir()}.withDefaults()}
	m := newBrowserMachine(&browserSpec{env: env, id: "br", launch: &messages.Launch{}, call: callOf(&messages.Launch{}), memory: newBrowserMemory(agent)})
	m.step(&browserStarted{at: noon})
	m.step(attached(1, fakeLink("T1", "")))
	wantKinds(t, m.step(&pagePrepared{page: m.pages[0].id}), "")
	wantKinds(t, m.step(&engineReady{ownership: messages.OwnedEphemeral, at: noon}), "reportToRoot")
}

func TestBrowserMachine_NoTabOfItsOwn(t *testing.T) {
	env := &environment{config: Config{StateDir: t.TempDir()}.withDefaults()}
	m := newBrowserMachine(&browserSpec{env: env, id: "br", launch: &messages.Launch{}, call: callOf(&messages.Launch{}), memory: newBrowserMemory(agent)})
	m.step(&browserStarted{at: noon})
	m.step(&engineReady{ownership: messages.OwnedEphemeral, at: noon})
	wantEffects(t, m.step(&firstPageDue{}), browserEffect(&createTarget{}))
	wantEffects(t, m.step(&firstPageDue{}))
	t.Run("and none can be made", func(t *testing.T) {
		effects := m.step(&targetCreated{err: messages.NewError(messages.CodeCDPError, ""), at: noon})
		wantKinds(t, effects, "reportToRoot closeEngine")
	})
}

func TestBrowserMachine_ConnectFails(t *testing.T) {
	env := &environment{config: Config{StateDir: t.TempDir()}.withDefaults()}
	m := newBrowserMachine(&browserSpec{env: env, id: "br", launch: &messages.Launch{}, call: callOf(&messages.Launch{}), memory: newBrowserMemory(agent)})
	m.step(&browserStarted{at: noon})
	err := messages.NewError(messages.CodeEngineUnavailable, "")
	wantEffects(t, m.step(&engineFailed{err: err, at: noon}),
		browserEffect(&reportToRoot{&browserDown{browser: "br", err: err, at: noon}}),
		browserEffect(&reportToRoot{&browserEnded{browser: "br", at: noon}}))
	wantKinds(t, m.step(&browserCall{call: callOf(&messages.ListPages{BrowserID: "br"})}), "browserFail")
}

// A creation gets exactly the page that was made for it, whichever news is first.
func TestBrowserMachine_NewPage(t *testing.T) {
	for name, attachedFirst := range map[string]bool{"attached first": true, "created first": false} {
		t.Run(name, func(t *testing.T) {
			m := browserWith(t, nil)
			c := callOf(&messages.NewPage{BrowserID: "br"})
			wantEffects(t, m.step(&browserCall{call: c, at: noon}), browserEffect(&createTarget{call: c}))
			attach := func() { one[*spawnPage](t, m.step(attached(2, fakeLink("T2", "")))) }
			if attachedFirst {
				attach()
				if got := pageIDs(m, agent); got != "pg_1 " {
					t.Errorf("a page that nobody claimed yet is listed: %s", got)
				}
				wantKinds(t, m.step(&targetCreated{call: c, target: "T2", at: noon}), "tellPage")
			} else {
				wantKinds(t, m.step(&targetCreated{call: c, target: "T2", at: noon}), "browserTimer")
				attach()
			}
			receipt := one[*browserFinish](t, m.step(&pagePrepared{page: "pg_2"})).receipt
			if receipt.PageID != "pg_2" || receipt.BrowserID != "br" {
				t.Errorf("receipt is %+v", receipt)
			}
			wantKinds(t, m.step(&creationOverdue{call: c}), "")
			if got := pageIDs(m, agent); got != "pg_1 pg_2 " {
				t.Errorf("pages are %s", got)
			}
		})
	}
}

// After an uncertain creation no page is made until somebody has looked (R43).
func TestBrowserMachine_UncertainCreation(t *testing.T) {
	for name, uncertain := range map[string]func(*browserMachine, *call) []browserEffect{
		"no answer": func(m *browserMachine, c *call) []browserEffect {
			return m.step(&targetCreated{call: c, err: messages.UnknownOutcome(messages.CodeCDPReceiveTimeout, ""), at: noon})
		},
		"never seen": func(m *browserMachine, c *call) []browserEffect {
			m.step(&targetCreated{call: c, target: "T9", at: noon})
			return m.step(&creationOverdue{call: c})
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := browserWith(t, nil)
			c := callOf(&messages.NewPage{BrowserID: "br"})
			m.step(&browserCall{call: c, at: noon})
			receipt := one[*browserFinish](t, uncertain(m, c)).receipt
			if receipt.ExecutionState != messages.OutcomeUnknown || receipt.Recovery.Arguments["action"] != "pages" {
				t.Errorf("receipt is %+v", receipt)
			}
			again := callOf(&messages.NewPage{BrowserID: "br"})
			if got := one[*browserFail](t, m.step(&browserCall{call: again, at: noon})).err.Code; got != messages.CodePageLimit {
				t.Errorf("the next creation is refused with %s", got)
			}
			lookedAt(t, m, false)
			wantKinds(t, m.step(&browserCall{call: again, at: noon}), "browserFail")
			lookedAt(t, m, true)
			wantKinds(t, m.step(&browserCall{call: again, at: noon}), "createTarget")
		})
	}
	t.Run("a certain refusal is none", func(t *testing.T) {
		m := browserWith(t, nil)
		c := callOf(&messages.NewPage{BrowserID: "br"})
		m.step(&browserCall{call: c, at: noon})
		receipt := one[*browserFinish](t, m.step(&targetCreated{call: c, err: messages.NewError(messages.CodeCDPError, ""), at: noon})).receipt
		if receipt.ExecutionState != messages.NotStarted || m.creations.uncertain() {
			t.Errorf("receipt is %+v", receipt)
		}
	})
}

// One page more than the bound is refused before anything is made (R17).
func TestBrowserMachine_PageLimit(t *testing.T) {
	m := browserWith(t, func(c *Config, _ *messages.Launch) { c.PagesMax = 2 })
	wantKinds(t, m.step(&browserCall{call: callOf(&messages.NewPage{BrowserID: "br"}), at: noon}), "createTarget")
	if got := one[*browserFail](t, m.step(&browserCall{call: callOf(&messages.NewPage{BrowserID: "br"}), at: noon})).err.Code; got != messages.CodePageLimit {
		t.Errorf("refused with %s", got)
	}
	one[*spawnPage](t, m.step(attached(2, fakeLink("T2", "T1"))))
	wantKinds(t, m.step(attached(3, fakeLink("T3", "T1"))), "closeUnwanted")
}

// A popup is a new target: it belongs to its opener's owner, is told in the receipt, and is presented until it is gone
// (R122, R123, C15, C27).
func TestBrowserMachine_Popup(t *testing.T) {
	m := browserWith(t, func(c *Config, _ *messages.Launch) { c.PresentPopups = true })
	m.page("pg_1").owner.caller = "somebody"
	spawned := one[*spawnPage](t, m.step(attached(2, fakeLink("T2", "T1"))))
	if spawned.opener != "pg_1" || spawned.owner.caller != "somebody" {
		t.Errorf("spawned as %+v", spawned)
	}
	seen := m.witness("pg_1", noon)
	if len(seen.opened) != 1 || seen.opened[0].PageID != "pg_2" {
		t.Errorf("witnessed %+v", seen.opened)
	}
	if len(m.witness("pg_2", noon).opened) != 0 || len(m.witness("pg_1", noon.Add(1)).opened) != 0 {
		t.Error("a page of somebody else's, or of before, is witnessed")
	}
	pages := m.list(operator).Pages
	if pages[0].Presented || !pages[1].Presented || pages[1].OpenerPageID != "pg_1" {
		t.Errorf("presented: %+v", pages)
	}
	m.step(&targetDestroyed{target: "T2"})
	if pages := m.list(operator).Pages; !pages[0].Presented {
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
		"owner":             {agent, &messages.TakeSnapshot{PageAddress: page}, ""},
		"operator":          {operator, &messages.TakeSnapshot{PageAddress: page}, ""},
		"stranger":          {messages.Caller{ID: "x", Grants: messages.DefaultGrants()}, &messages.TakeSnapshot{PageAddress: page}, messages.CodeNoGrant},
		"no grant":          {messages.Caller{ID: agent.ID}, &messages.TakeSnapshot{PageAddress: page}, messages.CodeNoGrant},
		"read only":         {messages.Caller{ID: agent.ID, Grants: messages.NewGrantSet(messages.GrantRead)}, &messages.Reload{PageAddress: page}, messages.CodeNoGrant},
		"operator's action": {agent, &messages.Unstick{PageAddress: page, Step: messages.UnstickClose}, messages.CodeNoGrant},
		"no such page":      {agent, &messages.Reload{PageAddress: messages.PageAddress{BrowserID: "br", PageID: "pg_9"}}, messages.CodeStalePage},
	} {
		t.Run(name, func(t *testing.T) {
			call := callOf(c.command)
			call.caller = c.caller
			effects := m.step(&browserCall{call: call, at: noon})
			if c.want == "" {
				wantEffects(t, effects, browserEffect(&forwardToPage{page: "pg_1", call: call, at: noon}))
				return
			}
			if got := one[*browserFail](t, effects).err.Code; got != c.want {
				t.Errorf("refused with %s, want %s", got, c.want)
			}
		})
	}
}

// A target that is gone takes its page id along (R127).
func TestBrowserMachine_TargetGone(t *testing.T) {
	m := browserWith(t, nil)
	link := m.page("pg_1").target
	wantKinds(t, m.step(&targetDetached{session: link.session}), "browserPublish reportToRoot endPage")
	wantKinds(t, m.step(&targetDestroyed{target: link.target}), "")
	wantKinds(t, m.step(&pageEnded{page: "pg_1"}), "")
	if got := pageIDs(m, operator); got != "" {
		t.Errorf("pages are %s", got)
	}
}

// A page whose restarts are spent takes its tab with it.
func TestBrowserMachine_PageGivenUp(t *testing.T) {
	m := browserWith(t, nil)
	wantKinds(t, m.step(&pageEnded{page: "pg_1"}), "browserPublish reportToRoot closeUnwanted")
}

func TestBrowserMachine_TemporaryContextEndsWithItsLastPage(t *testing.T) {
	m := browserWith(t, nil)
	c := callOf(&messages.NewPage{BrowserID: "br", Temporary: true})
	wantEffects(t, m.step(&browserCall{call: c, at: noon}), browserEffect(&createTarget{call: c, temporary: true}))
	m.step(&targetCreated{call: c, target: "T2", context: "C", at: noon})
	first, popup := fakeLink("T2", ""), fakeLink("T3", "T2")
	first.context, popup.context = "C", "C"
	m.step(attached(2, first))
	m.step(attached(3, popup))
	if !m.page("pg_2").temporary || !m.page("pg_3").temporary || m.page("pg_1").temporary {
		t.Error("the wrong pages are temporary")
	}
	wantKinds(t, m.step(&targetDestroyed{target: "T2"}), "browserPublish reportToRoot endPage browserFail") // its creation waits
	wantKinds(t, m.step(&targetDestroyed{target: "T3"}), "browserPublish reportToRoot disposeContext endPage")
}

func TestBrowserMachine_Lost(t *testing.T) {
	m := browserWith(t, nil)
	c := callOf(&messages.NewPage{BrowserID: "br"})
	m.step(&browserCall{call: c, at: noon})
	effects := m.step(&engineLost{})
	wantKinds(t, effects, "endPage browserFail reportToRoot closeEngine")
	if got := effects[0].(*endPage).cause.Code; got != messages.CodeBrowserCrashed {
		t.Errorf("pages are told %s", got)
	}
	wantKinds(t, m.step(&engineLost{}), "")
	wantKinds(t, m.step(&closeBrowser{}), "")
	wantEffects(t, m.step(&engineClosed{at: noon}), browserEffect(&reportToRoot{&browserEnded{browser: "br", at: noon}}))
}

func TestBrowserMachine_Close(t *testing.T) {
	m := browserWith(t, nil)
	wantKinds(t, m.step(&closeBrowser{graceful: true}), "endPage closeEngine")
	wantKinds(t, m.step(&engineLost{}), "")
	wantKinds(t, m.step(attached(5, fakeLink("T5", ""))), "")
	wantKinds(t, m.step(&browserCall{call: callOf(&messages.ListPages{BrowserID: "br"})}), "browserFail")
}

// A restarted actor takes the tabs over under new ids; owners stay.
func TestBrowserMachine_Restart(t *testing.T) {
	env := &environment{config: Config{StateDir: t.TempDir()}.withDefaults()}
	memory := newBrowserMemory(agent)
	memory.owners["T2"] = pageOwner{caller: "somebody"}
	m := newBrowserMachine(&browserSpec{env: env, id: "br", launch: &messages.Launch{}, call: callOf(&messages.Launch{}), memory: memory})
	effects := m.step(&browserStarted{ready: true, ownership: messages.OwnedEphemeral, at: noon,
		attached: []targetAttached{*attached(1, fakeLink("T1", "")), *attached(2, fakeLink("T2", "T1"))}})
	var owners []messages.CallerID
	for _, e := range effects {
		if spawned, ok := e.(*spawnPage); ok {
			owners = append(owners, spawned.owner.caller)
		}
	}
	if len(owners) != 2 || owners[0] != agent.ID || owners[1] != "somebody" {
		t.Errorf("owners are %v", owners)
	}
}

// Somebody else's browser: its own tabs are neither listed nor driven (R8, C15).
func TestBrowserMachine_Endpoint(t *testing.T) {
	env := &environment{config: Config{StateDir: t.TempDir()}.withDefaults()}
	m := newBrowserMachine(&browserSpec{env: env, id: "br", launch: &messages.Launch{}, call: callOf(&messages.Launch{}), memory: newBrowserMemory(agent)})
	m.step(&browserStarted{at: noon})
	wantKinds(t, m.step(&engineReady{ownership: messages.AttachedEndpoint, at: noon}), "browserTimer createTarget")
	wantEffects(t, m.step(&targetCreated{target: "T1", at: noon}), browserEffect(&attachTarget{"T1"}))
	one[*spawnPage](t, m.step(attached(1, fakeLink("T1", ""))))
	m.step(&pagePrepared{page: m.pages[0].id})
	wantKinds(t, m.step(&targetSeen{targetInfo{TargetID: "U", Type: "page"}}), "")
	wantKinds(t, m.step(&targetSeen{targetInfo{TargetID: "U", OpenerID: "V"}}), "")
	wantEffects(t, m.step(&targetSeen{targetInfo{TargetID: "T2", OpenerID: "T1"}}), browserEffect(&attachTarget{"T2"}))
	effects := m.step(&engineLost{})
	if got := effects[0].(*endPage).cause.Code; got != messages.CodeBrowserUnavailable {
		t.Errorf("a lost endpoint is told as %s", got)
	}
	wantEffects(t, m.step(&targetCreated{target: "T3", at: noon}), browserEffect(&closeUnwanted{"T3"})) // nobody else would
}

func TestBrowserMachine_ListingAsksTheBrowserProcess(t *testing.T) {
	m := browserWith(t, nil)
	c := callOf(&messages.ListPages{BrowserID: "br"})
	wantEffects(t, m.step(&browserCall{call: c, at: noon}), browserEffect(&listTargets{call: c}))
	effects := m.step(&targetsListed{call: c, infos: []targetInfo{{TargetID: "T1", URL: "http://a/", Title: "A"}, {TargetID: "U", Title: "a user's"}}})
	wantKinds(t, effects, "tellPage browserAnswer")
	if pages := effects[1].(*browserAnswer).reply.(*messages.PageList).Pages; len(pages) != 1 || pages[0].Title != "A" {
		t.Errorf("pages are %+v", pages)
	}
	wantKinds(t, m.step(&targetsListed{call: c}), "browserAnswer")
}

func TestBrowserMachine_UnknownMessages(t *testing.T) {
	m := browserWith(t, nil)
	for _, message := range []browserMessage{
		strange{}, &pageEnded{page: "pg_9"}, &pagePrepared{page: "pg_9"}, &pageReport{}, &targetDetached{session: "s"}, &targetChanged{target: "U"},
		&creationOverdue{}, &targetCreated{call: callOf(&messages.NewPage{})}, &withdraw{call: callOf(&messages.ListBrowsers{})}, &firstPageDue{},
	} {
		wantKinds(t, m.step(message), "")
	}
}
