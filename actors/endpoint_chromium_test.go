package actors

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/machinetest"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/fixtures"
	"github.com/troupe-browser/troupe/messages"
)

// userBrowser is a browser that the runtime did not start, as its user has it: with
// a DevTools port and a tab of the user's own.
type userBrowser struct {
	t        *testing.T
	process  *exec.Cmd
	ended    chan struct{}
	endpoint string
	// conn watches the browser beside the runtime and attaches to nothing.
	conn *cdp.Conn
	tab  engine.TargetInfo
}

func startUserBrowser(t *testing.T, tab string) *userBrowser {
	t.Helper()
	engine, err := cdp.Discover(cdp.DiscoverOptions{})
	if err != nil {
		t.Fatalf("%v (set TROUPE_CHROME or install Chromium)", err)
	}
	dir, err := os.MkdirTemp(t.TempDir(), "user")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"--headless=new", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update",
		"--disable-sync", "--disable-quic", "--remote-debugging-port=0", "--user-data-dir=" + dir}
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox")
	}
	u := &userBrowser{t: t, process: exec.Command(engine.Path, append(args, tab)...), ended: make(chan struct{})}
	u.process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	// A browser that is killed leaves its socket's directory; the path is short, since a socket's is bounded.
	temporary, err := os.MkdirTemp("", "u")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(temporary) }) // behind the kill below; the run fails for what is left
	u.process.Env = append(os.Environ(), "TMPDIR="+temporary)
	if err := u.process.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = u.process.Wait() // it is killed
		close(u.ended)
	}()
	t.Cleanup(u.kill)
	r := &rig{t: t}
	r.eventually("the browser names its port", func() bool {
		text, err := os.ReadFile(filepath.Join(dir, "DevToolsActivePort"))
		port, _, whole := strings.Cut(string(text), "\n")
		u.endpoint = "http://127.0.0.1:" + port
		return err == nil && whole
	})
	transport, err := cdp.Dial(t.Context(), cdp.EndpointConfig{URL: u.endpoint})
	if err != nil {
		t.Fatal(err)
	}
	u.conn = cdp.NewConn(transport, cdp.Options{})
	t.Cleanup(func() { _ = u.conn.Close() })
	r.eventually("the user's tab is there", func() bool {
		tabs := u.tabs()
		if len(tabs) == 1 {
			u.tab = tabs[0].TargetInfo
		}
		return len(tabs) == 1 && tabs[0].URL == tab
	})
	return u
}

// kill ends the browser with its whole group, as a crash would.
func (u *userBrowser) kill() {
	_ = syscall.Kill(-u.process.Process.Pid, syscall.SIGKILL) // it may have been killed before
	<-u.ended
}

// userTab is a tab as the browser itself describes it.
type userTab struct {
	engine.TargetInfo
	Attached bool `json:"attached"`
}

func (u *userBrowser) tabs() []userTab {
	u.t.Helper()
	var answer struct {
		Infos []userTab `json:"targetInfos"`
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := u.conn.Root().Execute(ctx, "Target.getTargets", map[string]any{"filter": engine.PageFilter}, &answer); err != nil {
		u.t.Fatal(err)
	}
	return answer.Infos
}

// untouched demands that the user's tab is as it was and that nobody drives it.
func (u *userBrowser) untouched() {
	u.t.Helper()
	for _, tab := range u.tabs() {
		if tab.TargetID == u.tab.TargetID {
			if tab.Attached || tab.URL != u.tab.URL {
				u.t.Errorf("the user's tab is %+v", tab)
			}
			return
		}
	}
	u.t.Error("the user's tab is gone")
}

// open opens a tab as the browser's user does.
func (u *userBrowser) open(url string) {
	u.t.Helper()
	if err := u.conn.Root().Execute(u.t.Context(), "Target.createTarget", map[string]any{"url": url}, nil); err != nil {
		u.t.Fatal(err)
	}
}

func endpointConfig(t *testing.T, endpoint string) Config {
	config := chromiumConfig(t)
	config.Endpoint = endpoint
	return config
}

// On an endpoint the runtime drives the tabs that it opened and what they opened,
// and leaves the browser and its user's tabs alone (R7, R8, R194, C15, C31).
func TestChromium_Endpoint(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	site := fixtures.Serve(t)
	user := startUserBrowser(t, site.URL("/form-twenty"))
	config := endpointConfig(t, user.endpoint)
	config.PagesMax = 4
	r := newRig(t, config)
	boss := r.runtime.As(machinetest.Operator)
	first := r.launch()
	list, err := r.caller.Observe(r.ctx, &messages.ListBrowsers{})
	if err != nil {
		t.Fatal(err)
	}
	if b := list.(*messages.BrowserList).Browsers; len(b) != 1 || b[0].Ownership != messages.AttachedEndpoint {
		t.Fatalf("browsers are %+v", b)
	}
	if pages := r.pages(first.BrowserID); len(pages) != 1 || pages[0].PageID != first.PageID || pages[0].URL != "about:blank" {
		t.Fatalf("pages are %+v", pages)
	}
	user.open(site.URL("/demo"))
	page := r.open(first.BrowserID, site.URL("/popup-kinds"))
	user.untouched()

	t.Run("a popup of our page is adopted", func(t *testing.T) {
		r.t = t
		s := r.snapshot(page)
		i := slices.IndexFunc(s.Nodes, func(n messages.Node) bool { return n.Role == "button" })
		receipt := r.effect(&messages.Click{OnElement: on(page, messages.ElementHandle(s.Nodes[i].ElementID))})
		r.eventually("the popup is listed", func() bool { return len(r.pages(page.BrowserID)) == 3 })
		popup := r.pages(page.BrowserID)[2]
		if popup.OpenerPageID != page.PageID {
			t.Errorf("popup is %+v", popup)
		}
		if len(receipt.OpenedPages) != 1 || receipt.OpenedPages[0].PageID != popup.PageID {
			t.Errorf("the receipt names %+v", receipt.OpenedPages)
		}
		opened := messages.PageAddress{BrowserID: page.BrowserID, PageID: popup.PageID}
		r.eventually("the popup loads", func() bool { return r.summary(opened).LoadState == messages.LoadComplete })
		if s := r.snapshot(opened); len(s.Nodes) == 0 {
			t.Error("the popup shows nothing")
		}
		r.effect(&messages.ClosePage{PageAddress: opened})
	})
	t.Run("a popup beyond the bound does not stay", func(t *testing.T) {
		r.t = t
		more := []messages.PageAddress{r.open(page.BrowserID, ""), r.open(page.BrowserID, "")}
		s := r.snapshot(page)
		i := slices.IndexFunc(s.Nodes, func(n messages.Node) bool { return n.Role == "button" })
		r.effect(&messages.Click{OnElement: on(page, messages.ElementHandle(s.Nodes[i].ElementID))})
		// Four of ours at most, beside the two of the user.
		r.eventually("the surplus is closed", func() bool { return len(user.tabs()) == 6 })
		for _, p := range more {
			r.effect(&messages.ClosePage{PageAddress: p})
		}
	})
	t.Run("what is the user's is refused", func(t *testing.T) {
		for _, command := range []messages.Observation{
			&messages.GetCookies{PageAddress: page}, &messages.GetStorage{PageAddress: page, Area: messages.AreaLocal},
		} {
			_, err := boss.Observe(r.ctx, command)
			wantCode(t, err, messages.CodeExternalBrowserOwnership)
		}
		for _, command := range []messages.Effect{
			&messages.MutateCookies{PageAddress: page, Change: messages.CookieSet, Cookie: messages.Cookie{Name: "a", Value: "b"}},
			&messages.MutateStorage{PageAddress: page, Area: messages.AreaLocal, Key: "a", Value: "b"},
		} {
			receipt, err := boss.Effect(r.ctx, command)
			wantCode(t, err, messages.CodeExternalBrowserOwnership)
			if receipt.ExecutionState != messages.NotStarted {
				t.Errorf("%s: %+v", command.Action(), receipt)
			}
		}
		_, err := r.caller.Effect(r.ctx, &messages.Evaluate{PageAddress: page, Script: "1"})
		wantCode(t, err, messages.CodeNoGrant)
		if _, err := boss.Effect(r.ctx, &messages.Evaluate{PageAddress: page, Script: "1"}); err != nil {
			t.Errorf("a script with its grant: %v", err) // C1 refuses it on the extension's browsers only
		}
	})
	t.Run("a restart of its actor opens no further tab", func(t *testing.T) {
		r.t = t
		before := len(user.tabs())
		r.runtime.env.Send(browserPID(r.runtime, page.BrowserID), &engine.LinkAttached{})
		r.eventually("the tabs are adopted anew", func() bool {
			pages := r.pagesOrNone(page.BrowserID)
			return len(pages) == 2 && pages[1].PageID != page.PageID
		})
		for _, p := range r.pages(page.BrowserID) {
			r.snapshot(messages.PageAddress{BrowserID: page.BrowserID, PageID: p.PageID})
		}
		if after := len(user.tabs()); after != before {
			t.Errorf("%d tabs after %d", after, before)
		}
	})
	r.t = t
	r.effect(&messages.NewPage{BrowserID: page.BrowserID, Temporary: true})
	r.effect(&messages.CloseBrowser{BrowserID: page.BrowserID})
	r.eventually("only the user's tabs are left", func() bool { return len(user.tabs()) == 2 })
	user.untouched()
	again := r.launch()
	if again.BrowserID == page.BrowserID || again.PageID == first.PageID {
		t.Errorf("the second launch has the first one's identities: %+v", again)
	}
	report := r.runtime.Shutdown(context.Background())
	if len(report.Removed) != 1 {
		t.Errorf("report is %+v", report)
	}
	r.eventually("a shutdown closes our tabs too", func() bool { return len(user.tabs()) == 2 })
	user.untouched()
}

// A browser that dies behind its endpoint is told of at once, closed once, and never
// connected to again without a launch.
func TestChromium_EndpointDies(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	site := fixtures.Serve(t)
	user := startUserBrowser(t, site.URL("/form-twenty"))
	r := newRig(t, endpointConfig(t, user.endpoint))
	page := r.launch()
	events, err := r.runtime.Subscribe(r.ctx)
	if err != nil {
		t.Fatal(err)
	}
	answers := r.inFlight(page, site)
	killed := time.Now()
	user.kill()
	receipt := r.answered(answers, killed, answerLimit+deathNotice)
	if receipt.ExecutionState != messages.OutcomeUnknown || receipt.Code != messages.CodeBrowserUnavailable {
		t.Errorf("receipt: %+v", receipt)
	}
	r.eventually("the browser is gone", func() bool {
		list, err := r.caller.Observe(r.ctx, &messages.ListBrowsers{})
		return err == nil && len(list.(*messages.BrowserList).Browsers) == 0
	})
	_, err = r.caller.Snapshot(r.ctx, &messages.TakeSnapshot{PageAddress: page})
	wantCode(t, err, messages.CodeBrowserNotFound)
	_, err = r.caller.Effect(r.ctx, &messages.Launch{})
	wantCode(t, err, messages.CodeCDPConnectFailed)
	r.runtime.Shutdown(context.Background())
	closed := 0
	for e := range events {
		if e.Kind == messages.EventBrowserClosed && e.BrowserID == page.BrowserID {
			closed++
		}
	}
	if closed != 1 {
		t.Errorf("%d closed events of one browser", closed)
	}
}
