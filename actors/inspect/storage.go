package inspect

import (
	"context"

	"github.com/troupe-browser/troupe/actors/target"
	"github.com/troupe-browser/troupe/messages"
)

// stored is the answer of the storage function.
type stored struct {
	Entries []struct {
		Key   string `json:"key"`
		Value string `json:"value"`
		Cut   bool   `json:"cut"`
	} `json:"entries"`
	Cut     bool   `json:"cut"`
	Refused string `json:"refused"`
}

// Storage reads one key or the whole of the page's local or session storage at its
// own origin (R147). A value is cut at StorageValueCharsMax characters, the listing
// ends at StorageBytesMax; both say so. A key that is not there gives no entry.
//
// The error is storage_unavailable where the origin has none.
func Storage(ctx context.Context, page target.Page, command *messages.GetStorage) (*messages.StorageEntries, error) {
	var key any
	if command.Key != "" {
		key = command.Key
	}
	var answer stored
	err := inDocument(ctx, &page, &answer, storageFunction,
		command.Area, "", key, nil, messages.StorageValueCharsMax, messages.StorageBytesMax)
	if err != nil {
		return nil, scriptError(err)
	}
	if refusal := answer.refusal(); refusal != nil {
		return nil, refusal
	}
	out := &messages.StorageEntries{Area: command.Area, Entries: []messages.StorageEntry{}, Truncated: answer.Cut}
	for _, e := range answer.Entries {
		out.Entries = append(out.Entries, messages.StorageEntry{Key: e.Key, Value: e.Value, Truncated: e.Cut})
	}
	return out, nil
}

func (s *stored) refusal() *messages.Error {
	switch s.Refused {
	case "":
		return nil
	case "quota":
		return messages.NewError(messages.CodeStorageUnavailable, "The storage of the page's origin is full or read-only, so nothing was written.")
	}
	return messages.NewError(messages.CodeStorageUnavailable, "")
}

// MutateStorage sets or removes one key, or clears an area, at the page's own
// origin (R147), in exactly the document that the page showed when the operation's
// turn came.
func MutateStorage(ctx context.Context, job Job, command *messages.MutateStorage) *messages.Receipt {
	change := "set"
	switch {
	case command.Clear:
		change = "clear"
	case command.Remove:
		change = "remove"
	}
	run := evaluation{
		Expression:      expression(storageFunction, command.Area, change, command.Key, command.Value, 0, 0),
		UniqueContextID: string(job.Page.Main.Context), ReturnByValue: true,
	}
	if run.UniqueContextID == "" {
		return job.refuse(messages.NewError(messages.CodeSnapshotStale, "The page has no document that could be changed yet. Observe it first."))
	}
	var answer evaluated
	return job.done(job.effect(ctx, "Runtime.evaluate", run, &answer, func() *messages.Error {
		var result stored
		if err := answer.decode(&result); err != nil {
			return messages.UnknownOutcome(messages.CodeInternalError, "A page function of Troupe failed.")
		}
		return result.refusal()
	}))
}
