package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/troupe-browser/troupe/fixtures"
	"github.com/troupe-browser/troupe/tools"

	"github.com/troupe-browser/troupe/cmd/troupe/daemon"
	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

// testDeadline bounds one test with a browser on a machine that is busy with others.
const testDeadline = 3 * time.Minute

// troupe returns a command that runs this test binary as troupe with a state of its own.
func troupe(t *testing.T, state string, args ...string) *exec.Cmd {
	t.Helper()
	executable, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), testDeadline)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, executable, args...)
	cmd.Args[0] = "troupe"
	cmd.Env = append(os.Environ(), "TROUPE_STATE_DIR="+state, "XDG_CONFIG_HOME="+state+"-config")
	cmd.Stderr = os.Stderr
	return cmd
}

// shortState is a private state directory whose path leaves room for a socket.
func shortState(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "tr")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// mcpScript is what each client runs: the demo's steps. "$browser", "$page" and "$ref NAME" stand for what came before.
var mcpScript = []struct {
	tool      string
	arguments string
}{
	{tools.Observe, `{"action":"targets"}`},
	{tools.Control, `{"action":"launch"}`},
	{tools.Observe, `{"action":"pages","browser_id":"$browser"}`},
	{tools.Control, `{"action":"navigate","browser_id":"$browser","page_id":"$page","url":"$site/demo?record=off"}`},
	{tools.Observe, `{"action":"snapshot","browser_id":"$browser","page_id":"$page","mode":"interactive"}`},
	{tools.Control, `{"action":"set_value","browser_id":"$browser","page_id":"$page","element_id":"$ref Name","value":"Ada"}`},
	{tools.Control, `{"action":"batch","browser_id":"$browser","page_id":"$page","operations":[{"action":"set_value","element_id":"$ref Email","value":"ada@example.com"},{"action":"select_option","element_id":"$ref Seating","option":"At the bar"}]}`},
	{tools.Control, `{"action":"click","browser_id":"$browser","page_id":"$page","element_id":"$ref Book the table"}`},
	{tools.Control, `{"action":"handle_dialog","browser_id":"$browser","page_id":"$page","accept":true}`},
	{tools.Observe, `{"action":"wait","browser_id":"$browser","page_id":"$page","text":"Booked for Ada","timeout_ms":10000}`},
	{tools.Observe, `{"action":"screenshot","browser_id":"$browser","page_id":"$page"}`},
	{tools.Control, `{"action":"click","browser_id":"$browser","page_id":"$page","element_id":"e1","selector":"#x"}`},
	{tools.Control, `{"action":"click","browser_id":"$browser","page_id":"$page","element_id":"e1","count":"2"}`},
	{tools.Control, `{"action":"click","browser_id":"$browser","element_id":"e1"}`},
	{tools.Observe, `{"action":"snapshot","browser_id":"$browser","page_id":"another"}`},
	{tools.Control, `{"action":"close_browser","browser_id":"$browser"}`},
	{tools.Observe, `{"action":"browsers"}`},
}

// mcpRun carries the script out and returns what each call said: isError, and the parts of the structure that are the
// same for every client. It checks on the way that the tool list does not change and is within its bound.
func mcpRun(t *testing.T, session *mcp.ClientSession, site string) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), testDeadline)
	defer cancel()
	list := func() []byte {
		listed, err := session.ListTools(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(listed)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	before := list()
	if len(before) >= tools.ToolListBytesMax {
		t.Errorf("tools/list has %d bytes", len(before))
	}
	known := map[string]string{"$site": site}
	var said []string
	for i, step := range mcpScript {
		arguments := step.arguments
		for name, v := range known {
			arguments = strings.ReplaceAll(arguments, name, v)
		}
		result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: step.tool, Arguments: json.RawMessage(arguments)})
		if err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
		data, err := json.Marshal(result.StructuredContent)
		if err != nil {
			t.Fatal(err)
		}
		learn(known, data)
		said = append(said, fmt.Sprintf("%v %s", result.IsError, steady(data, site)))
		if strings.Contains(step.arguments, "screenshot") {
			if image, ok := result.Content[len(result.Content)-1].(*mcp.ImageContent); !ok || !bytes.HasPrefix(image.Data, []byte("\x89PNG")) {
				t.Errorf("step %d has no picture", i)
			}
		}
		if i == 1 && !bytes.Equal(before, list()) {
			t.Error("the tool list changed when a browser came")
		}
	}
	return said
}

// learn keeps the ids and refs of an answer for the steps that follow.
func learn(known map[string]string, data []byte) {
	var answer struct {
		BrowserID string `json:"browser_id"`
		PageID    string `json:"page_id"`
		Pages     []struct {
			PageID string `json:"page_id"`
		} `json:"pages"`
		Nodes []struct{ Name, Ref string } `json:"nodes"`
	}
	if json.Unmarshal(data, &answer) != nil {
		return // browsers is a number in the answer to targets
	}
	if answer.BrowserID != "" {
		known["$browser"] = answer.BrowserID
	}
	if len(answer.Pages) > 0 {
		known["$page"] = answer.Pages[0].PageID
	}
	for _, n := range answer.Nodes {
		if n.Ref != "" {
			known["$ref "+n.Name] = n.Ref
		}
	}
}

var (
	minted  = regexp.MustCompile(`\b(br|pg|doc|el|op)_[A-Za-z0-9_]+`)
	product = regexp.MustCompile(`,"product":"[^"]*"`)
	// These depend on how quick a machine is, and on the compression of a picture.
	unsteady = regexp.MustCompile(`"(waited_ms|idle_seconds|age_seconds|bytes|sha256|stability|requests|needs_snapshot|generation|artifact_id|load_state|busy)":(\{[^{}]*(\[[^\]]*\])?[^{}]*\}|"[^"]*"|[0-9a-z.]+),?`)
)

// steady takes out of a structure what differs from run to run.
func steady(data []byte, site string) string {
	s := strings.ReplaceAll(string(data), site, "$site")
	s = product.ReplaceAllString(s, "") // known once a browser was started
	return unsteady.ReplaceAllString(minted.ReplaceAllString(s, "$1"), "")
}

// One client over stdio, one over the unix socket and one over HTTP run the same script with equal results. The one over
// stdio is a process of its own without any configuration but the sandbox switch.
func TestChromiumMCPSurfaces(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	site := fixtures.Serve(t)
	address := strings.TrimSuffix(site.URL("/"), "/")
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	said := map[string][]string{}
	run := func(name string, transport mcp.Transport) {
		session, err := client.Connect(context.Background(), transport, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		said[name] = mcpRun(t, session, address)
		if err := session.Close(); err != nil {
			t.Errorf("%s does not close: %v", name, err)
		}
	}
	run("stdio", &mcp.CommandTransport{Command: troupe(t, shortState(t), "mcp")})

	state := shortState(t)
	served := troupe(t, state, "serve", "--http", "127.0.0.1:0")
	served.Env = append(served.Env, "TROUPE_HTTP_GRANTS=browser:read,browser:launch,browser:control")
	if err := served.Start(); err != nil {
		t.Fatal(err)
	}
	a := &program.App{State: state, Streams: program.Streams{Out: io.Discard, Err: io.Discard}}
	ended := false
	end := func() {
		if ended {
			return
		}
		ended = true
		if err := daemon.StopDaemon(context.Background(), a); err != nil {
			t.Errorf("the daemon does not end: %v", err)
		}
		if err := served.Wait(); err != nil {
			t.Errorf("the daemon ended with %v", err)
		}
	}
	defer end()
	status := awaitDaemon(t, a)
	connection, err := net.Dial("unix", status.Socket)
	if err != nil {
		t.Fatal(err)
	}
	run("unix socket", &mcp.IOTransport{Reader: connection, Writer: openWriter{connection}})
	token, err := os.ReadFile(daemon.TokenFile(a))
	if err != nil {
		t.Fatal(err)
	}
	run("HTTP", &mcp.StreamableClientTransport{
		Endpoint: "http://" + status.HTTP + "/mcp", DisableStandaloneSSE: true,
		HTTPClient: &http.Client{Transport: bearer(strings.TrimSpace(string(token)))},
	})
	end()
	for i, step := range mcpScript {
		if said["stdio"][i] != said["unix socket"][i] || said["stdio"][i] != said["HTTP"][i] {
			t.Errorf("step %d, %s:\nstdio       %s\nunix socket %s\nHTTP        %s", i, step.arguments, said["stdio"][i], said["unix socket"][i], said["HTTP"][i])
		}
	}
	for i, want := range map[int]string{
		7: `"open":true`, 9: `"met":true`, 11: "unknown_argument", 12: "browser_invalid_request", 13: "page_id is missing", 14: "stale_page", 16: `"browsers":[]`,
	} {
		if !strings.Contains(said["stdio"][i], want) {
			t.Errorf("step %d says %s, want %s in it", i, said["stdio"][i], want)
		}
	}
}

// openWriter is a connection that its reader closes, and nobody else.
type openWriter struct{ io.Writer }

func (openWriter) Close() error { return nil }

type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// awaitDaemon waits until the daemon answers.
func awaitDaemon(t *testing.T, a *program.App) daemon.DaemonStatus {
	t.Helper()
	for start := time.Now(); time.Since(start) < testDeadline; time.Sleep(daemon.Poll) {
		c, err := daemon.DialRaw(context.Background(), a)
		if err != nil {
			continue
		}
		answer, err := c.Exchange(context.Background(), daemon.WireRequest{Daemon: "status"})
		c.Close()
		if err != nil {
			t.Fatal(err)
		}
		var status daemon.DaemonStatus
		if err := json.Unmarshal(answer.Daemon, &status); err != nil {
			t.Fatal(err)
		}
		return status
	}
	t.Fatal("the daemon does not answer")
	return daemon.DaemonStatus{}
}

// However a session ends, nothing of it is left: no process of the browser, no directory.
func TestChromiumEndsLeaveNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	for _, c := range []struct {
		name string
		end  func(cmd *exec.Cmd, in io.Closer, out io.Closer) error
		// killed: the process cannot clean up itself; its browser is gone soon, and the next start removes the rest.
		killed bool
	}{
		{"the input ends", func(_ *exec.Cmd, in, _ io.Closer) error { return in.Close() }, false},
		{"an interrupt", func(cmd *exec.Cmd, _, _ io.Closer) error { return cmd.Process.Signal(os.Interrupt) }, false},
		{"a termination", func(cmd *exec.Cmd, _, _ io.Closer) error { return cmd.Process.Signal(syscall.SIGTERM) }, false},
		{"the terminal goes", func(cmd *exec.Cmd, _, _ io.Closer) error { return cmd.Process.Signal(syscall.SIGHUP) }, false},
		{"a kill", func(cmd *exec.Cmd, _, _ io.Closer) error { return cmd.Process.Kill() }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			state := shortState(t)
			cmd := troupe(t, state, "run", "--grant", "files:download", "-") // which makes one directory more
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(in, `{"tool":"control_browser","arguments":{"action":"launch"}}`+"\n"); err != nil {
				t.Fatal(err)
			}
			line := make([]byte, 4096)
			n, err := out.Read(line)
			if err != nil || !bytes.Contains(line[:n], []byte(`"completed"`)) {
				t.Fatalf("the launch gives %s, %v", line[:n], err)
			}
			if len(processesOf(t, state)) == 0 {
				t.Fatal("no browser runs, so the test would prove nothing")
			}
			if made, err := filepath.Glob(filepath.Join(state, "browser", "downloads", "br_*")); err != nil || len(made) != 2 {
				t.Fatalf("the directory for downloads and its claim are %v, %v, so the test would prove nothing", made, err)
			}
			if err := c.end(cmd, in, out); err != nil {
				t.Fatal(err)
			}
			// How it ended is not what is tested here.
			_ = cmd.Wait()
			if !c.killed {
				if left := processesOf(t, state); len(left) > 0 {
					t.Errorf("processes are left: %v", left)
				}
			}
			gone := time.Now()
			for len(processesOf(t, state)) > 0 && time.Since(gone) < 3*time.Second {
				time.Sleep(20 * time.Millisecond)
			}
			if left := processesOf(t, state); len(left) > 0 {
				t.Errorf("after 3 s processes are left: %v", left)
			}
			if c.killed {
				next := troupe(t, state, "run", os.DevNull)
				if err := next.Run(); err != nil {
					t.Errorf("the next start ends with %v", err)
				}
			}
			for _, pattern := range []string{"run/*", "browser/downloads/*"} {
				if left, err := filepath.Glob(filepath.Join(state, pattern)); err != nil || len(left) > 0 {
					t.Errorf("of %s are left: %v, %v", pattern, left, err)
				}
			}
		})
	}
}

// processesOf returns the command lines of the processes that have the directory in theirs, which every process of a
// browser that was started there has.
func processesOf(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(text, []byte(dir)) {
			continue // it ended meanwhile
		}
		line := strings.ReplaceAll(string(text), "\x00", " ")
		found = append(found, line[:min(len(line), 80)])
	}
	return found
}
