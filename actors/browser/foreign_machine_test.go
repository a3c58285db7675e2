package browser

import (
	"testing"
	"time"

	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/machinetest"
	"github.com/troupe-browser/troupe/actors/page"
	"github.com/troupe-browser/troupe/messages"
)

func TestForeign(t *testing.T) {
	for url, want := range map[string]string{
		"": "", "about:blank": "", "about:blank#blocked": "", "about:blank?x": "", "http://a/": "", "HTTPS://a/": "",
		"blob:http://a/1": "", "blob:https://a/1": "", "chrome-error://chromewebdata/": "",
		"chrome://newtab/": "chrome", "chrome-untrusted://print/": "chrome-untrusted", "chrome-extension://x/": "chrome-extension",
		"devtools://devtools/": "devtools", "view-source:http://a/": "view-source", "ftp://a/": "ftp", "file:///etc/hosts": "file",
		"data:text/html,x": "data", "blob:null/1": "blob", "about:srcdoc": "about", "about:version": "about", "about:blanket": "about",
		"filesystem:http://a/x": "filesystem", "javascript:1": "javascript", "ws://a/": "ws", "foo:bar": "foo",
		"do what I say:x": "other", "nothing": "other", ":x": "other", "A1+-.b:": "a1+-.b", "abcdefghijklmnopqrstuvwxyzabcdefg:": "other",
	} {
		if got := foreign(url); got != want {
			t.Errorf("%q: %q, want %q", url, got, want)
		}
	}
}

func linkAt(target, opener, url string) engine.PageTarget {
	link := machinetest.FakeLink(target, opener)
	link.URL, link.AttachedAt = url, machinetest.Noon
	return link
}

// What is opened at a foreign address is closed, never listed, and told to the effect that
// it happened during.
func TestBrowserMachine_ForeignTargets(t *testing.T) {
	for _, opener := range []string{"T1", ""} {
		m := browserWith(t, nil)
		machinetest.WantEffects(t, m.Step(machinetest.Attached(2, linkAt("T2", opener, "chrome://version/"))), Effect(&CloseUnwanted{"T2"}))
		machinetest.WantKinds(t, m.Step(&engine.TargetChanged{Target: "T2", URL: "http://a/"}), "")
		if got := pageIDs(m, machinetest.Agent); got != "pg_1 " {
			t.Errorf("pages are %s", got)
		}
		want := messages.OpenedPage{Closed: true, Scheme: "chrome"}
		if opener != "" {
			want.OpenerPageID = "pg_1"
		}
		if got := m.witness("pg_1", machinetest.Noon).Opened; len(got) != 1 || got[0] != want {
			t.Errorf("the effect is told %+v, want %+v", got, want)
		}
		if got := m.witness("pg_1", machinetest.Noon.Add(time.Second)).Opened; len(got) != 0 {
			t.Errorf("a later effect is told %+v", got)
		}
	}
}

// A page that goes to a foreign address is no page any more, by whatever news that comes.
func TestBrowserMachine_APageGoesToAForeignAddress(t *testing.T) {
	for name, news := range map[string]Message{
		"it is told":  &engine.TargetChanged{Target: "T2", URL: "view-source:http://a/?secret"},
		"it is asked": &TargetsListed{Call: machinetest.CallOf(&messages.ListPages{BrowserID: "br"}), Answered: true, infos: []engine.TargetInfo{{TargetID: "T2", URL: "view-source:http://a/?secret"}}},
	} {
		t.Run(name, func(t *testing.T) {
			m := browserWith(t, nil)
			m.Step(machinetest.Attached(2, linkAt("T2", "T1", "about:blank")))
			effects := m.Step(news)
			if got := machinetest.One[*CloseUnwanted](t, effects).Target; got != "T2" {
				t.Errorf("%s is closed", got)
			}
			cause := machinetest.One[*EndPage](t, effects).Cause
			if want := "The page went to an address of the scheme view-source and was closed. Pages are at http and https addresses."; cause.Code != messages.CodeStalePage || cause.Detail != want {
				t.Errorf("its callers are told %v", cause)
			}
			if got := pageIDs(m, machinetest.Agent); got != "pg_1 " {
				t.Errorf("pages are %s", got)
			}
			if got := m.witness("pg_1", machinetest.Noon).Opened; len(got) != 1 || got[0] != (messages.OpenedPage{OpenerPageID: "pg_1", Closed: true, Scheme: "view-source"}) {
				t.Errorf("the opener's effect is told %+v", got)
			}
		})
	}
}

// A person's new tab stays out of reach until it shows a site.
func TestBrowserMachine_APersonsNewTab(t *testing.T) {
	m := browserWith(t, func(c *kernel.Config, _ *messages.Launch) { c.Visible = true })
	machinetest.One[*SpawnPage](t, m.Step(machinetest.Attached(2, linkAt("T2", "", newTabURL))))
	call := &Call{Call: machinetest.CallOf(&messages.Reload{PageAddress: messages.PageAddress{BrowserID: "br", PageID: "pg_2"}})}
	if got := machinetest.One[*FailCall](t, m.Step(call)).Err.Code; got != messages.CodeStalePage || pageIDs(m, machinetest.Agent) != "pg_1 " {
		t.Errorf("it is answered with %s, pages are %s", got, pageIDs(m, machinetest.Agent))
	}
	machinetest.WantKinds(t, m.Step(&engine.TargetChanged{Target: "T2", URL: "http://a/"}), "tellPage")
	if got := pageIDs(m, machinetest.Agent); got != "pg_1 pg_2 " {
		t.Errorf("pages are %s", got)
	}
	for name, link := range map[string]engine.PageTarget{
		"one that a page opened":   linkAt("T3", "T1", newTabURL),
		"another of the browser's": linkAt("T3", "", "chrome://settings/"),
	} {
		if effects := m.Step(machinetest.Attached(3, link)); len(effects) != 1 {
			t.Errorf("%s: %s", name, machinetest.Kinds(effects))
		}
	}
}

// A person's new tab is no page to begin with.
func TestBrowserMachine_TheFirstPageIsNoNewTab(t *testing.T) {
	env := &kernel.Environment{Config: kernel.Config{StateDir: t.TempDir(), Visible: true}.WithDefaults()}
	m := NewMachine(&Spec{Env: env, ID: "br", Launch: &messages.Launch{}, Call: machinetest.CallOf(&messages.Launch{}), Memory: NewBrowserMemory(machinetest.Agent)})
	m.Step(&Started{At: machinetest.Noon})
	m.Step(machinetest.Attached(1, linkAt("T1", "", newTabURL)))
	m.Step(&EngineReady{Ownership: messages.OwnedEphemeral, At: machinetest.Noon})
	machinetest.WantKinds(t, m.Step(&page.Prepared{Page: "pg_1"}), "")
	machinetest.WantKinds(t, m.Step(&firstPageDue{}), "CreateTarget")
}
