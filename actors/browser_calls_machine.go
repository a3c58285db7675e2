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
		return []browserEffect{&listTargets{c, m.creations.doubts}}
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
	if !owns(msg.call.caller, p.owner.caller) {
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
	if msg.answered {
		m.creations.settled = max(m.creations.settled, msg.doubts)
	}
	var effects []browserEffect
	for _, info := range msg.infos {
		for _, p := range m.pages {
			if p.target.target != info.TargetID || p.summary.URL == info.URL && p.summary.Title == info.Title {
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
		if p.hidden || !owns(caller, p.owner.caller) {
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

// onEngineFailedLate ends a browser that could make no first page.
func (m *browserMachine) onEngineFailedLate(at time.Time) []browserEffect {
	return m.giveUpPreparing(messages.NewError(messages.CodeLaunchFailed, "The browser started and could open no page."), at)
}

// giveUpPreparing ends a browser that has no page that can be used.
func (m *browserMachine) giveUpPreparing(err *messages.Error, at time.Time) []browserEffect {
	effects := m.endPages(err)
	m.state = engineClosing
	return append(effects, &reportToRoot{&browserDown{browser: m.id, err: err, at: at}}, &closeEngine{})
}

// onAttachFailed ends a browser whose first page can't be driven. Any other page's
// creation becomes overdue, and a popup is left out.
func (m *browserMachine) onAttachFailed(msg *attachFailed) []browserEffect {
	if m.state != enginePreparing || len(m.pages) > 0 || m.making > 0 {
		return nil
	}
	return m.onEngineFailedLate(msg.at)
}

// onWithdraw passes on that a call was given up.
func (m *browserMachine) onWithdraw(msg *withdraw) []browserEffect {
	m.forgetListing(msg.call)
	if pending := m.creationOf(msg.call); pending != nil {
		pending.answered = true
	}
	if page, ok := msg.call.command.(messages.PageCommand); ok && m.page(page.Page().PageID) != nil {
		return []browserEffect{&tellPage{page.Page().PageID, msg}}
	}
	return nil
}

// onCallerLeft passes on that a caller has gone.
func (m *browserMachine) onCallerLeft(msg *callerLeft) []browserEffect {
	m.creations.leave(msg.caller)
	var effects []browserEffect
	for _, p := range m.pages {
		effects = append(effects, &tellPage{p.id, msg})
	}
	return effects
}
