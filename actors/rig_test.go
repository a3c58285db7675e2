package actors

import (
	"runtime"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/troupe-browser/troupe/messages"
)

// browserPID and pagePID are the actors of a browser and a page: they are named by
// their identities.
func browserPID(r *Runtime, browser messages.BrowserID) *actor.PID {
	return actor.NewPID(r.env.System.Address(), r.env.Root.Id+"/"+string(browser))
}

func pagePID(r *Runtime, page messages.PageAddress) *actor.PID {
	return actor.NewPID(r.env.System.Address(), browserPID(r, page.BrowserID).Id+"/"+string(page.PageID))
}

// heap returns the bytes in use after a collection.
func heap() uint64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
