package messages

import "time"

// GetTargets asks for capabilities and the engine's state. Legal at any time;
// answered by the root with a *Targets (R19, R205).
type GetTargets struct{ observed }

// DiscoverOffers asks for the pending offers of the extension bridge; answered
// with *Offers, empty while no bridge exists (R172).
type DiscoverOffers struct{ observed }

// ListBrowsers asks for every browser of the runtime, ordered by short
// reference; answered by the root with a *BrowserList (R22).
type ListBrowsers struct{ observed }

// ListPages asks for the pages of one browser, at most PageSummariesMax;
// answered by the browser without running anything in a page, so it works
// while a page hangs or shows a dialog. Also reconciles an uncertain page
// creation (R43). Answered with a *PageList.
type ListPages struct {
	observed
	BrowserID BrowserID `arg:"browser_id,required"`
}

// SnapshotMode says how much a snapshot holds (R45, R46).
type SnapshotMode string

// The modes. Auto compacts to interactive when the full form would be too large.
const (
	ModeAuto        SnapshotMode = "auto"
	ModeFull        SnapshotMode = "full"
	ModeInteractive SnapshotMode = "interactive"
)

// Projection is the form in which a snapshot is given (C12).
type Projection string

// The projections.
const (
	ProjectionSemantic Projection = "semantic"
	ProjectionTree     Projection = "tree"
	ProjectionFlat     Projection = "flat"
)

// Query filters a snapshot before its window is cut (R47). Empty fields filter
// nothing; all given ones must hold.
type Query struct {
	Text       string `json:"text,omitempty" arg:"text"`
	Role       string `json:"role,omitempty" arg:"role"`
	Group      string `json:"group,omitempty" arg:"group"`
	Section    string `json:"section,omitempty" arg:"section"`
	FieldsOnly bool   `json:"fields_only,omitempty" arg:"fields_only"`
}

// Empty reports whether the query filters nothing.
func (q Query) Empty() bool { return q == Query{} }

// TakeSnapshot reads what can be seen and done on a page and makes a new
// generation: every older element id of the page dies (R31). It waits its turn
// in the page's queue. Answered with a *Snapshot.
type TakeSnapshot struct {
	observed
	PageAddress
	Mode       SnapshotMode `arg:"mode"`
	Projection Projection   `arg:"projection"`
	Query      Query        `arg:"query" audit:"query"`
	NodeOffset int          `arg:"node_offset"`
	// MaxNodes 0 means the projection's default; MaxDepth 0 means SnapshotDepthMax.
	MaxNodes int `arg:"max_nodes"`
	MaxDepth int `arg:"max_depth"`
	// Selector scopes the tree projection to one subtree; operator plane only (C2).
	Selector string
}

// TakeScreenshot takes a PNG of the viewport, the whole page or one element.
// It has its own deadline, since the engine may never answer; it makes no new
// generation. Answered with a *Screenshot (R149, R150).
type TakeScreenshot struct {
	observed
	PageAddress
	ElementID ElementHandle `arg:"element_id"`
	FullPage  bool          `arg:"full_page"`
}

// DiagnosticsFilter selects entries of the console or network ledger.
type DiagnosticsFilter struct {
	SinceCursor uint64 `arg:"since_cursor"`
	Level       string `arg:"level"`  // console: error, warning, info
	Text        string `arg:"text"`   // plain substring, case ignored
	Status      string `arg:"status"` // network: exact ("404") or class ("4xx")
	Method      string `arg:"method"`
	Types       []string
	Failed      bool
	// Limit 0 means the view's bound; the newest are kept.
	Limit int `arg:"limit"`
}

// GetConsole reads the page's console ring; answered with a *ConsoleEntries
// (R137, R144, C20). It never waits for the page.
type GetConsole struct {
	observed
	PageAddress
	DiagnosticsFilter
}

// GetNetwork reads the page's network ledger without headers and bodies;
// answered with a *NetworkEntries (R135-R143, C4).
type GetNetwork struct {
	observed
	PageAddress
	DiagnosticsFilter
}

// GetDiagnostics reads both ledgers at once, console lines and requests in the order
// in which they came, with their counts and gap marks; answered with a *Diagnostics
// (R143, R144). A level leaves requests out, a status or method leaves lines out.
type GetDiagnostics struct {
	observed
	PageAddress
	DiagnosticsFilter
}

// ListDownloads reads the browser's download records and can wait for running
// ones; answered with a *DownloadList (R128-R133).
type ListDownloads struct {
	observed
	BrowserID BrowserID     `arg:"browser_id,required"`
	Wait      time.Duration `arg:"wait_ms"`
}

// WaitFor blocks until exactly one condition holds or Timeout has passed, 0
// meaning WaitDefault. Answered with a *WaitMet, else browser_wait_timeout (R58).
// It does not hold the page's queue.
type WaitFor struct {
	observed
	PageAddress
	LoadState   LoadState     `arg:"load_state"`
	Text        string        `arg:"text"`
	TextGone    string        `arg:"text_gone"`
	URLContains string        `arg:"url_contains"`
	Timeout     time.Duration `arg:"timeout_ms"`
	// Selector and Function are conditions of the operator plane only (C1, C2).
	Selector string
	Function string
}

// ownTime is what the caller allows the wait.
func (c *WaitFor) ownTime() time.Duration { return waitTime(c.Timeout) }

// ownTime is that of an observation and what the caller waits for downloads.
func (c *ListDownloads) ownTime() time.Duration { return ObserveTimeout + c.Wait }

func waitTime(asked time.Duration) time.Duration {
	if asked > 0 {
		return asked
	}
	return WaitDefault
}

// GetSurface asks for the opaque id of the browser's native window; here it is
// always browser_surface_unavailable on Linux (R208).
type GetSurface struct {
	observed
	BrowserID BrowserID `arg:"browser_id,required"`
}

// GetNetworkRequest reads one record with its headers, and the body when asked
// (R139, C3). Answered with a *NetworkDetail.
type GetNetworkRequest struct {
	observed
	PageAddress
	RequestID RequestID `arg:"request_id,required"`
	Body      bool      `arg:"body"`
}

// GetCookies lists the cookies of the page's address, or of the whole browser
// context with All (R146). Answered with a *CookieList.
type GetCookies struct {
	observed
	PageAddress
	All bool `arg:"all"`
}

// StorageArea names one of the two web storages.
type StorageArea string

// The areas.
const (
	AreaLocal   StorageArea = "local"
	AreaSession StorageArea = "session"
)

// GetStorage reads the page's own local or session storage, one key or all
// (R147). Answered with a *StorageEntries.
type GetStorage struct {
	observed
	PageAddress
	Area StorageArea `arg:"area,required"`
	Key  string      `arg:"key"`
}

func (*GetTargets) Action() Action        { return "targets" }
func (*DiscoverOffers) Action() Action    { return "discover" }
func (*ListBrowsers) Action() Action      { return "browsers" }
func (*ListPages) Action() Action         { return "pages" }
func (*TakeSnapshot) Action() Action      { return "snapshot" }
func (*TakeScreenshot) Action() Action    { return "screenshot" }
func (*GetConsole) Action() Action        { return "console" }
func (*GetNetwork) Action() Action        { return "network" }
func (*GetDiagnostics) Action() Action    { return "diagnostics" }
func (*ListDownloads) Action() Action     { return "downloads" }
func (*WaitFor) Action() Action           { return "wait" }
func (*GetSurface) Action() Action        { return "surface" }
func (*GetNetworkRequest) Action() Action { return "network_request" }
func (*GetCookies) Action() Action        { return "cookies" }
func (*GetStorage) Action() Action        { return "storage" }

// Grant of an observation is browser:read.
func (observed) Grant() Grant { return GrantRead }

// Grant of a request's detail is browser:inspect.
func (*GetNetworkRequest) Grant() Grant { return GrantInspect }

// Grant of cookies is browser:inspect.
func (*GetCookies) Grant() Grant { return GrantInspect }

// Grant of storage is browser:inspect.
func (*GetStorage) Grant() Grant { return GrantInspect }
