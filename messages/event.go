package messages

import "time"

// EventKind names what happened. Events are facts that the journal keeps in a
// bounded ring; the audit sink, live views and metrics derive from them.
type EventKind string

// The kinds.
const (
	EventBrowserLaunched  EventKind = "browser_launched"
	EventBrowserClosed    EventKind = "browser_closed"
	EventBrowserCrashed   EventKind = "browser_crashed"
	EventBrowserRestarted EventKind = "browser_restarted"
	EventBrowserReaped    EventKind = "browser_reaped"
	EventPageOpened       EventKind = "page_opened"
	EventPageClosed       EventKind = "page_closed"
	EventPageCrashed      EventKind = "page_crashed"
	EventPageRestarted    EventKind = "page_restarted"
	EventPageNavigated    EventKind = "page_navigated"
	EventDialogOpened     EventKind = "dialog_opened"
	EventDialogAnswered   EventKind = "dialog_answered"
	EventDownloadChanged  EventKind = "download_changed"
	EventOperationEnded   EventKind = "operation_ended"
	EventShutdown         EventKind = "shutdown"
	// EventGap marks events that a slow subscriber did not get; Count says how many.
	EventGap EventKind = "gap"
)

// Event is metadata only: it has no field that could hold page text, typed
// text, a URL or a path (R206, C28).
type Event struct {
	Sequence    uint64         `json:"sequence"`
	At          time.Time      `json:"at"`
	Kind        EventKind      `json:"kind"`
	CallerID    CallerID       `json:"caller_id,omitempty"`
	BrowserID   BrowserID      `json:"browser_id,omitempty"`
	PageID      PageID         `json:"page_id,omitempty"`
	Action      Action         `json:"action,omitempty"`
	OperationID OperationID    `json:"operation_id,omitempty"`
	State       ExecutionState `json:"state,omitempty"`
	Code        Code           `json:"code,omitempty"`
	DialogKind  DialogKind     `json:"dialog_kind,omitempty"`
	// Argument holds measures of arguments: presence and byte lengths, path depth.
	Argument ArgumentMeasures `json:"argument,omitzero"`
	// Count is a number that the kind explains: nodes of a snapshot, completed
	// operations of a batch, events of a gap, queue depth at the start.
	Count      int           `json:"count,omitempty"`
	QueueDepth int           `json:"queue_depth,omitempty"`
	Took       time.Duration `json:"took_ns,omitempty"`
	Image      *ImageDigest  `json:"image,omitempty"`
}

// ArgumentMeasures is what the audit may know of arguments (R98, R206).
type ArgumentMeasures struct {
	TextBytes   int  `json:"text_bytes,omitempty"`
	ValueBytes  int  `json:"value_bytes,omitempty"`
	HasURL      bool `json:"has_url,omitempty"`
	HasElement  bool `json:"has_element,omitempty"`
	PathDepth   int  `json:"path_depth,omitempty"`
	HasDate     bool `json:"has_date,omitempty"`
	Operations  int  `json:"operations,omitempty"`
	HasQuery    bool `json:"has_query,omitempty"`
	HasFile     bool `json:"has_file,omitempty"`
	HasModifier bool `json:"has_modifier,omitempty"`
}

// ImageDigest is what the audit may know of a picture.
type ImageDigest struct {
	Bytes  int    `json:"bytes"`
	MIME   string `json:"mime"`
	SHA256 string `json:"sha256"`
}
