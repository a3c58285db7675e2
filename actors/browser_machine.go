package actors

import (
	"time"

	"github.com/troupe-browser/troupe/internal/invariant"
	"github.com/troupe-browser/troupe/messages"
)

// engineState is where a browser's machine stands.
type engineState uint8

// The states, in their order.
const (
	engineConnecting engineState = iota
	enginePreparing              // connected, its first page is not ready yet
	engineUp
	engineClosing
)

// pageEntry is what a browser knows of one of its pages.
type pageEntry struct {
	id        messages.PageID
	target    pageTarget
	owner     pageOwner
	opener    messages.PageID
	temporary bool
	prepared  bool
	// hidden keeps a page out of reach until it is known who asked for it.
	hidden  bool
	creator *call // the new_page that waits for it
	summary messages.PageSummary
}

// opening remembers that a page opened, for receipts.
type opening struct {
	page, opener messages.PageID
	at           time.Time
}

// browserMachine decides for one browser: its pages and whose they are, how one
// more is made, and what is left to do when it ends.
type browserMachine struct {
	id       messages.BrowserID
	launcher messages.CallerID
	// inspects says that the launcher has browser:inspect (C3).
	inspects bool
	launch   *messages.Launch
	call     *call // the launch, while it waits
	pagesMax int
	present  bool

	state     engineState
	ownership messages.Ownership
	pages     []*pageEntry // in the order in which they were adopted
	presented []messages.PageID
	// since is when the state became enginePreparing.
	since time.Time
	// owners is kept over a restart, as creations and the book of the downloads are.
	owners    pageOwners
	creations *creationBook
	// cause is why the browser ends, nil before it does.
	cause *messages.Error
	// making counts creations for the browser's own sake.
	making    int
	openings  []opening
	downloads downloadState
}

func newBrowserMachine(spec *browserSpec) *browserMachine {
	return &browserMachine{
		id: spec.id, launcher: spec.call.caller.ID, inspects: spec.call.caller.Grants.Has(messages.GrantInspect), launch: spec.launch, call: spec.call,
		pagesMax: spec.env.config.PagesMax, present: spec.env.config.PresentPopups,
		downloads: downloadState{book: spec.memory.downloads, store: downloadStore(spec.env.config, spec.id)},
		creations: spec.memory.creations, owners: spec.memory.owners,
	}
}

// step takes one message and returns what is to be done about it, in order.
func (m *browserMachine) step(message browserMessage) []browserEffect {
	effects := m.handle(message)
	if invariant.Enabled {
		invariant.Check(len(m.pages) <= m.pagesMax, "browser: %d pages", len(m.pages))
		invariant.Check(m.making >= 0, "browser: %d pages are being made", m.making)
	}
	return effects
}

func (m *browserMachine) handle(message browserMessage) []browserEffect {
	switch msg := message.(type) {
	case *browserStarted:
		return m.onStarted(msg)
	case *browserCall:
		return m.onCall(msg)
	case *withdraw:
		return m.onWithdraw(msg)
	case *callerLeft:
		return m.onCallerLeft(msg)
	case *engineReady:
		return m.onEngineReady(msg)
	case *engineFailed:
		return m.onEngineFailed(msg)
	case *engineLost:
		return m.onEngineLost()
	case *firstPageDue:
		return m.onFirstPageDue()
	case *firstPageOverdue:
		return m.onFirstPageOverdue(msg)
	case *pagePrepared:
		return m.onPagePrepared(msg)
	case *pageReport:
		return m.onPageReport(msg)
	case *pageEnded:
		return m.onPageEnded(msg)
	case *closeBrowser:
		return m.onClose(msg)
	case *engineClosed:
		return []browserEffect{&reportToRoot{&browserEnded{browser: m.id, failure: msg.failure, at: msg.at}}}
	case *targetsListed:
		return m.onListed(msg)
	}
	return m.onTarget(message)
}

// onTarget takes what concerns targets.
func (m *browserMachine) onTarget(message browserMessage) []browserEffect {
	switch msg := message.(type) {
	case *targetAttached:
		return m.onAttached(msg)
	case *targetDetached:
		return m.onDetached(msg)
	case *targetChanged:
		return m.onChanged(msg)
	case *targetSeen:
		return m.onSeen(msg)
	case *targetDestroyed:
		return m.onDestroyed(msg)
	case *targetCreated:
		return m.onCreated(msg)
	case *creationOverdue:
		return m.onCreationOverdue(msg)
	case *attachFailed:
		return m.onAttachFailed(msg)
	case *downloadSeen:
		return m.onDownload(msg)
	case *downloadSourced:
		m.onSourced(msg)
	case *listingStarted:
		return m.onListingStarted(msg)
	case *listingDue:
		return m.onListingDue(msg)
	case *filesDone:
		return m.onFilesDone(msg)
	}
	return nil
}

// onStarted connects, or takes up what a former incarnation left: its pages get new
// identities, since nothing about them is known any more.
func (m *browserMachine) onStarted(msg *browserStarted) []browserEffect {
	if !msg.ready {
		return []browserEffect{&connect{}}
	}
	effects := m.takeUp(msg.unknown)
	for i := range msg.attached {
		effects = append(effects, m.onAttached(&msg.attached[i])...)
	}
	return append(effects, m.onEngineReady(&engineReady{ownership: msg.ownership, at: msg.at})...)
}

func (m *browserMachine) onEngineReady(msg *engineReady) []browserEffect {
	if m.state != engineConnecting {
		return nil
	}
	m.state, m.ownership, m.since = enginePreparing, msg.ownership, msg.at
	bound := &browserTimer{firstPageMax, &firstPageOverdue{since: msg.at, at: msg.at.Add(firstPageMax)}}
	if m.ownership == messages.AttachedEndpoint && len(m.pages) == 0 {
		m.making++
		return []browserEffect{bound, &createTarget{}}
	}
	for _, p := range m.pages {
		if p.prepared { // the browser's own tab can be faster than the word that it is there
			return m.up(p)
		}
	}
	return []browserEffect{bound, &browserTimer{firstPageWait, &firstPageDue{}}}
}

func (m *browserMachine) onEngineFailed(msg *engineFailed) []browserEffect {
	if m.state == engineClosing {
		return []browserEffect{&reportToRoot{&browserEnded{browser: m.id, at: msg.at}}}
	}
	m.state = engineClosing
	return []browserEffect{
		&reportToRoot{&browserDown{browser: m.id, err: msg.err, at: msg.at}},
		&reportToRoot{&browserEnded{browser: m.id, at: msg.at}},
	}
}

// onFirstPageDue makes the first page when the browser has shown none.
func (m *browserMachine) onFirstPageDue() []browserEffect {
	if m.state != enginePreparing || len(m.pages) > 0 || m.making > 0 {
		return nil
	}
	m.making++
	return []browserEffect{&createTarget{}}
}

// onFirstPageOverdue ends a browser none of whose pages came to be prepared in time:
// whatever became of them, the launch must end.
func (m *browserMachine) onFirstPageOverdue(msg *firstPageOverdue) []browserEffect {
	if m.state != enginePreparing || msg.since != m.since {
		return nil
	}
	return m.giveUpPreparing(messages.NewError(messages.CodeLaunchTimeout, "The browser started and none of its pages could be used in time."), msg.at)
}

// onEngineLost ends what the lost browser leaves: every page is told first, so that
// its callers are answered, then the root, then the rest is cleaned up (R197).
func (m *browserMachine) onEngineLost() []browserEffect {
	if m.state == engineClosing || m.state == engineConnecting {
		return nil
	}
	code := messages.CodeBrowserCrashed
	if m.ownership == messages.AttachedEndpoint {
		code = messages.CodeBrowserUnavailable
	}
	err := messages.NewError(code, "").WithRecovery("observe_browser", map[string]any{"action": "browsers"})
	effects := m.endPages(err)
	effects = append(effects, &reportToRoot{&browserDown{browser: m.id, err: err}})
	m.state = engineClosing
	return append(effects, &closeEngine{})
}

// onClose ends the browser by the root's word.
func (m *browserMachine) onClose(msg *closeBrowser) []browserEffect {
	if m.state == engineClosing {
		return nil
	}
	m.state = engineClosing
	code := msg.reason
	if code == "" {
		code = messages.CodeBrowserUnavailable
	}
	effects := m.endPages(messages.NewError(code, "The browser was closed."))
	return append(effects, &closeEngine{graceful: msg.graceful})
}

// endPages tells every page that its target is gone and answers the creations.
func (m *browserMachine) endPages(cause *messages.Error) []browserEffect {
	m.cause = cause
	var effects []browserEffect
	for _, p := range m.pages {
		effects = append(effects, &endPage{p.id, cause})
		if p.creator != nil {
			effects = append(effects, &browserFail{p.creator, cause})
		}
	}
	for _, c := range m.creations.open {
		effects = append(effects, &browserFail{c.call, cause})
	}
	m.creations.open, m.pages, m.presented = nil, nil, nil
	return effects
}

// up reports the browser as ready once its first page is. The launch is answered
// by the root, or by the navigation of its first page when it named a URL.
func (m *browserMachine) up(first *pageEntry) []browserEffect {
	m.state = engineUp
	up := &browserUp{browser: m.id, ownership: m.ownership, receipt: &messages.Receipt{BrowserID: m.id, PageID: first.id}}
	if m.launch.URL == "" {
		return []browserEffect{&reportToRoot{up}}
	}
	up.receipt = nil
	address := messages.PageAddress{BrowserID: m.id, PageID: first.id}
	return []browserEffect{
		&reportToRoot{up},
		&forwardToPage{page: first.id, call: m.call, as: &messages.Navigate{PageAddress: address, URL: m.launch.URL}},
	}
}
