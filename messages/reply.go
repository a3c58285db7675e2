package messages

import "time"

// Reply is what a command is answered with. The interface is sealed; which
// type answers which command stands in the command's doc comment.
type Reply interface{ reply() }

type replied struct{}

func (replied) reply() {}

// Ownership is the class that decides launch, teardown and data (R6, R7).
type Ownership string

// The classes.
const (
	OwnedEphemeral   Ownership = "owned_ephemeral"
	OwnedManaged     Ownership = "owned_managed_persistent"
	AttachedExternal Ownership = "attached_external"
	AttachedEndpoint Ownership = "attached_endpoint"
)

// LoadState is how far a page's document has come (R116).
type LoadState string

// The states.
const (
	LoadIdle     LoadState = "idle"
	LoadLoading  LoadState = "loading"
	LoadComplete LoadState = "complete"
	LoadFailed   LoadState = "failed"
)

// Capabilities are independent bits, each false unless it is there (R19, R205).
type Capabilities struct {
	Observe         bool `json:"observe_browser"`
	Control         bool `json:"browser_control"`
	Launch          bool `json:"browser_launch"`
	ActionAdmission bool `json:"browser_element_action_admission"`
	Batch           bool `json:"browser_batch"`
	SemanticQuery   bool `json:"browser_semantic_query"`
	ComplexControls bool `json:"browser_complex_controls"`
	ManagedProfile  bool `json:"browser_managed_profile"`
	ExtensionBridge bool `json:"browser_extension_bridge"`
	SurfaceHandoff  bool `json:"browser_surface_handoff"`
}

// Targets answers GetTargets.
type Targets struct {
	replied
	Capabilities Capabilities `json:"capabilities"`
	Engine       EngineState  `json:"engine"`
	Browsers     int          `json:"browsers"`
	BrowsersMax  int          `json:"browsers_max"`
}

// EngineState says whether a browser can be launched, without a path (R4, R5).
type EngineState struct {
	Available bool   `json:"available"`
	Product   string `json:"product,omitempty"`
	// Reason says what to do when none is available.
	Code   Code   `json:"code,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// Engine answers GetEngine, for the operator only.
type Engine struct {
	replied
	EngineState
	Path    string `json:"path,omitempty"`
	Source  string `json:"source,omitempty"`
	Version string `json:"version,omitempty"`
}

// Offers answers DiscoverOffers.
type Offers struct {
	replied
	Offers []Offer `json:"offers"`
}

// Offer is one tab that the user shares.
type Offer struct {
	AttachmentID AttachmentID `json:"attachment_id"`
	Title        string       `json:"title,omitempty"`
}

// BrowserSummary is one browser in a listing. Short is its reference "browser:N".
type BrowserSummary struct {
	BrowserID   BrowserID `json:"browser_id"`
	Short       string    `json:"short"`
	Ownership   Ownership `json:"ownership"`
	State       string    `json:"state"` // launching, ready, closing
	Policy      string    `json:"policy"`
	Profile     string    `json:"profile,omitempty"`
	Owner       OwnerID   `json:"owner,omitempty"`
	Pages       int       `json:"pages"`
	PagesMax    int       `json:"pages_max"`
	IdleSeconds int       `json:"idle_seconds"`
	AgeSeconds  int       `json:"age_seconds"`
}

// BrowserList answers ListBrowsers.
type BrowserList struct {
	replied
	Browsers []BrowserSummary `json:"browsers"`
}

// PageSummary is one page in a listing. Console errors and failed requests come
// from the ledger (R143).
type PageSummary struct {
	PageID         PageID     `json:"page_id"`
	URL            string     `json:"url"`
	Title          string     `json:"title"`
	OpenerPageID   PageID     `json:"opener_page_id,omitempty"`
	LoadState      LoadState  `json:"load_state"`
	Dialog         *Dialog    `json:"dialog,omitempty"`
	Presented      bool       `json:"presented"`
	Temporary      bool       `json:"temporary,omitempty"`
	Crashed        bool       `json:"crashed,omitempty"`
	Busy           bool       `json:"busy,omitempty"`
	Generation     Generation `json:"generation"`
	ConsoleErrors  int        `json:"console_errors"`
	FailedRequests int        `json:"failed_requests"`
}

// PageList answers ListPages. Truncated says that there are more than
// PageSummariesMax.
type PageList struct {
	replied
	BrowserID BrowserID     `json:"browser_id"`
	Pages     []PageSummary `json:"pages"`
	Truncated bool          `json:"truncated"`
}

// DialogKind is the kind of a JavaScript dialog (R117).
type DialogKind string

// The kinds.
const (
	DialogAlert        DialogKind = "alert"
	DialogConfirm      DialogKind = "confirm"
	DialogPrompt       DialogKind = "prompt"
	DialogBeforeUnload DialogKind = "beforeunload"
)

// WithArticle returns the kind as it begins a sentence: "An alert", "A confirm".
func (k DialogKind) WithArticle() string {
	if k == DialogAlert {
		return "An " + string(k)
	}
	return "A " + string(k)
}

// Dialog is a dialog in a receipt or listing: {kind, message, open} while it is
// open, {kind, answered} once it was answered (R121).
type Dialog struct {
	Kind    DialogKind `json:"kind"`
	Message string     `json:"message,omitempty"`
	Open    bool       `json:"open,omitempty"`
	// Answered is "accepted" or "dismissed".
	Answered string `json:"answered,omitempty"`
}

// Screenshot answers TakeScreenshot. Image is delivered out of band (R149); the
// structure holds its measures only. Width and Height are those of Image.
type Screenshot struct {
	replied
	BrowserID       BrowserID  `json:"browser_id"`
	PageID          PageID     `json:"page_id"`
	Bytes           int        `json:"bytes"`
	Width           int        `json:"width"`
	Height          int        `json:"height"`
	SHA256          string     `json:"sha256"`
	MIME            string     `json:"mime"`
	ContentDelivery string     `json:"content_delivery"`
	ArtifactID      ArtifactID `json:"artifact_id,omitempty"`
	Scaled          bool       `json:"scaled,omitempty"`
	OriginalWidth   int        `json:"original_width,omitempty"`
	OriginalHeight  int        `json:"original_height,omitempty"`
	OriginalBytes   int        `json:"original_bytes,omitempty"`
	// Image is the PNG within the inline bound; Full is the whole one for the
	// operator plane, nil elsewhere. Neither is part of the structure.
	Image []byte `json:"-"`
	Full  []byte `json:"-"`
}

// ConsoleEntry is one entry of the console ring (C20).
type ConsoleEntry struct {
	Cursor uint64    `json:"cursor"`
	At     time.Time `json:"at"`
	// Kind is message, exception or navigation (a mark, not a message).
	Kind  string       `json:"kind"`
	Level string       `json:"level"`
	Text  string       `json:"text"`
	Stack []StackFrame `json:"stack,omitempty"`
}

// StackFrame is one frame of an exception; URL is without query and fragment.
type StackFrame struct {
	Function string `json:"function,omitempty"`
	URL      string `json:"url,omitempty"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
}

// ConsoleEntries answers GetConsole. Gap says that entries were lost since the
// last clear_diagnostics (R145).
type ConsoleEntries struct {
	replied
	Entries   []ConsoleEntry `json:"entries"`
	Cursor    uint64         `json:"cursor"`
	Gap       bool           `json:"gap"`
	Truncated bool           `json:"truncated"`
}

// NetworkEntry is one record of the network ledger as every reader may see it:
// the URL is without query and fragment unless the caller is the operator (C4).
type NetworkEntry struct {
	Cursor      uint64      `json:"cursor"`
	RequestID   RequestID   `json:"request_id"`
	At          time.Time   `json:"at"`
	Method      string      `json:"method"`
	URL         string      `json:"url"`
	URLCut      bool        `json:"url_truncated,omitempty"`
	Type        string      `json:"type,omitempty"`
	Status      int         `json:"status,omitempty"`
	Failed      bool        `json:"failed,omitempty"`
	Failure     string      `json:"failure,omitempty"`
	Pending     bool        `json:"pending,omitempty"`
	Redirect    bool        `json:"redirect,omitempty"`
	Bytes       int64       `json:"bytes,omitempty"`
	MS          int         `json:"ms,omitempty"`
	OperationID OperationID `json:"operation_id,omitempty"`
}

// NetworkEntries answers GetNetwork.
type NetworkEntries struct {
	replied
	Entries   []NetworkEntry `json:"entries"`
	Cursor    uint64         `json:"cursor"`
	Gap       bool           `json:"gap"`
	Truncated bool           `json:"truncated"`
}

// DiagnosticsEntry is one entry of either ledger; the other field is nil. Cursor is
// the entry's own, which both ledgers of a page count together.
type DiagnosticsEntry struct {
	Cursor  uint64        `json:"cursor"`
	Console *ConsoleEntry `json:"console,omitempty"`
	Request *NetworkEntry `json:"request,omitempty"`
}

// Diagnostics answers GetDiagnostics: the newest entries of both ledgers by their
// cursors, and the counts since the last clear_diagnostics.
type Diagnostics struct {
	replied
	Entries        []DiagnosticsEntry `json:"entries"`
	Cursor         uint64             `json:"cursor"`
	Truncated      bool               `json:"truncated"`
	ConsoleCursor  uint64             `json:"console_cursor"`
	NetworkCursor  uint64             `json:"network_cursor"`
	ConsoleEntries int                `json:"console_entries"`
	ConsoleErrors  int                `json:"console_errors"`
	Requests       int                `json:"requests"`
	FailedRequests int                `json:"failed_requests"`
	Pending        int                `json:"pending"`
	Gap            bool               `json:"gap"`
	DroppedEvents  uint64             `json:"dropped_events"`
}

// NetworkDetail answers GetNetworkRequest (R139).
type NetworkDetail struct {
	replied
	NetworkEntry
	RequestHeaders  map[string]string `json:"request_headers,omitempty"`
	ResponseHeaders map[string]string `json:"response_headers,omitempty"`
	HeadersStored   bool              `json:"headers_stored"`
	Body            string            `json:"body,omitempty"`
	BodyBase64      bool              `json:"body_base64,omitempty"`
	BodyTruncated   bool              `json:"body_truncated,omitempty"`
	BodyError       string            `json:"body_error,omitempty"`
}

// Cookie is one cookie. Expires is zero for a session cookie.
type Cookie struct {
	Name     string    `json:"name"`
	Value    string    `json:"value"`
	Domain   string    `json:"domain,omitempty"`
	Path     string    `json:"path,omitempty"`
	Expires  time.Time `json:"expires,omitzero"`
	HTTPOnly bool      `json:"http_only,omitempty"`
	Secure   bool      `json:"secure,omitempty"`
	SameSite string    `json:"same_site,omitempty"` // strict, lax or none
	Size     int       `json:"size,omitempty"`
}

// CookieList answers GetCookies.
type CookieList struct {
	replied
	Cookies   []Cookie `json:"cookies"`
	Truncated bool     `json:"truncated"`
}

// StorageEntry is one key of a web storage.
type StorageEntry struct {
	Key       string `json:"key"`
	Value     string `json:"value"`
	Truncated bool   `json:"truncated,omitempty"`
}

// StorageEntries answers GetStorage.
type StorageEntries struct {
	replied
	Area      StorageArea    `json:"area"`
	Entries   []StorageEntry `json:"entries"`
	Truncated bool           `json:"truncated"`
}

// WaitMet answers WaitFor.
type WaitMet struct {
	replied
	Met     bool   `json:"met"`
	Waited  int    `json:"waited_ms"`
	URL     string `json:"url"`
	Matched string `json:"condition"`
}

// DownloadState is how a download stands (R133).
type DownloadState string

// The states.
const (
	DownloadInProgress DownloadState = "in_progress"
	DownloadCompleted  DownloadState = "completed"
	DownloadCanceled   DownloadState = "canceled"
	DownloadDenied     DownloadState = "denied"
)

// Download is one download record. FileName is the final name inside the
// runtime's own download directory, usable for upload_file with root "downloads".
type Download struct {
	DownloadID  DownloadID    `json:"download_id"`
	State       DownloadState `json:"state"`
	Received    int64         `json:"received_bytes"`
	Total       int64         `json:"total_bytes,omitempty"`
	Suggested   string        `json:"suggested_name,omitempty"`
	FileName    string        `json:"file_name,omitempty"`
	PageID      PageID        `json:"page_id,omitempty"`
	OperationID OperationID   `json:"operation_id,omitempty"`
	// Path is for the operator plane only.
	Path string `json:"path,omitempty"`
}

// DownloadList answers ListDownloads.
type DownloadList struct {
	replied
	Downloads []Download `json:"downloads"`
	Running   int        `json:"running"`
}

// FieldValue answers ReadField.
type FieldValue struct {
	replied
	Field     string `json:"field"`
	Value     string `json:"value"`
	Truncated bool   `json:"truncated,omitempty"`
}

// Surface answers GetSurface.
type Surface struct {
	replied
	SurfaceID string `json:"surface_id"`
}
