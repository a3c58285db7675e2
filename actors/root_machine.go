package actors

import (
	"cmp"
	"maps"
	"slices"
	"time"

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
	launch       *call   // the launch that waits for it, while it is launching
	waiters      []*call // close_browser calls that wait for its end
	reason       messages.Code
	failed       *messages.Error // why it could not be ended completely
	crashed      bool
}

// rootMachine decides for the root: which browsers there are, who may have one
// more, whose turn to end it is, and when a shutdown is complete.
type rootMachine struct {
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
	call    *call
	waiting map[messages.BrowserID]struct{}
}

func newRootMachine(c Config) *rootMachine {
	return &rootMachine{
		browsersMax: c.BrowsersMax, pagesMax: c.PagesMax,
		idleMax: c.IdleMax, lifetimeMax: c.LifetimeMax, reapInterval: c.ReapInterval,
		endpoint: c.Endpoint != "",
		browsers: make(map[messages.BrowserID]*browserEntry),
		failures: make(map[startKind]startFailure),
	}
}

// step takes one message and returns what is to be done about it, in order.
func (m *rootMachine) step(message rootMessage) []rootEffect {
	effects := m.handle(message)
	if invariant.Enabled {
		invariant.Check(len(m.browsers) <= m.browsersMax, "root: %d browsers", len(m.browsers))
	}
	return effects
}

func (m *rootMachine) handle(message rootMessage) []rootEffect {
	switch msg := message.(type) {
	case *rootCall:
		return m.onCall(msg)
	case *rootBegun:
		return m.onBegun(msg)
	case *rootWithdraw:
		return m.onWithdraw(msg)
	case *callerLeft:
		return m.toAll(msg)
	case *browserUp:
		return m.onBrowserUp(msg)
	case *browserPages:
		if b := m.browsers[msg.browser]; b != nil {
			b.pages = msg.pages
		}
	case *browserDown:
		return m.onBrowserDown(msg)
	case *browserEnded:
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
func (m *rootMachine) onCall(msg *rootCall) []rootEffect {
	if m.stopping != nil {
		return []rootEffect{&rootFail{msg.call, messages.NewError(messages.CodeRunnerShuttingDown, "")}}
	}
	if browserOf(msg.call.command) != "" {
		return m.route(msg)
	}
	switch command := msg.call.command.(type) {
	case *messages.GetTargets:
		return []rootEffect{&describeEngine{call: msg.call, targets: m.targets()}}
	case *messages.GetEngine:
		return []rootEffect{&describeEngine{call: msg.call}}
	case *messages.DiscoverOffers:
		return []rootEffect{&rootAnswer{msg.call, &messages.Offers{Offers: []messages.Offer{}}}}
	case *messages.ListBrowsers:
		return []rootEffect{&rootAnswer{msg.call, m.list(msg.at)}}
	case *messages.Launch:
		return m.onLaunch(msg, command)
	case *messages.Attach:
		if refused := m.withoutReaper(msg); refused != nil {
			return refused
		}
		return []rootEffect{&rootFail{msg.call, messages.NewError(messages.CodeBridgeUnavailable, "")}}
	case *messages.EndOwner:
		return []rootEffect{&beginAtRoot{call: msg.call}}
	}
	return []rootEffect{&rootFail{msg.call, messages.NewError(messages.CodeNotSupported, "")}}
}

// route passes a call that names a browser on, or refuses it.
func (m *rootMachine) route(msg *rootCall) []rootEffect {
	b, refusal := m.find(browserOf(msg.call.command))
	if refusal != nil {
		return []rootEffect{&rootFail{msg.call, refusal}}
	}
	b.lastUsed = msg.at
	switch msg.call.command.(type) {
	case *messages.CloseBrowser:
		if b.launcher != msg.call.caller.ID && msg.call.caller.Plane != messages.PlaneOperator {
			return []rootEffect{&rootFail{msg.call, foreignBrowser()}}
		}
		return []rootEffect{&beginAtRoot{call: msg.call, browser: b.id}}
	case *messages.Heartbeat:
		return []rootEffect{&beginAtRoot{call: msg.call, browser: b.id}}
	}
	return []rootEffect{&forward{browser: b.id, call: msg.call}}
}

func foreignBrowser() *messages.Error {
	return messages.NewError(messages.CodeNoGrant, "The browser belongs to another caller.")
}

// onBegun goes on with an effect of the root's own, whose operation id is spent now.
func (m *rootMachine) onBegun(msg *rootBegun) []rootEffect {
	if msg.refusal != nil {
		return append(m.dropLaunch(msg.call), &rootFail{msg.call, msg.refusal})
	}
	switch command := msg.call.command.(type) {
	case *messages.Launch:
		for _, b := range m.browsers {
			if b.launch == msg.call {
				return []rootEffect{&spawnBrowser{browser: b.id, call: msg.call, mode: b.mode, launch: command}}
			}
		}
	case *messages.CloseBrowser:
		b := m.browsers[msg.browser]
		if b == nil {
			return []rootEffect{&rootFinish{msg.call, &messages.Receipt{ExecutionState: messages.Completed}}}
		}
		b.waiters = append(b.waiters, msg.call)
		return m.closeEntry(b, "", true)
	case *messages.Heartbeat:
		if b := m.browsers[msg.browser]; b != nil {
			b.lastUsed = msg.at
		}
		return []rootEffect{&rootFinish{msg.call, &messages.Receipt{ExecutionState: messages.Completed}}}
	case *messages.EndOwner:
		return m.endOwner(msg.call, command.OwnerID)
	}
	return []rootEffect{&rootFail{msg.call, messages.NewError(messages.CodeInternalError, "")}}
}

// onWithdraw passes on that a caller gave a waiting call up.
func (m *rootMachine) onWithdraw(msg *rootWithdraw) []rootEffect {
	if b, refusal := m.find(browserOf(msg.call.command)); refusal == nil && browserOf(msg.call.command) != "" {
		return []rootEffect{&tellBrowser{browser: b.id, message: &withdraw{call: msg.call}}}
	}
	return nil
}

// toAll passes a message on to every browser.
func (m *rootMachine) toAll(message any) []rootEffect {
	var effects []rootEffect
	for _, b := range m.sorted() {
		effects = append(effects, &tellBrowser{browser: b.id, message: message})
	}
	return effects
}

// onBrowserUp completes a launch.
func (m *rootMachine) onBrowserUp(msg *browserUp) []rootEffect {
	b := m.browsers[msg.browser]
	if b == nil || b.state != browserLaunching {
		return nil
	}
	launch := b.launch
	b.state, b.ownership, b.launch, b.lastUsed = browserReady, msg.ownership, nil, msg.at
	delete(m.failures, startKind{b.mode, b.profile})
	effects := []rootEffect{
		&rootPublish{messages.Event{Kind: messages.EventBrowserLaunched, BrowserID: b.id, CallerID: b.launcher, At: msg.at}}}
	if msg.receipt == nil {
		return effects // the navigation of its first page answers the launch
	}
	msg.receipt.ExecutionState, msg.receipt.BrowserID = messages.Completed, b.id
	return append(effects, &rootFinish{launch, msg.receipt})
}

// sorted returns the browsers by their short reference.
func (m *rootMachine) sorted() []*browserEntry {
	return slices.SortedFunc(maps.Values(m.browsers), func(a, b *browserEntry) int { return cmp.Compare(a.short, b.short) })
}
