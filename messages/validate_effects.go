package messages

import (
	"encoding/json"
	"slices"
)

// Validate checks mode, profile, address and size.
func (c *Launch) Validate() *Error {
	switch c.Mode {
	case "", LaunchEphemeral, LaunchEndpoint:
		if c.Profile != "" {
			return NewError(CodeInvalidRequest, "profile goes with mode managed only.")
		}
	case LaunchManaged:
		if e := CheckProfile(c.Profile); e != nil {
			return e
		}
	default:
		return NewError(CodeInvalidRequest, "mode is ephemeral or managed.")
	}
	if c.URL != "" {
		if e := CheckURL(c.URL); e != nil {
			return e
		}
	}
	return first(checkSize(c.Width, c.Height), c.EffectOptions.validate())
}

// Validate demands the offer.
func (c *Attach) Validate() *Error {
	if c.AttachmentID == "" {
		return NewError(CodeInvalidRequest, "attachment_id is missing. The discover observation lists the offers.")
	}
	return c.EffectOptions.validate()
}

// Validate checks the address, which may be empty.
func (c *NewPage) Validate() *Error {
	if c.URL != "" {
		if e := CheckURL(c.URL); e != nil {
			return e
		}
	}
	return first(needBrowser(c.BrowserID), c.EffectOptions.validate())
}

// Validate applies the URL policy (R110).
func (c *Navigate) Validate() *Error {
	return first(c.PageAddress.validate(), c.EffectOptions.validate(), CheckURL(c.URL))
}

// Validate demands the page.
func (c *Reload) Validate() *Error {
	return first(c.PageAddress.validate(), c.EffectOptions.validate())
}

// Validate demands the page.
func (c *Back) Validate() *Error { return first(c.PageAddress.validate(), c.EffectOptions.validate()) }

// Validate demands the page.
func (c *Forward) Validate() *Error {
	return first(c.PageAddress.validate(), c.EffectOptions.validate())
}

// Validate demands the page.
func (c *Stop) Validate() *Error { return first(c.PageAddress.validate(), c.EffectOptions.validate()) }

// Validate checks count, button and modifiers.
func (c *Click) Validate() *Error {
	if c.Count < 0 || c.Count > ClickCountMax {
		return NewError(CodeInvalidRequest, "count is 1 to 3.")
	}
	if !slices.Contains([]MouseButton{"", ButtonLeft, ButtonMiddle, ButtonRight}, c.Button) {
		return NewError(CodeInvalidRequest, "button is left, middle or right.")
	}
	return first(checkModifiers(c.Modifiers), c.OnElement.validate(true))
}

// Validate demands the element.
func (c *Hover) Validate() *Error { return c.OnElement.validate(true) }

// Validate checks direction and amount.
func (c *Scroll) Validate() *Error {
	if !slices.Contains([]ScrollDirection{ScrollUp, ScrollDown, ScrollLeft, ScrollRight}, c.Direction) {
		return NewError(CodeInvalidRequest, "direction is up, down, left or right.")
	}
	if c.Amount < 0 || c.Amount > 100_000 {
		return NewError(CodeInvalidRequest, "amount is 1 to 100,000 CSS pixels.")
	}
	return c.OnElement.validate(false)
}

// Validate demands both elements.
func (c *Drag) Validate() *Error {
	if c.TargetElementID == "" {
		return NewError(CodeInvalidRequest, "target_element_id is missing.")
	}
	return c.OnElement.validate(true)
}

// Validate checks the text (R79).
func (c *InputText) Validate() *Error { return first(CheckText(c.Text), c.OnElement.validate(true)) }

// Validate checks the value (R79).
func (c *SetValue) Validate() *Error { return first(CheckValue(c.Value), c.OnElement.validate(true)) }

// Validate checks the option (R79).
func (c *SelectOption) Validate() *Error {
	return first(CheckOption(c.Option), c.OnElement.validate(true))
}

// Validate checks the path (R90).
func (c *SelectChoice) Validate() *Error {
	return first(CheckChoicePath(c.ChoicePath), c.OnElement.validate(true))
}

// Validate checks the date (R91).
func (c *SetDate) Validate() *Error { return first(CheckDate(c.Value), c.OnElement.validate(true)) }

// Validate checks the path's shape (R134).
func (c *UploadFile) Validate() *Error {
	return first(CheckUploadPath(c.Path), c.OnElement.validate(true))
}

// Validate checks key and modifiers against the closed list (R80).
func (c *PressKey) Validate() *Error {
	if e := checkModifiers(c.Modifiers); e != nil {
		return e
	}
	if _, ok := LookupChord(c.Key, c.Modifiers); !ok {
		return NewError(CodeInvalidKey, "")
	}
	return c.OnElement.validate(false)
}

// batchable are the seven actions of R82.
var batchable = []Action{"input_text", "select_option", "set_value", "select_choice", "set_date", "click", "upload_file"}

// BatchActions returns the actions that a batch may hold (R82).
func BatchActions() []Action { return slices.Clone(batchable) }

// Validate checks the count, the size and every operation's own arguments, so
// that a bad late field cannot leave a partial batch (R82-R84).
func (c *Batch) Validate() *Error {
	if e := first(c.PageAddress.validate(), c.EffectOptions.validate()); e != nil {
		return e
	}
	if len(c.Operations) < 1 || len(c.Operations) > BatchOperationsMax {
		return NewError(CodeInvalidBatchCount, "A batch has 1 to 32 operations; this one has %d.", len(c.Operations))
	}
	total := 0
	for i, op := range c.Operations {
		if !slices.Contains(batchable, op.Action()) {
			return NewError(CodeInvalidBatchValue, "Operation %d: %s cannot be in a batch.", i, op.Action())
		}
		if op.Page() != c.PageAddress {
			return NewError(CodeInvalidBatchValue, "Operation %d names another page than the batch.", i)
		}
		if e := op.Validate(); e != nil {
			return NewError(e.Code, "Operation %d: %s", i, e.Detail)
		}
		if data, err := json.Marshal(op); err == nil {
			total += len(data)
		}
	}
	if total > BatchBytesMax {
		return NewError(CodeInvalidBatchValue, "The batch has %d bytes; at most 262,144 are allowed.", total)
	}
	return nil
}

// Validate bounds the prompt text.
func (c *HandleDialog) Validate() *Error {
	if len(c.PromptText) > PromptTextBytesMax {
		return NewError(CodeInvalidText, "")
	}
	return first(c.PageAddress.validate(), c.EffectOptions.validate())
}

// Validate demands both sides or none (R186, R214).
func (c *SetViewport) Validate() *Error {
	return first(checkSize(c.Width, c.Height), c.PageAddress.validate(), c.EffectOptions.validate())
}

// Validate demands the page.
func (c *ClearDiagnostics) Validate() *Error {
	return first(c.PageAddress.validate(), c.EffectOptions.validate())
}

// Validate demands the page.
func (c *ClosePage) Validate() *Error {
	return first(c.PageAddress.validate(), c.EffectOptions.validate())
}

// Validate demands the browser.
func (c *CloseBrowser) Validate() *Error {
	return first(needBrowser(c.BrowserID), c.EffectOptions.validate())
}
