package actors

import (
	"slices"
	"time"

	"github.com/troupe-browser/troupe/messages"
)

// onCall answers a call that concerns the browser, or passes it to its page.
func (m *browserMachine) onCall(msg *browserCall) []browserEffect {
	c := msg.call
	if refusal := admit(c.caller, c.command); refusal != nil {
		return []browserEffect{&browserFail{c, refusal}}
	}
	if m.state != engineUp {
		return []browserEffect{&browserFail{c, messages.NewError(messages.CodeBrowserUnavailable, "").
			WithRecovery("observe_browser", map[string]any{"action": "browsers"})}}
	}
	if page, ok := c.command.(messages.PageCommand); ok {
		return m.toPage(msg, page.Page().PageID)
	}
	switch command := c.command.(type) {
	case *messages.ListPages:
		m.uncertain = false
		return []browserEffect{&listTargets{c}}
	case *messages.NewPage:
		return m.onNewPage(c, command)
	case *messages.ListDownloads:
		return m.onListDownloads(c, command)
	case *messages.CancelDownload:
		return m.onCancelDownload(c, command)
	case *messages.ClearDownloads:
		return m.onClearDownloads(c)
	case *messages.GetSurface:
		return []browserEffect{&browserFail{c, messages.NewError(messages.CodeSurfaceUnavailable, "")}}
	}
	return []browserEffect{&browserFail{c, messages.NewError(messages.CodeNotSupported, "")}}
}

// toPage passes a call to the page that it names, and only to that one (C15).
func (m *browserMachine) toPage(msg *browserCall, id messages.PageID) []browserEffect {
	p := m.page(id)
	if p == nil || p.hidden {
		return []browserEffect{&browserFail{msg.call, m.noSuchPage()}}
	}
	if !owns(msg.call.caller, p.link.owner) {
		return []browserEffect{&browserFail{msg.call, messages.NewError(messages.CodeNoGrant, "The page belongs to another caller.")}}
	}
	if present, ok := msg.call.command.(*messages.Present); ok && !present.Pop {
		m.presented = append(slices.DeleteFunc(m.presented, func(other messages.PageID) bool { return other == id }), id)
		return []browserEffect{&browserFinish{msg.call, &messages.Receipt{ExecutionState: messages.Completed}}}
	}
	return []browserEffect{&forwardToPage{page: id, call: msg.call, at: msg.at}}
}

func (m *browserMachine) noSuchPage() *messages.Error {
	return messages.NewError(messages.CodeStalePage, "").
		WithRecovery("observe_browser", map[string]any{"action": "pages", "browser_id": string(m.id)})
}

func (m *browserMachine) page(id messages.PageID) *pageEntry {
	for _, p := range m.pages {
		if p.id == id {
			return p
		}
	}
	return nil
}

// onListed answers ListPages, once address and title are what the browser process
// says they are.
func (m *browserMachine) onListed(msg *targetsListed) []browserEffect {
	var effects []browserEffect
	for _, info := range msg.infos {
		for _, p := range m.pages {
			if p.link.target != info.TargetID || p.summary.URL == info.URL && p.summary.Title == info.Title {
				continue
			}
			p.summary.Title = info.Title
			effects = append(effects, &tellPage{p.id, &infoChanged{url: info.URL, title: info.Title}})
		}
	}
	return append(effects, &browserAnswer{msg.call, m.list(msg.call.caller)})
}

// list is what ListPages answers, from what the pages reported, so it works while a
// page hangs. A caller sees its own pages.
func (m *browserMachine) list(caller messages.Caller) *messages.PageList {
	out := &messages.PageList{BrowserID: m.id, Pages: []messages.PageSummary{}}
	for _, p := range m.pages {
		if p.hidden || !owns(caller, p.link.owner) {
			continue
		}
		if len(out.Pages) == messages.PageSummariesMax {
			out.Truncated = true
			break
		}
		out.Pages = append(out.Pages, m.summary(p))
	}
	return out
}

func (m *browserMachine) summary(p *pageEntry) messages.PageSummary {
	s := p.summary
	s.PageID, s.OpenerPageID, s.Temporary = p.id, p.opener, p.temporary
	s.Presented = len(m.presented) > 0 && m.presented[len(m.presented)-1] == p.id
	return s
}

// onNewPage admits a page creation (R17, R43).
func (m *browserMachine) onNewPage(c *call, command *messages.NewPage) []browserEffect {
	pages := map[string]any{"action": "pages", "browser_id": string(m.id)}
	if m.uncertain || len(m.pages)+len(m.creating)+m.making >= m.pagesMax {
		return []browserEffect{&browserFail{c, messages.NewError(messages.CodePageLimit, "").WithRecovery("observe_browser", pages)}}
	}
	m.creating = append(m.creating, &creation{call: c})
	return []browserEffect{&createTarget{call: c, temporary: command.Temporary}}
}

// onCreated learns how a creation ended.
func (m *browserMachine) onCreated(msg *targetCreated) []browserEffect {
	if msg.call == nil {
		// The creation that an incarnation before began is not counted in this one.
		m.making = max(m.making-1, 0)
		if msg.err != nil && m.state == enginePreparing {
			return m.onEngineFailedLate(msg.at)
		}
		if m.ownership == messages.AttachedEndpoint && msg.err == nil {
			return []browserEffect{&attachTarget{msg.target}}
		}
		return nil
	}
	pending := m.creationOf(msg.call)
	if pending == nil {
		return nil
	}
	if msg.context != "" {
		m.contexts[msg.context] = true
	}
	if msg.err != nil {
		m.forgetCreation(msg.call)
		if msg.err.State != messages.NotStarted {
			m.uncertain = true
			return []browserEffect{&browserFinish{msg.call, m.uncertainCreation(msg.err)}}
		}
		return []browserEffect{&browserFinish{msg.call, messages.Refusal("", msg.err)}}
	}
	pending.target = msg.target
	for _, p := range m.pages {
		if p.link.target == msg.target {
			return m.claim(p, msg.call)
		}
	}
	effects := []browserEffect{&browserTimer{prepareTimeout, &creationOverdue{msg.call}}}
	if m.ownership == messages.AttachedEndpoint {
		effects = append(effects, &attachTarget{msg.target})
	}
	return effects
}

// onEngineFailedLate ends a browser that could make no first page.
func (m *browserMachine) onEngineFailedLate(at time.Time) []browserEffect {
	m.state = engineClosing
	return []browserEffect{
		&reportToRoot{&browserDown{browser: m.id, err: messages.NewError(messages.CodeLaunchFailed, "The browser started and could open no page."), at: at}},
		&closeEngine{},
	}
}

func (m *browserMachine) uncertainCreation(err *messages.Error) *messages.Receipt {
	e := err.AsUnknown()
	e.Recovery = &messages.Recovery{Tool: "observe_browser", Arguments: map[string]any{"action": "pages", "browser_id": string(m.id)}}
	return messages.Refusal("", e)
}

// claim gives a page to the call that made it.
func (m *browserMachine) claim(p *pageEntry, c *call) []browserEffect {
	command, _ := c.command.(*messages.NewPage)
	p.link.owner, p.hidden, p.creator = c.caller.ID, false, c
	p.link.inspect.Store(c.caller.Grants.Has(messages.GrantInspect))
	p.temporary = command != nil && command.Temporary
	m.forgetCreation(c)
	effects := []browserEffect{&tellPage{p.id, &ownerChanged{owner: c.caller.ID, connected: !m.left[c.caller.ID]}}}
	if p.prepared {
		return append(effects, m.completeCreation(p)...)
	}
	return effects
}

func (m *browserMachine) creationOf(c *call) *creation {
	for _, pending := range m.creating {
		if pending.call == c {
			return pending
		}
	}
	return nil
}

// forgetCreation ends a creation. The pages that no creation can claim any more
// are shown; they are the launcher's.
func (m *browserMachine) forgetCreation(c *call) {
	m.creating = slices.DeleteFunc(m.creating, func(pending *creation) bool { return pending.call == c })
	if len(m.creating) > 0 {
		return
	}
	for _, p := range m.pages {
		p.hidden = false
	}
}

// completeCreation answers new_page, or lets its navigation answer it.
func (m *browserMachine) completeCreation(p *pageEntry) []browserEffect {
	c := p.creator
	p.creator = nil
	command, _ := c.command.(*messages.NewPage)
	if command == nil || command.URL == "" {
		return []browserEffect{&browserFinish{c, &messages.Receipt{
			ExecutionState: messages.Completed, BrowserID: m.id, PageID: p.id, LoadState: messages.LoadIdle, NeedsSnapshot: true}}}
	}
	address := messages.PageAddress{BrowserID: m.id, PageID: p.id}
	return []browserEffect{&forwardToPage{page: p.id, call: c, as: &messages.Navigate{PageAddress: address, URL: command.URL}}}
}

// onAttachFailed ends a browser whose first page can't be driven. Any other page's
// creation becomes overdue, and a popup is left out.
func (m *browserMachine) onAttachFailed(msg *attachFailed) []browserEffect {
	if m.state != enginePreparing || len(m.pages) > 0 || m.making > 0 {
		return nil
	}
	return m.onEngineFailedLate(msg.at)
}

// onCreationOverdue gives up waiting for a page that the browser says it made.
func (m *browserMachine) onCreationOverdue(msg *creationOverdue) []browserEffect {
	if m.creationOf(msg.call) == nil {
		return nil
	}
	m.forgetCreation(msg.call)
	m.uncertain = true
	return []browserEffect{&browserFinish{msg.call, m.uncertainCreation(messages.NewError(messages.CodePageCreateUnobserved, ""))}}
}

// onWithdraw passes on that a call was given up.
func (m *browserMachine) onWithdraw(msg *withdraw) []browserEffect {
	m.forgetListing(msg.call)
	if page, ok := msg.call.command.(messages.PageCommand); ok && m.page(page.Page().PageID) != nil {
		return []browserEffect{&tellPage{page.Page().PageID, msg}}
	}
	return nil
}

// onCallerLeft passes on that a caller has gone.
func (m *browserMachine) onCallerLeft(msg *callerLeft) []browserEffect {
	var effects []browserEffect
	for _, p := range m.pages {
		effects = append(effects, &tellPage{p.id, msg})
	}
	return effects
}
