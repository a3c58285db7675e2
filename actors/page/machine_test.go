package page

import (
	"testing"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/machinetest"
	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// address is the page of these tests.
var address = messages.PageAddress{BrowserID: "br", PageID: "pg"}

// pageWith returns the machine of a prepared page with an own main world.
func pageWith(t *testing.T, change func(*kernel.Config)) *machine {
	t.Helper()
	config := kernel.Config{}
	if change != nil {
		change(&config)
	}
	env := &kernel.Environment{Config: config.WithDefaults(), WorldName: "troupe-w"}
	m := newMachine(&Spec{Env: env, Browser: "br", ID: "pg", Owner: PageOwner{Caller: machinetest.Agent.ID}})
	machinetest.WantKinds(t, m.step(&started{nonce: "n", nextRef: 1, url: blankURL, at: machinetest.Noon}), "publishFence prepare reportSummary")
	machinetest.WantKinds(t, m.step(&prepared{mainFrame: "F", url: "http://a/"}), "tellPrepared reportSummary")
	m.step(&worldMade{name: "troupe-w", frame: "F", context: "w1"})
	return m
}

func click(element messages.ElementHandle) *call.Call {
	return machinetest.CallOf(&messages.Click{OnElement: messages.OnElement{PageAddress: address, ElementID: element}})
}

func look() *call.Call { return machinetest.CallOf(&messages.TakeSnapshot{PageAddress: address}) }

// begin sends a call that must start at once and returns its operation.
func begin(t *testing.T, m *machine, c *call.Call) *startOperation {
	t.Helper()
	start := machinetest.One[*startOperation](t, m.step(&Call{Call: c}))
	if !c.Ticket.Start() {
		t.Fatal("the call can't be started")
	}
	return start
}

// publish takes one snapshot of a page with a button, e<N> and id el_n_<G>_0.
func publish(t *testing.T, m *machine) *messages.Snapshot {
	t.Helper()
	c := look()
	start := begin(t, m, c)
	s := &messages.Snapshot{Generation: start.request.generation, DocumentToken: "doc", Nodes: []messages.Node{{Role: "button"}}}
	record := snapshot.Record{
		ElementID: messages.ElementID(start.request.prefix + "0"), Ref: refOf(start.request.nextRef), Generation: s.Generation,
		Actions: []messages.Action{"click"},
	}
	effects := m.step(&OperationDone{Operation: start.operation, reply: s,
		snapshot: &snapshotResult{records: []snapshot.Record{record}, nextRef: start.request.nextRef + 1}})
	machinetest.One[*publishFence](t, effects)
	machinetest.One[*keepNumbers](t, effects)
	machinetest.One[*finishCall](t, effects)
	return s
}

func refOf(n uint64) messages.Ref {
	return messages.Ref(string(append([]byte("e"), byte('0'+n%10))))
}

func TestPageMachine_OneOperationAtATimeInOrder(t *testing.T) {
	m := pageWith(t, nil)
	first, second, third := click("e1"), look(), click("e1")
	start := begin(t, m, first)
	machinetest.WantKinds(t, m.step(&Call{Call: second}), "")
	machinetest.WantKinds(t, m.step(&Call{Call: third}), "")
	effects := m.step(&OperationDone{Operation: start.operation, reply: &messages.Receipt{ExecutionState: messages.Completed}})
	machinetest.WantKinds(t, effects, "finishCall startOperation")
	if next := machinetest.One[*startOperation](t, effects); next.call != second {
		t.Error("the order is lost")
	}
	machinetest.WantKinds(t, m.step(&OperationDone{Operation: start.operation, reply: &messages.Receipt{}}), "") // of the past
}

// A page that could not be prepared in time is tried again, since nothing of it could
// be read until it navigates.
func TestPageMachine_PreparedLate(t *testing.T) {
	env := &kernel.Environment{Config: kernel.Config{}.WithDefaults(), WorldName: "troupe-w"}
	m := newMachine(&Spec{Env: env, Browser: "br", ID: "pg", Owner: PageOwner{Caller: machinetest.Agent.ID}})
	m.step(&started{nonce: "n", nextRef: 1, url: blankURL, at: machinetest.Noon})
	late := &prepared{err: messages.NewError(messages.CodeCDPReceiveTimeout, "")}
	machinetest.WantKinds(t, m.step(late), "sendLater tellPrepared")
	m.step(&worldMade{name: "troupe-w", frame: "F", context: "w1"})
	c := look()
	machinetest.One[*sendLater](t, m.step(&Call{Call: c})) // it waits for a document
	machinetest.WantKinds(t, m.step(&prepareDue{}), "prepare")
	machinetest.WantKinds(t, m.step(late), "sendLater")
	machinetest.WantKinds(t, m.step(&prepareDue{}), "prepare")
	if start := machinetest.One[*startOperation](t, m.step(&prepared{mainFrame: "F", url: "http://a/"})); start.call != c {
		t.Errorf("started %+v", start)
	}
	machinetest.WantKinds(t, m.step(&prepareDue{}), "")
	machinetest.WantKinds(t, m.step(late), "")
}

// What frees a page, or only reads what is there, never waits for its turn: the
// operation in flight may be what keeps the page.
func TestPageMachine_WhatNeverWaits(t *testing.T) {
	for _, command := range []messages.Command{
		&messages.ClosePage{PageAddress: address}, &messages.Unstick{PageAddress: address, Step: messages.UnstickTerminate},
		&messages.WaitFor{PageAddress: address}, &messages.Present{PageAddress: address, Pop: true}, &messages.GetConsole{PageAddress: address},
		&messages.GetNetwork{PageAddress: address}, &messages.GetDiagnostics{PageAddress: address}, &messages.GetNetworkRequest{PageAddress: address},
	} {
		m := pageWith(t, nil)
		begin(t, m, click("e1"))
		m.step(&Call{Call: look()})
		if beside := machinetest.One[*startBeside](t, m.step(&Call{Call: machinetest.CallOf(command)})); beside.call.Command != command {
			t.Errorf("%s waits", command.Action())
		}
	}
}

func TestPageMachine_BusyBeyondTheBound(t *testing.T) {
	m := pageWith(t, nil)
	begin(t, m, look())
	var last *call.Call
	for range messages.PageQueueMax {
		last = look()
		machinetest.WantKinds(t, m.step(&Call{Call: last}), "")
	}
	if got := machinetest.One[*failCall](t, m.step(&Call{Call: look()})).err.Code; got != messages.CodeBusy {
		t.Errorf("one more is refused with %s", got)
	}
	t.Run("a caller that gives up frees its place", func(t *testing.T) {
		m.step(&call.Withdraw{Call: last})
		machinetest.WantKinds(t, m.step(&Call{Call: look()}), "")
	})
	t.Run("so does one that leaves", func(t *testing.T) {
		effects := m.step(&call.CallerLeft{Caller: machinetest.Agent.ID})
		if len(effects) != messages.PageQueueMax || len(m.queue) != 0 {
			t.Errorf("%d effects, %d still wait", len(effects), len(m.queue))
		}
	})
}

func TestPageMachine_Resolve(t *testing.T) {
	m := pageWith(t, nil)
	for handle, want := range map[messages.ElementHandle]messages.Code{
		"": messages.CodeRefMalformed, "e0": messages.CodeRefMalformed, "x1": messages.CodeRefMalformed, "e01": messages.CodeRefMalformed,
		"el_n_1": messages.CodeRefMalformed, "e1": messages.CodeSnapshotMissing, "el_n_1_0": messages.CodeSnapshotMissing,
	} {
		if _, err := m.fence.resolve(machinetest.Agent.ID, handle, "click"); err == nil || err.Code != want {
			t.Errorf("before a snapshot %q gives %v, want %s", handle, err, want)
		}
	}
	publish(t, m)
	publish(t, m)
	for handle, want := range map[messages.ElementHandle]messages.Code{
		"e2": "", "el_n_2_0": "", "e1": messages.CodeSnapshotStale, "el_n_1_0": messages.CodeSnapshotStale,
		"el_other_2_0": messages.CodeSnapshotStale, "e3": messages.CodeRefDetached, "el_n_2_7": messages.CodeRefDetached,
	} {
		_, err := m.fence.resolve(machinetest.Agent.ID, handle, "click")
		if want == "" && err != nil || want != "" && (err == nil || err.Code != want) {
			t.Errorf("%q gives %v, want %q", handle, err, want)
		}
	}
	if _, err := m.fence.resolve(machinetest.Agent.ID, "e2", "set_value"); err == nil || err.Code != messages.CodeElementActionUnsupported {
		t.Errorf("an action that is not admitted gives %v", err)
	}
	m.step(&frameNavigated{frame: frame{ID: "F", URL: "http://b/"}, at: machinetest.Noon})
	if _, err := m.fence.resolve(machinetest.Agent.ID, "e2", "click"); err == nil || err.Code != messages.CodeSnapshotStale || err.Recovery.Arguments["action"] != "snapshot" {
		t.Errorf("after a navigation: %+v", err)
	}
}

// What moves the generation, and what does not (R36, C10, C11).
func TestPageMachine_Fence(t *testing.T) {
	for name, c := range map[string]struct {
		message Message
		config  func(*kernel.Config)
		stale   messages.Code
	}{
		"main frame navigates":         {&frameNavigated{frame: frame{ID: "F", URL: "http://b/"}}, nil, messages.CodeSnapshotStale},
		"a frame navigates":            {&frameNavigated{frame: frame{ID: "G", ParentID: "F"}}, nil, ""},
		"a route of the page's own":    {&navigatedWithin{frame: "F", url: "http://a/#x"}, nil, messages.CodeSnapshotStale},
		"the same, kept":               {&navigatedWithin{frame: "F", url: "http://a/#x"}, func(c *kernel.Config) { c.SameDocument = target.SameDocumentKeep }, ""},
		"a route of a frame":           {&navigatedWithin{frame: "G", url: "http://a/#x"}, nil, ""},
		"the document is written anew": {&documentOpened{frame: "F"}, nil, messages.CodeSnapshotStale},
		"a frame's is":                 {&documentOpened{frame: "G"}, nil, ""},
		"all worlds are gone":          {&worldsCleared{}, nil, messages.CodeSnapshotStale},
		"the main world is gone":       {&worldGone{context: "w1"}, nil, messages.CodeSnapshotStale},
		"another world is gone":        {&worldGone{context: "w9"}, nil, ""},
		"a frame goes away":            {&frameDetached{frame: "G"}, nil, ""},
		"the load ends":                {&loadFired{}, nil, ""},
		"a title changes":              {&InfoChanged{URL: "http://a/", Title: "T"}, nil, ""},
		"the renderer ends":            {&targetCrashed{}, nil, messages.CodeSnapshotStale},
	} {
		t.Run(name, func(t *testing.T) {
			m := pageWith(t, c.config)
			s := publish(t, m)
			m.step(c.message)
			_, err := m.fence.resolve(machinetest.Agent.ID, "e1", "click")
			token := m.fence.checkToken(machinetest.Agent.ID, s.DocumentToken)
			if c.stale == "" && (err != nil || token != nil) {
				t.Errorf("ids died: %v, token %v", err, token)
			}
			if c.stale != "" && (err == nil || err.Code != c.stale || token == nil || token.Code != c.stale) {
				t.Errorf("got %v, token %v, want %s", err, token, c.stale)
			}
		})
	}
}

// Frames count once the snapshot gave ids to elements in them (C11).
func TestPageMachine_FramesOfASnapshotThatNamedThem(t *testing.T) {
	for name, message := range map[string]Message{
		"navigates": &frameNavigated{frame: frame{ID: "G", ParentID: "F"}}, "goes": &frameDetached{frame: "G"},
		"is written anew": &documentOpened{frame: "G"}, "is replaced": &worldGone{context: "w2"},
	} {
		m := pageWith(t, nil)
		m.step(&worldMade{name: "troupe-w", frame: "G", context: "w2"})
		publish(t, m)
		m.fence.of(machinetest.Agent.ID).framed = true
		m.step(message)
		if _, err := m.fence.resolve(machinetest.Agent.ID, "e1", "click"); err == nil || err.Code != messages.CodeSnapshotStale {
			t.Errorf("a frame that %s: %v", name, err)
		}
	}
}

// The fence falls before a navigation is dispatched, and names the call (R43).
func TestPageMachine_NavigationDropsTheFenceFirst(t *testing.T) {
	m := pageWith(t, nil)
	publish(t, m)
	c := machinetest.CallOf(&messages.Navigate{PageAddress: address, URL: "http://b/", EffectOptions: messages.EffectOptions{OperationID: "mine"}})
	effects := m.step(&Call{Call: c})
	machinetest.WantKinds(t, effects, "publishFence startOperation reportSummary")
	if s := m.summary(); s.URL != "http://b/" || s.LoadState != messages.LoadLoading {
		t.Errorf("the requested address is not shown: %+v", s)
	}
	_, err := m.fence.resolve(machinetest.Agent.ID, "e1", "click")
	if err == nil || err.Detail != "The call navigate (operation mine) changed the document. Take a snapshot and use its ids." {
		t.Errorf("refusal is %v", err)
	}
	t.Run("without a new document everything is as it was", func(t *testing.T) {
		m.step(&OperationDone{Operation: m.current.number, reply: &messages.Receipt{ExecutionState: messages.Completed}})
		if s := m.summary(); s.URL != "http://a/" || s.LoadState != messages.LoadComplete {
			t.Errorf("summary is %+v", s)
		}
	})
}

// The load states of a page, and the address of a load that failed (R115, R116).
func TestPageMachine_LoadStates(t *testing.T) {
	m := pageWith(t, nil)
	check := func(url string, load messages.LoadState) {
		t.Helper()
		if s := m.summary(); s.URL != url || s.LoadState != load {
			t.Errorf("%s %s, want %s %s", s.URL, s.LoadState, url, load)
		}
	}
	check("http://a/", messages.LoadComplete)
	m.step(&frameNavigated{frame: frame{ID: "F", URL: "http://b/", Fragment: "#x"}, at: machinetest.Noon})
	check("http://b/#x", messages.LoadLoading)
	m.step(&loadFired{})
	check("http://b/#x", messages.LoadComplete)
	m.step(&frameNavigated{frame: frame{ID: "F", URL: "chrome-error://x/", UnreachableURL: "http://c/"}, at: machinetest.Noon})
	check("http://c/", messages.LoadFailed)
	m.step(&loadFired{})
	m.step(&loadingChanged{frame: "F"})
	check("http://c/", messages.LoadFailed)
}

// A snapshot that ran while the document changed is read again and never published (R38).
func TestPageMachine_SnapshotRacesADocument(t *testing.T) {
	m := pageWith(t, nil)
	publish(t, m)
	c := look()
	start := begin(t, m, c)
	m.step(&frameNavigated{frame: frame{ID: "F", URL: "http://b/"}, at: machinetest.Noon})
	again := machinetest.One[*startOperation](t, m.step(&OperationDone{Operation: start.operation,
		reply: &messages.Snapshot{Generation: 2}, snapshot: &snapshotResult{nextRef: 9}}))
	if !again.resumed || again.call != c || again.request.generation != 2 || again.request.nextRef != 2 {
		t.Errorf("read again as %+v with %+v", again, again.request)
	}
	again = machinetest.One[*startOperation](t, m.step(&OperationDone{Operation: again.operation, changed: true, err: messages.NewError(messages.CodeSnapshotStale, "")}))
	last := machinetest.One[*startOperation](t, m.step(&OperationDone{Operation: again.operation, changed: true, err: messages.NewError(messages.CodeSnapshotStale, "")}))
	machinetest.WantEffects(t, m.step(&operationSkipped{last.operation})) // its caller has gone, as the shell knows
	begin(t, m, look())
}

// A busy page makes no generation: the ids stay what they are.
// A snapshot whose document was replaced is of the past also when it can't be read
// again, because a dialog came up or its caller has gone (R38).
func TestPageMachine_AnOldSnapshotIsDiscarded(t *testing.T) {
	old := func(start *startOperation) *OperationDone {
		return &OperationDone{Operation: start.operation, snapshot: &snapshotResult{nextRef: 9},
			reply: &messages.Snapshot{Generation: start.request.generation, Nodes: []messages.Node{{Role: "button"}}}}
	}
	t.Run("a dialog is open", func(t *testing.T) {
		m := pageWith(t, nil)
		publish(t, m)
		c := look()
		start := begin(t, m, c)
		m.step(&frameNavigated{frame: frame{ID: "F", URL: "http://b/"}, at: machinetest.Noon})
		m.dialog = &heldDialog{open: &engine.OpenDialog{Kind: messages.DialogAlert}}
		effects := m.step(old(start))
		reply := machinetest.One[*finishCall](t, effects).reply.(*messages.Snapshot)
		if len(reply.Nodes) != 0 || reply.Dialog == nil || !m.fence.stale(machinetest.Agent.ID) {
			t.Errorf("answered with %+v, stale: %v", reply, m.fence.stale(machinetest.Agent.ID))
		}
	})
	t.Run("its caller has gone", func(t *testing.T) {
		m := pageWith(t, nil)
		publish(t, m)
		c := look()
		start := begin(t, m, c)
		m.step(&frameNavigated{frame: frame{ID: "F", URL: "http://b/"}, at: machinetest.Noon})
		again := machinetest.One[*startOperation](t, m.step(old(start)))
		machinetest.WantEffects(t, m.step(&operationSkipped{again.operation}))
		if !m.fence.stale(machinetest.Agent.ID) {
			t.Error("the fence lives again")
		}
	})
}

func TestPageMachine_BusySnapshotPublishesNothing(t *testing.T) {
	m := pageWith(t, nil)
	publish(t, m)
	start := begin(t, m, look())
	effects := m.step(&OperationDone{Operation: start.operation, reply: &messages.Snapshot{Generation: 2, DocumentToken: "new", Busy: true},
		snapshot: &snapshotResult{nextRef: 2}})
	s := machinetest.One[*finishCall](t, effects).reply.(*messages.Snapshot)
	if s.Generation != 1 || s.DocumentToken != "" || !m.summary().Busy {
		t.Errorf("snapshot %+v, summary %+v", s, m.summary())
	}
	if _, err := m.fence.resolve(machinetest.Agent.ID, "e1", "click"); err != nil {
		t.Errorf("ids died: %v", err)
	}
}

func TestPageMachine_DocumentTokens(t *testing.T) {
	m := pageWith(t, nil)
	key := func(token messages.DocumentToken) *call.Call {
		return machinetest.CallOf(&messages.PressKey{Key: "Enter", OnElement: messages.OnElement{PageAddress: address, EffectOptions: messages.EffectOptions{DocumentToken: token}}})
	}
	if got := machinetest.One[*failCall](t, m.step(&Call{Call: key("doc")})).err.Code; got != messages.CodeSnapshotMissing {
		t.Errorf("before a snapshot: %s", got)
	}
	publish(t, m)
	if got := machinetest.One[*failCall](t, m.step(&Call{Call: key("other")})).err.Code; got != messages.CodeSnapshotStale {
		t.Errorf("a foreign token: %s", got)
	}
	begin(t, m, key("doc"))
	waiting := key("doc")
	m.step(&Call{Call: waiting})
	m.step(&frameNavigated{frame: frame{ID: "F", URL: "http://b/"}, at: machinetest.Noon})
	effects := m.step(&OperationDone{Operation: m.current.number, reply: &messages.Receipt{ExecutionState: messages.Completed}})
	if failed := machinetest.One[*failCall](t, effects); failed.call != waiting || failed.err.Code != messages.CodeSnapshotStale {
		t.Errorf("a token that died while its call waited: %+v", failed.err)
	}
}

func TestPageMachine_Crash(t *testing.T) {
	m := pageWith(t, nil)
	running, waiting, reload := click("e1"), look(), machinetest.CallOf(&messages.Reload{PageAddress: address})
	start := begin(t, m, running)
	m.step(&Call{Call: waiting})
	m.step(&Call{Call: reload})
	effects := m.step(&targetCrashed{at: machinetest.Noon})
	machinetest.WantKinds(t, effects, "publishEvent cancelOperation failCall failCall startOperation reportSummary")
	if failed := effects[2].(*failCall); failed.call != running || failed.err.Code != messages.CodePageCrashed {
		t.Errorf("the operation in flight: %+v", failed)
	}
	if next := machinetest.One[*startOperation](t, effects); next.call != reload {
		t.Error("reload does not revive the page")
	}
	machinetest.WantKinds(t, m.step(&OperationDone{Operation: start.operation, reply: &messages.Receipt{}}), "")
	m.step(&targetRevived{})
	if m.summary().Crashed {
		t.Error("still crashed")
	}
}

func TestPageMachine_CloseOvertakesTheQueue(t *testing.T) {
	m := pageWith(t, nil)
	running, waiting := click("e1"), look()
	begin(t, m, running)
	m.step(&Call{Call: waiting})
	closing := machinetest.CallOf(&messages.ClosePage{PageAddress: address})
	effects := m.step(&Call{Call: closing})
	machinetest.WantKinds(t, effects, "cancelOperation failCall failCall startBeside")
	machinetest.WantKinds(t, m.step(&besideDone{call: closing, reply: &messages.Receipt{ExecutionState: messages.Completed}}), "sendLater")
	gone := m.step(&TargetGone{Cause: messages.NewError(messages.CodeStalePage, "")})
	if finished := machinetest.One[*finishCall](t, gone); finished.call != closing || finished.reply.(*messages.Receipt).ExecutionState != messages.Completed {
		t.Errorf("the close ended with %+v", finished)
	}
	if got := machinetest.One[*failCall](t, m.step(&Call{Call: look()})).err.Code; got != messages.CodeStalePage {
		t.Errorf("a late call: %s", got)
	}
}

func TestPageMachine_OverdueOperationLetsTheNextRun(t *testing.T) {
	m := pageWith(t, nil)
	stuck, next := click("e1"), look()
	start := begin(t, m, stuck)
	m.step(&Call{Call: next})
	effects := m.step(&operationOverdue{operation: start.operation})
	machinetest.WantKinds(t, effects, "cancelOperation failCall startOperation reportSummary")
	machinetest.WantKinds(t, m.step(&operationOverdue{operation: start.operation}), "")
}

func TestPageMachine_FaultOfARunner(t *testing.T) {
	m := pageWith(t, nil)
	start := begin(t, m, look())
	machinetest.WantKinds(t, m.step(&OperationDone{Operation: start.operation, Fault: &kernel.Fault{Value: "x"}}), "failCall failActor")
}

// A page that restarts believes nothing of before and goes on counting.
func TestPageMachine_Restart(t *testing.T) {
	env := &kernel.Environment{Config: kernel.Config{}.WithDefaults(), WorldName: "troupe-w"}
	m := newMachine(&Spec{Env: env, Browser: "br", ID: "pg", Owner: PageOwner{Caller: machinetest.Agent.ID}})
	m.step(&started{nonce: "m", generation: 4, nextRef: 17, restarted: true, at: machinetest.Noon,
		dialog: &engine.OpenDialog{Kind: messages.DialogConfirm, Message: "?"}})
	for handle, want := range map[messages.ElementHandle]messages.Code{
		"e16": messages.CodeSnapshotStale, "e17": messages.CodeSnapshotStale, "el_n_4_0": messages.CodeSnapshotStale,
	} {
		if _, err := m.fence.resolve(machinetest.Agent.ID, handle, "click"); err == nil || err.Code != want {
			t.Errorf("%s gives %v", handle, err)
		}
	}
	if m.summary().Dialog == nil {
		t.Error("the open dialog is forgotten")
	}
	m.step(&dialogClosed{})
	m.step(&prepared{mainFrame: "F", url: "http://a/"})
	m.step(&worldMade{name: "troupe-w", frame: "F", context: "w1"})
	start := begin(t, m, look())
	if start.request.generation != 5 || start.request.nextRef != 17 || start.request.prefix != "el_m_5_" {
		t.Errorf("the next snapshot is %+v", start.request)
	}
}

func TestPageMachine_UnknownMessages(t *testing.T) {
	m := pageWith(t, nil)
	for _, message := range []Message{
		machinetest.Strange{}, &OperationDone{Operation: 99, reply: &messages.Receipt{}}, &operationSkipped{operation: 99}, &operationOverdue{operation: 99},
		&dialogClosed{}, &dialogAnswered{number: 9}, &dialogHoldElapsed{number: 9}, &dialogPatienceElapsed{operation: 9, dialog: 9},
		&call.Withdraw{Call: look()}, &call.CallerLeft{Caller: "nobody"}, &prepared{},
	} {
		machinetest.WantKinds(t, m.step(message), "")
	}
}

// After a navigation was started the page tells the requested address until the commit replaces it with the one that
// it came to; one that brings no document leaves the address and the load state what they were (R116).
func TestPageMachine_RequestedAddress(t *testing.T) {
	for _, c := range []struct {
		name      string
		committed string
		want      string
		load      messages.LoadState
	}{{"a redirect", "http://c/", "http://c/", messages.LoadComplete}, {"no document", "", "http://a/", messages.LoadComplete}} {
		t.Run(c.name, func(t *testing.T) {
			m := pageWith(t, nil)
			m.step(&loadFired{})
			start := begin(t, m, machinetest.CallOf(&messages.Navigate{PageAddress: address, URL: "http://b/"}))
			if s := m.summary(); s.URL != "http://b/" || s.LoadState != messages.LoadLoading {
				t.Errorf("before the commit it tells %s, %s", s.URL, s.LoadState)
			}
			receipt := &messages.Receipt{ExecutionState: messages.Completed}
			if c.committed != "" {
				m.step(&frameNavigated{frame: frame{ID: "F", URL: c.committed}, at: machinetest.Noon})
				receipt.LoadState = c.load
			}
			m.step(&OperationDone{Operation: start.operation, reply: receipt})
			if s := m.summary(); s.URL != c.want || s.LoadState != c.load {
				t.Errorf("at the end it tells %s, %s, want %s, %s", s.URL, s.LoadState, c.want, c.load)
			}
		})
	}
}
