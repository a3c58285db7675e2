package diagnostics

import (
	"slices"
	"time"

	"github.com/troupe-browser/troupe/messages"
)

// window is the time in which one operation ran. A zero to means it still does.
type window struct {
	operation messages.OperationID
	from, to  time.Time
}

func (w window) covers(t time.Time) bool {
	return !t.Before(w.from) && (w.to.IsZero() || !t.After(w.to))
}

// windows are the operations of late, oldest first. Requests are matched by the
// time at which the browser made them and not by arrival, since the lossy lane
// may bring them after the operation ended.
type windows struct{ list []window }

func (w *windows) begin(operation messages.OperationID, at time.Time) {
	if len(w.list) == windowsMax {
		w.list = slices.Delete(w.list, 0, 1)
	}
	w.list = append(w.list, window{operation: operation, from: at})
}

func (w *windows) end(operation messages.OperationID, at time.Time) {
	for i := len(w.list) - 1; i >= 0; i-- {
		if w.list[i].operation == operation && w.list[i].to.IsZero() {
			w.list[i].to = at
			return
		}
	}
}

// at returns the newest operation that ran at t, and whether any did.
func (w *windows) at(t time.Time) (messages.OperationID, bool) {
	for i := len(w.list) - 1; i >= 0; i-- {
		if w.list[i].covers(t) {
			return w.list[i].operation, true
		}
	}
	return "", false
}

// background counts the requests that come while no effect runs, by key.
type background struct {
	seen  map[string]int
	order []string
	// version changes with the set of known keys.
	version uint64
}

func (b *background) saw(key string) {
	if n := b.seen[key]; n > 0 {
		b.seen[key] = min(n+1, backgroundSightings)
		if n+1 == backgroundSightings {
			b.version++
		}
		return
	}
	if len(b.order) == backgroundKeysMax {
		if b.knows(b.order[0]) {
			b.version++
		}
		delete(b.seen, b.order[0])
		b.order = slices.Delete(b.order, 0, 1)
	}
	if b.seen == nil {
		b.seen = make(map[string]int)
	}
	b.seen[key] = 1
	b.order = append(b.order, key)
}

func (b *background) knows(key string) bool { return b.seen[key] >= backgroundSightings }

func (b *background) forget() {
	if b.seen != nil {
		b.version++
	}
	b.seen, b.order = nil, nil
}

// keys returns a copy of the keys that are known.
func (b *background) keys() map[string]struct{} {
	out := make(map[string]struct{}, len(b.order))
	for key := range b.seen {
		if b.knows(key) {
			out[key] = struct{}{}
		}
	}
	return out
}
