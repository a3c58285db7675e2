package root

import (
	"slices"
	"time"

	"github.com/troupe-browser/troupe/actors/browser"
	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/messages"
)

// ShutdownReport is what became of a runtime at its end (R193).
type ShutdownReport struct {
	// Removed are the browsers that were ended completely, Failed those whose end
	// failed, Pending those whose end was not complete at the deadline. A pending
	// browser is still being ended; its process dies with this one at the latest.
	Removed, Failed, Pending []messages.BrowserID
	// Crashes counts the failures of actors and browsers over the runtime's life.
	Crashes int
	// InFlight counts the calls that the shutdown ended, by their state; calls that
	// were only observing count under "".
	InFlight map[messages.ExecutionState]int
	Took     time.Duration
	// Late is what of Pending has ended since. It is brought up to date by every call
	// of Shutdown.
	Late kernel.LateEnds
}

// shutdownState is a shutdown that has begun.
type shutdownState struct {
	since  time.Time
	report ShutdownReport
	done   bool
}

// closeEntry starts the end of a browser, once: it is out of reach from now on.
func (m *machine) closeEntry(b *browserEntry, reason messages.Code, graceful bool) []Effect {
	if b.state == browserClosing {
		return nil
	}
	launching := b.state == browserLaunching
	b.state, b.reason = browserClosing, reason
	graceful = graceful && b.ownership == messages.OwnedManaged && !launching
	return []Effect{&tellBrowser{browser: b.id, message: &browser.Close{Reason: reason, Graceful: graceful}}}
}

// onBrowserDown takes in that a browser has failed or was lost: it leaves the
// registry's reach before anything is announced (R197). A launch that failed is
// refused when its browser has ended: then the listing holds nothing of it (R196).
func (m *machine) onBrowserDown(msg *browser.Down) []Effect {
	b := m.browsers[msg.Browser]
	if b == nil {
		return nil
	}
	var effects []Effect
	if b.launch != nil {
		m.remember(b, msg.Err, msg.At)
		b.refusal = msg.Err
	} else if b.state == browserReady {
		m.crashes++
		effects = append(effects, &publishEvent{messages.Event{Kind: messages.EventBrowserCrashed, BrowserID: b.id, At: msg.At, Code: msg.Err.Code}})
	}
	if b.state != browserClosing {
		b.state, b.reason = browserClosing, msg.Err.Code
	}
	return effects
}

// onBrowserEnded takes a browser out of the registry. It is the one place where
// its end is announced.
func (m *machine) onBrowserEnded(msg *browser.Ended) []Effect {
	b := m.browsers[msg.Browser]
	if b == nil {
		return nil
	}
	delete(m.browsers, b.id)
	b.failed = msg.Failure
	effects := []Effect{
		&stopBrowserActor{browser: b.id},
		&publishEvent{messages.Event{Kind: messages.EventBrowserClosed, BrowserID: b.id, At: msg.At, Code: b.reason}},
	}
	switch {
	case b.launch == nil:
	case b.refusal != nil:
		effects = append(effects, &finishCall{b.launch, messages.Refusal("", b.refusal)})
	default:
		effects = append(effects, &failCall{b.launch, messages.NewError(messages.CodeBrowserUnavailable, "")})
	}
	for _, waiter := range b.waiters {
		if b.failed != nil {
			effects = append(effects, &finishCall{waiter, messages.Refusal("", b.failed.AsUnknown())})
			continue
		}
		effects = append(effects, &finishCall{waiter, &messages.Receipt{ExecutionState: messages.Completed, BrowserID: b.id}})
	}
	effects = append(effects, m.ownerEndProgress(b.id)...)
	if m.stopping != nil && !m.stopping.done {
		if b.failed != nil {
			m.stopping.report.Failed = append(m.stopping.report.Failed, b.id)
		} else {
			m.stopping.report.Removed = append(m.stopping.report.Removed, b.id)
		}
		effects = append(effects, m.shutdownProgress(msg.At)...)
	}
	return effects
}

// onReapTick ends idle and overdue browsers. A busy one is left alone; the next
// tick looks again (R192, R200).
func (m *machine) onReapTick(msg *reapTick) []Effect {
	m.reaped = msg.at
	var effects []Effect
	for _, b := range m.sorted() {
		if b.state != browserReady || msg.busy[b.id] {
			continue
		}
		idle := msg.at.Sub(b.lastUsed) >= m.idleMax
		overdue := b.policy == policyModel && msg.at.Sub(b.createdAt) >= m.lifetimeMax
		if !idle && !overdue {
			continue
		}
		effects = append(effects, &publishEvent{messages.Event{Kind: messages.EventBrowserReaped, BrowserID: b.id, At: msg.at}})
		effects = append(effects, m.closeEntry(b, "", true)...)
	}
	return effects
}

// onOwnersEnded closes the browsers whose owning process has ended (R23).
func (m *machine) onOwnersEnded(msg *ownersEnded) []Effect {
	var effects []Effect
	for _, b := range m.sorted() {
		if slices.Contains(msg.processes, b.ownerProcess) {
			effects = append(effects, m.closeEntry(b, "", true)...)
		}
	}
	return effects
}

// ownerProcesses returns the processes whose end ends a browser.
func (m *machine) ownerProcesses() []process {
	var processes []process
	for _, b := range m.browsers {
		if b.ownerProcess.pid != 0 && b.state != browserClosing {
			processes = append(processes, b.ownerProcess)
		}
	}
	return processes
}

// endOwner closes every browser of an owner and answers when the last has ended.
func (m *machine) endOwner(c *call.Call, owner messages.OwnerID) []Effect {
	wait := &ownerEnd{call: c, waiting: make(map[messages.BrowserID]struct{})}
	var effects []Effect
	for _, b := range m.sorted() {
		if owner != "" && b.owner == owner {
			wait.waiting[b.id] = struct{}{}
			effects = append(effects, m.closeEntry(b, "", true)...)
		}
	}
	if len(wait.waiting) == 0 {
		return []Effect{&finishCall{c, &messages.Receipt{ExecutionState: messages.Completed}}}
	}
	m.owners = append(m.owners, wait)
	return effects
}

func (m *machine) ownerEndProgress(ended messages.BrowserID) []Effect {
	var effects []Effect
	m.owners = slices.DeleteFunc(m.owners, func(w *ownerEnd) bool {
		delete(w.waiting, ended)
		if len(w.waiting) > 0 {
			return false
		}
		effects = append(effects, &finishCall{w.call, &messages.Receipt{ExecutionState: messages.Completed}})
		return true
	})
	return effects
}

// onShutdown begins a shutdown, or lets one more caller wait for the one that runs.
// A live managed browser is closed gracefully while the deadline allows (R193).
func (m *machine) onShutdown(msg *shutdownBegan) []Effect {
	if m.stopping != nil {
		if m.stopping.done {
			return []Effect{&reportShutdown{report: m.stopping.report}}
		}
		return nil
	}
	m.stopping = &shutdownState{since: msg.at}
	m.stopping.report.InFlight = msg.inFlight
	effects := []Effect{
		&publishEvent{messages.Event{Kind: messages.EventShutdown, At: msg.at, Count: len(m.browsers)}},
		&startShutdownTimer{msg.deadline},
	}
	graceful := msg.deadline.Sub(msg.at) > messages.GracefulTimeout
	for _, b := range m.sorted() {
		effects = append(effects, m.closeEntry(b, messages.CodeRunnerShuttingDown, graceful)...)
	}
	return append(effects, m.shutdownProgress(msg.at)...)
}

// onShutdownElapsed reports what was not done in time as pending.
func (m *machine) onShutdownElapsed(msg *shutdownElapsed) []Effect {
	if m.stopping == nil || m.stopping.done {
		return nil
	}
	for _, b := range m.sorted() {
		m.stopping.report.Pending = append(m.stopping.report.Pending, b.id)
	}
	return m.finishShutdown(msg.at)
}

func (m *machine) shutdownProgress(at time.Time) []Effect {
	if len(m.browsers) > 0 {
		return nil
	}
	return m.finishShutdown(at)
}

func (m *machine) finishShutdown(at time.Time) []Effect {
	s := m.stopping
	s.done = true
	s.report.Crashes, s.report.Took = m.crashes, at.Sub(s.since)
	return []Effect{&reportShutdown{report: s.report, owed: s.report.Pending}}
}
