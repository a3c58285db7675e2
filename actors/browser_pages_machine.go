package actors

import (
	"slices"
	"time"

	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// pageOwners are the owners of the pages. A restart of the browser's actor must not
// change them (C27).
type pageOwners map[cdp.TargetID]pageOwner

// onAttached adopts a page target (R127, C15): it gets a fresh identity, belongs to
// the owner of its opener, or else to the launcher or to the creation that claims it.
func (m *browserMachine) onAttached(msg *targetAttached) []browserEffect {
	target := msg.target
	if m.state == engineClosing || m.byTarget(target.target) != nil {
		return nil
	}
	// The bound counts creations that are on their way, of which this may be one.
	if len(m.pages) >= m.pagesMax {
		return []browserEffect{&closeUnwanted{target.target}}
	}
	p := &pageEntry{id: msg.page, target: target, temporary: m.creations.contexts[target.context]}
	var creator *creation
	for _, pending := range m.creations.open {
		if pending.target == target.target {
			creator = pending
		}
	}
	if kept, known := m.owners[target.target]; known {
		p.owner = kept
	} else {
		p.owner = pageOwner{m.launcher, m.inspects}
		if opener := m.byTarget(target.opener); opener != nil {
			p.opener, p.owner = opener.id, opener.owner
		} else if creator == nil && len(m.creations.open) > 0 {
			p.hidden = true
		}
	}
	m.owners[target.target] = p.owner
	p.summary = messages.PageSummary{PageID: p.id, URL: target.url, Title: target.title, LoadState: messages.LoadIdle}
	m.pages = append(m.pages, p)
	if len(m.presented) == 0 || p.opener != "" && m.present {
		m.presented = append(m.presented, p.id)
	}
	at := target.attachedAt
	m.openings = append(m.openings, opening{page: p.id, opener: p.opener, at: at})
	if len(m.openings) > openingsMax {
		m.openings = slices.Delete(m.openings, 0, 1)
	}
	effects := []browserEffect{
		&spawnPage{page: p.id, target: target, owner: p.owner, opener: p.opener},
		&browserPublish{messages.Event{Kind: messages.EventPageOpened, BrowserID: m.id, PageID: p.id, CallerID: p.owner.caller, At: at}},
		&reportToRoot{&browserPages{browser: m.id, pages: len(m.pages)}},
	}
	if creator != nil {
		effects = append(effects, m.claim(p, creator)...)
	}
	return effects
}

func (m *browserMachine) byTarget(target cdp.TargetID) *pageEntry {
	for _, p := range m.pages {
		if target != "" && p.target.target == target {
			return p
		}
	}
	return nil
}

// onSeen attaches a page of somebody else's browser if one of ours opened it, and
// leaves every other alone (R8, C15).
func (m *browserMachine) onSeen(msg *targetSeen) []browserEffect {
	if m.state == engineClosing {
		return nil
	}
	// One beyond the bound is attached too, to be closed as in a browser of ours: it
	// would be nobody's otherwise, and stay.
	if m.byTarget(msg.info.OpenerID) == nil {
		return nil
	}
	return []browserEffect{&attachTarget{msg.info.TargetID}}
}

func (m *browserMachine) onDetached(msg *targetDetached) []browserEffect {
	for _, p := range m.pages {
		if p.target.session == msg.session {
			return m.drop(p)
		}
	}
	return nil
}

func (m *browserMachine) onDestroyed(msg *targetDestroyed) []browserEffect {
	if p := m.byTarget(msg.target); p != nil {
		return m.drop(p)
	}
	return nil
}

// drop removes a page whose target is gone. Its id is never used again (R127).
func (m *browserMachine) drop(p *pageEntry) []browserEffect {
	effects := append(m.remove(p), &endPage{p.id, m.noSuchPage()})
	if p.creator != nil {
		effects = append(effects, &browserFail{p.creator, messages.NewError(messages.CodeStalePage, "The page was closed before it could be used.")})
	}
	return effects
}

// remove takes a page out of the set and says so.
func (m *browserMachine) remove(p *pageEntry) []browserEffect {
	m.pages = slices.DeleteFunc(m.pages, func(other *pageEntry) bool { return other == p })
	m.presented = slices.DeleteFunc(m.presented, func(id messages.PageID) bool { return id == p.id })
	delete(m.owners, p.target.target)
	effects := []browserEffect{
		&browserPublish{messages.Event{Kind: messages.EventPageClosed, BrowserID: m.id, PageID: p.id, CallerID: p.owner.caller}},
		&reportToRoot{&browserPages{browser: m.id, pages: len(m.pages)}},
	}
	if context := p.target.context; m.creations.contexts[context] && !slices.ContainsFunc(m.pages, func(other *pageEntry) bool { return other.target.context == context }) {
		delete(m.creations.contexts, context)
		effects = append(effects, &disposeContext{context})
	}
	if m.state == enginePreparing && len(m.pages) == 0 {
		// The tab that the launch waited for is gone: another one is made.
		effects = append(effects, &browserTimer{firstPageWait, &firstPageDue{}})
	}
	return effects
}

// onPageEnded takes in that a page's actor has ended by itself: its restarts are
// spent. Its target is closed, since nobody could drive it any more.
func (m *browserMachine) onPageEnded(msg *pageEnded) []browserEffect {
	p := m.page(msg.page)
	if p == nil {
		return nil
	}
	effects := append(m.remove(p), &closeUnwanted{p.target.target})
	if p.creator != nil {
		effects = append(effects, &browserFail{p.creator, messages.NewError(messages.CodeInternalError, "")})
	}
	return effects
}

func (m *browserMachine) onPagePrepared(msg *pagePrepared) []browserEffect {
	p := m.page(msg.page)
	if p == nil {
		return nil
	}
	p.prepared = true
	switch {
	case m.state == enginePreparing:
		return m.up(p)
	case p.creator != nil:
		return m.completeCreation(p)
	}
	return nil
}

func (m *browserMachine) onPageReport(msg *pageReport) []browserEffect {
	if p := m.page(msg.summary.PageID); p != nil {
		p.summary = msg.summary
	}
	return nil
}

// onChanged passes on address and title, as the browser process knows them without
// asking the page.
func (m *browserMachine) onChanged(msg *targetChanged) []browserEffect {
	if p := m.byTarget(msg.target); p != nil {
		return []browserEffect{&tellPage{p.id, &infoChanged{url: msg.url, title: msg.title}}}
	}
	return nil
}

// witness tells a runner what opened from its page and what was downloaded since.
func (m *browserMachine) witness(page messages.PageID, since time.Time) witnessed {
	var out witnessed
	for _, o := range m.openings {
		if o.opener != page || o.at.Before(since) || len(out.opened) == messages.ReceiptPagesMax {
			continue
		}
		opened := messages.OpenedPage{PageID: o.page, OpenerPageID: o.opener}
		if p := m.page(o.page); p != nil {
			opened.URL = p.summary.URL
		}
		out.opened = append(out.opened, opened)
	}
	out.downloads = m.downloadsSince(page, since)
	return out
}
