package messages

import "slices"

// first returns the first refusal of a list, or nil.
func first(errs ...*Error) *Error {
	for _, e := range errs {
		if e != nil {
			return e
		}
	}
	return nil
}

func needBrowser(id BrowserID) *Error {
	if id == "" {
		return NewError(CodeInvalidRequest, "browser_id is missing.").WithRecovery("observe_browser", map[string]any{"action": "browsers"})
	}
	return nil
}

func (a PageAddress) validate() *Error {
	if e := needBrowser(a.BrowserID); e != nil {
		return e
	}
	if a.PageID == "" {
		return NewError(CodeInvalidRequest, "page_id is missing.").
			WithRecovery("observe_browser", map[string]any{"action": "pages", "browser_id": string(a.BrowserID)})
	}
	return nil
}

func (o EffectOptions) validate() *Error { return CheckOperationID(o.OperationID) }

func (e OnElement) validate(required bool) *Error {
	if err := first(e.PageAddress.validate(), e.EffectOptions.validate()); err != nil {
		return err
	}
	if required && e.ElementID == "" {
		return NewError(CodeInvalidRequest, "element_id is missing.").
			WithRecovery("observe_browser", map[string]any{"action": "snapshot", "browser_id": string(e.BrowserID), "page_id": string(e.PageID)})
	}
	return nil
}

func checkModifiers(modifiers []Modifier) *Error {
	all := []Modifier{ModifierAlt, ModifierCtrl, ModifierMeta, ModifierShift}
	for i, m := range modifiers {
		if !slices.Contains(all, m) || slices.Contains(modifiers[:i], m) {
			return NewError(CodeInvalidKey, "The modifiers are alt, ctrl, meta and shift, each at most once.")
		}
	}
	return nil
}

func checkSize(width, height int) *Error {
	if (width == 0) != (height == 0) || width < 0 || height < 0 || width > ViewportSideMax || height > ViewportSideMax {
		return NewError(CodeInvalidViewport, "")
	}
	return nil
}

// Validate of an observation without arguments finds nothing.
func (observed) Validate() *Error { return nil }

// Validate demands the browser.
func (c *ListPages) Validate() *Error { return needBrowser(c.BrowserID) }

// Validate checks mode, projection, bounds and query (R45, R47, R54, R55).
func (c *TakeSnapshot) Validate() *Error {
	nodesMax := map[Projection]int{"": SnapshotNodesMax, ProjectionSemantic: SnapshotNodesMax, ProjectionTree: TreeNodesMax, ProjectionFlat: FlatElementsMax}
	bound, known := nodesMax[c.Projection]
	if !known {
		return NewError(CodeInvalidRequest, "projection is semantic, tree or flat.")
	}
	if !slices.Contains([]SnapshotMode{"", ModeAuto, ModeFull, ModeInteractive}, c.Mode) {
		return NewError(CodeInvalidRequest, "mode is auto, full or interactive.")
	}
	if c.MaxNodes < 0 || c.MaxNodes > bound {
		return NewError(CodeInvalidRequest, "max_nodes is 1 to %d for this projection.", bound)
	}
	if c.MaxDepth < 0 || c.MaxDepth > SnapshotDepthMax {
		return NewError(CodeInvalidRequest, "max_depth is 1 to 32.")
	}
	if c.NodeOffset < 0 || c.NodeOffset > NodeOffsetMax {
		return NewError(CodeInvalidRequest, "node_offset is 0 to 4,096. Narrow the query instead.")
	}
	return first(c.PageAddress.validate(), c.Query.Validate())
}

// Validate refuses an element together with the full page.
func (c *TakeScreenshot) Validate() *Error {
	if c.ElementID != "" && c.FullPage {
		return NewError(CodeInvalidRequest, "Give element_id or full_page, not both.")
	}
	return c.PageAddress.validate()
}

func (f DiagnosticsFilter) validate() *Error {
	if f.Limit < 0 || f.Limit > NetworkShownMax {
		return NewError(CodeInvalidRequest, "limit is 1 to 300.")
	}
	if !slices.Contains([]string{"", "error", "warning", "info"}, f.Level) {
		return NewError(CodeInvalidRequest, "level is error, warning or info.")
	}
	if s := f.Status; s != "" && (len(s) != 3 || s[0] < '1' || s[0] > '5' || !(s[1:] == "xx" || isDigits(s[1:]))) {
		return NewError(CodeInvalidRequest, "status is a number as 404 or a class as 4xx.")
	}
	return Query{Text: f.Text}.Validate()
}

func isDigits(s string) bool {
	for _, r := range s {
		if r < '0' || r > '9' {
			return false
		}
	}
	return s != ""
}

// Validate checks the filter.
func (c *GetConsole) Validate() *Error {
	return first(c.PageAddress.validate(), c.DiagnosticsFilter.validate())
}

// Validate checks the filter.
func (c *GetDiagnostics) Validate() *Error {
	return first(c.PageAddress.validate(), c.DiagnosticsFilter.validate())
}

// Validate checks the filter.
func (c *GetNetwork) Validate() *Error {
	return first(c.PageAddress.validate(), c.DiagnosticsFilter.validate())
}

// Validate bounds the wait (R132).
func (c *ListDownloads) Validate() *Error {
	if c.Wait < 0 || c.Wait > DownloadWaitMax {
		return NewError(CodeInvalidRequest, "wait_ms is 0 to 300,000.")
	}
	return needBrowser(c.BrowserID)
}

// Validate demands exactly one condition (R58).
func (c *WaitFor) Validate() *Error {
	count := 0
	for _, s := range []string{string(c.LoadState), c.Text, c.TextGone, c.URLContains, c.Selector, c.Function} {
		if s != "" {
			count++
		}
	}
	switch {
	case count != 1:
		return NewError(CodeInvalidRequest, "Give exactly one of load_state, text, text_gone and url_contains.")
	case c.LoadState != "" && !slices.Contains([]LoadState{LoadIdle, LoadLoading, LoadComplete}, c.LoadState):
		return NewError(CodeInvalidRequest, "load_state is loading or complete; failed cannot be awaited.")
	case c.Timeout < 0 || c.Timeout > WaitMax:
		return NewError(CodeInvalidRequest, "timeout_ms is 1 to 120,000.")
	}
	return first(c.PageAddress.validate(), Query{Text: c.Text + c.TextGone + c.URLContains}.Validate())
}

// Validate demands the browser.
func (c *GetSurface) Validate() *Error { return needBrowser(c.BrowserID) }

// Validate demands the record's id.
func (c *GetNetworkRequest) Validate() *Error {
	if c.RequestID == "" {
		return NewError(CodeInvalidRequest, "request_id is missing. The network observation lists them.")
	}
	return c.PageAddress.validate()
}

// Validate demands the page.
func (c *GetCookies) Validate() *Error { return c.PageAddress.validate() }

// Validate demands an area.
func (c *GetStorage) Validate() *Error { return first(checkArea(c.Area), c.PageAddress.validate()) }

func checkArea(area StorageArea) *Error {
	if area != AreaLocal && area != AreaSession {
		return NewError(CodeInvalidRequest, "area is local or session.")
	}
	return nil
}
