package browser

import (
	"slices"
	"time"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/messages"
)

// onCall answers a call that concerns the browser, or passes it to its page.
func (m *Machine) onCall(msg *Call) []Effect {
	c := msg.Call
	if refusal := call.Admit(c.Caller, c.Command); refusal != nil {
		return []Effect{&FailCall{c, refusal}}
	}
	if m.state != engineUp {
		return []Effect{&FailCall{c, messages.NewError(messages.CodeBrowserUnavailable, "").
			WithRecovery("observe_browser", map[string]any{"action": "browsers"})}}
	}
	if page, ok := c.Command.(messages.PageCommand); ok {
		return m.toPage(msg, page.Page().PageID)
	}
	switch command := c.Command.(type) {
	case *messages.ListPages:
		return []Effect{&ListTargets{c, m.creations.doubts}}
	case *messages.NewPage:
		return m.onNewPage(c, command)
	case *messages.ListDownloads:
		return m.onListDownloads(c, command)
	case *messages.CancelDownload:
		return m.onCancelDownload(c, command)
	case *messages.ClearDownloads:
		return m.onClearDownloads(c)
	case *messages.GetSurface:
		return []Effect{&FailCall{c, messages.NewError(messages.CodeSurfaceUnavailable, "")}}
	}
	return []Effect{&FailCall{c, messages.NewError(messages.CodeNotSupported, "")}}
}

// toPage passes a call to the page that it names, and only to that one (C15).
func (m *Machine) toPage(msg *Call, id messages.PageID) []Effect {
	p := m.page(id)
	if p == nil || p.hidden || p.foreign {
		return []Effect{&FailCall{msg.Call, m.NoSuchPage()}}
	}
	if !call.Owns(msg.Call.Caller, p.owner.Caller) {
		return []Effect{&FailCall{msg.Call, messages.NewError(messages.CodeNoGrant, "The page belongs to another caller.")}}
	}
	if present, ok := msg.Call.Command.(*messages.Present); ok && !present.Pop {
		m.presented = append(slices.DeleteFunc(m.presented, func(other messages.PageID) bool { return other == id }), id)
		return []Effect{&FinishCall{msg.Call, &messages.Receipt{ExecutionState: messages.Completed}}}
	}
	return []Effect{&ForwardToPage{Page: id, Call: msg.Call}}
}

// NoSuchPage is the refusal of a call to a page that the browser has not.
func (m *Machine) NoSuchPage() *messages.Error {
	return messages.NewError(messages.CodeStalePage, "").
		WithRecovery("observe_browser", map[string]any{"action": "pages", "browser_id": string(m.id)})
}

func (m *Machine) page(id messages.PageID) *pageEntry {
	for _, p := range m.Pages {
		if p.ID == id {
			return p
		}
	}
	return nil
}

// onListed answers ListPages, once address and title are what the browser process
// says they are.
func (m *Machine) onListed(msg *TargetsListed) []Effect {
	if msg.Answered {
		m.creations.settled = max(m.creations.settled, msg.Doubts)
	}
	var effects []Effect
	for _, info := range msg.infos {
		for _, p := range slices.Clone(m.Pages) {
			if p.target.Target != info.TargetID || p.summary.URL == info.URL && p.summary.Title == info.Title {
				continue
			}
			p.summary.Title = info.Title
			effects = append(effects, m.moved(p, info.URL, info.Title)...)
		}
	}
	return append(effects, &AnswerCall{msg.Call, m.list(msg.Call.Caller)})
}

// list is what ListPages answers, from what the pages reported, so it works while a
// page hangs. A caller sees its own pages.
func (m *Machine) list(caller messages.Caller) *messages.PageList {
	out := &messages.PageList{BrowserID: m.id, Pages: []messages.PageSummary{}}
	for _, p := range m.Pages {
		if p.hidden || p.foreign || !call.Owns(caller, p.owner.Caller) {
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

func (m *Machine) summary(p *pageEntry) messages.PageSummary {
	s := p.summary
	s.PageID, s.OpenerPageID, s.Temporary = p.ID, p.opener, p.temporary
	s.Presented = len(m.presented) > 0 && m.presented[len(m.presented)-1] == p.ID
	return s
}

// onEngineFailedLate ends a browser that could make no first page.
func (m *Machine) onEngineFailedLate(at time.Time) []Effect {
	return m.giveUpPreparing(messages.NewError(messages.CodeLaunchFailed, "The browser started and could open no page."), at)
}

// giveUpPreparing ends a browser that has no page that can be used.
func (m *Machine) giveUpPreparing(err *messages.Error, at time.Time) []Effect {
	effects := m.endPages(err)
	m.state = engineClosing
	return append(effects, &ReportToRoot{&Down{Browser: m.id, Err: err, At: at}}, &CloseEngine{})
}

// onAttachFailed ends a browser whose first page can't be driven. Any other page's
// creation becomes overdue, and a popup is left out.
func (m *Machine) onAttachFailed(msg *attachFailed) []Effect {
	if m.state != enginePreparing || len(m.Pages) > 0 || m.making > 0 {
		return nil
	}
	return m.onEngineFailedLate(msg.at)
}

// onWithdraw passes on that a call was given up.
func (m *Machine) onWithdraw(msg *call.Withdraw) []Effect {
	m.forgetListing(msg.Call)
	if pending := m.CreationOf(msg.Call); pending != nil {
		pending.answered = true
	}
	if page, ok := msg.Call.Command.(messages.PageCommand); ok && m.page(page.Page().PageID) != nil {
		return []Effect{&tellPage{page.Page().PageID, msg}}
	}
	return nil
}

// onCallerLeft passes on that a caller has gone.
func (m *Machine) onCallerLeft(msg *call.CallerLeft) []Effect {
	m.creations.leave(msg.Caller)
	var effects []Effect
	for _, p := range m.Pages {
		effects = append(effects, &tellPage{p.ID, msg})
	}
	return effects
}
