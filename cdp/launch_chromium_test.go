//go:build linux

package cdp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/troupe-browser/troupe/internal/soak"
)

// asRoot is whether the browser must run without its sandbox here.
var asRoot = os.Geteuid() == 0

// testConfig is how tests start the real browser below a directory of their own.
func testConfig(t *testing.T) LaunchConfig {
	t.Helper()
	return LaunchConfig{
		Engine: testEngine(t), ThrowawayParent: t.TempDir(), Headless: true, NoSandbox: asRoot,
		Timeout: time.Minute, // the machine may be loaded
	}
}

func testEngine(t *testing.T) Engine {
	t.Helper()
	engine, err := Discover(DiscoverOptions{})
	if err != nil {
		t.Fatalf("%v: install Chromium, or set %s to its executable", err, EnvBrowser)
	}
	return engine
}

// testBrowser starts the real browser and connects to it. The test's end closes both.
func testBrowser(t *testing.T, config LaunchConfig) (*Process, *Conn) {
	t.Helper()
	p, err := Launch(t.Context(), config)
	if err != nil {
		t.Fatal(err, operatorText(err))
	}
	c := NewConn(p.Transport(), Options{})
	t.Cleanup(func() {
		if err := p.Close(context.Background(), false); err != nil {
			t.Error(err, operatorText(err))
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return p, c
}

func operatorText(err error) string {
	var e *LaunchError
	if errors.As(err, &e) {
		return e.Report.Operator
	}
	return ""
}

// testPage attaches to the page that the browser began with.
func testPage(t *testing.T, c *Conn) *Session {
	t.Helper()
	var targets struct {
		Infos []struct {
			ID   TargetID `json:"targetId"`
			Type string   `json:"type"`
		} `json:"targetInfos"`
	}
	filter := map[string]any{"filter": []any{map[string]any{"type": "page"}}}
	if err := c.Root().Execute(t.Context(), "Target.getTargets", filter, &targets); err != nil || len(targets.Infos) == 0 {
		t.Fatal(targets, err)
	}
	var attached struct {
		Session SessionID `json:"sessionId"`
	}
	params := map[string]any{"targetId": targets.Infos[0].ID, "flatten": true}
	if err := c.Root().Execute(t.Context(), "Target.attachToTarget", params, &attached); err != nil {
		t.Fatal(err)
	}
	return c.Session(attached.Session, targets.Infos[0].ID)
}

func evaluate(ctx context.Context, s *Session, expression string) (string, error) {
	var got struct {
		Result struct {
			Value string `json:"value"`
		} `json:"result"`
	}
	err := s.Execute(ctx, "Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true, "awaitPromise": true}, &got)
	return got.Result.Value, err
}

// descriptors returns the number of open descriptors of this process.
func descriptors(t *testing.T) int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

// Nothing is left of a browser: no process, directory, socket or descriptor.
func TestChromiumLeavesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	// Whatever a browser starts inherits this, also what leaves its process group.
	mark := fmt.Sprintf("CDP_TEST_MARK=%d", time.Now().UnixNano())
	name, value, _ := strings.Cut(mark, "=")
	t.Setenv(name, value)
	home := t.TempDir()
	t.Setenv("HOME", home)
	config := testConfig(t)
	files := 0
	for round := range 3 {
		p, err := Launch(t.Context(), config)
		if err != nil {
			t.Fatal(err, operatorText(err))
		}
		c := NewConn(p.Transport(), Options{})
		if !strings.HasPrefix(p.Version().Product, "Chrome/") {
			t.Errorf("version %+v", p.Version())
		}
		if got, err := evaluate(t.Context(), testPage(t, c), "location.href"); err != nil || got != "about:blank" {
			t.Errorf("the first page is %q, %v", got, err)
		}
		socket, err := os.Readlink(filepath.Join(p.DataDir(), singletonSocket))
		if err != nil {
			t.Error(err)
		}
		running := marked(mark)
		slices.Sort(running)
		if running = slices.Compact(running); len(running) == 0 {
			t.Error("the mark is not inherited")
		}
		t.Logf("running: %v", running)
		begin := time.Now()
		if round%2 == 0 {
			err = errors.Join(p.Close(t.Context(), false), c.Close())
		} else {
			err = errors.Join(c.Close(), p.Close(t.Context(), true))
		}
		if err != nil {
			t.Error(err, operatorText(err))
		}
		t.Logf("closed after %v", time.Since(begin))
		if left := marked(mark); len(left) > 0 {
			t.Errorf("processes are left: %v", left)
		}
		if exists(filepath.Join(home, ".config")) {
			t.Error("the user's home was written to")
		}
		if exists(filepath.Dir(socket)) {
			t.Errorf("the directory of the socket is left")
		}
		nothingLeft(t, config.ThrowawayParent)
		if round == 0 {
			files = descriptors(t)
		} else if now := descriptors(t); now > files {
			t.Errorf("%d descriptors, %d before", now, files)
		}
	}
}

// marked returns the names of the processes that have the variable in their
// environment.
func marked(variable string) (names []string) {
	environments, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, path := range environments {
		text, err := os.ReadFile(path)
		if err == nil && slices.Contains(strings.Split(string(text), "\x00"), variable) {
			name, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "comm")) // it may be gone by now
			names = append(names, strings.TrimSpace(string(name)))
		}
	}
	return names
}

// helperParent makes this test binary start a browser below the named directory,
// say its number and wait to be killed. It holds the directory.
const helperParent = "CDP_TEST_HELPER_PARENT"

func init() {
	parent := os.Getenv(helperParent)
	if parent == "" {
		return
	}
	engine, err := Discover(DiscoverOptions{})
	if err == nil {
		var p *Process
		p, err = Launch(context.Background(), LaunchConfig{Engine: engine, ThrowawayParent: parent, Headless: true, NoSandbox: asRoot, Timeout: time.Minute})
		if err == nil {
			fmt.Printf("browser %d\n", p.PID())
			<-p.Done()
		}
	}
	fmt.Println(err, operatorText(err))
	os.Exit(1)
}

// When the runtime is killed, its browser is gone by itself (R199) and a sweep
// removes what is left. On a machine with nothing else to do that takes under half a
// second; the bound leaves room for one whose processors are fought over.
// A browser that is killed while it starts leaves nothing in the system's temporary directory either, however long the
// path of its own.
func TestChromiumKilledAtItsStart(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	config := testConfig(t)
	system := shortTempDir(t)
	config.ThrowawayParent = filepath.Join(system, strings.Repeat("x", 80))
	for round := range soak.Rounds(t, 10, 100) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(40*round%400)*time.Millisecond)
		if p, err := Launch(ctx, config); err == nil {
			_ = p.Close(t.Context(), false)
		}
		cancel()
		entries, err := os.ReadDir(system)
		if err != nil || len(entries) > 1 {
			t.Fatalf("round %d: %v, %v", round, entries, err)
		}
		nothingLeft(t, config.ThrowawayParent)
	}
}

func TestChromiumDiesWithItsOwner(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	parent := t.TempDir()
	helper := exec.Command(os.Args[0])
	helper.Env = append(os.Environ(), helperParent+"="+parent)
	out, err := helper.StdoutPipe()
	if err == nil {
		err = helper.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	pid := 0
	for scanner := bufio.NewScanner(out); pid == 0 && scanner.Scan(); {
		if number, ok := strings.CutPrefix(scanner.Text(), "browser "); ok {
			pid, err = strconv.Atoi(number)
		}
	}
	if pid == 0 || err != nil {
		t.Fatal("the helper started no browser", err, helper.Wait())
	}
	if report, err := SweepOrphans(parent); err != nil || report.Kept != 1 {
		t.Errorf("swept %+v of a living owner, %v", report, err)
	}
	if err := helper.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = helper.Wait() // it was killed
	begin := time.Now()
	for groupAlive(pid) {
		if time.Since(begin) > 15*time.Second {
			t.Fatal("the browser lives on")
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Logf("gone after %v", time.Since(begin))
	if report, err := SweepOrphans(parent); err != nil || report.Removed != 1 {
		t.Errorf("swept %+v, %v", report, err)
	}
	nothingLeft(t, parent)
}

// The profile of a living browser is refused, by its lock and, where the lock was
// not seen in time, by the exit code of the second browser. The first is not harmed.
func TestChromiumProfileInUse(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	config := testConfig(t)
	config.DataDir = t.TempDir()
	_, c := testBrowser(t, config)
	for name, start := range map[string]func(context.Context, LaunchConfig) (*Process, error){"lock": Launch, "exit code": launch} {
		_, err := start(t.Context(), config)
		var e *LaunchError
		if !errors.As(err, &e) || e.Cause != CauseProfileInUse {
			t.Errorf("%s: got %v", name, err)
		}
		if !inUse(config.DataDir) {
			t.Errorf("%s: the lock of the first browser is gone", name)
		}
	}
	if got, err := evaluate(t.Context(), testPage(t, c), "'alive'"); err != nil || got != "alive" {
		t.Errorf("the first browser: %q, %v", got, err)
	}
}

// A managed profile keeps its data over a graceful close, and its directory is
// free at once.
func TestChromiumManagedProfile(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	config := testConfig(t)
	config.DataDir = t.TempDir()
	cookie := map[string]any{"cookies": []any{map[string]any{
		"name": "n", "value": "kept", "domain": "a.test", "path": "/", "expires": float64(time.Now().Add(time.Hour).Unix()),
	}}}
	p, err := Launch(t.Context(), config)
	if err != nil {
		t.Fatal(err, operatorText(err))
	}
	c := NewConn(p.Transport(), Options{})
	if err := c.Root().Execute(t.Context(), "Storage.setCookies", cookie, nil); err != nil {
		t.Error(err)
	}
	begin := time.Now()
	if err := p.Close(t.Context(), true); err != nil {
		t.Error(err, operatorText(err))
	}
	t.Logf("closed after %v with exit code %d", time.Since(begin), p.ExitCode())
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if inUse(config.DataDir) || exists(filepath.Join(config.DataDir, singletonSocket)) {
		t.Error("the profile is still marked as in use")
	}
	_, c = testBrowser(t, config)
	var got struct {
		Cookies []struct {
			Value string `json:"value"`
		} `json:"cookies"`
	}
	if err := c.Root().Execute(t.Context(), "Storage.getCookies", nil, &got); err != nil || len(got.Cookies) != 1 || got.Cookies[0].Value != "kept" {
		t.Errorf("cookies %+v, %v", got, err)
	}
}

func TestChromiumSandboxAsRoot(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	config := testConfig(t)
	config.NoSandbox = false
	p, err := Launch(t.Context(), config)
	if !asRoot {
		if err != nil {
			t.Fatal(err, operatorText(err))
		}
		if err := p.Close(t.Context(), false); err != nil {
			t.Error(err)
		}
		return
	}
	var e *LaunchError
	if !errors.As(err, &e) || e.Cause != CauseSandboxRoot {
		t.Errorf("got %v (%s)", err, operatorText(err))
	}
	nothingLeft(t, config.ThrowawayParent)
}

func TestChromiumNeedsADisplay(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	config := testConfig(t)
	config.Headless = false
	_, err := Launch(t.Context(), config)
	var e *LaunchError
	if !errors.As(err, &e) || e.Cause != CauseNoDisplay {
		t.Errorf("got %v (%s)", err, operatorText(err))
	}
}

// A browser that dies ends its connection and its tree; closing it afterwards only
// cleans up.
func TestChromiumKilledFromOutside(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	config := testConfig(t)
	p, c := testBrowser(t, config)
	page := testPage(t, c)
	pending := page.Send(t.Context(), "Runtime.evaluate", map[string]any{"expression": "new Promise(()=>{})", "awaitPromise": true})
	begin := time.Now()
	if err := unix.Kill(p.PID(), unix.SIGKILL); err != nil {
		t.Fatal(err)
	}
	var e *CallError
	if err := pending.Wait(nil); !errors.As(err, &e) || e.Kind != KindLost {
		t.Errorf("got %v", err)
	}
	t.Logf("the call failed after %v", time.Since(begin))
	<-p.Done()
	t.Logf("the tree was gone after %v", time.Since(begin))
	if groupAlive(p.PID()) {
		t.Error("a process is left")
	}
	if err := p.Close(t.Context(), true); err != nil {
		t.Error(err, operatorText(err))
	}
	nothingLeft(t, config.ThrowawayParent)
}

// A crashed page fails its calls at once, and the commands that are let through are
// those that the browser answers.
func TestChromiumCrashedPage(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	_, c := testBrowser(t, testConfig(t))
	page := testPage(t, c)
	events := page.Tap(64, nil)
	defer events.Close()
	if err := page.Execute(t.Context(), "Page.enable", nil, nil); err != nil {
		t.Fatal(err)
	}
	pending := page.Send(t.Context(), "Runtime.evaluate", map[string]any{"expression": "new Promise(()=>{})", "awaitPromise": true})
	begin := time.Now()
	crash := page.Send(t.Context(), "Page.crash", nil)
	for _, p := range []*Pending{pending, crash} {
		var e *CallError
		if err := p.Wait(nil); !errors.As(err, &e) || e.Kind != KindCrashed {
			t.Errorf("%s: %v", p.Method(), err)
		}
	}
	t.Logf("the calls failed after %v", time.Since(begin))
	if _, err := evaluate(t.Context(), page, "1"); !errors.Is(err, ErrCrashed) {
		t.Errorf("got %v", err)
	}
	revives := func(method string, params any) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		for _, call := range []*Pending{page.Send(ctx, "Page.getNavigationHistory", nil), page.Send(ctx, method, params)} {
			if err := call.Wait(nil); err != nil {
				t.Errorf("%s: %v", call.Method(), err)
			}
		}
		for e := range events.C() {
			if e.Method == "Inspector.targetReloadedAfterCrash" {
				break
			}
		}
		if got, err := evaluate(t.Context(), page, "'back'"); err != nil || got != "back" {
			t.Errorf("after %s: %q, %v", method, got, err)
		}
	}
	revives("Page.reload", nil)
	var e *CallError
	if err := page.Execute(t.Context(), "Page.crash", nil, nil); !errors.As(err, &e) || e.Kind != KindCrashed {
		t.Errorf("got %v", err)
	}
	revives("Page.navigate", map[string]any{"url": "about:blank"})
}

// A session that its target takes away fails its calls.
func TestChromiumClosedPage(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	_, c := testBrowser(t, testConfig(t))
	page := testPage(t, c)
	pending := page.Send(t.Context(), "Runtime.evaluate", map[string]any{"expression": "new Promise(()=>{})", "awaitPromise": true})
	if err := c.Root().Execute(t.Context(), "Target.closeTarget", map[string]any{"targetId": page.Target()}, nil); err != nil {
		t.Error(err)
	}
	var e *CallError
	if err := pending.Wait(nil); !errors.As(err, &e) || (e.Kind != KindDetached && e.Kind != KindRefused) {
		t.Errorf("got %v", err)
	}
	t.Log(e)
	if _, err := evaluate(t.Context(), page, "1"); !errors.As(err, &e) || e.Reached() {
		t.Errorf("got %v", err)
	}
}

// An endpoint of a browser that somebody else started.
func TestChromiumEndpoint(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	data := t.TempDir()
	args := []string{"--headless=new", "--disable-gpu", "--no-first-run", "--remote-debugging-port=0", "--user-data-dir=" + data, "about:blank"}
	if asRoot {
		args = append(args, "--no-sandbox")
	}
	tree, err := startTree(exec.Command(testEngine(t).Path, args...))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		tree.kill()
		<-tree.gone
		sweepSingleton(data, 0)
	}()
	var port string
	for deadline := time.Now().Add(time.Minute); port == ""; time.Sleep(50 * time.Millisecond) {
		text, _ := os.ReadFile(filepath.Join(data, "DevToolsActivePort")) // not there yet
		if line, _, complete := strings.Cut(string(text), "\n"); complete {
			port = line
		}
		if time.Now().After(deadline) {
			t.Fatal("the browser opened no port")
		}
	}
	transport, err := Dial(t.Context(), EndpointConfig{URL: "http://127.0.0.1:" + port})
	if err != nil {
		t.Fatal(err, operatorText(err))
	}
	c := NewConn(transport, Options{})
	if got, err := evaluate(t.Context(), testPage(t, c), "'over a socket'"); err != nil || got != "over a socket" {
		t.Errorf("%q, %v", got, err)
	}
	// Closing the connection leaves the browser running.
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	transport, err = Dial(t.Context(), EndpointConfig{URL: "http://localhost:" + port})
	if err != nil {
		t.Fatal(err, operatorText(err))
	}
	c = NewConn(transport, Options{})
	defer c.Close()
	tree.kill()
	<-c.Done()
	var closed *CloseError
	if !errors.As(c.Err(), &closed) || closed.Reason != ReasonDisconnected {
		t.Errorf("closed by %v: %v", c.Err(), errors.Unwrap(c.Err()))
	}
}

func TestChromiumVersion(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	version, err := testEngine(t).Version(t.Context())
	if err != nil || !strings.Contains(version, ".") {
		t.Errorf("got %q, %v", version, err)
	}
	t.Log(version)
}
