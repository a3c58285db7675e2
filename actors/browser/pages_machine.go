package browser

import (
	"slices"

	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/page"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// pageOwners are the owners of the pages. A restart of the browser's actor must not
// change them (C27).
type pageOwners map[cdp.TargetID]page.PageOwner

// onAttached adopts a page target (R127, C15): it gets a fresh identity, belongs to
// the owner of its opener, or else to the launcher or to the creation that claims it.
func (m *Machine) onAttached(msg *engine.TargetAttached) []Effect {
	target := msg.Target
	if m.state == engineClosing || m.byTarget(target.Target) != nil {
		return nil
	}
	// The bound counts creations that are on their way, of which this may be one.
	if len(m.Pages) >= m.pagesMax {
		return []Effect{&CloseUnwanted{target.Target}}
	}
	p := &pageEntry{ID: msg.Page, target: target, temporary: m.creations.contexts[target.Context]}
	var creator *creation
	for _, pending := range m.creations.open {
		if pending.target == target.Target {
			creator = pending
		}
	}
	if kept, known := m.owners[target.Target]; known {
		p.owner = kept
	} else {
		p.owner = page.PageOwner{Caller: m.launcher, Inspects: m.inspects}
		if opener := m.byTarget(target.Opener); opener != nil {
			p.opener, p.owner = opener.ID, opener.owner
		} else if creator == nil && len(m.creations.open) > 0 {
			p.hidden = true
		}
	}
	if scheme := foreign(target.URL); scheme != "" {
		if p.foreign = m.spared(target.URL, p); !p.foreign {
			return m.refuse(p, scheme, target.AttachedAt)
		}
	}
	m.owners[target.Target] = p.owner
	p.summary = messages.PageSummary{PageID: p.ID, URL: target.URL, Title: target.Title, LoadState: messages.LoadIdle}
	m.Pages = append(m.Pages, p)
	if !p.foreign && (len(m.presented) == 0 || p.opener != "" && m.present) {
		m.presented = append(m.presented, p.ID)
	}
	at := target.AttachedAt
	m.noteOpening(opening{page: p.ID, opener: p.opener, at: at})
	effects := []Effect{
		&SpawnPage{Page: p.ID, target: target, owner: p.owner, opener: p.opener},
		&PublishEvent{messages.Event{Kind: messages.EventPageOpened, BrowserID: m.id, PageID: p.ID, CallerID: p.owner.Caller, At: at}},
		&ReportToRoot{&PagesChanged{Browser: m.id, Pages: m.used()}},
	}
	if creator != nil {
		effects = append(effects, m.claim(p, creator)...)
	}
	return effects
}

func (m *Machine) byTarget(target cdp.TargetID) *pageEntry {
	for _, p := range m.Pages {
		if target != "" && p.target.Target == target {
			return p
		}
	}
	return nil
}

// onSeen attaches a page of somebody else's browser if one of ours opened it, and
// leaves every other alone (R8, C15).
func (m *Machine) onSeen(msg *engine.TargetSeen) []Effect {
	if m.state == engineClosing {
		return nil
	}
	// One beyond the bound is attached too, to be closed as in a browser of ours: it
	// would be nobody's otherwise, and stay.
	if m.byTarget(msg.Info.OpenerID) == nil {
		return nil
	}
	return []Effect{&attachTarget{msg.Info.TargetID}}
}

func (m *Machine) onDetached(msg *engine.TargetDetached) []Effect {
	for _, p := range m.Pages {
		if p.target.Session == msg.Session {
			return m.drop(p)
		}
	}
	return nil
}

func (m *Machine) onDestroyed(msg *engine.TargetDestroyed) []Effect {
	if p := m.byTarget(msg.Target); p != nil {
		return m.drop(p)
	}
	return nil
}

// drop removes a page whose target is gone. Its id is never used again (R127).
func (m *Machine) drop(p *pageEntry) []Effect {
	effects := append(m.remove(p), &EndPage{p.ID, m.NoSuchPage()})
	if p.creator != nil {
		effects = append(effects, &FailCall{p.creator, messages.NewError(messages.CodeStalePage, "The page was closed before it could be used.")})
	}
	return effects
}

// remove takes a page out of the set and says so.
func (m *Machine) remove(p *pageEntry) []Effect {
	m.Pages = slices.DeleteFunc(m.Pages, func(other *pageEntry) bool { return other == p })
	m.presented = slices.DeleteFunc(m.presented, func(id messages.PageID) bool { return id == p.ID })
	delete(m.owners, p.target.Target)
	effects := []Effect{
		&PublishEvent{messages.Event{Kind: messages.EventPageClosed, BrowserID: m.id, PageID: p.ID, CallerID: p.owner.Caller}},
		&ReportToRoot{&PagesChanged{Browser: m.id, Pages: m.used()}},
	}
	if context := p.target.Context; m.creations.contexts[context] && !slices.ContainsFunc(m.Pages, func(other *pageEntry) bool { return other.target.Context == context }) {
		delete(m.creations.contexts, context)
		effects = append(effects, &disposeContext{context})
	}
	if m.state == enginePreparing && m.used() == 0 {
		// The tab that the launch waited for is gone: another one is made.
		effects = append(effects, &SendLater{kernel.FirstPageWait, &firstPageDue{}})
	}
	return effects
}

// onPageEnded takes in that a page's actor has ended by itself: its restarts are
// spent. Its target is closed, since nobody could drive it any more.
func (m *Machine) onPageEnded(msg *pageEnded) []Effect {
	p := m.page(msg.page)
	if p == nil {
		return nil
	}
	effects := append(m.remove(p), &CloseUnwanted{p.target.Target})
	if p.creator != nil {
		effects = append(effects, &FailCall{p.creator, messages.NewError(messages.CodeInternalError, "")})
	}
	return effects
}

func (m *Machine) onPagePrepared(msg *page.Prepared) []Effect {
	p := m.page(msg.Page)
	if p == nil {
		return nil
	}
	p.prepared = true
	switch {
	case m.state == enginePreparing && !p.foreign:
		return m.up(p)
	case p.creator != nil:
		return m.completeCreation(p)
	}
	return nil
}

func (m *Machine) onPageReport(msg *page.Report) []Effect {
	if p := m.page(msg.Summary.PageID); p != nil {
		p.summary = msg.Summary
	}
	return nil
}

// onChanged passes on address and title, as the browser process knows them without
// asking the page, and closes a page at an address where it may not be.
func (m *Machine) onChanged(msg *engine.TargetChanged) []Effect {
	if p := m.byTarget(msg.Target); p != nil {
		return m.moved(p, msg.URL, msg.Title)
	}
	return nil
}
