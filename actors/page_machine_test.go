package actors

import (
	"testing"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// address is the page of these tests.
var address = messages.PageAddress{BrowserID: "br", PageID: "pg"}

// pageWith returns the machine of a prepared page with an own main world.
func pageWith(t *testing.T, change func(*Config)) *pageMachine {
	t.Helper()
	config := Config{}
	if change != nil {
		change(&config)
	}
	env := &environment{config: config.withDefaults(), worldName: "troupe-w"}
	m := newPageMachine(&pageSpec{env: env, browser: "br", id: "pg", owner: pageOwner{caller: agent.ID}})
	wantKinds(t, m.step(&pageStarted{nonce: "n", nextRef: 1, url: blankURL, at: noon}), "publishFence prepare reportSummary")
	wantKinds(t, m.step(&prepared{mainFrame: "F", url: "http://a/"}), "tellPrepared reportSummary")
	m.step(&worldMade{name: "troupe-w", frame: "F", context: "w1"})
	return m
}

func click(element messages.ElementHandle) *call {
	return callOf(&messages.Click{OnElement: messages.OnElement{PageAddress: address, ElementID: element}})
}

func look() *call { return callOf(&messages.TakeSnapshot{PageAddress: address}) }

// begin sends a call that must start at once and returns its operation.
func begin(t *testing.T, m *pageMachine, c *call) *startOperation {
	t.Helper()
	start := one[*startOperation](t, m.step(&pageCall{call: c, at: noon}))
	if !c.ticket.start() {
		t.Fatal("the call can't be started")
	}
	return start
}

// publish takes one snapshot of a page with a button, e<N> and id el_n_<G>_0.
func publish(t *testing.T, m *pageMachine) *messages.Snapshot {
	t.Helper()
	c := look()
	start := begin(t, m, c)
	s := &messages.Snapshot{Generation: start.request.generation, DocumentToken: "doc", Nodes: []messages.Node{{Role: "button"}}}
	record := snapshot.Record{
		ElementID: messages.ElementID(start.request.prefix + "0"), Ref: refOf(start.request.nextRef), Generation: s.Generation,
		Actions: []messages.Action{"click"},
	}
	effects := m.step(&operationDone{operation: start.operation, reply: s,
		snapshot: &snapshotResult{records: []snapshot.Record{record}, nextRef: start.request.nextRef + 1}})
	one[*publishFence](t, effects)
	one[*keepNumbers](t, effects)
	one[*pageFinish](t, effects)
	return s
}

func refOf(n uint64) messages.Ref {
	return messages.Ref(string(append([]byte("e"), byte('0'+n%10))))
}

func TestPageMachine_OneOperationAtATimeInOrder(t *testing.T) {
	m := pageWith(t, nil)
	first, second, third := click("e1"), look(), click("e1")
	start := begin(t, m, first)
	wantKinds(t, m.step(&pageCall{call: second, at: noon}), "")
	wantKinds(t, m.step(&pageCall{call: third, at: noon}), "")
	effects := m.step(&operationDone{operation: start.operation, reply: &messages.Receipt{ExecutionState: messages.Completed}})
	wantKinds(t, effects, "pageFinish startOperation")
	if next := one[*startOperation](t, effects); next.call != second {
		t.Error("the order is lost")
	}
	wantKinds(t, m.step(&operationDone{operation: start.operation, reply: &messages.Receipt{}}), "") // of the past
}

// A page that could not be prepared in time is tried again, since nothing of it could
// be read until it navigates.
func TestPageMachine_PreparedLate(t *testing.T) {
	env := &environment{config: Config{}.withDefaults(), worldName: "troupe-w"}
	m := newPageMachine(&pageSpec{env: env, browser: "br", id: "pg", owner: pageOwner{caller: agent.ID}})
	m.step(&pageStarted{nonce: "n", nextRef: 1, url: blankURL, at: noon})
	late := &prepared{err: messages.NewError(messages.CodeCDPReceiveTimeout, "")}
	wantKinds(t, m.step(late), "pageTimer tellPrepared")
	m.step(&worldMade{name: "troupe-w", frame: "F", context: "w1"})
	c := look()
	one[*pageTimer](t, m.step(&pageCall{call: c, at: noon})) // it waits for a document
	wantKinds(t, m.step(&prepareDue{}), "prepare")
	wantKinds(t, m.step(late), "pageTimer")
	wantKinds(t, m.step(&prepareDue{}), "prepare")
	if start := one[*startOperation](t, m.step(&prepared{mainFrame: "F", url: "http://a/"})); start.call != c {
		t.Errorf("started %+v", start)
	}
	wantKinds(t, m.step(&prepareDue{}), "")
	wantKinds(t, m.step(late), "")
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
		m.step(&pageCall{call: look(), at: noon})
		if beside := one[*startBeside](t, m.step(&pageCall{call: callOf(command), at: noon})); beside.call.command != command {
			t.Errorf("%s waits", command.Action())
		}
	}
}

func TestPageMachine_BusyBeyondTheBound(t *testing.T) {
	m := pageWith(t, nil)
	begin(t, m, look())
	var last *call
	for range messages.PageQueueMax {
		last = look()
		wantKinds(t, m.step(&pageCall{call: last, at: noon}), "")
	}
	if got := one[*pageFail](t, m.step(&pageCall{call: look(), at: noon})).err.Code; got != messages.CodeBusy {
		t.Errorf("one more is refused with %s", got)
	}
	t.Run("a caller that gives up frees its place", func(t *testing.T) {
		m.step(&withdraw{call: last})
		wantKinds(t, m.step(&pageCall{call: look(), at: noon}), "")
	})
	t.Run("so does one that leaves", func(t *testing.T) {
		effects := m.step(&callerLeft{caller: agent.ID})
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
		if _, err := m.fence.resolve(handle, "click"); err == nil || err.Code != want {
			t.Errorf("before a snapshot %q gives %v, want %s", handle, err, want)
		}
	}
	publish(t, m)
	publish(t, m)
	for handle, want := range map[messages.ElementHandle]messages.Code{
		"e2": "", "el_n_2_0": "", "e1": messages.CodeSnapshotStale, "el_n_1_0": messages.CodeSnapshotStale,
		"el_other_2_0": messages.CodeSnapshotStale, "e3": messages.CodeRefDetached, "el_n_2_7": messages.CodeRefDetached,
	} {
		_, err := m.fence.resolve(handle, "click")
		if want == "" && err != nil || want != "" && (err == nil || err.Code != want) {
			t.Errorf("%q gives %v, want %q", handle, err, want)
		}
	}
	if _, err := m.fence.resolve("e2", "set_value"); err == nil || err.Code != messages.CodeElementActionUnsupported {
		t.Errorf("an action that is not admitted gives %v", err)
	}
	m.step(&frameNavigated{frame: frame{ID: "F", URL: "http://b/"}, at: noon})
	if _, err := m.fence.resolve("e2", "click"); err == nil || err.Code != messages.CodeSnapshotStale || err.Recovery.Arguments["action"] != "snapshot" {
		t.Errorf("after a navigation: %+v", err)
	}
}

// What moves the generation, and what does not (R36, C10, C11).
func TestPageMachine_Fence(t *testing.T) {
	for name, c := range map[string]struct {
		message pageMessage
		config  func(*Config)
		stale   messages.Code
	}{
		"main frame navigates":          {&frameNavigated{frame: frame{ID: "F", URL: "http://b/"}}, nil, messages.CodeSnapshotStale},
		"a frame navigates":             {&frameNavigated{frame: frame{ID: "G", ParentID: "F"}}, nil, ""},
		"a route of the page's own":     {&navigatedWithin{frame: "F", url: "http://a/#x"}, nil, messages.CodeSnapshotStale},
		"the same, kept":                {&navigatedWithin{frame: "F", url: "http://a/#x"}, func(c *Config) { c.SameDocument = target.SameDocumentKeep }, ""},
		"a route of a frame":            {&navigatedWithin{frame: "G", url: "http://a/#x"}, nil, ""},
		"the document is written anew":  {&documentOpened{frame: "F"}, nil, messages.CodeSnapshotStale},
		"a frame's is":                  {&documentOpened{frame: "G"}, nil, ""},
		"all worlds are gone":           {&worldsCleared{}, nil, messages.CodeSnapshotStale},
		"the main world is gone":        {&worldGone{context: "w1"}, nil, messages.CodeSnapshotStale},
		"another world is gone":         {&worldGone{context: "w9"}, nil, ""},
		"a frame goes away":             {&frameDetached{frame: "G"}, nil, ""},
		"the load ends":                 {&loadFired{}, nil, ""},
		"a title changes":               {&infoChanged{url: "http://a/", title: "T"}, nil, ""},
		"a person acts":                 {&personActed{}, nil, messages.CodeTakenOver},
		"a person acts and is observed": {&personActed{}, func(c *Config) { c.Takeover = target.TakeoverObserve }, ""},
		"the renderer ends":             {&targetCrashed{}, nil, messages.CodeSnapshotStale},
	} {
		t.Run(name, func(t *testing.T) {
			m := pageWith(t, c.config)
			s := publish(t, m)
			m.step(c.message)
			_, err := m.fence.resolve("e1", "click")
			token := m.fence.checkToken(s.DocumentToken)
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
	for name, message := range map[string]pageMessage{
		"navigates": &frameNavigated{frame: frame{ID: "G", ParentID: "F"}}, "goes": &frameDetached{frame: "G"},
		"is written anew": &documentOpened{frame: "G"}, "is replaced": &worldGone{context: "w2"},
	} {
		m := pageWith(t, nil)
		m.step(&worldMade{name: "troupe-w", frame: "G", context: "w2"})
		publish(t, m)
		m.fence.framed = true
		m.step(message)
		if _, err := m.fence.resolve("e1", "click"); err == nil || err.Code != messages.CodeSnapshotStale {
			t.Errorf("a frame that %s: %v", name, err)
		}
	}
}

// The fence falls before a navigation is dispatched, and names the call (R43).
func TestPageMachine_NavigationDropsTheFenceFirst(t *testing.T) {
	m := pageWith(t, nil)
	publish(t, m)
	c := callOf(&messages.Navigate{PageAddress: address, URL: "http://b/", EffectOptions: messages.EffectOptions{OperationID: "mine"}})
	effects := m.step(&pageCall{call: c, at: noon})
	wantKinds(t, effects, "publishFence startOperation reportSummary")
	if s := m.summary(); s.URL != "http://b/" || s.LoadState != messages.LoadLoading {
		t.Errorf("the requested address is not shown: %+v", s)
	}
	_, err := m.fence.resolve("e1", "click")
	if err == nil || err.Detail != "The call navigate (operation mine) changed the document. Take a snapshot and use its ids." {
		t.Errorf("refusal is %v", err)
	}
	t.Run("without a new document everything is as it was", func(t *testing.T) {
		m.step(&operationDone{operation: m.current.number, reply: &messages.Receipt{ExecutionState: messages.Completed}})
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
	m.step(&frameNavigated{frame: frame{ID: "F", URL: "http://b/", Fragment: "#x"}, at: noon})
	check("http://b/#x", messages.LoadLoading)
	m.step(&loadFired{})
	check("http://b/#x", messages.LoadComplete)
	m.step(&frameNavigated{frame: frame{ID: "F", URL: "chrome-error://x/", UnreachableURL: "http://c/"}, at: noon})
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
	m.step(&frameNavigated{frame: frame{ID: "F", URL: "http://b/"}, at: noon})
	again := one[*startOperation](t, m.step(&operationDone{operation: start.operation,
		reply: &messages.Snapshot{Generation: 2}, snapshot: &snapshotResult{nextRef: 9}}))
	if !again.resumed || again.call != c || again.request.generation != 2 || again.request.nextRef != 2 {
		t.Errorf("read again as %+v with %+v", again, again.request)
	}
	again = one[*startOperation](t, m.step(&operationDone{operation: again.operation, changed: true, err: messages.NewError(messages.CodeSnapshotStale, "")}))
	last := one[*startOperation](t, m.step(&operationDone{operation: again.operation, changed: true, err: messages.NewError(messages.CodeSnapshotStale, "")}))
	wantEffects(t, m.step(&operationSkipped{last.operation})) // its caller has gone, as the shell knows
	begin(t, m, look())
}

// A busy page makes no generation: the ids stay what they are.
// A snapshot whose document was replaced is of the past also when it can't be read
// again, because a dialog came up or its caller has gone (R38).
func TestPageMachine_AnOldSnapshotIsDiscarded(t *testing.T) {
	old := func(start *startOperation) *operationDone {
		return &operationDone{operation: start.operation, snapshot: &snapshotResult{nextRef: 9},
			reply: &messages.Snapshot{Generation: start.request.generation, Nodes: []messages.Node{{Role: "button"}}}}
	}
	t.Run("a dialog is open", func(t *testing.T) {
		m := pageWith(t, nil)
		publish(t, m)
		c := look()
		start := begin(t, m, c)
		m.step(&frameNavigated{frame: frame{ID: "F", URL: "http://b/"}, at: noon})
		m.dialog = &heldDialog{open: &openDialog{kind: messages.DialogAlert}}
		effects := m.step(old(start))
		reply := one[*pageFinish](t, effects).reply.(*messages.Snapshot)
		if len(reply.Nodes) != 0 || reply.Dialog == nil || m.fence.stale == nil {
			t.Errorf("answered with %+v, stale: %v", reply, m.fence.stale)
		}
	})
	t.Run("its caller has gone", func(t *testing.T) {
		m := pageWith(t, nil)
		publish(t, m)
		c := look()
		start := begin(t, m, c)
		m.step(&frameNavigated{frame: frame{ID: "F", URL: "http://b/"}, at: noon})
		again := one[*startOperation](t, m.step(old(start)))
		wantEffects(t, m.step(&operationSkipped{again.operation}))
		if m.fence.stale == nil {
			t.Error("the fence lives again")
		}
	})
}

func TestPageMachine_BusySnapshotPublishesNothing(t *testing.T) {
	m := pageWith(t, nil)
	publish(t, m)
	start := begin(t, m, look())
	effects := m.step(&operationDone{operation: start.operation, reply: &messages.Snapshot{Generation: 2, DocumentToken: "new", Busy: true},
		snapshot: &snapshotResult{nextRef: 2}})
	s := one[*pageFinish](t, effects).reply.(*messages.Snapshot)
	if s.Generation != 1 || s.DocumentToken != "" || !m.summary().Busy {
		t.Errorf("snapshot %+v, summary %+v", s, m.summary())
	}
	if _, err := m.fence.resolve("e1", "click"); err != nil {
		t.Errorf("ids died: %v", err)
	}
}

func TestPageMachine_DocumentTokens(t *testing.T) {
	m := pageWith(t, nil)
	key := func(token messages.DocumentToken) *call {
		return callOf(&messages.PressKey{Key: "Enter", OnElement: messages.OnElement{PageAddress: address, EffectOptions: messages.EffectOptions{DocumentToken: token}}})
	}
	if got := one[*pageFail](t, m.step(&pageCall{call: key("doc"), at: noon})).err.Code; got != messages.CodeSnapshotMissing {
		t.Errorf("before a snapshot: %s", got)
	}
	publish(t, m)
	if got := one[*pageFail](t, m.step(&pageCall{call: key("other"), at: noon})).err.Code; got != messages.CodeSnapshotStale {
		t.Errorf("a foreign token: %s", got)
	}
	begin(t, m, key("doc"))
	waiting := key("doc")
	m.step(&pageCall{call: waiting, at: noon})
	m.step(&frameNavigated{frame: frame{ID: "F", URL: "http://b/"}, at: noon})
	effects := m.step(&operationDone{operation: m.current.number, reply: &messages.Receipt{ExecutionState: messages.Completed}})
	if failed := one[*pageFail](t, effects); failed.call != waiting || failed.err.Code != messages.CodeSnapshotStale {
		t.Errorf("a token that died while its call waited: %+v", failed.err)
	}
}

func TestPageMachine_Crash(t *testing.T) {
	m := pageWith(t, nil)
	running, waiting, reload := click("e1"), look(), callOf(&messages.Reload{PageAddress: address})
	start := begin(t, m, running)
	m.step(&pageCall{call: waiting, at: noon})
	m.step(&pageCall{call: reload, at: noon})
	effects := m.step(&targetCrashed{at: noon})
	wantKinds(t, effects, "pagePublish cancelOperation pageFail pageFail startOperation reportSummary")
	if failed := effects[2].(*pageFail); failed.call != running || failed.err.Code != messages.CodePageCrashed {
		t.Errorf("the operation in flight: %+v", failed)
	}
	if next := one[*startOperation](t, effects); next.call != reload {
		t.Error("reload does not revive the page")
	}
	wantKinds(t, m.step(&operationDone{operation: start.operation, reply: &messages.Receipt{}}), "")
	m.step(&targetRevived{})
	if m.summary().Crashed {
		t.Error("still crashed")
	}
}

func TestPageMachine_CloseOvertakesTheQueue(t *testing.T) {
	m := pageWith(t, nil)
	running, waiting := click("e1"), look()
	begin(t, m, running)
	m.step(&pageCall{call: waiting, at: noon})
	closing := callOf(&messages.ClosePage{PageAddress: address})
	effects := m.step(&pageCall{call: closing, at: noon})
	wantKinds(t, effects, "cancelOperation pageFail pageFail startBeside")
	wantKinds(t, m.step(&besideDone{call: closing, reply: &messages.Receipt{ExecutionState: messages.Completed}}), "pageTimer")
	gone := m.step(&targetGone{cause: messages.NewError(messages.CodeStalePage, "")})
	if finished := one[*pageFinish](t, gone); finished.call != closing || finished.reply.(*messages.Receipt).ExecutionState != messages.Completed {
		t.Errorf("the close ended with %+v", finished)
	}
	if got := one[*pageFail](t, m.step(&pageCall{call: look(), at: noon})).err.Code; got != messages.CodeStalePage {
		t.Errorf("a late call: %s", got)
	}
}

func TestPageMachine_OverdueOperationLetsTheNextRun(t *testing.T) {
	m := pageWith(t, nil)
	stuck, next := click("e1"), look()
	start := begin(t, m, stuck)
	m.step(&pageCall{call: next, at: noon})
	effects := m.step(&operationOverdue{operation: start.operation})
	wantKinds(t, effects, "cancelOperation pageFail startOperation reportSummary")
	wantKinds(t, m.step(&operationOverdue{operation: start.operation}), "")
}

func TestPageMachine_FaultOfARunner(t *testing.T) {
	m := pageWith(t, nil)
	start := begin(t, m, look())
	wantKinds(t, m.step(&operationDone{operation: start.operation, fault: &panicInfo{value: "x"}}), "pageFail failActor")
}

// A page that restarts believes nothing of before and goes on counting.
func TestPageMachine_Restart(t *testing.T) {
	env := &environment{config: Config{}.withDefaults(), worldName: "troupe-w"}
	m := newPageMachine(&pageSpec{env: env, browser: "br", id: "pg", owner: pageOwner{caller: agent.ID}})
	m.step(&pageStarted{nonce: "m", generation: 4, nextRef: 17, restarted: true, at: noon,
		dialog: &openDialog{kind: messages.DialogConfirm, message: "?"}})
	for handle, want := range map[messages.ElementHandle]messages.Code{
		"e16": messages.CodeSnapshotStale, "e17": messages.CodeSnapshotStale, "el_n_4_0": messages.CodeSnapshotStale,
	} {
		if _, err := m.fence.resolve(handle, "click"); err == nil || err.Code != want {
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
	for _, message := range []pageMessage{
		strange{}, &operationDone{operation: 99, reply: &messages.Receipt{}}, &operationSkipped{operation: 99}, &operationOverdue{operation: 99},
		&dialogClosed{}, &dialogAnswered{number: 9}, &dialogHoldElapsed{number: 9}, &dialogPatienceElapsed{operation: 9, dialog: 9},
		&withdraw{call: look()}, &callerLeft{caller: "nobody"}, &prepared{},
	} {
		wantKinds(t, m.step(message), "")
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
			start := begin(t, m, callOf(&messages.Navigate{PageAddress: address, URL: "http://b/"}))
			if s := m.summary(); s.URL != "http://b/" || s.LoadState != messages.LoadLoading {
				t.Errorf("before the commit it tells %s, %s", s.URL, s.LoadState)
			}
			receipt := &messages.Receipt{ExecutionState: messages.Completed}
			if c.committed != "" {
				m.step(&frameNavigated{frame: frame{ID: "F", URL: c.committed}, at: noon})
				receipt.LoadState = c.load
			}
			m.step(&operationDone{operation: start.operation, reply: receipt})
			if s := m.summary(); s.URL != c.want || s.LoadState != c.load {
				t.Errorf("at the end it tells %s, %s, want %s, %s", s.URL, s.LoadState, c.want, c.load)
			}
		})
	}
}
