package browser

import (
	"slices"
	"time"

	"github.com/troupe-browser/troupe/actors/call"
	"github.com/troupe-browser/troupe/actors/downloads"
	"github.com/troupe-browser/troupe/actors/engine"
	"github.com/troupe-browser/troupe/actors/page"
	"github.com/troupe-browser/troupe/messages"
)

// ListingStarted is the answer to StartListing, where the call is still wanted.
type ListingStarted struct{ Call *call.Call }

// listingDue comes from the timer of a listing that waits for running downloads.
type listingDue struct{ call *call.Call }

// filesDone comes from the runner that worked on the files. named are the names that
// finished files have now, removed the records whose files are gone.
type filesDone struct {
	named   []downloads.Ended
	removed []downloads.Ended
	call    *call.Call // of a clear
	receipt *messages.Receipt
}

func (*ListingStarted) ToBrowser() {}
func (*listingDue) ToBrowser()     {}
func (*filesDone) ToBrowser()      {}

type (
	// StartListing takes up a listing that waits; ListingStarted comes back at once,
	// unless its caller has given it up.
	StartListing struct{ Call *call.Call }
	// settleFiles names finished files in a runner; filesDone comes back.
	settleFiles struct{ files []downloads.Unnamed }
	// removeFiles removes files in a runner, as the whole effect of a call;
	// filesDone comes back.
	removeFiles struct {
		call  *call.Call
		ended []downloads.Ended
	}
	// cancelDownload cancels a download in a runner, for a call or, without one,
	// because it can't be tracked.
	cancelDownload struct {
		call    *call.Call
		guid    string
		context string
	}
)

func (*StartListing) isEffect()   {}
func (*settleFiles) isEffect()    {}
func (*removeFiles) isEffect()    {}
func (*cancelDownload) isEffect() {}

// downloadState is what a browser's machine keeps of downloads beside the book.
type downloadState struct {
	book *downloads.Book
	// store names where a file lies, for the operator.
	store downloads.Store
	// waiting are the listings that wait for running downloads.
	waiting []*call.Call
	// listed are the listings to be answered once the files are named, clears the
	// calls that wait to remove files. One runner works on the files at a time.
	listed []*call.Call
	clears []*call.Call
	busy   bool
}

// onDownload takes in what the browser says about a download (R131).
func (m *Machine) onDownload(msg *engine.DownloadSeen) []Effect {
	d := &m.downloads
	if msg.State == "" {
		tracked := d.book.Begin(downloads.Begun{
			GUID: msg.GUID, Suggested: msg.Suggested, Origin: m.originOf(msg.Frame), At: msg.At})
		if !tracked {
			return []Effect{&cancelDownload{guid: msg.GUID, context: m.contextOf(msg.Frame)}}
		}
		return m.downloadChanged(msg.At)
	}
	if !d.book.Progress(downloads.Progress{GUID: msg.GUID, State: msg.State, Received: msg.Received, Total: msg.Total}) {
		return nil
	}
	effects := m.downloadChanged(msg.At)
	waiting := d.waiting
	d.waiting = nil
	for _, c := range waiting {
		effects = append(effects, m.listDownloads(c, true)...)
	}
	return effects
}

func (m *Machine) downloadChanged(at time.Time) []Effect {
	return []Effect{&PublishEvent{messages.Event{Kind: messages.EventDownloadChanged, BrowserID: m.id, At: at}}}
}

// originOf returns the page whose main frame it is, which has its target's id. For
// other frames the page says so itself.
func (m *Machine) originOf(frame string) downloads.Origin {
	for _, p := range m.Pages {
		if string(p.target.Target) == frame {
			return downloads.Origin{Page: p.ID, Owner: p.owner.Caller}
		}
	}
	return downloads.Origin{}
}

// contextOf returns the browser context of a temporary page's frame, or "".
func (m *Machine) contextOf(frame string) string {
	for _, p := range m.Pages {
		if string(p.target.Target) == frame && m.creations.contexts[p.target.Context] {
			return p.target.Context
		}
	}
	return ""
}

func (m *Machine) onSourced(msg *page.DownloadSourced) {
	if p := m.page(msg.Page); p != nil {
		m.downloads.book.Attribute(msg.GUID, downloads.Origin{Page: p.ID, Owner: p.owner.Caller, Operation: msg.Operation})
	}
}

// seenBy selects the downloads that a caller may see: those of its own pages, and
// as the launcher also those of unknown origin (C27).
func (m *Machine) seenBy(caller messages.Caller) downloads.Filter {
	return downloads.Filter{Sees: func(o downloads.Origin) bool {
		return call.Owns(caller, o.Owner) || o.Owner == "" && caller.ID == m.launcher
	}}
}

// listDownloads answers ListDownloads once what runs has ended, where the caller
// waits for that (R132), and once finished files have their names (R130).
func (m *Machine) listDownloads(c *call.Call, waits bool) []Effect {
	command, _ := c.Command.(*messages.ListDownloads)
	_, running := m.downloads.book.List(m.seenBy(c.Caller))
	if running > 0 && waits && command.Wait > 0 {
		m.downloads.waiting = append(m.downloads.waiting, c)
		return nil
	}
	m.downloads.listed = append(m.downloads.listed, c)
	return m.nextFiles()
}

// onListDownloads takes in a listing. One that waits is started, so that its time
// counts from here and not from its turn.
func (m *Machine) onListDownloads(c *call.Call, command *messages.ListDownloads) []Effect {
	if command.Wait <= 0 {
		return m.listDownloads(c, false)
	}
	return []Effect{&StartListing{c}}
}

// onListingStarted answers a listing, or lets it wait. One that its caller had given up
// before never starts.
func (m *Machine) onListingStarted(msg *ListingStarted) []Effect {
	c := msg.Call
	effects := m.listDownloads(c, true)
	if command, ok := c.Command.(*messages.ListDownloads); ok && slices.Contains(m.downloads.waiting, c) {
		effects = append(effects, &SendLater{command.Wait, &listingDue{c}})
	}
	return effects
}

func (m *Machine) onListingDue(msg *listingDue) []Effect {
	if !slices.Contains(m.downloads.waiting, msg.call) {
		return nil
	}
	m.forgetListing(msg.call)
	return m.listDownloads(msg.call, false)
}

// forgetListing drops a listing that waits.
func (m *Machine) forgetListing(c *call.Call) {
	m.downloads.waiting = slices.DeleteFunc(m.downloads.waiting, func(other *call.Call) bool { return other == c })
}

// nextFiles works on the files, one runner at a time: a file that is named must not
// be removed under its old name.
func (m *Machine) nextFiles() []Effect {
	d := &m.downloads
	if d.busy {
		return nil
	}
	var effects []Effect
	if len(d.listed) > 0 {
		if files := d.book.Unnamed(); len(files) > 0 {
			d.busy = true
			return []Effect{&settleFiles{files}}
		}
		for _, c := range d.listed {
			effects = append(effects, &AnswerCall{c, m.downloadList(c.Caller)})
		}
		d.listed = nil
	}
	if len(d.clears) > 0 {
		c := d.clears[0]
		d.clears = d.clears[1:]
		d.busy = true
		effects = append(effects, &removeFiles{c, d.book.Ended(m.seenBy(c.Caller))})
	}
	return effects
}

func (m *Machine) onFilesDone(msg *filesDone) []Effect {
	d := &m.downloads
	d.busy = false
	for _, file := range msg.named {
		d.book.Named(file.GUID, file.Name)
	}
	d.book.Forget(msg.removed)
	var effects []Effect
	if msg.call != nil {
		effects = append(effects, &FinishCall{msg.call, msg.receipt})
	}
	return append(effects, m.nextFiles()...)
}

// downloadList is the answer to a listing. Paths are for the operator only (R4).
func (m *Machine) downloadList(caller messages.Caller) *messages.DownloadList {
	list, running := m.downloads.book.List(m.seenBy(caller))
	if caller.Plane == messages.PlaneOperator {
		for i := range list {
			if list[i].FileName != "" {
				list[i].Path = m.downloads.store.Path(list[i].FileName)
			}
		}
	}
	return &messages.DownloadList{Downloads: list, Running: running}
}

// onCancelDownload cancels a running download.
func (m *Machine) onCancelDownload(c *call.Call, command *messages.CancelDownload) []Effect {
	guid, origin, running, ok := m.downloads.book.Find(command.DownloadID, m.seenBy(c.Caller))
	downloadsList := map[string]any{"action": "downloads", "browser_id": string(m.id)}
	switch {
	case !ok:
		return []Effect{&FailCall{c, messages.NewError(messages.CodeInvalidRequest, "There is no such download.").
			WithRecovery("observe_browser", downloadsList)}}
	case !running:
		return []Effect{&FailCall{c, messages.NewError(messages.CodeInvalidRequest, "The download has ended.").
			WithRecovery("observe_browser", downloadsList)}}
	}
	context := ""
	if p := m.page(origin.Page); p != nil && m.creations.contexts[p.target.Context] {
		context = p.target.Context
	}
	return []Effect{&cancelDownload{call: c, guid: guid, context: context}}
}

// onClearDownloads forgets the ended records of a caller and removes their files.
func (m *Machine) onClearDownloads(c *call.Call) []Effect {
	m.downloads.clears = append(m.downloads.clears, c)
	return m.nextFiles()
}

// downloadsSince returns what began since a time and came from a page, from a page
// that it opened, or from nobody knows where, for a receipt.
func (m *Machine) downloadsSince(page messages.PageID, since time.Time) []messages.Download {
	list, _ := m.downloads.book.List(downloads.Filter{Since: since, Sees: func(o downloads.Origin) bool {
		if o.Page == "" || o.Page == page {
			return true
		}
		p := m.page(o.Page)
		return p != nil && p.opener == page
	}})
	return list[:min(len(list), messages.ReceiptDownloadsMax)]
}
