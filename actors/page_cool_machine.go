package actors

import (
	"github.com/troupe-browser/troupe/actors/collect"
	"github.com/troupe-browser/troupe/messages"
)

// coolDue asks whether the page was left unobserved since the snapshot of that
// generation.
type coolDue struct{ generation messages.Generation }

func (*coolDue) pageMessage() {}

// coolPage ends what the browser keeps up for snapshots.
type coolPage struct{}

func (*coolPage) pageEffect() {}

// warmed notes that a snapshot made the browser keep an accessibility tree, which
// costs a page that changes all the time some of its speed. It is given up when the
// page was not observed for coolAfter; one timer at a time looks whether it was.
func (m *pageMachine) warmed(reply *messages.Snapshot) []pageEffect {
	if reply.Collector != collect.CollectorWalker || m.cooling {
		return nil
	}
	m.cooling = true
	return []pageEffect{&pageTimer{coolAfter, &coolDue{reply.Generation}}}
}

// onCoolDue cools the page, or looks again later when it is in use.
func (m *pageMachine) onCoolDue(msg *coolDue) []pageEffect {
	m.cooling = false
	switch {
	case m.gone != nil || m.crashed:
		return nil // a new renderer keeps nothing up
	case m.current != nil || m.fence.generation != msg.generation:
		m.cooling = true
		return []pageEffect{&pageTimer{coolAfter, &coolDue{m.fence.generation}}}
	}
	return []pageEffect{&coolPage{}}
}
