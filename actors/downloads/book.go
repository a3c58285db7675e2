package downloads

import (
	"fmt"
	"slices"
	"time"

	"github.com/troupe-browser/troupe/messages"
)

// attributionsMax bounds what is known of downloads that the browser has not
// announced yet. At the bound the oldest is forgotten, and its download belongs to
// no page.
const attributionsMax = 32

// Origin says what a download came from, as far as it is known.
type Origin struct {
	Page      messages.PageID
	Owner     messages.CallerID
	Operation messages.OperationID
}

// Begun is the browser's announcement of a download.
type Begun struct {
	GUID      string
	Suggested string
	Origin    Origin
	At        time.Time
}

// Progress is the browser's word on a download under way. State is the protocol's:
// inProgress, completed or canceled.
type Progress struct {
	GUID            string
	State           string
	Received, Total int64
}

type record struct {
	id        messages.DownloadID
	guid      string
	suggested string // made harmless
	origin    Origin
	at        time.Time
	state     messages.DownloadState
	received  int64
	total     int64
	// name is the file's name in the directory, once it was given one.
	name string
}

func (r *record) running() bool { return r.state == messages.DownloadInProgress }

// Book holds the records of one browser's downloads, at most DownloadsTrackedMax
// (R133). At the bound the oldest ended record is forgotten, its file stays until
// the directory goes; while all of them run, a further download is to be cancelled.
type Book struct {
	denied  bool
	minted  int
	records []*record // in the order in which they began
	early   []attribution
}

type attribution struct {
	guid   string
	origin Origin
}

// NewBook returns an empty book. denied says that the browser was told to deny
// downloads, since whoever launched it lacks files:download (C5): a cancelled
// download is then a denied one.
func NewBook(denied bool) *Book { return &Book{denied: denied} }

// Begin takes in the announcement of a download. It returns false when the download
// can't be tracked and is to be cancelled. An announcement that comes again changes
// nothing.
func (b *Book) Begin(msg Begun) bool {
	if b.find(msg.GUID) != nil {
		return true
	}
	if len(b.records) >= messages.DownloadsTrackedMax {
		i := slices.IndexFunc(b.records, func(r *record) bool { return !r.running() })
		if i < 0 {
			return false
		}
		b.records = slices.Delete(b.records, i, i+1)
	}
	b.minted++
	r := &record{
		id: messages.DownloadID(fmt.Sprintf("dl_%d", b.minted)), guid: msg.GUID, suggested: SafeName(msg.Suggested),
		origin: msg.Origin, at: msg.At, state: messages.DownloadInProgress,
	}
	if i := slices.IndexFunc(b.early, func(a attribution) bool { return a.guid == msg.GUID }); i >= 0 {
		r.origin = b.early[i].origin
		b.early = slices.Delete(b.early, i, i+1)
	}
	b.records = append(b.records, r)
	return true
}

// Attribute says what a download came from, which the page knows better than the
// browser. It may come before the announcement.
func (b *Book) Attribute(guid string, origin Origin) {
	if r := b.find(guid); r != nil {
		r.origin = origin
		return
	}
	if len(b.early) == attributionsMax {
		b.early = slices.Delete(b.early, 0, 1)
	}
	b.early = append(b.early, attribution{guid, origin})
}

// Progress takes in how a download goes on and reports whether it ended by that. A
// download that has ended, or that is not known, stays as it is.
func (b *Book) Progress(msg Progress) bool {
	r := b.find(msg.GUID)
	if r == nil || !r.running() {
		return false
	}
	r.received, r.total = max(msg.Received, r.received), max(msg.Total, r.total)
	switch msg.State {
	case "completed":
		r.state = messages.DownloadCompleted
	case "canceled":
		r.state = messages.DownloadCanceled
		if b.denied {
			r.state = messages.DownloadDenied
		}
	}
	return !r.running()
}

func (b *Book) find(guid string) *record {
	for _, r := range b.records {
		if r.guid == guid {
			return r
		}
	}
	return nil
}

// Filter selects records.
type Filter struct {
	// Sees, when not nil, says whether what came from there is shown.
	Sees func(Origin) bool
	// Since, when not zero, leaves out what began before.
	Since time.Time
}

func (f Filter) keeps(r *record) bool {
	return (f.Sees == nil || f.Sees(r.origin)) && (f.Since.IsZero() || !r.at.Before(f.Since))
}

// List returns the records that the filter keeps, oldest first, and how many of
// them run. A path is not part of them: whoever may see it adds it.
func (b *Book) List(filter Filter) ([]messages.Download, int) {
	out, running := []messages.Download{}, 0
	for _, r := range b.records {
		if !filter.keeps(r) {
			continue
		}
		if r.running() {
			running++
		}
		out = append(out, messages.Download{
			DownloadID: r.id, State: r.state, Received: r.received, Total: r.total,
			Suggested: r.suggested, FileName: r.name, PageID: r.origin.Page, OperationID: r.origin.Operation,
		})
	}
	return out, running
}

// Find returns the GUID of a record, what it came from, and whether it still runs.
func (b *Book) Find(id messages.DownloadID, filter Filter) (guid string, origin Origin, running, ok bool) {
	for _, r := range b.records {
		if r.id == id && filter.keeps(r) {
			return r.guid, r.origin, r.running(), true
		}
	}
	return "", Origin{}, false, false
}

// Unnamed is a finished file that still has its GUID for a name.
type Unnamed struct {
	GUID      string
	Suggested string
}

// Unnamed returns the finished files that have not been given a name.
func (b *Book) Unnamed() []Unnamed {
	var out []Unnamed
	for _, r := range b.records {
		if r.state == messages.DownloadCompleted && r.name == "" {
			out = append(out, Unnamed{GUID: r.guid, Suggested: r.suggested})
		}
	}
	return out
}

// Named says what name a finished file has now.
func (b *Book) Named(guid, name string) {
	if r := b.find(guid); r != nil {
		r.name = name
	}
}

// Ended is a record that is over, with the name that its file has.
type Ended struct {
	GUID string
	Name string
}

// Ended returns the records that are over and that the filter keeps.
func (b *Book) Ended(filter Filter) []Ended {
	var out []Ended
	for _, r := range b.records {
		if r.running() || !filter.keeps(r) {
			continue
		}
		name := r.name
		if name == "" {
			name = r.guid
		}
		out = append(out, Ended{GUID: r.guid, Name: name})
	}
	return out
}

// Forget drops records that are over.
func (b *Book) Forget(ended []Ended) {
	b.records = slices.DeleteFunc(b.records, func(r *record) bool {
		return !r.running() && slices.ContainsFunc(ended, func(e Ended) bool { return e.GUID == r.guid })
	})
}
