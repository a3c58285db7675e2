package inspect

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/troupe-browser/troupe/messages"
)

// The operator's script runs in the page's own world and gives its value (C1).
func TestEvaluate(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, map[string]any{"/": `<p id=p>x</p><script>var page = {n: 1}</script>`})
	cases := []struct{ script, want string }{
		{"1+1", "2"},
		{"page.n++; page", `{"n":2}`},
		{"document.title = 'set'", `"set"`},
		{"undefined", "none"},
		{"null", "null"},
		{"Promise.resolve([1, 'ü'])", `[1,"ü"]`},
		{"new Promise((r) => setTimeout(() => r(true), 200))", "true"},
		{"if (1) { 'completion' }", `"completion"`},
		{"function declared() { return 7 } declared()", "7"},
		{"declared()", "7"},
		{"12n", `"12"`},
		{"const a = {}; a.a = a; a", `"[object Object]"`},
		{"'\\u2028 \\ud800 `${1}`'", "\"\u2028 \\ud800 `${1}`\""},
	}
	for _, c := range cases {
		job, p := r.job()
		receipt := Evaluate(r.ctx, job, &messages.Evaluate{Script: c.script})
		check(t, receipt, p, messages.Completed, "")
		got := "none"
		if receipt.Observed != nil {
			got = *receipt.Observed.Value
		}
		if got != c.want || !receipt.NeedsSnapshot {
			t.Errorf("%s gives %s, want %s", c.script, got, c.want)
		}
	}
}

func TestEvaluate_Failures(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	r := newRig(t, map[string]any{"/": `<p id=p>x</p>`, "/two": "two"})
	run := func(script string, limit time.Duration, state messages.ExecutionState, code messages.Code) *messages.Receipt {
		t.Helper()
		job, p := r.job()
		receipt := Evaluate(r.ctx, job, &messages.Evaluate{Script: script, Timeout: limit})
		check(t, receipt, p, state, code)
		return receipt
	}
	run("let =", 0, messages.NotStarted, messages.CodeScriptFailed)
	thrown := run("p.textContent = 'changed'; throw new Error('with page text')", 0, messages.OutcomeUnknown, messages.CodeScriptFailed)
	if strings.Contains(thrown.Message, "page text") || !strings.Contains(thrown.Operator, "with page text") {
		t.Errorf("message %q, operator %q", thrown.Message, thrown.Operator)
	}
	run("Promise.reject(5)", 0, messages.OutcomeUnknown, messages.CodeScriptFailed)
	began := time.Now()
	run("for(;;);", 2*time.Second, messages.OutcomeUnknown, messages.CodeScriptFailed)
	run("new Promise(() => {})", 1500*time.Millisecond, messages.OutcomeUnknown, messages.CodeCDPReceiveTimeout)
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("two scripts that do not end took %v", took)
	}
	if got := r.js("1+1"); got != "2" {
		t.Errorf("the page is not usable after that: %s", got)
	}
	run("location.href = '/two'; new Promise(() => {})", 5*time.Second, messages.OutcomeUnknown, messages.CodePartialEffectOutcomeUnknown)
	ctx, cancel := context.WithCancel(r.ctx)
	time.AfterFunc(300*time.Millisecond, cancel)
	job, p := r.job()
	check(t, Evaluate(ctx, job, &messages.Evaluate{Script: "new Promise(() => {})"}), p, messages.OutcomeUnknown, messages.CodeCancelled)
	refused := &ticket{refuse: messages.NewError(messages.CodeOperationIDSpent, "")}
	job.Progress = refused
	check(t, Evaluate(r.ctx, job, &messages.Evaluate{Script: "window.ran = 1"}), refused, messages.NotStarted, messages.CodeOperationIDSpent)
	if got := r.js("typeof window.ran"); got != `"undefined"` {
		t.Errorf("a refused script ran: %s", got)
	}
}

// A large result never crosses the wire, and a strict page does not keep the operator from evaluating.
func TestEvaluate_LargeResultsAndStrictPages(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser; -short leaves it out")
	}
	strict := func(policy string) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, q *http.Request) {
			w.Header().Set("Content-Security-Policy", policy)
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "strict")
		}
	}
	r := newRig(t, map[string]any{"/": "x", "/csp": strict("default-src 'none'"), "/types": strict("require-trusted-types-for 'script'; trusted-types 'none'")})
	job, p := r.job()
	receipt := Evaluate(r.ctx, job, &messages.Evaluate{Script: `"ü".repeat(100e6)`})
	check(t, receipt, p, messages.Completed, "")
	if n := len(*receipt.Observed.Value); n > resultBytesMax || n < resultBytesMax-4 || receipt.Message == "" {
		t.Errorf("the result has %d bytes, message %q", n, receipt.Message)
	}
	if r.conn.Err() != nil {
		t.Fatal("the connection was lost")
	}
	for _, path := range []string{"/csp", "/types"} {
		r.visit(path)
		job, p := r.job()
		receipt := Evaluate(r.ctx, job, &messages.Evaluate{Script: `document.body.textContent`})
		check(t, receipt, p, messages.Completed, "")
	}
}
