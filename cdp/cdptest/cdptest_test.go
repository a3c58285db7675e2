package cdptest_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/cdp/cdptest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// recorder is a test that records how it fails.
type recorder struct {
	mu       sync.Mutex
	failures []string
	cleanups []func()
}

func (r *recorder) Helper() {}

func (r *recorder) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}

func (r *recorder) Cleanup(f func()) { r.cleanups = append(r.cleanups, f) }

// end runs the cleanups as a test does and returns the failures.
func (r *recorder) end() string {
	for _, f := range slices.Backward(r.cleanups) {
		f()
	}
	return strings.Join(r.failures, "\n")
}

// run lets code meet a browser in a bubble and returns how the test failed.
func run(t *testing.T, code func(*testing.T, *cdptest.Browser, *cdp.Conn)) (failures string) {
	synctest.Test(t, func(t *testing.T) {
		r := &recorder{}
		b := cdptest.New(r)
		c := cdp.NewConn(b.Transport(), cdp.Options{})
		code(t, b, c)
		failures = r.end()
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return failures
}

func TestScriptEveryStep(t *testing.T) {
	failures := run(t, func(t *testing.T, b *cdptest.Browser, c *cdp.Conn) {
		b.Script(`
			# Every step of the language, in one story.
			expect A.one session=S {"a":{"b":[1,{"c":2}]}}
			reply {"n":1}
			expect A.two
			error -32000 not now
			expect A.held
			hold first
			expect A.held
			hold second
			release second {"n":2}
			release first error -5 late
			expect A.slow
			delay 3s
			event A.happened session=S {"x":1}
			reply
			expect A.dropped
			drop
			raw {"method":"A.raw"}
			close gone away
		`)
		events := c.Session("S", "T").Tap(1, nil)
		defer events.Close()
		params := map[string]any{"a": map[string]any{"b": []any{1, map[string]any{"c": 2, "more": 3}}}, "more": 4}
		var got struct {
			N int `json:"n"`
		}
		if err := c.Session("S", "T").Execute(t.Context(), "A.one", params, &got); err != nil || got.N != 1 {
			t.Error(got, err)
		}
		refused(t, c.Root().Execute(t.Context(), "A.two", nil, nil), -32000)
		first, second := c.Root().Send(t.Context(), "A.held", nil), c.Root().Send(t.Context(), "A.held", nil)
		if err := second.Wait(&got); err != nil || got.N != 2 {
			t.Error(got, err)
		}
		refused(t, first.Wait(nil), -5)
		begin := time.Now()
		if err := c.Root().Execute(t.Context(), "A.slow", nil, nil); err != nil || time.Since(begin) != 3*time.Second {
			t.Error(err, time.Since(begin))
		}
		if e := <-events.C(); e.Method != "A.happened" || string(e.Params) != `{"x":1}` {
			t.Error(e)
		}
		if err := c.Root().Execute(t.Context(), "A.dropped", nil, nil); !errors.Is(err, cdp.ErrClosed) {
			t.Error(err)
		}
		b.Wait()
	})
	if failures != "" {
		t.Error(failures)
	}
}

func refused(t *testing.T, err error, code int) {
	t.Helper()
	var e *cdp.CallError
	if !errors.As(err, &e) || e.Kind != cdp.KindRefused || e.Code != code {
		t.Errorf("got %v, want code %d", err, code)
	}
}

// Whatever the script does not foresee fails the test, says where the script is, and
// is refused, so that nothing hangs.
func TestWhatFailsATest(t *testing.T) {
	for _, row := range []struct {
		name   string
		script string
		calls  []string // session:method
		want   string
	}{
		{"a call without a script", "", []string{":A.b"}, "unexpected call A.b of session \"\" with {\"p\":1}; the script is at its end"},
		{"another call", "expect A.b\nreply", []string{":A.c", ":A.b"}, "unexpected call A.c of session \"\" with {\"p\":1}; the script is at line 1: expect A.b"},
		{"a call too many", "expect A.b\nreply", []string{":A.b", ":A.b"}, "the script is at its end"},
		{"another session", "expect A.b session=S\nreply", []string{":A.b"}, "not what the script expects at line 1: expect A.b session=S: session \"\", want \"S\""},
		{"other parameters", "\nexpect A.b {\"p\":2}\nreply", []string{":A.b"}, "at line 2: expect A.b {\"p\":2}: parameters {\"p\":1}"},
		{"the script is longer", "expect A.b\nreply\nexpect A.c\nreply", []string{":A.b"}, "the test ended before the script did, which is at line 3: expect A.c"},
		{"an unknown step", "wait A.b", nil, "line 1: wait A.b: unknown step \"wait\""},
		{"no method", "expect b", nil, "\"b\" is no method"},
		{"bad JSON", "expect A.b {", nil, "invalid JSON {"},
		{"an answer to nothing", "reply", nil, "there is no call to deal with"},
		{"an unanswered call", "expect A.b\nexpect A.c\nreply", nil, "line 2: the call of line 1 is neither answered, held nor dropped"},
		{"an unanswered last call", "expect A.b", nil, "line 1: the call is neither"},
		{"a release of nothing", "release x", nil, "no call is held as x"},
		{"a nameless hold", "expect A.b\nhold", nil, "a name of one word"},
		{"a bad error", "expect A.b\nerror x", nil, "invalid syntax"},
		{"a bad delay", "delay x", nil, "invalid duration"},
		{"a drop of something", "expect A.b\ndrop it", nil, "unexpected \"it\""},
	} {
		t.Run(row.name, func(t *testing.T) {
			failures := run(t, func(t *testing.T, b *cdptest.Browser, c *cdp.Conn) {
				b.Script(row.script)
				for _, call := range row.calls {
					session, method, _ := strings.Cut(call, ":")
					// The error is not the point: the test has failed already.
					_ = c.Session(cdp.SessionID(session), "").Execute(t.Context(), method, map[string]any{"p": 1}, nil)
				}
			})
			if !strings.Contains(failures, row.want) {
				t.Errorf("got %q, want %q", failures, row.want)
			}
		})
	}
}

// A handler answers what the script does not ask for, also later and from
// elsewhere; an answer counts once.
func TestHandlersAndScriptTogether(t *testing.T) {
	failures := run(t, func(t *testing.T, b *cdptest.Browser, c *cdp.Conn) {
		b.Script("expect A.b\nreply {\"by\":\"script\"}")
		b.Handle("A.b", func(call *cdptest.Call) {
			var params struct{ P int }
			call.Decode(&params)
			go func() {
				<-time.After(time.Second)
				call.Reply(map[string]any{"by": fmt.Sprint("handler ", params.P)})
				call.Error(-1, "too late")
			}()
		})
		b.HandleRest(func(call *cdptest.Call) { call.Error(-2, call.Method) })
		for _, want := range []string{"script", "handler 1"} {
			var got struct {
				By string `json:"by"`
			}
			if err := c.Root().Execute(t.Context(), "A.b", map[string]any{"p": 1}, &got); err != nil || got.By != want {
				t.Errorf("got %v, %v, want %s", got, err, want)
			}
		}
		refused(t, c.Root().Execute(t.Context(), "A.c", nil, nil), -2)
		b.Handle("A.b", nil)
		refused(t, c.Root().Execute(t.Context(), "A.b", nil, nil), -2)
		if got := b.Methods(); !slices.Equal(got, []string{"A.b", "A.b", "A.c", "A.b"}) {
			t.Errorf("the browser got %v", got)
		}
	})
	if failures != "" {
		t.Error(failures)
	}
}

// A script can be continued while the test goes on.
func TestScriptIsContinued(t *testing.T) {
	failures := run(t, func(t *testing.T, b *cdptest.Browser, c *cdp.Conn) {
		tap := c.Root().Tap(2, nil)
		defer tap.Close()
		for range 2 {
			b.Script("event A.b")
			<-tap.C()
			b.Wait()
		}
	})
	if failures != "" {
		t.Error(failures)
	}
}
