package browser

import (
	"slices"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/actors/page"
	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// creation is a page that is being made for a call, with its target once the
// browser has named it.
type creation struct {
	call   *call.Call
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
		pending.left = pending.left || pending.call.Caller.ID == caller
	}
}

// takeUp goes on with the creations that an incarnation before has begun. Their calls
// were answered when it ended, and whoever was told that the outcome is unknown must
// look before another page is made. The word of how a creation ended may have been
// what the incarnation failed at, so each has a bound of its own.
func (m *Machine) takeUp(unknown uint64) []Effect {
	m.creations.doubts += unknown
	var effects []Effect
	for _, pending := range m.creations.open {
		pending.answered = true
		effects = append(effects, &SendLater{messages.EffectTimeout + kernel.PrepareTimeout, &creationOverdue{pending.call}})
	}
	return effects
}

// onNewPage admits a page creation (R17, R43), in the caller's own browser unless the
// operator shares (C37): a page has the cookies and sign-ins of its browser.
func (m *Machine) onNewPage(c *call.Call, command *messages.NewPage) []Effect {
	if !call.Owns(c.Caller, m.launcher) && !c.Caller.Grants.Has(messages.GrantShared) {
		return []Effect{&FailCall{c, messages.NewError(messages.CodeNoGrant, "The browser, with its cookies and sign-ins, belongs to another caller. "+
			"Launch one of your own, or ask the operator for the grant %s.", messages.GrantShared).
			WithRecovery("control_browser", map[string]any{"action": "launch"})}}
	}
	pages := map[string]any{"action": "pages", "browser_id": string(m.id)}
	if m.creations.uncertain() || len(m.Pages)+len(m.creations.open)+m.making >= m.pagesMax {
		return []Effect{&FailCall{c, messages.NewError(messages.CodePageLimit, "").WithRecovery("observe_browser", pages)}}
	}
	m.creations.open = append(m.creations.open, &creation{call: c})
	return []Effect{&CreateTarget{Call: c, temporary: command.Temporary}}
}

// onCreated learns how a creation ended.
func (m *Machine) onCreated(msg *TargetCreated) []Effect {
	if m.state == engineClosing && m.ownership == messages.AttachedEndpoint && msg.Target != "" {
		return []Effect{&CloseUnwanted{msg.Target}} // or it would stay in somebody else's browser
	}
	if msg.Call == nil {
		// The creation that an incarnation before began is not counted in this one.
		m.making = max(m.making-1, 0)
		if msg.Err != nil && m.state == enginePreparing {
			return m.onEngineFailedLate(msg.At)
		}
		if m.ownership == messages.AttachedEndpoint && msg.Err == nil {
			return []Effect{&attachTarget{msg.Target}}
		}
		return nil
	}
	pending := m.CreationOf(msg.Call)
	if pending == nil {
		return nil
	}
	if msg.context != "" {
		m.creations.contexts[msg.context] = true
	}
	if msg.Err != nil {
		m.forgetCreation(msg.Call)
		if msg.Err.State != messages.NotStarted {
			m.creations.doubts++
			return []Effect{&FinishCall{msg.Call, m.uncertainCreation(msg.Err)}}
		}
		return []Effect{&FinishCall{msg.Call, messages.Refusal("", msg.Err)}}
	}
	pending.target = msg.Target
	if p := m.byTarget(msg.Target); p != nil {
		return m.claim(p, pending)
	}
	effects := []Effect{&SendLater{kernel.PrepareTimeout, &creationOverdue{msg.Call}}}
	if m.ownership == messages.AttachedEndpoint {
		effects = append(effects, &attachTarget{msg.Target})
	}
	return effects
}

func (m *Machine) uncertainCreation(err *messages.Error) *messages.Receipt {
	e := err.AsUnknown()
	e.Recovery = &messages.Recovery{Tool: "observe_browser", Arguments: map[string]any{"action": "pages", "browser_id": string(m.id)}}
	return messages.Refusal("", e)
}

// claim gives a page to the call that made it. A call that has ended meanwhile, as
// every one does when the actor is restarted, gets its page all the same, so that
// its caller finds it in the listing.
func (m *Machine) claim(p *pageEntry, pending *creation) []Effect {
	c := pending.call
	command, _ := c.Command.(*messages.NewPage)
	p.owner, p.hidden = page.PageOwner{Caller: c.Caller.ID, Inspects: c.Caller.Grants.Has(messages.GrantInspect)}, false
	m.owners[p.target.Target] = p.owner
	p.temporary = command != nil && command.Temporary
	m.forgetCreation(c)
	effects := []Effect{&tellPage{p.ID, &page.OwnerChanged{Owner: p.owner, Connected: !pending.left}}}
	if pending.answered {
		return effects
	}
	p.creator = c
	if p.prepared {
		return append(effects, m.completeCreation(p)...)
	}
	return effects
}

// CreationOf returns the creation that a call asked for, nil when there is none.
func (m *Machine) CreationOf(c *call.Call) *creation {
	for _, pending := range m.creations.open {
		if pending.call == c {
			return pending
		}
	}
	return nil
}

// forgetCreation ends a creation. The pages that no creation can claim any more
// are shown; they are the launcher's.
func (m *Machine) forgetCreation(c *call.Call) {
	m.creations.open = slices.DeleteFunc(m.creations.open, func(pending *creation) bool { return pending.call == c })
	if len(m.creations.open) > 0 {
		return
	}
	for _, p := range m.Pages {
		p.hidden = false
	}
}

// completeCreation answers new_page, or lets its navigation answer it.
func (m *Machine) completeCreation(p *pageEntry) []Effect {
	c := p.creator
	p.creator = nil
	command, _ := c.Command.(*messages.NewPage)
	if command == nil || command.URL == "" {
		return []Effect{&FinishCall{c, &messages.Receipt{
			ExecutionState: messages.Completed, BrowserID: m.id, PageID: p.ID, LoadState: messages.LoadIdle, NeedsSnapshot: true}}}
	}
	address := messages.PageAddress{BrowserID: m.id, PageID: p.ID}
	return []Effect{&ForwardToPage{Page: p.ID, Call: c, As: &messages.Navigate{PageAddress: address, URL: command.URL}}}
}

// onCreationOverdue gives up waiting for a page that the browser says it made.
func (m *Machine) onCreationOverdue(msg *creationOverdue) []Effect {
	if m.CreationOf(msg.call) == nil {
		return nil
	}
	m.forgetCreation(msg.call)
	m.creations.doubts++
	return []Effect{&FinishCall{msg.call, m.uncertainCreation(messages.NewError(messages.CodePageCreateUnobserved, ""))}}
}
