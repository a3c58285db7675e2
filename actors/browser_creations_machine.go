package actors

import (
	"slices"

	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// creation is a page that is being made for a call, with its target once the
// browser has named it.
type creation struct {
	call   *call
	target cdp.TargetID
	left   bool // its caller has gone
	// answered says that the call has its answer already.
	answered bool
}

// creationBook is what is known of the pages that callers have asked for. It is
// kept over a restart of the browser's actor: a page that may have come to be is as
// uncertain after it as before (R43).
type creationBook struct {
	// open are the creations whose page is not known yet.
	open []*creation
	// doubts counts the creations that ended without a known outcome; of these a
	// listing of the pages has reconciled the first settled.
	doubts, settled uint64
	// contexts are the browser contexts of temporary pages.
	contexts map[string]bool
}

func newCreationBook() *creationBook { return &creationBook{contexts: make(map[string]bool)} }

// uncertain reports that a page may exist that nobody has seen: until the pages are
// listed no other is made (R43).
func (b *creationBook) uncertain() bool { return b.doubts > b.settled }

// leave notes that a caller has gone.
func (b *creationBook) leave(caller messages.CallerID) {
	for _, pending := range b.open {
		pending.left = pending.left || pending.call.caller.ID == caller
	}
}

// takeUp goes on with the creations that an incarnation before has begun. Their calls
// were answered when it ended, and whoever was told that the outcome is unknown must
// look before another page is made. The word of how a creation ended may have been
// what the incarnation failed at, so each has a bound of its own.
func (m *browserMachine) takeUp(unknown uint64) []browserEffect {
	m.creations.doubts += unknown
	var effects []browserEffect
	for _, pending := range m.creations.open {
		pending.answered = true
		effects = append(effects, &browserTimer{messages.EffectTimeout + prepareTimeout, &creationOverdue{pending.call}})
	}
	return effects
}

// onNewPage admits a page creation (R17, R43).
func (m *browserMachine) onNewPage(c *call, command *messages.NewPage) []browserEffect {
	pages := map[string]any{"action": "pages", "browser_id": string(m.id)}
	if m.creations.uncertain() || len(m.pages)+len(m.creations.open)+m.making >= m.pagesMax {
		return []browserEffect{&browserFail{c, messages.NewError(messages.CodePageLimit, "").WithRecovery("observe_browser", pages)}}
	}
	m.creations.open = append(m.creations.open, &creation{call: c})
	return []browserEffect{&createTarget{call: c, temporary: command.Temporary}}
}

// onCreated learns how a creation ended.
func (m *browserMachine) onCreated(msg *targetCreated) []browserEffect {
	if m.state == engineClosing && m.ownership == messages.AttachedEndpoint && msg.target != "" {
		return []browserEffect{&closeUnwanted{msg.target}} // or it would stay in somebody else's browser
	}
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
		m.creations.contexts[msg.context] = true
	}
	if msg.err != nil {
		m.forgetCreation(msg.call)
		if msg.err.State != messages.NotStarted {
			m.creations.doubts++
			return []browserEffect{&browserFinish{msg.call, m.uncertainCreation(msg.err)}}
		}
		return []browserEffect{&browserFinish{msg.call, messages.Refusal("", msg.err)}}
	}
	pending.target = msg.target
	if p := m.byTarget(msg.target); p != nil {
		return m.claim(p, pending)
	}
	effects := []browserEffect{&browserTimer{prepareTimeout, &creationOverdue{msg.call}}}
	if m.ownership == messages.AttachedEndpoint {
		effects = append(effects, &attachTarget{msg.target})
	}
	return effects
}

func (m *browserMachine) uncertainCreation(err *messages.Error) *messages.Receipt {
	e := err.AsUnknown()
	e.Recovery = &messages.Recovery{Tool: "observe_browser", Arguments: map[string]any{"action": "pages", "browser_id": string(m.id)}}
	return messages.Refusal("", e)
}

// claim gives a page to the call that made it. A call that has ended meanwhile, as
// every one does when the actor is restarted, gets its page all the same, so that
// its caller finds it in the listing.
func (m *browserMachine) claim(p *pageEntry, pending *creation) []browserEffect {
	c := pending.call
	command, _ := c.command.(*messages.NewPage)
	p.owner, p.hidden = pageOwner{c.caller.ID, c.caller.Grants.Has(messages.GrantInspect)}, false
	m.owners[p.target.target] = p.owner
	p.temporary = command != nil && command.Temporary
	m.forgetCreation(c)
	effects := []browserEffect{&tellPage{p.id, &ownerChanged{owner: p.owner, connected: !pending.left}}}
	if pending.answered {
		return effects
	}
	p.creator = c
	if p.prepared {
		return append(effects, m.completeCreation(p)...)
	}
	return effects
}

func (m *browserMachine) creationOf(c *call) *creation {
	for _, pending := range m.creations.open {
		if pending.call == c {
			return pending
		}
	}
	return nil
}

// forgetCreation ends a creation. The pages that no creation can claim any more
// are shown; they are the launcher's.
func (m *browserMachine) forgetCreation(c *call) {
	m.creations.open = slices.DeleteFunc(m.creations.open, func(pending *creation) bool { return pending.call == c })
	if len(m.creations.open) > 0 {
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

// onCreationOverdue gives up waiting for a page that the browser says it made.
func (m *browserMachine) onCreationOverdue(msg *creationOverdue) []browserEffect {
	if m.creationOf(msg.call) == nil {
		return nil
	}
	m.forgetCreation(msg.call)
	m.creations.doubts++
	return []browserEffect{&browserFinish{msg.call, m.uncertainCreation(messages.NewError(messages.CodePageCreateUnobserved, ""))}}
}
