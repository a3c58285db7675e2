package page

import (
	"github.com/troupe-browser/troupe/actors/collect"
	"github.com/troupe-browser/troupe/actors/kernel"
	"github.com/troupe-browser/troupe/messages"
)

// coolDue asks whether the page was left unobserved since the snapshot of that
// generation.
type coolDue struct{ generation messages.Generation }

func (*coolDue) ToPage() {}

// coolPage ends what the browser keeps up for snapshots.
type coolPage struct{}

func (*coolPage) isEffect() {}

// warmed notes that a snapshot made the browser keep an accessibility tree, which
// costs a page that changes all the time some of its speed. It is given up when the
// page was not observed for kernel.CoolAfter; one timer at a time looks whether it was.
func (m *machine) warmed(reply *messages.Snapshot) []Effect {
	if reply.Collector != collect.CollectorWalker || m.cooling {
		return nil
	}
	m.cooling = true
	return []Effect{&sendLater{kernel.CoolAfter, &coolDue{reply.Generation}}}
}

// onCoolDue cools the page, or looks again later when it is in use.
func (m *machine) onCoolDue(msg *coolDue) []Effect {
	m.cooling = false
	switch {
	case m.gone != nil || m.crashed:
		return nil // a new renderer keeps nothing up
	case m.current != nil || m.fence.generation != msg.generation:
		m.cooling = true
		return []Effect{&sendLater{kernel.CoolAfter, &coolDue{m.fence.generation}}}
	}
	return []Effect{&coolPage{}}
}
