package cdp_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/troupe-browser/troupe/cdp"
)

func TestEventsGoToTheirLane(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, c := connect(t)
		b.Attach("S", "T")
		synctest.Wait()
		s := c.Session("S", "T")
		var lifecycle, diagnostics, frames []string
		s.OnLifecycle(func(e cdp.Event) { lifecycle = append(lifecycle, e.Method) })
		s.OnDiagnostics(func(batch []cdp.Event, dropped uint64) {
			for _, e := range batch {
				diagnostics = append(diagnostics, e.Method)
			}
			if dropped != 0 {
				t.Errorf("dropped %d", dropped)
			}
		})
		s.OnFrame(func(e cdp.Event) { frames = append(frames, e.Method) })
		tap := s.Tap(100, nil)
		defer tap.Close()
		wantLifecycle := []string{"Page.frameNavigated", "DOM.documentUpdated", "Runtime.executionContextCreated", "Runtime.bindingCalled", "Fetch.requestPaused"}
		wantDiagnostics := []string{"Network.requestWillBeSent", "Log.entryAdded", "Runtime.consoleAPICalled", "Runtime.exceptionThrown", "DOM.childNodeInserted", "Accessibility.nodesUpdated", "CSS.styleSheetAdded"}
		all := slices.Concat(wantLifecycle[:2], wantDiagnostics, wantLifecycle[2:], []string{"Page.screencastFrame"})
		for i, method := range all {
			b.Emit("S", method, map[string]any{"i": i})
		}
		synctest.Wait()
		if !slices.Equal(lifecycle, wantLifecycle) {
			t.Errorf("lifecycle %v", lifecycle)
		}
		if !slices.Equal(diagnostics, wantDiagnostics) {
			t.Errorf("diagnostics %v", diagnostics)
		}
		if !slices.Equal(frames, []string{"Page.screencastFrame"}) {
			t.Errorf("frames %v", frames)
		}
		// A tap sees every lane in the order of arrival, numbered without a gap.
		var last uint64
		for i, method := range all {
			e := <-tap.C()
			var p struct {
				I int `json:"i"`
			}
			if err := e.Decode(&p); err != nil || e.Method != method || p.I != i || e.Session != "S" {
				t.Fatalf("event %d is %s with %s, want %s", i, e.Method, e.Params, method)
			}
			if last != 0 && e.Seq != last+1 {
				t.Errorf("event %d has position %d after %d", i, e.Seq, last)
			}
			last = e.Seq
		}
	})
}

func TestReplyAndEventsAreOrderedBySeq(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, c := connect(t)
		b.Script(`
			expect A.b
			event Page.javascriptDialogOpening
			reply
			event Page.javascriptDialogClosed
		`)
		tap := c.Root().Tap(2, func(method string) bool { return strings.HasPrefix(method, "Page.") })
		defer tap.Close()
		p := c.Root().Send(t.Context(), "A.b", nil)
		before, after := <-tap.C(), <-tap.C()
		if err := p.Wait(nil); err != nil {
			t.Fatal(err)
		}
		if !(before.Seq < p.Seq() && p.Seq() < after.Seq) {
			t.Errorf("positions %d, %d, %d", before.Seq, p.Seq(), after.Seq)
		}
	})
}

// A consumer that hangs must not lose a lifecycle event: the connection closes (C22).
func TestLifecycleOverflowClosesTheConnection(t *testing.T) {
	for _, row := range []struct {
		name   string
		size   int
		events int
	}{
		{"by number", 0, cdp.LifecycleEventsMax + 512},
		{"by bytes", 1 << 20, cdp.LifecycleBytesMax>>20 + 512},
	} {
		t.Run(row.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, c := connect(t)
				release := make(chan struct{})
				got := 0
				c.Root().OnLifecycle(func(cdp.Event) {
					<-release
					got++
				})
				sent := 0
				message := []byte(`{"method":"Target.targetInfoChanged","params":{"x":"` + strings.Repeat("x", row.size) + `"}}`)
				for range row.events {
					b.SendRaw(message)
					if sent++; sent%256 == 0 {
						synctest.Wait()
					}
				}
				<-c.Done()
				var closed *cdp.CloseError
				if !errors.As(c.Err(), &closed) || closed.Reason != cdp.ReasonLaneOverflow {
					t.Errorf("closed by %v", c.Err())
				}
				close(release)
				synctest.Wait()
				if got == 0 || got > sent {
					t.Errorf("%d events of %d were handed over", got, sent)
				}
			})
		})
	}
}

// Diagnostics are lossy with a mark: what is handed over plus what is marked as
// dropped is what was sent, in order, and the connection lives.
func TestDiagnosticsOverflowIsMarked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, c := connect(t)
		release := make(chan struct{})
		next, total := 0, 0
		c.Root().OnDiagnostics(func(batch []cdp.Event, dropped uint64) {
			<-release
			if len(batch) == 0 || len(batch) > cdp.DiagnosticsBatchMax {
				t.Errorf("a batch of %d", len(batch))
			}
			next += int(dropped)
			total += int(dropped) + len(batch)
			for _, e := range batch {
				if want := fmt.Sprintf(`{"i":%d}`, next); string(e.Params) != want {
					t.Fatalf("got %s, want %s", e.Params, want)
				}
				next++
			}
		})
		const sent = cdp.DiagnosticsEventsMax + 1000
		for i := range sent {
			b.Emit("", "Network.dataReceived", map[string]any{"i": i})
		}
		synctest.Wait()
		close(release)
		synctest.Wait()
		if total != sent {
			t.Errorf("%d events accounted for, want %d", total, sent)
		}
		if c.Err() != nil {
			t.Error(c.Err())
		}
	})
}

func TestDiagnosticsAreBoundedInBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, c := connect(t)
		release := make(chan struct{})
		var kept, dropped int
		c.Root().OnDiagnostics(func(batch []cdp.Event, n uint64) {
			<-release
			kept, dropped = kept+len(batch), dropped+int(n)
		})
		params := map[string]any{"x": strings.Repeat("x", 1<<20)}
		const sent = 3 * cdp.DiagnosticsBytesMax >> 20
		for range sent {
			b.Emit("", "Log.entryAdded", params)
		}
		synctest.Wait()
		close(release)
		synctest.Wait()
		if kept+dropped != sent || kept > 1+cdp.DiagnosticsBatchMax+cdp.DiagnosticsBytesMax>>20 || dropped == 0 {
			t.Errorf("kept %d and dropped %d of %d", kept, dropped, sent)
		}
	})
}

// Only the latest frame is handed over, and it says how many it replaced.
func TestFramesAreLatestOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, c := connect(t)
		release := make(chan struct{})
		var got []string
		c.Root().OnFrame(func(e cdp.Event) {
			<-release
			got = append(got, fmt.Sprintf("%s+%d", e.Params, e.Replaced))
		})
		for i := range 5 {
			b.Emit("", "Page.screencastFrame", map[string]any{"i": i})
			synctest.Wait()
		}
		close(release)
		synctest.Wait()
		if want := []string{`{"i":0}+0`, `{"i":4}+3`}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

func TestTapCountsWhatItLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, c := connect(t)
		tap := c.Root().Tap(2, func(method string) bool { return method == "A.kept" })
		for range 5 {
			b.Emit("", "A.kept", nil)
			b.Emit("", "A.other", nil)
		}
		synctest.Wait()
		if tap.Dropped() != 3 || len(tap.C()) != 2 {
			t.Errorf("%d dropped, %d kept", tap.Dropped(), len(tap.C()))
		}
		tap.Close()
		tap.Close()
		b.Emit("", "A.kept", nil)
		synctest.Wait()
		for range 2 {
			<-tap.C()
		}
		if _, open := <-tap.C(); open {
			t.Error("the channel is still open")
		}
	})
}

func TestSubscribeFollowsCdproto(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, c := connect(t)
		events, cancel := c.Root().Subscribe("A.b")
		b.Emit("", "A.b", map[string]any{"i": 1})
		b.Emit("", "A.c", nil)
		if got := <-events; string(got) != `{"i":1}` {
			t.Errorf("got %s", got)
		}
		cancel()
		if _, open := <-events; open {
			t.Error("the channel is still open")
		}
	})
}

// Events of a session are discarded until its handler is there, and a handler can
// be replaced.
func TestHandlersCanBeSetLate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, c := connect(t)
		var got []string
		b.Emit("", "A.before", nil)
		synctest.Wait()
		c.Root().OnLifecycle(func(e cdp.Event) { got = append(got, "first "+e.Method) })
		b.Emit("", "A.one", nil)
		synctest.Wait()
		c.Root().OnLifecycle(func(e cdp.Event) { got = append(got, "second "+e.Method) })
		b.Emit("", "A.two", nil)
		synctest.Wait()
		if want := []string{"first A.one", "second A.two"}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

func TestTooManySessions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, c := connect(t)
		for i := range cdp.SessionsMax {
			b.Attach(cdp.SessionID(fmt.Sprint("S", i)), "T")
		}
		<-c.Done()
		var closed *cdp.CloseError
		if !errors.As(c.Err(), &closed) || closed.Reason != cdp.ReasonTooManySessions {
			t.Errorf("closed by %v", c.Err())
		}
	})
}

// What is told behind the lifecycle lane never overtakes an event that came before
// it, however slow its handler is, and is told also when the session has ended.
func TestAfterLifecycleKeepsTheOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, c := connect(t)
		b.Attach("S", "T")
		synctest.Wait()
		s := c.Session("S", "T")
		var seen []string
		note := func(what string) func() { return func() { seen = append(seen, what) } }
		s.AfterLifecycle(note("nobody listens"))
		slow := make(chan struct{})
		s.OnLifecycle(func(e cdp.Event) {
			<-slow
			seen = append(seen, e.Method)
		})
		tap := s.Tap(10, nil)
		defer tap.Close()
		b.Emit("S", "Page.frameNavigated", nil)
		b.Emit("S", "Page.javascriptDialogOpening", nil)
		<-tap.C()
		<-tap.C() // it has arrived, and the handler still holds the first
		s.AfterLifecycle(note("told"))
		b.Emit("S", "Page.loadEventFired", nil)
		close(slow)
		synctest.Wait()
		want := []string{"nobody listens", "Page.frameNavigated", "Page.javascriptDialogOpening", "told", "Page.loadEventFired"}
		if !slices.Equal(seen, want) {
			t.Errorf("in the order %v", seen)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		s.AfterLifecycle(note("ended"))
		synctest.Wait()
		if seen[len(seen)-1] != "ended" {
			t.Errorf("after the end: %v", seen)
		}
	})
}
