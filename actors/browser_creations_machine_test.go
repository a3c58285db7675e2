package actors

import (
	"testing"

	"github.com/troupe-browser/troupe/messages"
)

// lookedAt lists the pages, and the browser process answers or does not.
func lookedAt(t *testing.T, m *browserMachine, answered bool) {
	t.Helper()
	listing := one[*listTargets](t, m.step(&browserCall{call: callOf(&messages.ListPages{BrowserID: "br"}), at: noon}))
	wantKinds(t, m.step(&targetsListed{call: listing.call, answered: answered, doubts: listing.doubts}), "browserAnswer")
}

// restartOf is the next incarnation of a browser that is up with the page target T1.
func restartOf(t *testing.T, m *browserMachine, spec *browserSpec, links ...pageTarget) *browserMachine {
	t.Helper()
	for _, pending := range m.creations.open {
		pending.call.fail(messages.NewError(messages.CodeBrowserUnavailable, "")) // as the shell does
	}
	started := &browserStarted{ready: true, ownership: messages.OwnedEphemeral, unknown: spec.memory.unknown(), at: noon}
	for i, link := range links {
		started.attached = append(started.attached, *attached(i+1, link))
	}
	next := newBrowserMachine(spec)
	next.step(started)
	wantKinds(t, next.step(&pagePrepared{page: next.pages[0].id}), "reportToRoot")
	return next
}

// A restart of the browser's actor forgets neither that a page may exist which nobody
// has seen nor whose page one is that is still being made (R43).
func TestBrowserMachine_CreationsOutliveARestart(t *testing.T) {
	newPage := func() *call { return callOf(&messages.NewPage{BrowserID: "br", Temporary: true}) }
	begun := func(m *browserMachine) *call {
		c := newPage()
		wantKinds(t, m.step(&browserCall{call: c, at: noon}), "createTarget")
		if !c.ticket.start() || !c.ticket.begin() {
			t.Fatal("the creation can't begin")
		}
		return c
	}
	refused := func(t *testing.T, m *browserMachine) {
		t.Helper()
		if got := one[*browserFail](t, m.step(&browserCall{call: newPage(), at: noon})).err.Code; got != messages.CodePageLimit {
			t.Errorf("the next creation is refused with %s", got)
		}
		lookedAt(t, m, true)
		wantKinds(t, m.step(&browserCall{call: newPage(), at: noon}), "createTarget")
	}
	setting := func(t *testing.T) (*browserMachine, *browserSpec, pageTarget) {
		m := browserWith(t, nil)
		env := &environment{config: Config{StateDir: t.TempDir()}.withDefaults()}
		return m, &browserSpec{env: env, id: "br", launch: &messages.Launch{}, call: callOf(&messages.Launch{}),
			memory: &browserMemory{owners: m.owners, creations: m.creations, downloads: m.downloads.book}}, m.pages[0].target
	}
	t.Run("one that ended in doubt", func(t *testing.T) {
		m, spec, link := setting(t)
		m.step(&targetCreated{call: begun(m), err: messages.UnknownOutcome(messages.CodeCDPReceiveTimeout, ""), at: noon})
		refused(t, restartOf(t, m, spec, link))
	})
	t.Run("one under way", func(t *testing.T) {
		m, spec, link := setting(t)
		begun(m)
		refused(t, restartOf(t, m, spec, link))
	})
	t.Run("one that had not begun is certain", func(t *testing.T) {
		m, spec, link := setting(t)
		wantKinds(t, m.step(&browserCall{call: newPage(), at: noon}), "createTarget")
		next := restartOf(t, m, spec, link)
		wantKinds(t, next.step(&browserCall{call: newPage(), at: noon}), "createTarget")
	})
	t.Run("one whose page comes is its caller's", func(t *testing.T) {
		m, spec, link := setting(t)
		c := begun(m)
		c.caller.ID = "somebody"
		next := restartOf(t, m, spec, link)
		other := fakeLink("T2", "")
		other.context = "private"
		next.step(attached(2, other))
		wantKinds(t, next.step(&targetCreated{call: c, target: "T2", context: "private", at: noon}), "tellPage")
		if p := next.pages[1]; p.owner.caller != "somebody" || !p.temporary || p.hidden || p.creator != nil {
			t.Errorf("the page is %+v of %s", p, p.owner.caller)
		}
		wantKinds(t, next.step(&pagePrepared{page: next.pages[1].id}), "")
		m, next = next, restartOf(t, next, spec, link, other)
		if !next.pages[1].temporary {
			t.Error("the page is temporary no more")
		}
		if got := kinds(next.step(&targetDestroyed{target: "T2"})); got != "browserPublish reportToRoot disposeContext endPage" {
			t.Errorf("its context is left: %s", got)
		}
	})
	t.Run("one whose end the incarnation failed at is given up", func(t *testing.T) {
		m, spec, link := setting(t)
		c := begun(m)
		next := restartOf(t, m, spec, link)
		lookedAt(t, next, true)
		next.step(&creationOverdue{call: c})
		if len(next.creations.open) > 0 {
			t.Error("it is open for ever")
		}
		refused(t, next)
	})
}

// A launch whose tab goes away before it can be used gets another one, and ends within
// a bound whatever happens to its tabs (R17, R196).
func TestBrowserMachine_TheFirstTabGoesAway(t *testing.T) {
	preparing := func(t *testing.T) (*browserMachine, *firstPageOverdue) {
		env := &environment{config: Config{StateDir: t.TempDir()}.withDefaults()}
		m := newBrowserMachine(&browserSpec{env: env, id: "br", launch: &messages.Launch{}, call: callOf(&messages.Launch{}), memory: newBrowserMemory(agent)})
		m.step(&browserStarted{at: noon})
		ready := m.step(&engineReady{ownership: messages.OwnedEphemeral, at: noon})
		m.step(attached(1, fakeLink("T1", "")))
		bound := ready[0].(*browserTimer)
		if bound.after != firstPageMax {
			t.Fatalf("the bound is %v", bound.after)
		}
		return m, bound.message.(*firstPageOverdue)
	}
	for name, gone := range map[string]func(*browserMachine) []browserEffect{
		"closed":        func(m *browserMachine) []browserEffect { return m.step(&targetDestroyed{target: "T1"}) },
		"its actor too": func(m *browserMachine) []browserEffect { return m.step(&pageEnded{page: m.pages[0].id}) },
	} {
		t.Run(name, func(t *testing.T) {
			m, _ := preparing(t)
			due := one[*browserTimer](t, gone(m))
			wantEffects(t, m.step(due.message), browserEffect(&createTarget{}))
			m.step(&targetCreated{target: "T2", at: noon})
			m.step(attached(2, fakeLink("T2", "")))
			if up, ok := one[*reportToRoot](t, m.step(&pagePrepared{page: m.pages[0].id})).message.(*browserUp); !ok {
				t.Errorf("reported %+v", up)
			}
			if got := kinds(m.step(&targetDestroyed{target: "T2"})); got != "browserPublish reportToRoot endPage" {
				t.Errorf("the last page of a browser that is up: %s", got)
			}
		})
	}
	t.Run("the bound", func(t *testing.T) {
		m, overdue := preparing(t)
		effects := m.step(overdue)
		wantKinds(t, effects, "endPage reportToRoot closeEngine")
		if down := one[*reportToRoot](t, effects).message.(*browserDown); down.err.Code != messages.CodeLaunchTimeout {
			t.Errorf("reported %+v", down.err)
		}
		wantKinds(t, m.step(overdue), "")
	})
	t.Run("the bound of a former incarnation", func(t *testing.T) {
		m, overdue := preparing(t)
		wantKinds(t, m.step(&firstPageOverdue{since: overdue.since.Add(-1)}), "")
		m.step(&pagePrepared{page: m.pages[0].id})
		wantKinds(t, m.step(overdue), "")
	})
}
