package messages

// Receipt answers every effect, also a refused one (design section 6). A field
// that is absent is unknown or does not apply.
type Receipt struct {
	replied
	ExecutionState ExecutionState `json:"execution_state"`
	OperationID    OperationID    `json:"operation_id,omitempty"`
	Code           Code           `json:"code,omitempty"`
	Message        string         `json:"message,omitempty"`
	Recovery       *Recovery      `json:"recovery,omitempty"`

	// BrowserID and PageID are there on launch, attach and new_page.
	BrowserID BrowserID `json:"browser_id,omitempty"`
	PageID    PageID    `json:"page_id,omitempty"`

	Observed      *Observed      `json:"observed,omitempty"`
	Document      DocumentChange `json:"document,omitempty"`
	URL           string         `json:"url,omitempty"`
	LoadState     LoadState      `json:"load_state,omitempty"`
	NeedsSnapshot bool           `json:"needs_snapshot"`
	Stability     *Stability     `json:"stability,omitempty"`
	OpenedPages   []OpenedPage   `json:"opened_pages,omitempty"`
	Downloads     []Download     `json:"downloads,omitempty"`
	Dialog        *Dialog        `json:"dialog,omitempty"`
	Requests      *Requests      `json:"requests,omitempty"`
	Batch         *BatchProgress `json:"batch,omitempty"`

	// Operator is Error.Operator of a refusal; it is never sent to a model.
	Operator string `json:"-"`
}

// Observed is what was read back after the effect. ValueMatches false with
// state completed means that the page rewrote the value. Value is never there
// for a password field.
type Observed struct {
	Value        *string `json:"value,omitempty"`
	ValueMatches *bool   `json:"value_matches,omitempty"`
	Checked      Checked `json:"checked,omitempty"`
	Selected     *bool   `json:"selected,omitempty"`
	Expanded     *bool   `json:"expanded,omitempty"`
	Pressed      Checked `json:"pressed,omitempty"`
	StateMatches *bool   `json:"state_matches,omitempty"`
	// Withheld says that the value is that of a password field.
	Withheld bool `json:"withheld,omitempty"`
}

// OpenedPage is a page that opened during the effect. One at an address where no page may
// be was Closed at once: it has no id, and of its address only the Scheme is told.
type OpenedPage struct {
	PageID       PageID `json:"page_id,omitempty"`
	OpenerPageID PageID `json:"opener_page_id,omitempty"`
	URL          string `json:"url,omitempty"`
	Closed       bool   `json:"closed,omitempty"`
	Scheme       string `json:"scheme,omitempty"`
}

// Requests are those seen from just before the dispatch until the page settled
// and not known as background: Count of all, at most ReceiptRequestsMax listed.
type Requests struct {
	Count      int             `json:"count"`
	Failed     int             `json:"failed"`
	Background int             `json:"background,omitempty"`
	List       []RequestDigest `json:"list,omitempty"`
}

// RequestDigest is one request without its query.
type RequestDigest struct {
	Method string `json:"method"`
	Path   string `json:"path"`
	Status int    `json:"status,omitempty"`
	Failed bool   `json:"failed,omitempty"`
}

// BatchProgress is how far a batch came (R88). StoppedAtIndex is absent when it
// ran to its end.
type BatchProgress struct {
	CompletedCount        int            `json:"completed_count"`
	StoppedAtIndex        *int           `json:"stopped_at_index,omitempty"`
	StoppedExecutionState ExecutionState `json:"stopped_execution_state,omitempty"`
	// RemainingCount is how many surely did not start; it counts a refused one
	// and not an unclear one.
	RemainingCount int           `json:"remaining_count"`
	Results        []BatchResult `json:"results"`
}

// BatchResult is the result of one operation of a batch.
type BatchResult struct {
	ExecutionState ExecutionState `json:"execution_state"`
	Code           Code           `json:"code,omitempty"`
	Observed       *Observed      `json:"observed,omitempty"`
}

// Refusal returns the receipt of an effect that ended with err.
func Refusal(operation OperationID, err *Error) *Receipt {
	return &Receipt{
		ExecutionState: err.State, OperationID: operation, Code: err.Code, Message: err.Detail,
		Recovery: err.Recovery, Operator: err.Operator,
		NeedsSnapshot: err.State == OutcomeUnknown || err.Code.Info().Class == ClassStale,
	}
}

// Err returns nil when the effect completed, else the refusal as *Error.
func (r *Receipt) Err() error {
	if r.ExecutionState == Completed {
		return nil
	}
	return &Error{Code: r.Code, State: r.ExecutionState, Detail: r.Message, Recovery: r.Recovery, Operator: r.Operator}
}

// Checked is a state of three values as ARIA has them; empty means unknown. In
// JSON it is true, false or "mixed".
type Checked string

// The values.
const (
	CheckedTrue  Checked = "true"
	CheckedFalse Checked = "false"
	CheckedMixed Checked = "mixed"
)

// MarshalJSON writes true, false or "mixed".
func (c Checked) MarshalJSON() ([]byte, error) {
	switch c {
	case CheckedTrue, CheckedFalse:
		return []byte(c), nil
	case "":
		return []byte("null"), nil
	}
	return []byte(`"` + string(c) + `"`), nil
}

// UnmarshalJSON reads true, false, "true", "false", "mixed" or null.
func (c *Checked) UnmarshalJSON(data []byte) error {
	switch string(data) {
	case "true", `"true"`:
		*c = CheckedTrue
	case "false", `"false"`:
		*c = CheckedFalse
	case `"mixed"`:
		*c = CheckedMixed
	default:
		*c = ""
	}
	return nil
}
