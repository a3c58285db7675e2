package messages

// ExecutionState is what is known of an effect (R71).
type ExecutionState string

// The three states. There is no fourth: what cannot be proved is unknown.
const (
	// NotStarted: proved not to have crossed the effect boundary; safe to plan anew.
	NotStarted ExecutionState = "not_started"
	// Completed: the exact effect has a known end.
	Completed ExecutionState = "completed"
	// OutcomeUnknown: it may have been dispatched, or in part. It is never
	// repeated; observe first (R73).
	OutcomeUnknown ExecutionState = "outcome_unknown"
)

// DocumentChange says what an effect did to the page's document.
type DocumentChange string

// The changes.
const (
	DocumentSame      DocumentChange = "same"
	DocumentNavigated DocumentChange = "navigated"
	DocumentReplaced  DocumentChange = "replaced"
)

// StabilityReason says why a page counts as settled or not (R76, R77).
type StabilityReason string

// The reasons.
const (
	ReasonQuiet              StabilityReason = "dom_and_network_quiet"
	ReasonLongLivedNetwork   StabilityReason = "dom_quiet_with_long_lived_network"
	ReasonDocumentLoading    StabilityReason = "document_loading"
	ReasonDOMChanged         StabilityReason = "dom_changed"
	ReasonNetworkChanged     StabilityReason = "network_changed"
	ReasonDialogOpen         StabilityReason = "dialog_open"
	ReasonPageBusy           StabilityReason = "page_busy"
	ReasonDocumentRecovering StabilityReason = "document_recovering"
	ReasonEventsDiscarded    StabilityReason = "diagnostic_events_discarded"
	ReasonPageGone           StabilityReason = "page_gone"
)

// Stability is what was seen after an effect (R76). Stable false is no failure
// of the effect.
type Stability struct {
	Stable bool            `json:"stable"`
	Reason StabilityReason `json:"reason"`
}
