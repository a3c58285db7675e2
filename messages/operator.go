package messages

import "time"

// The commands of the operator plane: the CLI and trusted Go hosts. A caller on
// another plane gets no_grant.

// ReadField reads one field of a page: url, title, text or html, the latter two
// of one element when Selector is given (R58, C2). Answered with a *FieldValue.
type ReadField struct {
	observed
	PageAddress
	Field    string `arg:"field,required"`
	Selector string `arg:"selector"`
}

// GetEngine reports the engine with its path, which only the operator may see
// (R4). Answered with an *Engine.
type GetEngine struct{ observed }

// Evaluate runs the operator's script in the page's main world. Its receipt's
// observed value is the result as JSON. Needs browser:script; never on a browser
// of the user's (C1). It is an effect, since nobody knows what a script does.
type Evaluate struct {
	PageAddress
	EffectOptions
	Script  string        `arg:"script,required" audit:"text"`
	Timeout time.Duration `arg:"timeout_ms"`
}

// CookieChange is what MutateCookies does.
type CookieChange string

// The changes.
const (
	CookieSet    CookieChange = "set"
	CookieDelete CookieChange = "delete"
	CookieClear  CookieChange = "clear"
)

// MutateCookies sets, deletes or clears cookies; without URL or Domain the
// page's address is meant (R146).
type MutateCookies struct {
	PageAddress
	EffectOptions
	Change CookieChange `arg:"change,required"`
	Cookie Cookie
	URL    string
}

// MutateStorage sets or removes one key, or clears an area when Key is empty
// and Clear is set (R147).
type MutateStorage struct {
	PageAddress
	EffectOptions
	Area   StorageArea `arg:"area,required"`
	Key    string      `arg:"key"`
	Value  string
	Remove bool
	Clear  bool
}

// CancelDownload cancels a running download.
type CancelDownload struct {
	EffectOptions
	BrowserID  BrowserID  `arg:"browser_id,required"`
	DownloadID DownloadID `arg:"download_id,required"`
}

// ClearDownloads forgets the ended records and removes their files.
type ClearDownloads struct {
	EffectOptions
	BrowserID BrowserID `arg:"browser_id,required"`
}

// Present puts a page on top of the presented stack, or with Pop takes the top
// one away by closing it (R122). It never changes which page a call means (C15).
type Present struct {
	PageAddress
	EffectOptions
	Pop bool
}

// UnstickStep is one rung of the ladder for a hung page.
type UnstickStep string

// The rungs, in the order in which they are to be tried.
const (
	UnstickTerminate UnstickStep = "terminate_script"
	UnstickClose     UnstickStep = "close_target"
	UnstickKill      UnstickStep = "kill_renderer"
	UnstickTree      UnstickStep = "kill_browser"
)

// Unstick takes one rung of the ladder on a hung page, by the operator's word
// only. It overtakes the page's queue.
type Unstick struct {
	PageAddress
	EffectOptions
	Step UnstickStep `arg:"step,required"`
}

// EndOwner closes every browser of an owner (R23).
type EndOwner struct {
	EffectOptions
	OwnerID OwnerID `arg:"owner_id,required"`
}

// Heartbeat marks a held browser as used (R200).
type Heartbeat struct {
	EffectOptions
	BrowserID BrowserID `arg:"browser_id,required"`
}

func (*ReadField) Action() Action      { return "get" }
func (*GetEngine) Action() Action      { return "engine" }
func (*Evaluate) Action() Action       { return "eval" }
func (*MutateCookies) Action() Action  { return "cookies_change" }
func (*MutateStorage) Action() Action  { return "storage_change" }
func (*CancelDownload) Action() Action { return "download_cancel" }
func (*ClearDownloads) Action() Action { return "downloads_clear" }
func (*Present) Action() Action        { return "present" }
func (*Unstick) Action() Action        { return "unstick" }
func (*EndOwner) Action() Action       { return "end_owner" }
func (*Heartbeat) Action() Action      { return "heartbeat" }

// Grant of an evaluation is browser:script.
func (*Evaluate) Grant() Grant { return GrantScript }

// Grant of a cookie change is browser:storage.
func (*MutateCookies) Grant() Grant { return GrantStorage }

// Grant of a storage change is browser:storage.
func (*MutateStorage) Grant() Grant { return GrantStorage }

// operatorsPart reports whether an argument of the operator plane is given (C2).
func (c *TakeSnapshot) operatorsPart() bool { return c.Selector != "" }

// operatorsPart reports whether an argument of the operator plane is given (C1, C2).
func (c *WaitFor) operatorsPart() bool { return c.Selector != "" || c.Function != "" }

// operatorsPart reports whether an argument of the operator plane is given (R23, R200).
func (c *Launch) operatorsPart() bool { return c.OwnerPID != 0 || c.Held }

// ownTime is what the caller allows the script.
func (c *Evaluate) ownTime() time.Duration { return waitTime(c.Timeout) }
