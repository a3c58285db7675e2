package page

import (
	"slices"
	"strconv"
	"strings"

	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// fence is what stands between an element id and an action (R29-R37, R40). It is
// immutable: every change makes a new one, which runners load when they resolve.
//
// Ids belong to the reader that took the snapshot (C40): one who looks ends his own
// older ids and nobody else's.
type fence struct {
	browser messages.BrowserID
	page    messages.PageID
	nonce   string
	// generation is that of the last published snapshot, whoever took it; 0 means
	// there was none.
	generation messages.Generation
	// restarted says why a reader without a reading may hold ids all the same; empty
	// unless the page's actor was restarted.
	restarted string
	// readings has at most messages.PageReadersMax, the last published at the end.
	readings []*reading
}

// reading is what the last snapshot of one reader gave out.
type reading struct {
	reader     messages.CallerID
	generation messages.Generation
	// firstRef is the first ref of the generation; a lower one belongs to an older
	// snapshot.
	firstRef uint64
	token    messages.DocumentToken
	// stale says in a sentence why the generation is dead; empty while it lives. The
	// generation is kept over it, so that the error is "stale" and not "no snapshot"
	// (R37).
	stale string
	// framed says that elements of inner frames may have got ids.
	framed bool
	byID   map[messages.ElementID]*snapshot.Record
	byRef  map[messages.Ref]*snapshot.Record
}

// reason names an operation as what made ids stale.
func operationReason(action messages.Action, operation messages.OperationID) string {
	if operation == "" {
		return "The call " + string(action) + " changed the document."
	}
	return "The call " + string(action) + " (operation " + string(operation) + ") changed the document."
}

// of returns the reading of one reader, or nil.
func (f *fence) of(reader messages.CallerID) *reading {
	for _, r := range f.readings {
		if r.reader == reader {
			return r
		}
	}
	return nil
}

// dropped returns the fence after the generations that match died.
func (f *fence) dropped(by string, match func(*reading) bool) *fence {
	next, changed := *f, false
	next.readings = slices.Clone(f.readings)
	for i, r := range next.readings {
		if r.stale != "" || !match(r) {
			continue // the first reason is the one that explains it
		}
		dead := *r
		dead.stale = by
		dead.byID, dead.byRef, dead.framed = nil, nil, false
		next.readings[i], changed = &dead, true
	}
	if !changed {
		return f
	}
	return &next
}

func anyReading(*reading) bool      { return true }
func framedReading(r *reading) bool { return r.framed }

// published returns the fence after a new snapshot. Where it is one reader too many,
// the ids of the one who has not looked for longest go.
func (f *fence) published(reader messages.CallerID, s *messages.Snapshot, result *snapshotResult, firstRef uint64) *fence {
	seen := &reading{
		reader: reader, generation: s.Generation, token: s.DocumentToken, firstRef: firstRef, framed: result.framed,
		byID:  make(map[messages.ElementID]*snapshot.Record, len(result.records)),
		byRef: make(map[messages.Ref]*snapshot.Record, len(result.records)),
	}
	for i := range result.records {
		r := &result.records[i]
		seen.byID[r.ElementID] = r
		if r.Ref != "" {
			seen.byRef[r.Ref] = r
		}
	}
	next := *f
	next.generation = s.Generation
	next.readings = slices.DeleteFunc(slices.Clone(f.readings), func(r *reading) bool { return r.reader == reader })
	if over := len(next.readings) + 1 - messages.PageReadersMax; over > 0 {
		next.readings = next.readings[over:]
	}
	next.readings = append(next.readings, seen)
	return &next
}

// kept are the generations that a new snapshot of the reader leaves alive.
func (f *fence) kept(reader messages.CallerID) []messages.Generation {
	var out []messages.Generation
	for _, r := range f.readings {
		if r.reader != reader && r.stale == "" {
			out = append(out, r.generation)
		}
	}
	return out
}

// stale reports whether the reader's ids are dead.
func (f *fence) stale(reader messages.CallerID) bool {
	r := f.of(reader)
	return r != nil && r.stale != "" || r == nil && f.restarted != ""
}

// generationOf is that of the reader's last snapshot, 0 without one.
func (f *fence) generationOf(reader messages.CallerID) messages.Generation {
	if r := f.of(reader); r != nil {
		return r.generation
	}
	return 0
}

// resolve judges an element handle of one reader in the order of R34: shape,
// existence of a snapshot, staleness, membership, then admission of the action (R67).
func (f *fence) resolve(reader messages.CallerID, handle messages.ElementHandle, action messages.Action) (*snapshot.Record, *messages.Error) {
	ref, isRef := refNumber(string(handle))
	nonce, generation, isID := idParts(string(handle))
	if !isRef && !isID {
		return nil, messages.NewError(messages.CodeRefMalformed, "").WithRecovery("observe_browser", f.observe())
	}
	last := f.of(reader)
	if last == nil {
		return nil, f.unread()
	}
	name := "This id"
	if isRef {
		name = string(handle)
	}
	switch {
	case isID && nonce != f.nonce:
		return nil, f.staleError("This id is of another page, or of before the page's actor was restarted.")
	case isID && generation > last.generation:
		return nil, f.staleError("This id is from a snapshot that another caller took; your last is generation " +
			last.generation.String() + ".")
	case isID && generation < last.generation, isRef && ref < last.firstRef:
		return nil, f.staleError(name + " is from an older snapshot; the last is generation " +
			last.generation.String() + ", which you took.")
	case last.stale != "":
		return nil, f.staleError(last.stale)
	}
	record := last.byID[messages.ElementID(handle)]
	if isRef {
		record = last.byRef[messages.Ref(handle)]
	}
	if record == nil {
		return nil, messages.NewError(messages.CodeRefDetached, "No element of your last snapshot has this id. Use one that it lists.").
			WithRecovery("observe_browser", f.observe())
	}
	if action != "" && !record.Admits(action) {
		return nil, messages.NewError(messages.CodeElementActionUnsupported, "")
	}
	return record, nil
}

// checkToken judges a document token of one reader (R40, R155). An empty one demands
// nothing.
func (f *fence) checkToken(reader messages.CallerID, token messages.DocumentToken) *messages.Error {
	if token == "" {
		return nil
	}
	last := f.of(reader)
	switch {
	case last == nil:
		return f.unread()
	case last.stale != "" && token == last.token:
		return f.staleError(last.stale)
	case token != last.token:
		return f.staleError("The document_token is not that of your last snapshot of this page.")
	}
	return nil
}

// unread refuses a reader of whom the page keeps no snapshot.
func (f *fence) unread() *messages.Error {
	switch {
	case f.restarted != "":
		return f.staleError(f.restarted)
	case f.generation == 0:
		return messages.NewError(messages.CodeSnapshotMissing, "").WithRecovery("observe_browser", f.observe())
	}
	return messages.NewError(messages.CodeSnapshotMissing, "The page keeps no snapshot of yours. Ids are good for the caller that took the snapshot, and "+
		"those of the last %d callers are kept. Take a snapshot.", messages.PageReadersMax).WithRecovery("observe_browser", f.observe())
}

// staleError says what made the id stale and what to do.
func (f *fence) staleError(by string) *messages.Error {
	return messages.NewError(messages.CodeSnapshotStale, "%s Take a snapshot and use its ids.", by).WithRecovery("observe_browser", f.observe())
}

func (f *fence) observe() map[string]any {
	return map[string]any{"action": "snapshot", "browser_id": string(f.browser), "page_id": string(f.page)}
}

// refNumber returns the number of a ref such as "e12".
func refNumber(handle string) (uint64, bool) {
	digits, ok := strings.CutPrefix(handle, "e")
	if !ok || digits == "" || digits[0] == '0' {
		return 0, false
	}
	n, err := strconv.ParseUint(digits, 10, 63)
	return n, err == nil
}

// elementPrefix begins every element id.
const elementPrefix = "el_"

// idPrefix is what the element ids of a generation begin with.
func (f *fence) idPrefix(generation messages.Generation) string {
	return elementPrefix + f.nonce + "_" + strconv.FormatUint(uint64(generation), 10) + "_"
}

// idParts takes an element id apart.
func idParts(handle string) (nonce string, generation messages.Generation, ok bool) {
	rest, ok := strings.CutPrefix(handle, elementPrefix)
	if !ok {
		return "", 0, false
	}
	parts := strings.Split(rest, "_")
	if len(parts) != 3 || parts[0] == "" {
		return "", 0, false
	}
	n, err := strconv.ParseUint(parts[1], 10, 64)
	if err != nil {
		return "", 0, false
	}
	if _, err := strconv.ParseUint(parts[2], 10, 64); err != nil {
		return "", 0, false
	}
	return parts[0], messages.Generation(n), true
}
