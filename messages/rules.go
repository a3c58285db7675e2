package messages

import (
	"encoding/json"
	"slices"
	"strings"
)

// The rules of single commands that no fact about one argument says. Each returns a
// refusal, or nil; Validate asks for them.

// first returns the first refusal of a list, or nil.
func first(errs ...*Error) *Error {
	for _, e := range errs {
		if e != nil {
			return e
		}
	}
	return nil
}

// checkModifiers refuses what is no modifier, and one that is given twice.
func checkModifiers(modifiers []Modifier) *Error {
	for i, m := range modifiers {
		known := m == ModifierAlt || m == ModifierCtrl || m == ModifierMeta || m == ModifierShift
		if !known || slices.Contains(modifiers[:i], m) {
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

func checkURLIfAny(url string) *Error {
	if url == "" {
		return nil
	}
	return CheckURL(url)
}

func (o EffectOptions) rules() *Error { return CheckOperationID(o.OperationID) }

// The bound of nodes hangs on the projection (R45, R54, R55), and only the tree takes
// a selector.
func (c *TakeSnapshot) rules() *Error {
	most := SnapshotNodesMax
	switch c.Projection {
	case ProjectionTree:
		most = TreeNodesMax
	case ProjectionFlat:
		most = FlatElementsMax
	}
	if c.MaxNodes > most {
		return NewError(CodeInvalidRequest, "max_nodes is 1 to %s for this projection.", thousands(most))
	}
	return c.Query.rules()
}

func (c *TakeScreenshot) rules() *Error {
	if c.ElementID != "" && c.FullPage {
		return NewError(CodeInvalidRequest, "Give element_id or full_page, not both.")
	}
	return nil
}

func (f DiagnosticsFilter) rules() *Error {
	if s := f.Status; s != "" && (len(s) != 3 || s[0] < '1' || s[0] > '5' || !(s[1:] == "xx" || isDigits(s[1:]))) {
		return NewError(CodeInvalidRequest, "status is a number as 404 or a class as 4xx.")
	}
	return Query{Text: f.Text}.rules()
}

func isDigits(s string) bool { return strings.Trim(s, "0123456789") == "" && s != "" }

// Exactly one condition holds the wait (R58).
func (c *WaitFor) rules() *Error {
	count := 0
	for _, s := range []string{string(c.LoadState), c.Text, c.TextGone, c.URLContains, c.Selector, c.Function} {
		if s != "" {
			count++
		}
	}
	if count != 1 {
		return NewError(CodeInvalidRequest, "Give exactly one of load_state, text, text_gone and url_contains.")
	}
	return Query{Text: c.Text + c.TextGone + c.URLContains}.rules()
}

func (c *Launch) rules() *Error {
	var profile *Error
	switch {
	case c.Mode == LaunchManaged:
		profile = CheckProfile(c.Profile)
	case c.Profile != "":
		profile = NewError(CodeInvalidRequest, "profile goes with mode managed only.")
	}
	return first(profile, checkURLIfAny(c.URL), checkSize(c.Width, c.Height), c.EffectOptions.rules())
}

func (c *NewPage) rules() *Error  { return first(checkURLIfAny(c.URL), c.EffectOptions.rules()) }
func (c *Navigate) rules() *Error { return first(c.EffectOptions.rules(), CheckURL(c.URL)) }

func (c *InputText) rules() *Error { return first(CheckText(c.Text), c.EffectOptions.rules()) }
func (c *SetValue) rules() *Error  { return first(CheckValue(c.Value), c.EffectOptions.rules()) }
func (c *SetDate) rules() *Error   { return first(CheckDate(c.Value), c.EffectOptions.rules()) }

func (c *SelectOption) rules() *Error { return first(CheckOption(c.Option), c.EffectOptions.rules()) }

func (c *SelectChoice) rules() *Error {
	return first(CheckChoicePath(c.ChoicePath), c.EffectOptions.rules())
}

func (c *UploadFile) rules() *Error { return first(CheckUploadPath(c.Path), c.EffectOptions.rules()) }

// The key is one of the closed list (R80, C36).
func (c *PressKey) rules() *Error {
	if _, ok := LookupChord(c.Key, c.Modifiers); !ok {
		return NewError(CodeInvalidKey, "")
	}
	return c.EffectOptions.rules()
}

// The count, the size and every operation's own arguments are checked before the
// first dispatch, so that a bad late field can't leave a partial batch (R82-R84).
func (c *Batch) rules() *Error {
	if len(c.Operations) < 1 || len(c.Operations) > BatchOperationsMax {
		return NewError(CodeInvalidBatchCount, "A batch has 1 to 32 operations; this one has %d.", len(c.Operations))
	}
	total := 0
	for i, op := range c.Operations {
		d := Describe(op)
		if d == nil || IsNil(op) {
			return NewError(CodeInvalidBatchValue, "Operation %d is missing.", i)
		}
		if !d.Batch {
			return NewError(CodeInvalidBatchValue, "Operation %d: %s cannot be in a batch.", i, d.Action)
		}
		if op.Page() != c.PageAddress {
			return NewError(CodeInvalidBatchValue, "Operation %d names another page than the batch.", i)
		}
		if e := Validate(op); e != nil {
			return NewError(e.Code, "Operation %d: %s", i, e.Detail)
		}
		if data, err := json.Marshal(op); err == nil {
			total += len(data)
		}
	}
	if total > BatchBytesMax {
		return NewError(CodeInvalidBatchValue, "The batch has %d bytes; at most 262,144 are allowed.", total)
	}
	return c.EffectOptions.rules()
}

func (c *HandleDialog) rules() *Error {
	if len(c.PromptText) > PromptTextBytesMax {
		return NewError(CodeInvalidText, "")
	}
	return c.EffectOptions.rules()
}

// Both sides are given, or none (R186, R214).
func (c *SetViewport) rules() *Error {
	return first(checkSize(c.Width, c.Height), c.EffectOptions.rules())
}

func (c *ReadField) rules() *Error {
	if c.Selector != "" && (c.Field == "url" || c.Field == "title") {
		return NewError(CodeInvalidRequest, "A selector goes with text and html only.")
	}
	return nil
}

func (c *Evaluate) rules() *Error {
	if c.Script == "" || len(c.Script) > ScriptBytesMax {
		return NewError(CodeInvalidRequest, "The script has 1 to 65,536 bytes.")
	}
	return c.EffectOptions.rules()
}

func (c *MutateCookies) rules() *Error {
	if c.Change != CookieClear && c.Cookie.Name == "" {
		return NewError(CodeInvalidRequest, "The cookie's name is missing.")
	}
	switch c.Cookie.SameSite {
	case "", "strict", "lax", "none":
		return first(CheckValue(c.Cookie.Value), c.EffectOptions.rules())
	}
	return NewError(CodeInvalidRequest, "same_site is strict, lax or none.")
}

// A change has a key, or clears the area (R147).
func (c *MutateStorage) rules() *Error {
	if c.Clear == (c.Key != "") {
		return NewError(CodeInvalidRequest, "Name a key, or clear the whole area.")
	}
	if len(c.Key) > ValueBytesMax || len(c.Value) > StorageBytesMax {
		return NewError(CodeInvalidValue, "A storage key has at most 4,096 bytes, a value 65,536.")
	}
	return c.EffectOptions.rules()
}
