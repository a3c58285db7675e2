package browser

import (
	"testing"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/machinetest"
	"github.com/troupe-browser/troupe/actors/page"
	"github.com/troupe-browser/troupe/messages"
)

// lookedAt lists the pages, and the browser process answers or does not.
func lookedAt(t *testing.T, m *Machine, answered bool) {
	t.Helper()
	listing := machinetest.One[*ListTargets](t, m.Step(&Call{Call: machinetest.CallOf(&messages.ListPages{BrowserID: "br"})}))
	machinetest.WantKinds(t, m.Step(&TargetsListed{Call: listing.Call, Answered: answered, Doubts: listing.Doubts}), "AnswerCall")
}

// restartOf is the next incarnation of a browser that is up with the page target T1.
func restartOf(t *testing.T, m *Machine, spec *Spec, links ...engine.PageTarget) *Machine {
	t.Helper()
	for _, pending := range m.creations.open {
		pending.call.Fail(messages.NewError(messages.CodeBrowserUnavailable, "")) // as the shell does
	}
	started := &Started{Ready: true, Ownership: messages.OwnedEphemeral, Unknown: spec.Memory.Unknown(), At: machinetest.Noon}
	for i, link := range links {
		started.Attached = append(started.Attached, *machinetest.Attached(i+1, link))
	}
	next := NewMachine(spec)
	next.Step(started)
	machinetest.WantKinds(t, next.Step(&page.Prepared{Page: next.Pages[0].ID}), "ReportToRoot")
	return next
}

// A restart of the browser's actor forgets neither that a page may exist which nobody
// has seen nor whose page one is that is still being made (R43).
func TestBrowserMachine_CreationsOutliveARestart(t *testing.T) {
	newPage := func() *call.Call { return machinetest.CallOf(&messages.NewPage{BrowserID: "br", Temporary: true}) }
	begun := func(m *Machine) *call.Call {
		c := newPage()
		machinetest.WantKinds(t, m.Step(&Call{Call: c}), "CreateTarget")
		if !c.Ticket.Start() || !c.Ticket.Begin() {
			t.Fatal("the creation can't begin")
		}
		return c
	}
	refused := func(t *testing.T, m *Machine) {
		t.Helper()
		if got := machinetest.One[*FailCall](t, m.Step(&Call{Call: newPage()})).Err.Code; got != messages.CodePageLimit {
			t.Errorf("the next creation is refused with %s", got)
		}
		lookedAt(t, m, true)
		machinetest.WantKinds(t, m.Step(&Call{Call: newPage()}), "CreateTarget")
	}
	setting := func(t *testing.T) (*Machine, *Spec, engine.PageTarget) {
		m := browserWith(t, nil)
		env := &kernel.Environment{Config: kernel.Config{StateDir: t.TempDir()}.WithDefaults()}
		return m, &Spec{Env: env, ID: "br", Launch: &messages.Launch{}, Call: machinetest.CallOf(&messages.Launch{}),
			Memory: &browserMemory{owners: m.owners, creations: m.creations, downloads: m.downloads.book}}, m.Pages[0].target
	}
	t.Run("one that ended in doubt", func(t *testing.T) {
		m, spec, link := setting(t)
		m.Step(&TargetCreated{Call: begun(m), Err: messages.UnknownOutcome(messages.CodeCDPReceiveTimeout, ""), At: machinetest.Noon})
		refused(t, restartOf(t, m, spec, link))
	})
	t.Run("one under way", func(t *testing.T) {
		m, spec, link := setting(t)
		begun(m)
		refused(t, restartOf(t, m, spec, link))
	})
	t.Run("one that had not begun is certain", func(t *testing.T) {
		m, spec, link := setting(t)
		machinetest.WantKinds(t, m.Step(&Call{Call: newPage()}), "CreateTarget")
		next := restartOf(t, m, spec, link)
		machinetest.WantKinds(t, next.Step(&Call{Call: newPage()}), "CreateTarget")
	})
	t.Run("one whose page comes is its caller's", func(t *testing.T) {
		m, spec, link := setting(t)
		c := begun(m)
		c.Caller.ID = "somebody"
		next := restartOf(t, m, spec, link)
		other := machinetest.FakeLink("T2", "")
		other.Context = "private"
		next.Step(machinetest.Attached(2, other))
		machinetest.WantKinds(t, next.Step(&TargetCreated{Call: c, Target: "T2", context: "private", At: machinetest.Noon}), "tellPage")
		if p := next.Pages[1]; p.owner.Caller != "somebody" || !p.temporary || p.hidden || p.creator != nil {
			t.Errorf("the page is %+v of %s", p, p.owner.Caller)
		}
		machinetest.WantKinds(t, next.Step(&page.Prepared{Page: next.Pages[1].ID}), "")
		m, next = next, restartOf(t, next, spec, link, other)
		if !next.Pages[1].temporary {
			t.Error("the page is temporary no more")
		}
		machinetest.WantKinds(t, next.Step(&engine.TargetDestroyed{Target: "T2"}), "PublishEvent ReportToRoot disposeContext EndPage") // and its context
	})
	t.Run("one whose end the incarnation failed at is given up", func(t *testing.T) {
		m, spec, link := setting(t)
		c := begun(m)
		next := restartOf(t, m, spec, link)
		lookedAt(t, next, true)
		next.Step(&creationOverdue{call: c})
		if len(next.creations.open) > 0 {
			t.Error("it is open for ever")
		}
		refused(t, next)
	})
}

// A launch whose tab goes away before it can be used gets another one, and ends within
// a bound whatever happens to its tabs (R17, R196).
func TestBrowserMachine_TheFirstTabGoesAway(t *testing.T) {
	preparing := func(t *testing.T) (*Machine, *firstPageOverdue) {
		env := &kernel.Environment{Config: kernel.Config{StateDir: t.TempDir()}.WithDefaults()}
		m := NewMachine(&Spec{Env: env, ID: "br", Launch: &messages.Launch{}, Call: machinetest.CallOf(&messages.Launch{}), Memory: NewBrowserMemory(machinetest.Agent)})
		m.Step(&Started{At: machinetest.Noon})
		ready := m.Step(&EngineReady{Ownership: messages.OwnedEphemeral, At: machinetest.Noon})
		m.Step(machinetest.Attached(1, machinetest.FakeLink("T1", "")))
		bound := ready[0].(*SendLater)
		if bound.After != kernel.FirstPageMax {
			t.Fatalf("the bound is %v", bound.After)
		}
		return m, bound.Message.(*firstPageOverdue)
	}
	for name, gone := range map[string]func(*Machine) []Effect{
		"closed":        func(m *Machine) []Effect { return m.Step(&engine.TargetDestroyed{Target: "T1"}) },
		"its actor too": func(m *Machine) []Effect { return m.Step(&pageEnded{page: m.Pages[0].ID}) },
	} {
		t.Run(name, func(t *testing.T) {
			m, _ := preparing(t)
			due := machinetest.One[*SendLater](t, gone(m))
			machinetest.WantEffects(t, m.Step(due.Message), Effect(&CreateTarget{}))
			m.Step(&TargetCreated{Target: "T2", At: machinetest.Noon})
			m.Step(machinetest.Attached(2, machinetest.FakeLink("T2", "")))
			if up, ok := machinetest.One[*ReportToRoot](t, m.Step(&page.Prepared{Page: m.Pages[0].ID})).Message.(*Up); !ok {
				t.Errorf("reported %+v", up)
			}
			machinetest.WantKinds(t, m.Step(&engine.TargetDestroyed{Target: "T2"}), "PublishEvent ReportToRoot EndPage") // the last of a browser that is up
		})
	}
	t.Run("the bound", func(t *testing.T) {
		m, overdue := preparing(t)
		effects := m.Step(overdue)
		machinetest.WantKinds(t, effects, "EndPage ReportToRoot CloseEngine")
		if down := machinetest.One[*ReportToRoot](t, effects).Message.(*Down); down.Err.Code != messages.CodeLaunchTimeout {
			t.Errorf("reported %+v", down.Err)
		}
		machinetest.WantKinds(t, m.Step(overdue), "")
	})
	t.Run("the bound of a former incarnation", func(t *testing.T) {
		m, overdue := preparing(t)
		machinetest.WantKinds(t, m.Step(&firstPageOverdue{since: overdue.since.Add(-1)}), "")
		m.Step(&page.Prepared{Page: m.Pages[0].ID})
		machinetest.WantKinds(t, m.Step(overdue), "")
	})
}
