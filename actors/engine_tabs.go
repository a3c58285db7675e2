package actors

import (
	"context"
	"slices"

	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// keepMade remembers a page target that was made for us, attached or not, so that it
// does not stay in somebody else's browser. The bound of pages bounds the list.
func (e *engine) keepMade(target cdp.TargetID) {
	e.changeMade(func(made []cdp.TargetID) []cdp.TargetID { return append(made, target) })
}

// dropMade forgets a page target that is gone.
func (e *engine) dropMade(target cdp.TargetID) {
	e.changeMade(func(made []cdp.TargetID) []cdp.TargetID {
		return slices.DeleteFunc(made, func(other cdp.TargetID) bool { return other == target })
	})
}

// changeMade replaces the list by a changed copy. Several runners may do so at once.
func (e *engine) changeMade(change func([]cdp.TargetID) []cdp.TargetID) {
	for {
		old := e.made.Load()
		var made []cdp.TargetID
		if old != nil {
			made = slices.Clone(*old)
		}
		made = change(made)
		if e.made.CompareAndSwap(old, &made) {
			return
		}
	}
}

// closePages closes the pages that were opened in a browser that goes on running
// (R7), also those that were made or opened by ours and never attached. One that does
// not answer is left to its user.
func (e *engine) closePages(ctx context.Context) {
	if e.ownership != messages.AttachedEndpoint {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, messages.GracefulTimeout)
	defer cancel()
	root := e.conn.Root()
	var pending []*cdp.Pending
	for target := range e.ownTabs(ctx) {
		pending = append(pending, root.Send(ctx, "Target.closeTarget", map[string]any{"targetId": target}))
	}
	for _, p := range pending {
		_ = p.Wait(nil) // a page that is gone already needs no closing
	}
}

// ownTabs returns the page targets that are attached or were made for us, with
// everything that was opened from one of them.
func (e *engine) ownTabs(ctx context.Context) map[cdp.TargetID]struct{} {
	own := make(map[cdp.TargetID]struct{})
	for _, link := range *e.links.Load() {
		own[link.target] = struct{}{}
	}
	if made := e.made.Load(); made != nil {
		for _, target := range *made {
			own[target] = struct{}{}
		}
	}
	var answer struct {
		Infos []targetInfo `json:"targetInfos"`
	}
	// Without an answer what is known is closed.
	_ = e.conn.Root().Execute(ctx, "Target.getTargets", map[string]any{"filter": pageFilter}, &answer)
	for grown := -1; grown != len(own); {
		grown = len(own)
		for _, info := range answer.Infos {
			if _, ours := own[info.OpenerID]; ours {
				own[info.TargetID] = struct{}{}
			}
		}
	}
	return own
}
