package page

import (
	"strconv"
	"strings"

	"github.com/troupe-browser/troupe/messages"
	"github.com/troupe-browser/troupe/snapshot"
)

// fence is what stands between an element id and an action (R29-R37, R40). It is
// immutable: every change makes a new one, which runners load when they resolve.
type fence struct {
	browser messages.BrowserID
	page    messages.PageID
	nonce   string
	// generation is that of the last published snapshot; 0 means there was none.
	generation messages.Generation
	// firstRef and nextRef bound the refs of the current generation; a lower one
	// belongs to an older snapshot, a higher one was never given out.
	firstRef, nextRef uint64
	token             messages.DocumentToken
	// stale says why the generation is dead; nil while it lives. The generation is
	// kept over it, so that the error is "stale" and not "no snapshot" (R37).
	stale *staleness
	// framed says that elements of inner frames may have got ids.
	framed bool
	byID   map[messages.ElementID]*snapshot.Record
	byRef  map[messages.Ref]*snapshot.Record
}

// staleness is what made ids stale.
type staleness struct {
	code messages.Code // snapshot_stale, or taken_over
	by   string        // a sentence
}

// reason names an operation as what made ids stale.
func operationReason(action messages.Action, operation messages.OperationID) string {
	if operation == "" {
		return "The call " + string(action) + " changed the document."
	}
	return "The call " + string(action) + " (operation " + string(operation) + ") changed the document."
}

// dropped returns the fence after its generation died.
func (f *fence) dropped(code messages.Code, by string) *fence {
	if f.stale != nil && f.stale.code == code || f.generation == 0 {
		return f // the first reason is the one that explains it
	}
	next := *f
	next.stale = &staleness{code: code, by: by}
	next.byID, next.byRef, next.framed = nil, nil, false
	return &next
}

// published returns the fence after a new snapshot.
func (f *fence) published(s *messages.Snapshot, result *snapshotResult, firstRef uint64) *fence {
	next := *f
	next.generation, next.token, next.stale = s.Generation, s.DocumentToken, nil
	next.firstRef, next.nextRef, next.framed = firstRef, result.nextRef, result.framed
	next.byID = make(map[messages.ElementID]*snapshot.Record, len(result.records))
	next.byRef = make(map[messages.Ref]*snapshot.Record, len(result.records))
	for i := range result.records {
		r := &result.records[i]
		next.byID[r.ElementID] = r
		if r.Ref != "" {
			next.byRef[r.Ref] = r
		}
	}
	return &next
}

// resolve judges an element handle in the order of R34: shape, existence of a
// snapshot, staleness, membership, then admission of the action (R67).
func (f *fence) resolve(handle messages.ElementHandle, action messages.Action) (*snapshot.Record, *messages.Error) {
	ref, isRef := refNumber(string(handle))
	nonce, generation, isID := idParts(string(handle))
	switch {
	case !isRef && !isID:
		return nil, messages.NewError(messages.CodeRefMalformed, "").WithRecovery("observe_browser", f.observe())
	case f.generation == 0:
		return nil, messages.NewError(messages.CodeSnapshotMissing, "").WithRecovery("observe_browser", f.observe())
	case isID && (nonce != f.nonce || generation != f.generation), isRef && ref < f.firstRef:
		return nil, f.staleError(&staleness{code: messages.CodeSnapshotStale, by: "It is of another snapshot than the last one of this page, generation " +
			strconv.FormatUint(uint64(f.generation), 10) + "."})
	case f.stale != nil:
		return nil, f.staleError(f.stale)
	}
	record := f.byID[messages.ElementID(handle)]
	if isRef {
		record = f.byRef[messages.Ref(handle)]
	}
	if record == nil {
		return nil, messages.NewError(messages.CodeRefDetached, "No element of the last snapshot has this id. Use one that it lists.").
			WithRecovery("observe_browser", f.observe())
	}
	if action != "" && !record.Admits(action) {
		return nil, messages.NewError(messages.CodeElementActionUnsupported, "")
	}
	return record, nil
}

// checkToken judges a document token (R40, R155). An empty one demands nothing.
func (f *fence) checkToken(token messages.DocumentToken) *messages.Error {
	switch {
	case token == "":
		return nil
	case f.generation == 0:
		return messages.NewError(messages.CodeSnapshotMissing, "").WithRecovery("observe_browser", f.observe())
	case f.stale != nil && token == f.token:
		return f.staleError(f.stale)
	case token != f.token:
		return f.staleError(&staleness{code: messages.CodeSnapshotStale, by: "The document_token is not that of the last snapshot of this page."})
	}
	return nil
}

// staleError says what made the id stale and what to do.
func (f *fence) staleError(s *staleness) *messages.Error {
	return messages.NewError(s.code, "%s Take a snapshot and use its ids.", s.by).WithRecovery("observe_browser", f.observe())
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
