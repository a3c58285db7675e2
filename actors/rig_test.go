package actors

import (
	"github.com/asynkron/protoactor-go/actor"

	"github.com/troupe-browser/troupe/messages"
)

// browserPID and pagePID are the actors of a browser and a page: they are named by
// their identities.
func browserPID(r *Runtime, browser messages.BrowserID) *actor.PID {
	return actor.NewPID(r.env.system.Address(), r.env.root.Id+"/"+string(browser))
}

func pagePID(r *Runtime, page messages.PageAddress) *actor.PID {
	return actor.NewPID(r.env.system.Address(), browserPID(r, page.BrowserID).Id+"/"+string(page.PageID))
}
