package engine

import (
	"context"

	"github.com/troupe-browser/troupe/cdp"
	"github.com/troupe-browser/troupe/messages"
)

// ClosePages closes the pages that were opened in a browser that goes on running
// (R7): own, and what was opened from one of them. One that does not answer is left to
// its user.
func (e *engine) ClosePages(ctx context.Context, own []cdp.TargetID) {
	if e.Ownership != messages.AttachedEndpoint {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, messages.GracefulTimeout)
	defer cancel()
	root := e.Conn.Root()
	var pending []*cdp.Pending
	for target := range e.ownTabs(ctx, own) {
		pending = append(pending, root.Send(ctx, "Target.closeTarget", map[string]any{"targetId": target}))
	}
	for _, p := range pending {
		_ = p.Wait(nil) // a page that is gone already needs no closing
	}
}

// ownTabs adds everything that was opened from one of the known targets.
func (e *engine) ownTabs(ctx context.Context, known []cdp.TargetID) map[cdp.TargetID]struct{} {
	own := make(map[cdp.TargetID]struct{})
	for _, target := range known {
		own[target] = struct{}{}
	}
	var answer struct {
		Infos []TargetInfo `json:"targetInfos"`
	}
	// Without an answer what is known is closed.
	_ = e.Conn.Root().Execute(ctx, "Target.getTargets", map[string]any{"filter": PageFilter}, &answer)
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
