package root

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/troupe-browser/troupe/actors/browser"
	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/internal/invariant"
	"github.com/troupe-browser/troupe/messages"
)

// browserState is where a browser stands in the registry.
type browserState string

// The states. A browser moves forward only; being removed from the registry is
// the one atomic step that every way to its end goes through (R197).
const (
	browserLaunching browserState = "launching"
	browserReady     browserState = "ready"
	browserClosing   browserState = "closing"
)

// The reaping policies (R200).
const (
	policyModel = "model"
	policyHeld  = "held"
)

// browserEntry is what the root knows of one browser.
type browserEntry struct {
	id        messages.BrowserID
	short     int
	state     browserState
	mode      messages.LaunchMode
	ownership messages.Ownership
	policy    string
	profile   string
	owner     messages.OwnerID
	// ownerProcess is the process whose end ends the browser; zero without one.
	ownerProcess process
	launcher     messages.CallerID
	pages        int
	createdAt    time.Time
	lastUsed     time.Time
	launch       *call.Call      // the launch that waits for it, until it is up or has ended
	refusal      *messages.Error // why that launch failed
	waiters      []*call.Call    // close_browser calls that wait for its end
	reason       messages.Code
	failed       *messages.Error // why it could not be ended completely
}

// machine decides for the root: which browsers there are, who may have one
// more, whose turn to end it is, and when a shutdown is complete.
//
// One browser of the registry:
//
//	(none) ──an admitted launch──▶ launching ──browser.Up──▶ ready
//	launching ──the launch is never begun──▶ (none)
//	launching, ready ──close, reaping, its owner's end, shutdown, browser.Down──▶ closing
//	any ──browser.Ended──▶ (none), announced once
//
// The root itself:
//
//	open ──ShutdownAsked──▶ ending ──the last browser.Ended, or the deadline──▶ reported
type machine struct {
	browsersMax, pagesMax int
	idleMax, lifetimeMax  time.Duration
	reapInterval          time.Duration
	endpoint              bool // a launch without a mode connects to the endpoint
	bridge                bool

	browsers  map[messages.BrowserID]*browserEntry
	nextShort int
	failures  map[startKind]startFailure
	owners    []*ownerEnd
	crashes   int
	stopping  *shutdownState
	// reaped is when the reaper showed itself last; zero before it has started (R18).
	reaped time.Time
}

// startKind is what a start failure is remembered for.
type startKind struct {
	mode    messages.LaunchMode
	profile string
}

type startFailure struct {
	err *messages.Error
	at  time.Time
}

// ownerEnd is an end_owner call that waits for browsers to end.
type ownerEnd struct {
	call    *call.Call
	waiting map[messages.BrowserID]struct{}
}

func newMachine(c kernel.Config) *machine {
	return &machine{
		browsersMax: c.BrowsersMax, pagesMax: c.PagesMax,
		idleMax: c.IdleMax, lifetimeMax: c.LifetimeMax, reapInterval: c.ReapInterval,
		endpoint: c.Endpoint != "",
		browsers: make(map[messages.BrowserID]*browserEntry),
		failures: make(map[startKind]startFailure),
	}
}

// step takes one message and returns what is to be done about it, in order.
func (m *machine) step(message Message) []Effect {
	effects := m.handle(message)
	if invariant.Enabled {
		invariant.Check(len(m.browsers) <= m.browsersMax, "root: %d browsers", len(m.browsers))
	}
	return effects
}

func (m *machine) handle(message Message) []Effect {
	switch msg := message.(type) {
	case *Call:
		return m.onCall(msg)
	case *Begun:
		return m.onBegun(msg)
	case *Withdraw:
		return m.onWithdraw(msg)
	case *call.CallerLeft:
		return m.toAll(msg)
	case *browser.Up:
		return m.onBrowserUp(msg)
	case *browser.PagesChanged:
		if b := m.browsers[msg.Browser]; b != nil {
			b.pages = msg.Pages
		}
	case *browser.Down:
		return m.onBrowserDown(msg)
	case *browser.Ended:
		return m.onBrowserEnded(msg)
	case *reaperStarted:
		m.reaped = msg.at
	case *reapTick:
		return m.onReapTick(msg)
	case *ownersEnded:
		return m.onOwnersEnded(msg)
	case *actorFailed:
		m.crashes++
	case *shutdownBegan:
		return m.onShutdown(msg)
	case *shutdownElapsed:
		return m.onShutdownElapsed(msg)
	}
	return nil
}

// onCall admits a call: it is answered here, begun here, or passed to a browser.
func (m *machine) onCall(msg *Call) []Effect {
	if m.stopping != nil {
		return []Effect{&failCall{msg.Call, messages.NewError(messages.CodeRunnerShuttingDown, "")}}
	}
	if messages.AddressOf(msg.Call.Command).BrowserID != "" {
		return m.route(msg)
	}
	switch command := msg.Call.Command.(type) {
	case *messages.GetTargets:
		return []Effect{&describeEngine{call: msg.Call, targets: m.targets()}}
	case *messages.GetEngine:
		return []Effect{&describeEngine{call: msg.Call}}
	case *messages.DiscoverOffers:
		return []Effect{&answerCall{msg.Call, &messages.Offers{Offers: []messages.Offer{}}}}
	case *messages.ListBrowsers:
		return []Effect{&answerCall{msg.Call, m.list(msg.At)}}
	case *messages.Launch:
		return m.onLaunch(msg, command)
	case *messages.Attach:
		if refused := m.withoutReaper(msg); refused != nil {
			return refused
		}
		return []Effect{&failCall{msg.Call, messages.NewError(messages.CodeBridgeUnavailable, "")}}
	case *messages.EndOwner:
		return []Effect{&beginAtRoot{call: msg.Call}}
	}
	return []Effect{&failCall{msg.Call, messages.NewError(messages.CodeNotSupported, "")}}
}

// route passes a call that names a browser on, or refuses it.
func (m *machine) route(msg *Call) []Effect {
	b, refusal := m.find(messages.AddressOf(msg.Call.Command).BrowserID)
	if refusal != nil {
		return []Effect{&failCall{msg.Call, refusal}}
	}
	b.lastUsed = msg.At
	switch msg.Call.Command.(type) {
	case *messages.CloseBrowser:
		if b.launcher != msg.Call.Caller.ID && msg.Call.Caller.Plane != messages.PlaneOperator {
			return []Effect{&failCall{msg.Call, foreignBrowser()}}
		}
		return []Effect{&beginAtRoot{call: msg.Call, browser: b.id}}
	case *messages.Heartbeat:
		return []Effect{&beginAtRoot{call: msg.Call, browser: b.id}}
	}
	return []Effect{&forward{browser: b.id, call: msg.Call}}
}

func foreignBrowser() *messages.Error {
	return messages.NewError(messages.CodeNoGrant, "The browser belongs to another caller.")
}

// onBegun goes on with an effect of the root's own, whose operation id is spent now.
func (m *machine) onBegun(msg *Begun) []Effect {
	if msg.refusal != nil {
		return append(m.dropLaunch(msg.call), &failCall{msg.call, msg.refusal})
	}
	switch command := msg.call.Command.(type) {
	case *messages.Launch:
		for _, b := range m.browsers {
			if b.launch == msg.call {
				return []Effect{&spawnBrowser{browser: b.id, call: msg.call, mode: b.mode, launch: command}}
			}
		}
	case *messages.CloseBrowser:
		b := m.browsers[msg.browser]
		if b == nil {
			return []Effect{&finishCall{msg.call, &messages.Receipt{ExecutionState: messages.Completed}}}
		}
		b.waiters = append(b.waiters, msg.call)
		return m.closeEntry(b, "", true)
	case *messages.Heartbeat:
		if b := m.browsers[msg.browser]; b != nil {
			b.lastUsed = msg.at
		}
		return []Effect{&finishCall{msg.call, &messages.Receipt{ExecutionState: messages.Completed}}}
	case *messages.EndOwner:
		return m.endOwner(msg.call, command.OwnerID)
	}
	return []Effect{&failCall{msg.call, messages.NewError(messages.CodeInternalError, "")}}
}

// onWithdraw passes on that a caller gave a waiting call up.
func (m *machine) onWithdraw(msg *Withdraw) []Effect {
	if b, refusal := m.find(messages.AddressOf(msg.Call.Command).BrowserID); refusal == nil && messages.AddressOf(msg.Call.Command).BrowserID != "" {
		return []Effect{&tellBrowser{browser: b.id, message: &call.Withdraw{Call: msg.Call}}}
	}
	return nil
}

// toAll passes a message on to every browser.
func (m *machine) toAll(message any) []Effect {
	var effects []Effect
	for _, b := range m.sorted() {
		effects = append(effects, &tellBrowser{browser: b.id, message: message})
	}
	return effects
}

// onBrowserUp completes a launch.
func (m *machine) onBrowserUp(msg *browser.Up) []Effect {
	b := m.browsers[msg.Browser]
	if b == nil || b.state != browserLaunching {
		return nil
	}
	launch := b.launch
	b.state, b.ownership, b.launch, b.lastUsed = browserReady, msg.Ownership, nil, msg.At
	delete(m.failures, startKind{b.mode, b.profile})
	effects := []Effect{
		&publishEvent{messages.Event{Kind: messages.EventBrowserLaunched, BrowserID: b.id, CallerID: b.launcher, At: msg.At}}}
	if msg.Receipt == nil {
		return effects // the navigation of its first page answers the launch
	}
	msg.Receipt.ExecutionState, msg.Receipt.BrowserID = messages.Completed, b.id
	return append(effects, &finishCall{launch, msg.Receipt})
}

// sorted returns the browsers by their short reference.
func (m *machine) sorted() []*browserEntry {
	return slices.SortedFunc(maps.Values(m.browsers), func(a, b *browserEntry) int { return cmp.Compare(a.short, b.short) })
}
