package messages

import "slices"

// scriptBytesMax bounds the operator's script.
const scriptBytesMax = 64 << 10

// Validate checks the field's name.
func (c *ReadField) Validate() *Error {
	if !slices.Contains([]string{"url", "title", "text", "html"}, c.Field) {
		return NewError(CodeInvalidRequest, "The fields are url, title, text and html.")
	}
	if c.Selector != "" && (c.Field == "url" || c.Field == "title") {
		return NewError(CodeInvalidRequest, "A selector goes with text and html only.")
	}
	return c.PageAddress.validate()
}

// Validate bounds the script.
func (c *Evaluate) Validate() *Error {
	if c.Script == "" || len(c.Script) > scriptBytesMax {
		return NewError(CodeInvalidRequest, "The script has 1 to 65,536 bytes.")
	}
	if c.Timeout < 0 || c.Timeout > WaitMax {
		return NewError(CodeInvalidRequest, "The timeout is at most 120 s.")
	}
	return first(c.PageAddress.validate(), c.EffectOptions.validate())
}

// Validate checks the change and the cookie's name.
func (c *MutateCookies) Validate() *Error {
	if !slices.Contains([]CookieChange{CookieSet, CookieDelete, CookieClear}, c.Change) {
		return NewError(CodeInvalidRequest, "A cookie change is set, delete or clear.")
	}
	if c.Change != CookieClear && c.Cookie.Name == "" {
		return NewError(CodeInvalidRequest, "The cookie's name is missing.")
	}
	if !slices.Contains([]string{"", "strict", "lax", "none"}, c.Cookie.SameSite) {
		return NewError(CodeInvalidRequest, "same_site is strict, lax or none.")
	}
	return first(CheckValue(c.Cookie.Value), c.PageAddress.validate(), c.EffectOptions.validate())
}

// Validate checks the area and that a change has a key or clears.
func (c *MutateStorage) Validate() *Error {
	if c.Clear == (c.Key != "") {
		return NewError(CodeInvalidRequest, "Name a key, or clear the whole area.")
	}
	if len(c.Key) > ValueBytesMax || len(c.Value) > StorageBytesMax {
		return NewError(CodeInvalidValue, "A storage key has at most 4,096 bytes, a value 65,536.")
	}
	return first(checkArea(c.Area), c.PageAddress.validate(), c.EffectOptions.validate())
}

// Validate demands both ids.
func (c *CancelDownload) Validate() *Error {
	if c.DownloadID == "" {
		return NewError(CodeInvalidRequest, "download_id is missing.")
	}
	return first(needBrowser(c.BrowserID), c.EffectOptions.validate())
}

// Validate demands the browser.
func (c *ClearDownloads) Validate() *Error {
	return first(needBrowser(c.BrowserID), c.EffectOptions.validate())
}

// Validate demands the page.
func (c *Present) Validate() *Error {
	return first(c.PageAddress.validate(), c.EffectOptions.validate())
}

// Validate checks the rung.
func (c *Unstick) Validate() *Error {
	if !slices.Contains([]UnstickStep{UnstickTerminate, UnstickClose, UnstickKill, UnstickTree}, c.Step) {
		return NewError(CodeInvalidRequest, "The steps are terminate_script, close_target, kill_renderer and kill_browser.")
	}
	return first(c.PageAddress.validate(), c.EffectOptions.validate())
}

// Validate demands the owner.
func (c *EndOwner) Validate() *Error {
	if c.OwnerID == "" {
		return NewError(CodeInvalidRequest, "The owner is missing.")
	}
	return c.EffectOptions.validate()
}

// Validate demands the browser.
func (c *Heartbeat) Validate() *Error {
	return first(needBrowser(c.BrowserID), c.EffectOptions.validate())
}
