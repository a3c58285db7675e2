package tools

import (
	"encoding/json"
	"time"

	"github.com/troupe-browser/troupe/messages"
)

// Record is what the audit knows of one call: metadata only. It has no field that could hold page text, typed text, a
// URL, a path, a query term or a picture (R206, C28); arguments appear as presence, counts and byte lengths.
type Record struct {
	At          time.Time                 `json:"at"`
	Took        time.Duration             `json:"took_ns"`
	CallerID    messages.CallerID         `json:"caller_id"`
	Plane       messages.Plane            `json:"plane"`
	Tool        string                    `json:"tool,omitempty"`
	Action      messages.Action           `json:"action,omitempty"`
	BrowserID   messages.BrowserID        `json:"browser_id,omitempty"`
	PageID      messages.PageID           `json:"page_id,omitempty"`
	OperationID messages.OperationID      `json:"operation_id,omitempty"`
	State       messages.ExecutionState   `json:"state"`
	Code        messages.Code             `json:"code,omitempty"`
	Argument    messages.ArgumentMeasures `json:"argument,omitzero"`
	// Count is the number of nodes, entries, pages or completed operations of the answer; Bytes is the answer's size.
	Count int                   `json:"count,omitempty"`
	Bytes int                   `json:"bytes"`
	Image *messages.ImageDigest `json:"image,omitempty"`
}

// Line returns the record as one JSON line with its newline.
func (r Record) Line() []byte {
	data, err := json.Marshal(r)
	if err != nil {
		// Every field is a string, a number or a boolean.
		return []byte("{}\n")
	}
	return append(data, '\n')
}

func record(caller messages.Caller, toolName string, command messages.Command, result Result, started time.Time, took time.Duration) Record {
	r := Record{
		At: started.UTC(), Took: took, CallerID: caller.ID, Plane: caller.Plane,
		State: messages.Completed, Bytes: len(result.Structured), Count: count(result.Reply),
	}
	if toolNamed(toolName) != nil {
		r.Tool = toolName
	}
	if result.Err != nil {
		r.State, r.Code = result.Err.State, result.Err.Code
	}
	if command != nil {
		r.Action, r.Argument = command.Action(), messages.Measure(command)
		browser, page := address(command)
		r.BrowserID, r.PageID = opaque(browser), opaque(page)
	}
	if effect, ok := command.(messages.Effect); ok {
		r.OperationID = effect.Operation()
	}
	switch reply := result.Reply.(type) {
	case *messages.Receipt:
		r.OperationID = reply.OperationID
		if r.BrowserID == "" {
			r.BrowserID = reply.BrowserID
		}
		if r.PageID == "" {
			r.PageID = reply.PageID
		}
	case *messages.Screenshot:
		r.Image = &messages.ImageDigest{Bytes: reply.Bytes, MIME: reply.MIME, SHA256: reply.SHA256}
	}
	if messages.CheckOperationID(r.OperationID) != nil {
		r.OperationID = "invalid"
	}
	return r
}

// opaque lets an id of ours through. A caller can write anything where an id belongs, so what does not look like an id
// is named as such and not repeated.
func opaque[ID ~string](id ID) ID {
	if len(id) > idCharsMax {
		return "invalid"
	}
	for _, r := range string(id) {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '_' && r != '-' && r != ':' {
			return "invalid"
		}
	}
	return id
}

// address returns the browser and page that a command names.
func address(command messages.Command) (messages.BrowserID, messages.PageID) {
	if c, ok := command.(messages.PageCommand); ok {
		return c.Page().BrowserID, c.Page().PageID
	}
	switch c := command.(type) {
	case *messages.ListPages:
		return c.BrowserID, ""
	case *messages.ListDownloads:
		return c.BrowserID, ""
	case *messages.GetSurface:
		return c.BrowserID, ""
	case *messages.NewPage:
		return c.BrowserID, ""
	case *messages.CloseBrowser:
		return c.BrowserID, ""
	case *messages.CancelDownload:
		return c.BrowserID, ""
	case *messages.ClearDownloads:
		return c.BrowserID, ""
	case *messages.Heartbeat:
		return c.BrowserID, ""
	}
	return "", ""
}

// count returns the number that the audit may know of an answer.
func count(reply messages.Reply) int {
	switch r := reply.(type) {
	case *messages.Receipt:
		if r.Batch != nil {
			return r.Batch.CompletedCount
		}
	case *messages.Snapshot:
		return len(r.Nodes)
	case *messages.BrowserList:
		return len(r.Browsers)
	case *messages.PageList:
		return len(r.Pages)
	case *messages.ConsoleEntries:
		return len(r.Entries)
	case *messages.NetworkEntries:
		return len(r.Entries)
	case *messages.Diagnostics:
		return len(r.Entries)
	case *messages.DownloadList:
		return len(r.Downloads)
	case *messages.CookieList:
		return len(r.Cookies)
	case *messages.StorageEntries:
		return len(r.Entries)
	}
	return 0
}
