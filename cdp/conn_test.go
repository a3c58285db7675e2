package cdp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	protocol "github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"

	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/cdp/cdptest"
)

// connect returns a scripted browser with a connection to it, inside a bubble.
func connect(t *testing.T) (*cdptest.Browser, *cdp.Conn) {
	b := cdptest.New(t)
	c := cdp.NewConn(b.Transport(), cdp.Options{})
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return b, c
}

// callError returns err as a CallError and fails the test if it is of another kind.
func callError(t *testing.T, err error, kind cdp.Kind) *cdp.CallError {
	t.Helper()
	var e *cdp.CallError
	if !errors.As(err, &e) {
		t.Fatalf("error %v, want a CallError of kind %v", err, kind)
	}
	if e.Kind != kind {
		t.Fatalf("error %v of kind %v, want %v", err, e.Kind, kind)
	}
	if e.Sent() != (kind != cdp.KindNotSent) {
		t.Fatalf("Sent() is %v for kind %v", e.Sent(), kind)
	}
	return e
}

func TestCallIsAnswered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, c := connect(t)
		b.Script(`
			expect Target.createTarget {"url":"about:blank"}
			reply {"targetId":"T","more":[1,{"x":"}]\"{"}]}
			expect Page.navigate session=S {"url":"http://a.test/"}
			reply {"frameId":"F","loaderId":"L"}
		`)
		var created struct {
			TargetID cdp.TargetID `json:"targetId"`
		}
		params := map[string]any{"url": "about:blank"}
		if err := c.Root().Execute(t.Context(), "Target.createTarget", params, &created); err != nil || created.TargetID != "T" {
			t.Fatalf("got %v, %v", created, err)
		}
		// The typed commands of cdproto run on a session.
		s := c.Session("S", "T")
		got, err := protocol.Call(t.Context(), s, page.Navigate, page.NavigateParams{URL: "http://a.test/"})
		if err != nil || got.LoaderID != "L" {
			t.Fatalf("got %+v, %v", got, err)
		}
	})
}

func TestCallIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, c := connect(t)
		b.Script(`
			expect DOM.resolveNode
			error -32000 No node with given id found
			expect DOM.resolveNode session=OLD
			error -32001 Session with given id not found.
		`)
		e := callError(t, c.Root().Execute(t.Context(), "DOM.resolveNode", nil, nil), cdp.KindRefused)
		if e.Code != -32000 || e.Message != "No node with given id found" || !e.Reached() {
			t.Errorf("got %+v", e)
		}
		e = callError(t, c.Session("OLD", "").Execute(t.Context(), "DOM.resolveNode", nil, nil), cdp.KindRefused)
		if e.Reached() {
			t.Error("a session that does not exist got the call")
		}
	})
}

func TestCallIsUndecodable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, c := connect(t)
		b.Script("expect A.b\nreply {\"n\":\"secret text\"}")
		var result struct {
			N int `json:"n"`
		}
		e := callError(t, c.Root().Execute(t.Context(), "A.b", nil, &result), cdp.KindUndecodable)
		if strings.Contains(e.Error(), "secret") {
			t.Errorf("the error quotes the page: %v", e)
		}
	})
}

func TestCallTimesOut(t *testing.T) {
	for _, row := range []struct {
		name  string
		limit time.Duration // of the context, 0 for none
		want  time.Duration
	}{
		{"after the ceiling", 0, cdp.CallTimeout},
		{"the context shortens", 5 * time.Second, 5 * time.Second},
		{"the context cannot lengthen", time.Hour, cdp.CallTimeout},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, c := connect(t)
				b.Script("expect A.b\nhold slow\nexpect A.c\nrelease slow {}\nreply")
				ctx := t.Context()
				if row.limit > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, row.limit)
					defer cancel()
				}
				begin := time.Now()
				callError(t, c.Root().Execute(ctx, "A.b", nil, nil), cdp.KindTimeout)
				if took := time.Since(begin); took != row.want {
					t.Errorf("took %v, want %v", took, row.want)
				}
				// Its late reply is nobody's, and the connection lives.
				if err := c.Root().Execute(t.Context(), "A.c", nil, nil); err != nil {
					t.Error(err)
				}
				if got := c.Stats().LateReplies; got != 1 {
					t.Errorf("%d late replies, want 1", got)
				}
			})
		})
	}
}

func TestCallIsCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, c := connect(t)
		b.Script("expect A.b\ndrop")
		ctx, cancel := context.WithCancelCause(t.Context())
		p := c.Root().Send(ctx, "A.b", nil)
		why := errors.New("the caller left")
		cancel(why)
		e := callError(t, p.Wait(nil), cdp.KindCancelled)
		if !errors.Is(e, why) {
			t.Errorf("cause %v", e.Err)
		}
		// A context that has ended sends nothing.
		callError(t, c.Root().Execute(ctx, "A.b", nil, nil), cdp.KindNotSent)
	})
}

func TestCallIsLost(t *testing.T) {
	for _, row := range []struct {
		name   string
		step   string
		reason cdp.Reason
	}{
		{"the browser exits", "close", cdp.ReasonDisconnected},
		{"reading fails", "close network down", cdp.ReasonReadFailed},
		{"a message that is none", "raw {", cdp.ReasonMalformed},
		{"a message without id and method", `raw {"x":1}`, cdp.ReasonMalformed},
		{"an id that is none", `raw {"id":"1","result":{}}`, cdp.ReasonMalformed},
		{"an attachment without a session", "event Target.attachedToTarget {}", cdp.ReasonMalformed},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, c := connect(t)
				b.Script("expect A.b\nhold x\n" + row.step)
				e := callError(t, c.Root().Execute(t.Context(), "A.b", nil, nil), cdp.KindLost)
				<-c.Done()
				var closed *cdp.CloseError
				if !errors.As(c.Err(), &closed) || closed.Reason != row.reason || !errors.Is(e, cdp.ErrClosed) {
					t.Errorf("closed by %v, the call by %v", c.Err(), e)
				}
				// The connection is latched: a later call fails at once.
				begin := time.Now()
				e = callError(t, c.Root().Execute(t.Context(), "A.b", nil, nil), cdp.KindNotSent)
				if time.Since(begin) != 0 || !errors.Is(e, cdp.ErrClosed) {
					t.Errorf("after %v: %v", time.Since(begin), e)
				}
				if e := c.Session("NEW", "").Execute(t.Context(), "A.b", nil, nil); !errors.Is(e, cdp.ErrClosed) {
					t.Errorf("a session made afterwards: %v", e)
				}
			})
		})
	}
}

func TestCloseLosesCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, c := connect(t)
		b.Script("expect A.b\ndrop")
		p := c.Root().Send(t.Context(), "A.b", nil)
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		callError(t, p.Wait(nil), cdp.KindLost)
		var closed *cdp.CloseError
		if !errors.As(c.Err(), &closed) || closed.Reason != cdp.ReasonClosed {
			t.Errorf("closed by %v", c.Err())
		}
		<-b.Gone()
	})
}

func TestCallIsNotEncodable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, c := connect(t)
		callError(t, c.Root().Execute(t.Context(), "A.b", func() {}, nil), cdp.KindNotSent)
		callError(t, c.Root().Execute(t.Context(), `A."b`, nil, nil), cdp.KindNotSent)
		callError(t, c.Session("a\"b", "").Execute(t.Context(), `A.b`, nil, nil), cdp.KindNotSent)
		if calls := b.Calls(); len(calls) > 0 {
			t.Errorf("sent %v", calls)
		}
	})
}

// A browser that reads no more must not keep a caller: what the writer has not
// begun is proved not sent, the one message that it has begun counts as sent.
func TestCallsBehindAStalledWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, c := connect(t)
		b.HandleRest(func(c *cdptest.Call) { c.Reply(nil) })
		b.Stall()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var kinds [3]cdp.Kind
		var wait sync.WaitGroup
		for i := range kinds {
			wait.Go(func() {
				var e *cdp.CallError
				errors.As(c.Root().Execute(ctx, "A.b", nil, nil), &e)
				kinds[i] = e.Kind
			})
			synctest.Wait()
		}
		wait.Wait()
		if want := [3]cdp.Kind{cdp.KindTimeout, cdp.KindNotSent, cdp.KindNotSent}; kinds != want {
			t.Errorf("got %v, want %v", kinds, want)
		}
		b.Resume()
		if err := c.Root().Execute(t.Context(), "A.c", nil, nil); err != nil {
			t.Error(err)
		}
		if got := b.Methods(); !slices.Equal(got, []string{"A.b", "A.c"}) {
			t.Errorf("the browser got %v", got)
		}
	})
}

func TestSendsKeepTheirOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, c := connect(t)
		b.HandleRest(func(c *cdptest.Call) { c.Reply(nil) })
		const senders, each = 8, 50
		var wait sync.WaitGroup
		for sender := range senders {
			wait.Go(func() {
				s := c.Session(cdp.SessionID(fmt.Sprint("S", sender)), "")
				var pending []*cdp.Pending
				for i := range each {
					pending = append(pending, s.Send(t.Context(), fmt.Sprint("A.n", i), nil))
				}
				for _, p := range pending {
					if err := p.Wait(nil); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wait.Wait()
		next := map[cdp.SessionID]int{}
		for _, call := range b.Calls() {
			if want := fmt.Sprint("A.n", next[call.Session]); call.Method != want {
				t.Fatalf("session %s sent %s, want %s", call.Session, call.Method, want)
			}
			next[call.Session]++
		}
	})
}

// The fence is asked when the writer has its turn, not when the call was made.
func TestSendIfAsksLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, c := connect(t)
		b.HandleRest(func(c *cdptest.Call) { c.Reply(nil) })
		var live atomic.Bool
		live.Store(true)
		if err := c.Root().SendIf(t.Context(), live.Load, "A.first", nil).Wait(nil); err != nil {
			t.Fatal(err)
		}
		b.Stall()
		go c.Root().Send(t.Context(), "A.blocker", nil)
		synctest.Wait()
		result := make(chan error, 1)
		go func() { result <- c.Root().SendIf(t.Context(), live.Load, "A.second", nil).Wait(nil) }()
		synctest.Wait()
		live.Store(false)
		b.Resume()
		e := callError(t, <-result, cdp.KindNotSent)
		if !errors.Is(e, cdp.ErrFenced) {
			t.Errorf("cause %v", e.Err)
		}
		if got := b.Methods(); slices.Contains(got, "A.second") {
			t.Errorf("the browser got %v", got)
		}
	})
}

func TestTooManyCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, c := connect(t)
		b.HandleRest(func(*cdptest.Call) {})
		for range cdp.PendingCallsMax {
			c.Root().Send(t.Context(), "A.b", nil)
		}
		e := callError(t, c.Root().Execute(t.Context(), "A.b", nil, nil), cdp.KindNotSent)
		if !errors.Is(e, cdp.ErrTooManyCalls) {
			t.Errorf("cause %v", e.Err)
		}
	})
}

func TestCrashFailsTheCallsOfItsSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, c := connect(t)
		b.HandleRest(func(*cdptest.Call) {})
		b.Handle("Page.reload", func(c *cdptest.Call) { c.Reply(nil) })
		b.Attach("S", "T")
		b.Attach("OTHER", "U")
		synctest.Wait()
		s, other := c.Session("S", "T"), c.Session("OTHER", "U")
		pending, sibling := s.Send(t.Context(), "Runtime.evaluate", nil), other.Send(t.Context(), "Runtime.evaluate", nil)
		b.Crash("S")
		callError(t, pending.Wait(nil), cdp.KindCrashed)
		select {
		case <-sibling.Done():
			t.Error("the sibling's call ended too")
		default:
		}
		e := callError(t, s.Execute(t.Context(), "Runtime.evaluate", nil, nil), cdp.KindNotSent)
		if !errors.Is(e, cdp.ErrCrashed) {
			t.Errorf("cause %v", e.Err)
		}
		// What revives the page goes through.
		if err := s.Execute(t.Context(), "Page.reload", nil, nil); err != nil {
			t.Error(err)
		}
		b.Revive("S")
		synctest.Wait()
		b.Handle("Runtime.evaluate", func(c *cdptest.Call) { c.Reply(nil) })
		if err := s.Execute(t.Context(), "Runtime.evaluate", nil, nil); err != nil {
			t.Error(err)
		}
	})
}

func TestDetachFailsTheCallsOfItsSession(t *testing.T) {
	for _, how := range []string{"announced", "forgotten"} {
		t.Run(how, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, c := connect(t)
				b.HandleRest(func(*cdptest.Call) {})
				b.Attach("S", "T")
				// A frame of another process is attached through its page.
				b.Emit("S", "Target.attachedToTarget", map[string]any{"sessionId": "CHILD", "targetInfo": map[string]any{"targetId": "F"}})
				synctest.Wait()
				s, child := c.Session("S", "T"), c.Session("CHILD", "F")
				calls := []*cdp.Pending{s.Send(t.Context(), "A.b", nil), child.Send(t.Context(), "A.b", nil)}
				tap := s.Tap(1, nil)
				if how == "announced" {
					b.Detach("S")
				} else {
					c.Forget("S")
				}
				for _, p := range calls {
					callError(t, p.Wait(nil), cdp.KindDetached)
				}
				if _, open := <-tap.C(); open {
					t.Error("the tap is still open")
				}
				tap.Close()
				for _, s := range []*cdp.Session{s, child} {
					e := callError(t, s.Execute(t.Context(), "Page.reload", nil, nil), cdp.KindNotSent)
					if !errors.Is(e, cdp.ErrDetached) {
						t.Errorf("cause %v", e.Err)
					}
				}
				b.Emit("S", "Page.loadEventFired", nil)
				synctest.Wait()
				if got := c.Stats().UnknownSessions; got != 1 {
					t.Errorf("%d events of unknown sessions, want 1", got)
				}
			})
		})
	}
}

// Calls race with the end of the connection. None may be left behind (R197).
func TestNoCallOutlivesTheConnection(t *testing.T) {
	for round := range 100 {
		synctest.Test(t, func(t *testing.T) {
			b, c := connect(t)
			b.HandleRest(func(call *cdptest.Call) {
				if len(b.Methods()) > round%20 {
					b.Close()
				}
				call.Reply(nil)
			})
			var wait sync.WaitGroup
			for range 6 {
				wait.Go(func() {
					for {
						begin := time.Now()
						err := c.Root().Execute(t.Context(), "A.b", nil, nil)
						if time.Since(begin) != 0 {
							t.Errorf("a call waited %v", time.Since(begin))
						}
						if err != nil {
							if !errors.Is(err, cdp.ErrClosed) {
								t.Error(err)
							}
							return
						}
					}
				})
			}
			wait.Wait()
		})
	}
}

func TestReadAfterCloseStillSeesWhatWasSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, c := connect(t)
		var got []string
		c.Root().OnLifecycle(func(e cdp.Event) { got = append(got, e.Method) })
		b.Emit("", "Target.targetCreated", nil)
		b.Emit("", "Target.targetDestroyed", nil)
		b.CloseWith(io.EOF)
		<-c.Done()
		synctest.Wait()
		if want := []string{"Target.targetCreated", "Target.targetDestroyed"}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}
