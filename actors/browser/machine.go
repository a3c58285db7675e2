package browser

import (
	"time"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/page"
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
	ID        messages.PageID
	target    engine.PageTarget
	owner     page.PageOwner
	opener    messages.PageID
	temporary bool
	prepared  bool
	// hidden keeps a page out of reach until it is known who asked for it.
	hidden bool
	// foreign keeps a person's new tab out of reach while it shows no site.
	foreign bool
	creator *call.Call // the new_page that waits for it
	summary messages.PageSummary
}

// opening remembers that a page opened, for receipts. scheme is set when it was closed,
// since it was at an address where no page may be.
type opening struct {
	page, opener messages.PageID
	scheme       string
	at           time.Time
}

// Machine decides for one browser: its pages and whose they are, how one
// more is made, and what is left to do when it ends.
//
//	connecting ──EngineReady──▶ preparing ──its first page is prepared──▶ up
//	connecting ──EngineFailed──▶ closing
//	preparing  ──no page can be used, or not in time──▶ closing
//	preparing, up ──engine.Lost──▶ closing
//	any        ──Close──▶ closing
//	closing    ──EngineClosed, or EngineFailed──▶ Ended goes to the root
//
// A restart of the actor that finds its engine ready goes from connecting through
// preparing on its own start, with new ids for the pages that are attached.
type Machine struct {
	id       messages.BrowserID
	launcher messages.CallerID
	// inspects says that the launcher has browser:inspect (C3).
	inspects bool
	launch   *messages.Launch
	call     *call.Call // the launch, while it waits
	pagesMax int
	present  bool
	// visible says that a person sees the browser.
	visible bool

	state     engineState
	ownership messages.Ownership
	Pages     []*pageEntry // in the order in which they were adopted
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

// NewMachine returns the machine of a browser in its first state.
func NewMachine(spec *Spec) *Machine {
	return &Machine{
		id: spec.ID, launcher: spec.Call.Caller.ID, inspects: spec.Call.Caller.Grants.Has(messages.GrantInspect), launch: spec.Launch, call: spec.Call,
		pagesMax: spec.Env.Config.PagesMax, present: spec.Env.Config.PresentPopups, visible: seen(spec.Mode, spec.Env.Config),
		downloads: downloadState{book: spec.Memory.downloads, store: engine.DownloadStore(spec.Env.Config, spec.ID)},
		creations: spec.Memory.creations, owners: spec.Memory.owners,
	}
}

// Step takes one message and returns what is to be done about it, in order.
func (m *Machine) Step(message Message) []Effect {
	effects := m.handle(message)
	if invariant.Enabled {
		invariant.Check(len(m.Pages) <= m.pagesMax, "browser: %d pages", len(m.Pages))
		invariant.Check(m.making >= 0, "browser: %d pages are being made", m.making)
	}
	return effects
}

func (m *Machine) handle(message Message) []Effect {
	switch msg := message.(type) {
	case *Started:
		return m.onStarted(msg)
	case *Call:
		return m.onCall(msg)
	case *call.Withdraw:
		return m.onWithdraw(msg)
	case *call.CallerLeft:
		return m.onCallerLeft(msg)
	case *EngineReady:
		return m.onEngineReady(msg)
	case *EngineFailed:
		return m.onEngineFailed(msg)
	case *engine.Lost:
		return m.onEngineLost()
	case *firstPageDue:
		return m.onFirstPageDue()
	case *firstPageOverdue:
		return m.onFirstPageOverdue(msg)
	case *page.Prepared:
		return m.onPagePrepared(msg)
	case *page.Report:
		return m.onPageReport(msg)
	case *pageEnded:
		return m.onPageEnded(msg)
	case *Close:
		return m.onClose(msg)
	case *EngineClosed:
		return []Effect{&ReportToRoot{&Ended{Browser: m.id, Failure: msg.failure, At: msg.At}}}
	case *TargetsListed:
		return m.onListed(msg)
	}
	return m.onTarget(message)
}

// onTarget takes what concerns targets.
func (m *Machine) onTarget(message Message) []Effect {
	switch msg := message.(type) {
	case *engine.TargetAttached:
		return m.onAttached(msg)
	case *engine.TargetDetached:
		return m.onDetached(msg)
	case *engine.TargetChanged:
		return m.onChanged(msg)
	case *engine.TargetSeen:
		return m.onSeen(msg)
	case *engine.TargetDestroyed:
		return m.onDestroyed(msg)
	case *TargetCreated:
		return m.onCreated(msg)
	case *creationOverdue:
		return m.onCreationOverdue(msg)
	case *attachFailed:
		return m.onAttachFailed(msg)
	case *engine.DownloadSeen:
		return m.onDownload(msg)
	case *page.DownloadSourced:
		m.onSourced(msg)
	case *ListingStarted:
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
func (m *Machine) onStarted(msg *Started) []Effect {
	if !msg.Ready {
		return []Effect{&Connect{}}
	}
	effects := m.takeUp(msg.Unknown)
	for i := range msg.Attached {
		effects = append(effects, m.onAttached(&msg.Attached[i])...)
	}
	return append(effects, m.onEngineReady(&EngineReady{Ownership: msg.Ownership, At: msg.At})...)
}

func (m *Machine) onEngineReady(msg *EngineReady) []Effect {
	if m.state != engineConnecting {
		return nil
	}
	m.state, m.ownership, m.since = enginePreparing, msg.Ownership, msg.At
	bound := &SendLater{kernel.FirstPageMax, &firstPageOverdue{since: msg.At, at: msg.At.Add(kernel.FirstPageMax)}}
	if m.ownership == messages.AttachedEndpoint && len(m.Pages) == 0 {
		m.making++
		return []Effect{bound, &CreateTarget{}}
	}
	for _, p := range m.Pages {
		if p.prepared && !p.foreign { // the browser's own tab can be faster than the word that it is there
			return m.up(p)
		}
	}
	return []Effect{bound, &SendLater{kernel.FirstPageWait, &firstPageDue{}}}
}

func (m *Machine) onEngineFailed(msg *EngineFailed) []Effect {
	if m.state == engineClosing {
		return []Effect{&ReportToRoot{&Ended{Browser: m.id, At: msg.At}}}
	}
	m.state = engineClosing
	return []Effect{
		&ReportToRoot{&Down{Browser: m.id, Err: msg.Err, At: msg.At}},
		&ReportToRoot{&Ended{Browser: m.id, At: msg.At}},
	}
}

// onFirstPageDue makes the first page when the browser has shown none.
func (m *Machine) onFirstPageDue() []Effect {
	if m.state != enginePreparing || m.used() > 0 || m.making > 0 {
		return nil
	}
	m.making++
	return []Effect{&CreateTarget{}}
}

// onFirstPageOverdue ends a browser none of whose pages came to be prepared in time:
// whatever became of them, the launch must end.
func (m *Machine) onFirstPageOverdue(msg *firstPageOverdue) []Effect {
	if m.state != enginePreparing || msg.since != m.since {
		return nil
	}
	return m.giveUpPreparing(messages.NewError(messages.CodeLaunchTimeout, "The browser started and none of its pages could be used in time."), msg.at)
}

// onEngineLost ends what the lost browser leaves: every page is told first, so that
// its callers are answered, then the root, then the rest is cleaned up (R197).
func (m *Machine) onEngineLost() []Effect {
	if m.state == engineClosing || m.state == engineConnecting {
		return nil
	}
	code := messages.CodeBrowserCrashed
	if m.ownership == messages.AttachedEndpoint {
		code = messages.CodeBrowserUnavailable
	}
	err := messages.NewError(code, "").WithRecovery("observe_browser", map[string]any{"action": "browsers"})
	effects := m.endPages(err)
	effects = append(effects, &ReportToRoot{&Down{Browser: m.id, Err: err}})
	m.state = engineClosing
	return append(effects, &CloseEngine{})
}

// onClose ends the browser by the root's word.
func (m *Machine) onClose(msg *Close) []Effect {
	if m.state == engineClosing {
		return nil
	}
	m.state = engineClosing
	code := msg.Reason
	if code == "" {
		code = messages.CodeBrowserUnavailable
	}
	effects := m.endPages(messages.NewError(code, "The browser was closed."))
	return append(effects, &CloseEngine{graceful: msg.Graceful})
}

// endPages tells every page that its target is gone and answers the creations.
func (m *Machine) endPages(cause *messages.Error) []Effect {
	m.cause = cause
	var effects []Effect
	for _, p := range m.Pages {
		effects = append(effects, &EndPage{p.ID, cause})
		if p.creator != nil {
			effects = append(effects, &FailCall{p.creator, cause})
		}
	}
	for _, c := range m.creations.open {
		effects = append(effects, &FailCall{c.call, cause})
	}
	m.creations.open, m.Pages, m.presented = nil, nil, nil
	return effects
}

// up reports the browser as ready once its first page is. The launch is answered
// by the root, or by the navigation of its first page when it named a URL.
func (m *Machine) up(first *pageEntry) []Effect {
	m.state = engineUp
	up := &Up{Browser: m.id, Ownership: m.ownership, Receipt: &messages.Receipt{BrowserID: m.id, PageID: first.ID}}
	if m.launch.URL == "" {
		return []Effect{&ReportToRoot{up}}
	}
	up.Receipt = nil
	address := messages.PageAddress{BrowserID: m.id, PageID: first.ID}
	return []Effect{
		&ReportToRoot{up},
		&ForwardToPage{Page: first.ID, Call: m.call, As: &messages.Navigate{PageAddress: address, URL: m.launch.URL}},
	}
}
