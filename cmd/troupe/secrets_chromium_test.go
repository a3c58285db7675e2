package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/tools"

	"github.com/troupe-browser/troupe/cmd/troupe/daemon"
	"github.com/troupe-browser/troupe/cmd/troupe/program"
)

// secretPrefix begins every marked secret, so that one search finds whatever leaked.
const secretPrefix = "zqmark"

// secret returns the mark of one place. It is fit for a URL, a header, a file name and the name of a profile.
func secret(place string) string { return secretPrefix + "-" + place }

var secretFound = regexp.MustCompile(`(?i)` + secretPrefix + `[-a-z0-9]*`)

// secretSite serves pages that have a marked secret in every place a page has.
func secretSite(t *testing.T) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	page := func(w http.ResponseWriter, body string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("X-Answer", secret("response-header"))
		http.SetCookie(w, &http.Cookie{Name: "seen", Value: secret("cookie"), Path: "/"})
		http.SetCookie(w, &http.Cookie{Name: "hidden", Value: secret("http-only"), Path: "/", HttpOnly: true})
		fmt.Fprint(w, regexp.MustCompile(`\{[a-z-]+\}`).ReplaceAllStringFunc("<!doctype html>"+body, func(name string) string {
			return secret(strings.Trim(name, "{}"))
		}))
	}
	var other string // the same server under another origin
	mux.HandleFunc("/page", func(w http.ResponseWriter, _ *http.Request) {
		page(w, `<title>{title}</title><p>{text}</p>
<form method=post action="/page?form={form-query}" enctype="multipart/form-data">
<label>Plain <input name=plain value="{value}"></label><label>Typed <input name=typed></label>
<label>Key <input type=password name=key></label><label>Off <input disabled value="{disabled}"></label>
<label>Pick <select name=pick><option>one<option value="{option}">{option-label}</select></label>
<label>File <input type=file name=file></label><input type=hidden name=h value="{hidden}"><button>Send</button></form>
<button id=ask>Ask</button><button id=noise>Noise</button><button id=gone>Gone</button>
<a href="/popup?q={popup-query}" target=_blank>Popup</a> <a href="/file?q={download-query}">Get</a>
<iframe src="/inner?q={frame-query}"></iframe><iframe src="`+other+`/inner?q={other-query}"></iframe>
<script>
localStorage.setItem("{local-key}", "{local}"); sessionStorage.setItem("s", "{session}");
ask.onclick = () => prompt("{prompt}", "{prompt-default}");
gone.onclick = () => { gone.remove(); document.querySelector("[name=plain]").disabled = true; console.warn("{warning}") };
noise.onclick = async () => {
  console.log("{console}", {a: "{console-object}"}); console.error(new Error("{console-error}"));
  Promise.reject(new Error("{rejection}"));
  new WebSocket("ws://127.0.0.1:1/?q={socket-query}");
  fetch("http://127.0.0.1:1/?q={failed-query}").catch(() => {});
  await fetch("/missing?q={request-query}", {method: "POST", headers: {"X-Ask": "{request-header}", "Authorization": "{authorization}"}, body: "{request-body}"});
  throw new Error("{exception}");
};
</script>`)
	})
	mux.HandleFunc("/popup", func(w http.ResponseWriter, _ *http.Request) { page(w, `<title>{popup-title}</title>`) })
	mux.HandleFunc("/inner", func(w http.ResponseWriter, _ *http.Request) {
		page(w, `<title>{frame-title}</title><p>{frame-text}</p><script>console.log("{frame-console}")</script>`)
	})
	mux.HandleFunc("/file", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="`+secret("download-name")+`.txt"`)
		fmt.Fprint(w, secret("download-body"))
	})
	mux.HandleFunc("/login", func(w http.ResponseWriter, r *http.Request) {
		if _, password, ok := r.BasicAuth(); !ok || password != secret("url-password") {
			w.Header().Set("WWW-Authenticate", `Basic realm="`+secret("realm")+`"`)
			w.WriteHeader(http.StatusUnauthorized)
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	other = strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	return server
}

// secretRun is one run with marked secrets: what it drives, and what it heard.
type secretRun struct {
	t     *testing.T
	state string
	dir   string
	site  string
	// said is what may hold no secret, by where it was said.
	said map[string][]string
	// shown is what was granted, which proves that the secrets were in their places.
	shown bytes.Buffer
}

// cli runs one verb. Its error output, and the error of --json, may hold no secret.
func (r *secretRun) cli(args ...string) (answer struct {
	OK     bool            `json:"ok"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}) {
	r.t.Helper()
	var out, errs bytes.Buffer
	run(context.Background(), append(args, "--json"), program.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	where := "command line: " + args[0]
	r.said[where] = append(r.said[where], errs.String())
	if err := json.Unmarshal(out.Bytes(), &answer); err != nil {
		r.t.Fatalf("%v prints %s, %s: %v", args, out.String(), errs.String(), err)
	}
	r.said[where] = append(r.said[where], string(answer.Error), r.refusalIn(answer.Result))
	r.shown.Write(answer.Result)
	return answer
}

// refusalIn returns the texts of a receipt or refusal that explain it.
func (r *secretRun) refusalIn(structure json.RawMessage) string {
	var parts struct {
		Message  string          `json:"message"`
		Code     string          `json:"code"`
		Recovery json.RawMessage `json:"recovery"`
	}
	if len(structure) > 0 && json.Unmarshal(structure, &parts) != nil {
		return "" // of a list
	}
	return parts.Code + " " + parts.Message + " " + string(parts.Recovery)
}

func (r *secretRun) command(args ...string) *exec.Cmd {
	return troupe(r.t, r.state, args...)
}

// must runs a verb that has to work.
func (r *secretRun) must(args ...string) json.RawMessage {
	r.t.Helper()
	answer := r.cli(args...)
	if !answer.OK {
		r.t.Fatalf("%v: %s", args, answer.Error)
	}
	return answer.Result
}

// refused runs a verb that has to be refused, so that its refusal is heard.
func (r *secretRun) refused(args ...string) {
	r.t.Helper()
	if answer := r.cli(args...); answer.OK {
		r.t.Errorf("%v is not refused: %s", args, answer.Result)
	}
}

// refs are the refs of a snapshot by role and name.
func (r *secretRun) refs(structure json.RawMessage) map[string]string {
	r.t.Helper()
	var seen messages.Snapshot
	if err := json.Unmarshal(structure, &seen); err != nil {
		r.t.Fatal(err)
	}
	refs := map[string]string{}
	for _, n := range seen.Nodes {
		refs[strings.TrimSpace(n.Name)] = string(n.Ref)
	}
	return refs
}

// Nothing of what R206 forbids comes into the log at its most verbose level, the audit, an error text, or the counts:
// each place that can hold a secret holds a marked one, both planes work with them, and calls are refused while they do.
func TestChromiumSecretsStayWhereTheyAre(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	site := secretSite(t)
	r := &secretRun{t: t, state: filepath.Join(shortState(t), secret("state")), dir: t.TempDir(), site: site.URL, said: map[string][]string{}}
	all := strings.Join(grantNames(), ",")
	for name, text := range map[string]string{
		"TROUPE_STATE_DIR": r.state, "XDG_CONFIG_HOME": r.dir + "-config", "TROUPE_LOG_LEVEL": "debug", "TROUPE_HEADLESS": "true", "TROUPE_GRANTS": all,
		"TROUPE_SERVE_HTTP": "127.0.0.1:0", "TROUPE_HTTP_GRANTS": all, "TROUPE_TEST_SECRET": secret("environment"),
		"TROUPE_BROWSER_ARGS": "--user-agent=" + secret("argument"), "TROUPE_UPLOAD_ROOTS": "docs=" + r.dir,
	} {
		t.Setenv(name, text)
	}
	t.Chdir(r.dir) // uploads come from below it
	for _, name := range []string{"up", secret("upload-name")} {
		if err := os.WriteFile(filepath.Join(r.dir, name+".txt"), []byte(secret("upload-body")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a := &program.App{State: r.state, Streams: program.Streams{Out: io.Discard, Err: io.Discard}}
	ended := false
	defer func() {
		if !ended {
			_ = daemon.StopDaemon(context.Background(), a) // the test has failed already
		}
	}()
	r.operator()
	status := awaitDaemon(t, a)
	r.agent(status)
	token, err := os.ReadFile(daemon.TokenFile(a))
	if err != nil {
		t.Fatal(err)
	}
	r.web("http://"+status.HTTP, strings.TrimSpace(string(token)))
	for _, args := range [][]string{{"audit", "tail", "-n", "1000", "--json"}, {"audit", "tail", "-n", "1000"}, {"serve", "--metrics"}} {
		out, err := r.command(args...).Output()
		if err != nil || len(out) == 0 {
			t.Errorf("%v prints %d bytes, %v", args, len(out), err)
		}
		r.said[strings.Join(args, " ")] = []string{string(out)}
	}
	if ended = true; daemon.StopDaemon(context.Background(), a) != nil {
		t.Error("the daemon does not end")
	}
	r.launchThatFails()
	r.files()
	r.judge(strings.TrimSpace(string(token)))
}

func grantNames() []string {
	var names []string
	for _, g := range messages.AllGrants() {
		names = append(names, string(g))
	}
	return names
}

// operator works with the secrets on the command line.
func (r *secretRun) operator() {
	// An address with a name and a password is refused, which is one more place where they must not be repeated.
	r.refused("open", strings.Replace(r.site, "//", "//"+secret("url-user")+":"+secret("url-password")+"@", 1)+"/login")
	r.refused("open", r.site+"/login?q="+secret("url-query")+"#"+secret("url-fragment"))
	r.must("navigate", "browser:1", r.site+"/page?q="+secret("page-query"))
	refs := r.refs(r.must("snapshot", "browser:1"))
	for _, c := range [][]string{
		{"fill", "browser:1", refs["Plain"], secret("filled")}, {"type", "browser:1", refs["Typed"], secret("typed")},
		{"fill", "browser:1", refs["Key"], secret("password")}, {"select", "browser:1", refs["Pick"], secret("option-label")},
		{"upload", "browser:1", refs["File"], secret("upload-name") + ".txt"},
		{"click", "browser:1", refs["Noise"]}, {"click", "browser:1", refs["Get"]}, {"downloads", "browser:1", "--wait", "10s"},
		{"wait", "browser:1", "--function", "document.title != '" + secret("function") + "'"},
		{"eval", "browser:1", "document.title + '" + secret("script") + "'"},
		{"cookies", "set", "browser:1", "mine", secret("cookie-set")}, {"cookies", "browser:1", "--values"},
		{"storage", "set", "browser:1", "local", "mine", secret("storage-set")}, {"storage", "browser:1", "local"}, {"storage", "browser:1", "session"},
		{"get", "browser:1", "html"}, {"console", "browser:1"}, {"network", "browser:1"},
	} {
		r.must(c...)
	}
	r.requests()
	r.must("click", "browser:1", refs["Ask"])
	r.refused("click", "browser:1", refs["Send"])
	r.must("dialog", "accept", "browser:1", secret("prompt-answer"))
	r.must("click", "browser:1", refs["Gone"])
	for _, c := range [][]string{
		{"fill", "browser:1", refs["Plain"], secret("not-filled")}, {"click", "browser:1", refs["Gone"]}, {"fill", "browser:1", refs["Off"], secret("off")},
		{"fill", "browser:1", "e999", secret("nobody")}, {"fill", "browser:1", secret("ref"), "x"}, {"select", "browser:1", refs["Pick"], secret("no-option")},
		{"choice", "browser:1", refs["Pick"], secret("step")}, {"date", "browser:1", refs["Typed"], secret("date")}, {"press", "browser:1", secret("key-name")},
		{"navigate", "browser:1", "foo://" + secret("scheme")}, {"navigate", "browser:1", "http://127.0.0.1:1/" + secret("dead") + "?q=" + secret("dead-query")},
		{"wait", "browser:1", "--text", secret("awaited"), "--timeout", "100ms"}, {"wait", "browser:1", "--selector", "[" + secret("selector"), "--timeout", "100ms"},
		{"wait", "browser:1", "--function", "throw " + secret("thrown"), "--timeout", "100ms"}, {"get", "browser:1", "text", "#" + secret("no-selector")},
		{"eval", "browser:1", "throw new Error('" + secret("eval-throws") + "')"}, {"eval", "browser:1", secret("eval-syntax") + " ("},
		{"network", "browser:1", "--id", secret("request-id")}, {"storage", "browser:1", secret("area")}, {"cookies", "set", "browser:1", secret("cookie-name") + ";", "x"},
		{"downloads", "cancel", "browser:1", secret("download-id")}, {"get", "browser:1", secret("field")},
		{"open", "--profile", secret("profile") + "/.."},
	} {
		r.refused(c...)
	}
	r.must("open", r.site+"/page", "--profile", secret("profile"))
	r.refused("open", "--blank", "--profile", secret("profile"))
	r.must("close", "browser:2")
}

// requests reads the headers and bodies of what the page asked for.
func (r *secretRun) requests() {
	var list messages.NetworkEntries
	if err := json.Unmarshal(r.must("network", "browser:1"), &list); err != nil {
		r.t.Fatal(err)
	}
	for _, e := range list.Entries {
		if strings.Contains(e.URL, "/missing") || strings.Contains(e.URL, "/page") {
			r.must("network", "browser:1", "--id", string(e.RequestID), "--body")
		}
	}
}

// agent works with the secrets over MCP.
func (r *secretRun) agent(status daemon.DaemonStatus) {
	connection, err := net.Dial("unix", status.Socket)
	if err != nil {
		r.t.Fatal(err)
	}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(context.Background(), &mcp.IOTransport{Reader: connection, Writer: openWriter{connection}}, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	defer func() { _ = session.Close() }() // the daemon's end is looked at elsewhere
	known := map[string]any{}
	call := func(tool, action string, more ...any) json.RawMessage {
		r.t.Helper()
		arguments := map[string]any{"action": action}
		for name, id := range known {
			arguments[name] = id
		}
		for i := 0; i < len(more); i += 2 {
			arguments[more[i].(string)] = more[i+1]
			if more[i+1] == nil {
				delete(arguments, more[i].(string))
			}
		}
		data, isError := r.tool(session, tool, arguments)
		if isError {
			r.said["tools: "+action] = append(r.said["tools: "+action], string(data))
		}
		r.shown.Write(data)
		return data
	}
	var launched messages.Receipt
	if err := json.Unmarshal(call(tools.Control, "launch"), &launched); err != nil || launched.BrowserID == "" {
		r.t.Fatalf("the launch gives %+v, %v", launched, err)
	}
	known["browser_id"] = launched.BrowserID
	var pages messages.PageList
	if err := json.Unmarshal(call(tools.Observe, "pages"), &pages); err != nil {
		r.t.Fatal(err)
	}
	known["page_id"] = pages.Pages[0].PageID
	call(tools.Control, "navigate", "url", r.site+"/page?q="+secret("agent-query"))
	refs := r.refs(call(tools.Observe, "snapshot"))
	call(tools.Control, "input_text", "element_id", refs["Typed"], "text", secret("agent-typed"))
	call(tools.Control, "set_value", "element_id", refs["Key"], "value", secret("agent-password"))
	call(tools.Control, "batch", "operations", []any{
		map[string]any{"action": "set_value", "element_id": refs["Plain"], "value": secret("agent-batch")},
		map[string]any{"action": "set_value", "element_id": refs["Noise"], "value": secret("agent-batch-refused")},
	})
	call(tools.Control, "upload_file", "element_id", refs["File"], "root", "docs", "path", secret("upload-name")+".txt")
	call(tools.Control, "upload_file", "element_id", refs["File"], "root", "docs", "path", secret("no-file")+".txt")
	call(tools.Control, "upload_file", "element_id", refs["File"], "root", secret("no-root"), "path", "../"+secret("escape"))
	call(tools.Control, "select_option", "element_id", refs["Pick"], "option", secret("agent-option"))
	call(tools.Control, "select_choice", "element_id", refs["Pick"], "choice_path", []string{secret("agent-step")})
	call(tools.Control, "set_date", "element_id", refs["Typed"], "value", secret("agent-date"))
	call(tools.Control, "key", "key", secret("agent-key"))
	call(tools.Control, "click", "element_id", refs["Noise"])
	var opened messages.Receipt
	if err := json.Unmarshal(call(tools.Control, "click", "element_id", refs["Popup"]), &opened); err != nil || len(opened.OpenedPages) != 1 {
		r.t.Fatalf("the link opens %+v, %v", opened, err)
	}
	call(tools.Observe, "wait", "page_id", opened.OpenedPages[0].PageID, "load_state", "complete")
	call(tools.Observe, "snapshot", "page_id", opened.OpenedPages[0].PageID)
	call(tools.Control, "click", "element_id", refs["Ask"])
	call(tools.Control, "click", "element_id", refs["Send"])
	call(tools.Control, "handle_dialog", "accept", true, "prompt_text", secret("agent-answer"))
	call(tools.Control, "click", "element_id", refs["Gone"])
	call(tools.Control, "click", "element_id", refs["Gone"])
	call(tools.Control, "click", "element_id", secret("agent-element"))
	call(tools.Control, "click", "element_id", refs["Send"], "document_token", secret("agent-token"))
	call(tools.Control, "click", "element_id", refs["Send"], "operation_id", secret("agent operation"))
	call(tools.Control, "click", "element_id", refs["Send"], "button", secret("agent-button"))
	call(tools.Control, "click", "element_id", refs["Send"], "selector", secret("agent-selector"))
	call(tools.Control, "navigate", "url", "javascript:"+secret("agent-script"))
	call(tools.Control, "navigate", "url", "http://"+secret("agent-user")+":x@[/"+secret("agent-broken"))
	call(tools.Control, "launch", "mode", "managed", "profile", secret("agent profile"))
	call(tools.Observe, "wait", "text", secret("agent-awaited"), "timeout_ms", 100)
	call(tools.Observe, "snapshot", "query", map[string]any{"text": secret("agent-term")})
	call(tools.Observe, "snapshot", "page_id", secret("agent-page"))
	call(tools.Observe, "pages", "browser_id", secret("agent-browser"), "page_id", nil)
	call(tools.Observe, "pages", "browser_id", secret("agent browser with a space"), "page_id", nil)
	call(tools.Observe, "pages", "page_id", nil)
	call(tools.Observe, "console")
	call(tools.Observe, "diagnostics")
	call(tools.Observe, "snapshot")
	call(tools.Observe, "network", "status", secret("agent-status"))
	call(tools.Inspect, "cookies", "all", true)
	call(tools.Inspect, "storage", "area", "local", "key", secret("agent-storage"))
	call(tools.Inspect, "storage", "area", secret("agent-area"))
	call(tools.Inspect, "network_request", "request_id", secret("agent-request"), "body", true)
	call(tools.Control, "click", "element_id", refs["Send"])
	r.kill(launched.BrowserID)
	call(tools.Observe, "snapshot")
}

// tool calls a tool and returns its structure, and whether it is an error.
func (r *secretRun) tool(session *mcp.ClientSession, tool string, arguments map[string]any) (json.RawMessage, bool) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), testDeadline)
	defer cancel()
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		r.t.Fatalf("%s %v: %v", tool, arguments["action"], err)
	}
	data, err := json.Marshal(result.StructuredContent)
	if err != nil {
		r.t.Fatal(err)
	}
	if result.IsError {
		r.said["text of "+tool] = append(r.said["text of "+tool], result.Content[0].(*mcp.TextContent).Text)
	}
	return data, result.IsError
}

// kill ends the process of the one browser that the agent has, as the system does when memory is short.
func (r *secretRun) kill(messages.BrowserID) {
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		r.t.Fatal(err)
	}
	for _, file := range files {
		line, err := os.ReadFile(file)
		if err != nil || !bytes.Contains(line, []byte(r.state)) || bytes.Contains(line, []byte("--type=")) || !bytes.Contains(line, []byte("--remote-debugging-pipe")) {
			continue
		}
		var pid int
		if _, err := fmt.Sscanf(file, "/proc/%d/cmdline", &pid); err != nil {
			r.t.Fatal(err)
		}
		process, err := os.FindProcess(pid)
		if err == nil {
			_ = process.Kill() // it may just have ended
		}
	}
}

// web asks the daemon over HTTP what it must not repeat, and for its counts.
func (r *secretRun) web(address, token string) {
	ask := func(path, authorization, body string) {
		request, err := http.NewRequest(http.MethodPost, address+path, strings.NewReader(body))
		if err != nil {
			r.t.Fatal(err)
		}
		if path == "/metrics" {
			request.Method = http.MethodGet
		}
		request.Header.Set("Authorization", "Bearer "+authorization)
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Accept", "application/json, text/event-stream")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			r.t.Fatal(err)
		}
		text, err := io.ReadAll(response.Body)
		_ = response.Body.Close() // it was read to its end
		if err != nil {
			r.t.Fatal(err)
		}
		r.said["HTTP "+path] = append(r.said["HTTP "+path], string(text), fmt.Sprint(response.Header))
		if path == "/metrics" && authorization == token && (response.StatusCode != http.StatusOK || !strings.Contains(string(text), "troupe_")) {
			r.t.Errorf("the counts are %d %s", response.StatusCode, text)
		}
	}
	ask("/mcp", secret("wrong-token"), "{}")
	ask("/mcp?q="+secret("http-query"), token, `{"jsonrpc":"2.0","id":1,"params":"`+secret("no-method")+`"}`)
	ask("/mcp", token, secret("no-json"))
	ask("/"+secret("http-path"), token, "")
	ask("/metrics", token, "")
	ask("/metrics", secret("wrong-token"), "")
}

// launchThatFails starts a browser that says a secret and ends. Its last words are the operator's, not the agent's.
func (r *secretRun) launchThatFails() {
	failing := filepath.Join(r.dir, "failing")
	if err := os.WriteFile(failing, []byte("#!/bin/sh\necho "+secret("last-words")+" >&2\nexit 3\n"), 0o700); err != nil {
		r.t.Fatal(err)
	}
	cmd := r.command("mcp", "--browser", failing)
	var logged bytes.Buffer
	cmd.Stderr = &logged
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(context.Background(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	data, isError := r.tool(session, tools.Control, map[string]any{"action": "launch"})
	if !isError {
		r.t.Errorf("the launch is not refused: %s", data)
	}
	if err := session.Close(); err != nil {
		r.t.Error(err)
	}
	r.said["a launch that fails"] = []string{string(data), logged.String()}
}

// files adds what was written to the state directory, without the browsers' own directories.
func (r *secretRun) files() {
	for _, pattern := range []string{"serve.log*", "audit/*"} {
		paths, err := filepath.Glob(filepath.Join(r.state, pattern))
		if err != nil || len(paths) == 0 {
			r.t.Errorf("there is no %s: %v", pattern, err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				r.t.Fatal(err)
			}
			if len(text) == 0 {
				r.t.Errorf("%s is empty, so it proves nothing", filepath.Base(path))
			}
			name := "file " + filepath.Base(path)
			r.said[name] = append(r.said[name], string(text))
		}
	}
}

// judge looks for the marks where none may be, and for those that prove that the others were in their places.
func (r *secretRun) judge(token string) {
	for _, where := range slices.Sorted(maps.Keys(r.said)) {
		for _, text := range r.said[where] {
			found := secretFound.FindAllString(text, -1)
			slices.Sort(found)
			for _, mark := range slices.Compact(found) {
				r.t.Errorf("%s holds %s: %s", where, mark, around(text, mark))
			}
			if strings.Contains(text, token) {
				r.t.Errorf("%s holds the token of HTTP", where)
			}
		}
	}
	for _, place := range []string{
		"title", "text", "value", "filled", "typed", "option", "page-query", "request-query", "request-header", "response-header", "cookie", "http-only",
		"local", "session", "console", "exception", "warning", "prompt", "download-name", "script", "cookie-set", "storage-set", "popup-title", "agent-typed",
		"agent-batch", "frame-text",
	} {
		if !strings.Contains(r.shown.String(), secret(place)) {
			r.t.Errorf("%s was nowhere to be seen, so it was not in its place", secret(place))
		}
	}
	for _, place := range []string{"password", "agent-password"} {
		if strings.Contains(r.shown.String(), secret(place)+`"`) {
			r.t.Errorf("the value of a password field was given away: %s", around(r.shown.String(), secret(place)))
		}
	}
}

// around cuts a text to what stands next to a mark.
func around(text, mark string) string {
	at := strings.Index(text, mark)
	return text[max(0, at-120):min(len(text), at+len(mark)+60)]
}
