package actors

import (
	"slices"
	"time"

	"github.com/troupe-browser/troupe/actors/downloads"
	"github.com/troupe-browser/troupe/messages"
)

// listingStarted is the answer to startListing, where the call is still wanted.
type listingStarted struct{ call *call }

// listingDue comes from the timer of a listing that waits for running downloads.
type listingDue struct{ call *call }

// filesDone comes from the runner that worked on the files. named are the names that
// finished files have now, removed the records whose files are gone.
type filesDone struct {
	named   []downloads.Ended
	removed []downloads.Ended
	call    *call // of a clear
	receipt *messages.Receipt
}

func (*listingStarted) browserMessage() {}
func (*listingDue) browserMessage()     {}
func (*filesDone) browserMessage()      {}

type (
	// startListing takes up a listing that waits; listingStarted comes back at once,
	// unless its caller has given it up.
	startListing struct{ call *call }
	// settleFiles names finished files in a runner; filesDone comes back.
	settleFiles struct{ files []downloads.Unnamed }
	// removeFiles removes files in a runner, as the whole effect of a call;
	// filesDone comes back.
	removeFiles struct {
		call  *call
		ended []downloads.Ended
	}
	// cancelDownload cancels a download in a runner, for a call or, without one,
	// because it can't be tracked.
	cancelDownload struct {
		call    *call
		guid    string
		context string
	}
)

func (*startListing) browserEffect()   {}
func (*settleFiles) browserEffect()    {}
func (*removeFiles) browserEffect()    {}
func (*cancelDownload) browserEffect() {}

// downloadState is what a browser's machine keeps of downloads beside the book.
type downloadState struct {
	book *downloads.Book
	// store names where a file lies, for the operator.
	store downloads.Store
	// waiting are the listings that wait for running downloads.
	waiting []*call
	// listed are the listings to be answered once the files are named, clears the
	// calls that wait to remove files. One runner works on the files at a time.
	listed []*call
	clears []*call
	busy   bool
}

// onDownload takes in what the browser says about a download (R131).
func (m *browserMachine) onDownload(msg *downloadSeen) []browserEffect {
	d := &m.downloads
	if msg.state == "" {
		tracked := d.book.Begin(downloads.Begun{
			GUID: msg.guid, Suggested: msg.suggested, Origin: m.originOf(msg.frame), At: msg.at})
		if !tracked {
			return []browserEffect{&cancelDownload{guid: msg.guid, context: m.contextOf(msg.frame)}}
		}
		return m.downloadChanged(msg.at)
	}
	if !d.book.Progress(downloads.Progress{GUID: msg.guid, State: msg.state, Received: msg.received, Total: msg.total}) {
		return nil
	}
	effects := m.downloadChanged(msg.at)
	waiting := d.waiting
	d.waiting = nil
	for _, c := range waiting {
		effects = append(effects, m.listDownloads(c, true)...)
	}
	return effects
}

func (m *browserMachine) downloadChanged(at time.Time) []browserEffect {
	return []browserEffect{&browserPublish{messages.Event{Kind: messages.EventDownloadChanged, BrowserID: m.id, At: at}}}
}

// originOf returns the page whose main frame it is, which has its target's id. For
// other frames the page says so itself.
func (m *browserMachine) originOf(frame string) downloads.Origin {
	for _, p := range m.pages {
		if string(p.target.target) == frame {
			return downloads.Origin{Page: p.id, Owner: p.owner.caller}
		}
	}
	return downloads.Origin{}
}

// contextOf returns the browser context of a temporary page's frame, or "".
func (m *browserMachine) contextOf(frame string) string {
	for _, p := range m.pages {
		if string(p.target.target) == frame && m.creations.contexts[p.target.context] {
			return p.target.context
		}
	}
	return ""
}

func (m *browserMachine) onSourced(msg *downloadSourced) {
	if p := m.page(msg.page); p != nil {
		m.downloads.book.Attribute(msg.guid, downloads.Origin{Page: p.id, Owner: p.owner.caller, Operation: msg.operation})
	}
}

// seenBy selects the downloads that a caller may see: those of its own pages, and
// as the launcher also those of unknown origin (C27).
func (m *browserMachine) seenBy(caller messages.Caller) downloads.Filter {
	return downloads.Filter{Sees: func(o downloads.Origin) bool {
		return owns(caller, o.Owner) || o.Owner == "" && caller.ID == m.launcher
	}}
}

// listDownloads answers ListDownloads once what runs has ended, where the caller
// waits for that (R132), and once finished files have their names (R130).
func (m *browserMachine) listDownloads(c *call, waits bool) []browserEffect {
	command, _ := c.command.(*messages.ListDownloads)
	_, running := m.downloads.book.List(m.seenBy(c.caller))
	if running > 0 && waits && command.Wait > 0 {
		m.downloads.waiting = append(m.downloads.waiting, c)
		return nil
	}
	m.downloads.listed = append(m.downloads.listed, c)
	return m.nextFiles()
}

// onListDownloads takes in a listing. One that waits is started, so that its time
// counts from here and not from its turn.
func (m *browserMachine) onListDownloads(c *call, command *messages.ListDownloads) []browserEffect {
	if command.Wait <= 0 {
		return m.listDownloads(c, false)
	}
	return []browserEffect{&startListing{c}}
}

// onListingStarted answers a listing, or lets it wait. One that its caller had given up
// before never starts.
func (m *browserMachine) onListingStarted(msg *listingStarted) []browserEffect {
	c := msg.call
	effects := m.listDownloads(c, true)
	if command, ok := c.command.(*messages.ListDownloads); ok && slices.Contains(m.downloads.waiting, c) {
		effects = append(effects, &browserTimer{command.Wait, &listingDue{c}})
	}
	return effects
}

func (m *browserMachine) onListingDue(msg *listingDue) []browserEffect {
	if !slices.Contains(m.downloads.waiting, msg.call) {
		return nil
	}
	m.forgetListing(msg.call)
	return m.listDownloads(msg.call, false)
}

// forgetListing drops a listing that waits.
func (m *browserMachine) forgetListing(c *call) {
	m.downloads.waiting = slices.DeleteFunc(m.downloads.waiting, func(other *call) bool { return other == c })
}

// nextFiles works on the files, one runner at a time: a file that is named must not
// be removed under its old name.
func (m *browserMachine) nextFiles() []browserEffect {
	d := &m.downloads
	if d.busy {
		return nil
	}
	var effects []browserEffect
	if len(d.listed) > 0 {
		if files := d.book.Unnamed(); len(files) > 0 {
			d.busy = true
			return []browserEffect{&settleFiles{files}}
		}
		for _, c := range d.listed {
			effects = append(effects, &browserAnswer{c, m.downloadList(c.caller)})
		}
		d.listed = nil
	}
	if len(d.clears) > 0 {
		c := d.clears[0]
		d.clears = d.clears[1:]
		d.busy = true
		effects = append(effects, &removeFiles{c, d.book.Ended(m.seenBy(c.caller))})
	}
	return effects
}

func (m *browserMachine) onFilesDone(msg *filesDone) []browserEffect {
	d := &m.downloads
	d.busy = false
	for _, file := range msg.named {
		d.book.Named(file.GUID, file.Name)
	}
	d.book.Forget(msg.removed)
	var effects []browserEffect
	if msg.call != nil {
		effects = append(effects, &browserFinish{msg.call, msg.receipt})
	}
	return append(effects, m.nextFiles()...)
}

// downloadList is the answer to a listing. Paths are for the operator only (R4).
func (m *browserMachine) downloadList(caller messages.Caller) *messages.DownloadList {
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
func (m *browserMachine) onCancelDownload(c *call, command *messages.CancelDownload) []browserEffect {
	guid, origin, running, ok := m.downloads.book.Find(command.DownloadID, m.seenBy(c.caller))
	downloadsList := map[string]any{"action": "downloads", "browser_id": string(m.id)}
	switch {
	case !ok:
		return []browserEffect{&browserFail{c, messages.NewError(messages.CodeInvalidRequest, "There is no such download.").
			WithRecovery("observe_browser", downloadsList)}}
	case !running:
		return []browserEffect{&browserFail{c, messages.NewError(messages.CodeInvalidRequest, "The download has ended.").
			WithRecovery("observe_browser", downloadsList)}}
	}
	context := ""
	if p := m.page(origin.Page); p != nil && m.creations.contexts[p.target.context] {
		context = p.target.context
	}
	return []browserEffect{&cancelDownload{call: c, guid: guid, context: context}}
}

// onClearDownloads forgets the ended records of a caller and removes their files.
func (m *browserMachine) onClearDownloads(c *call) []browserEffect {
	m.downloads.clears = append(m.downloads.clears, c)
	return m.nextFiles()
}

// downloadsSince returns what began since a time and came from a page, from a page
// that it opened, or from nobody knows where, for a receipt.
func (m *browserMachine) downloadsSince(page messages.PageID, since time.Time) []messages.Download {
	list, _ := m.downloads.book.List(downloads.Filter{Since: since, Sees: func(o downloads.Origin) bool {
		if o.Page == "" || o.Page == page {
			return true
		}
		p := m.page(o.Page)
		return p != nil && p.opener == page
	}})
	return list[:min(len(list), messages.ReceiptDownloadsMax)]
}
