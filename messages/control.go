package messages

// LaunchMode says what kind of browser a launch makes (R6, C31).
type LaunchMode string

// The modes. Empty means ephemeral, or the configured endpoint where the
// operator configured one (C31).
const (
	LaunchEphemeral LaunchMode = "ephemeral"
	LaunchManaged   LaunchMode = "managed"
	LaunchEndpoint  LaunchMode = "endpoint" // never named by a caller
)

// Launch starts a browser, or connects to the configured endpoint. Nothing else
// starts one. Its receipt names the browser, whose first page is listed by pages.
type Launch struct {
	EffectOptions
	Mode    LaunchMode `arg:"mode"`
	Profile string     `arg:"profile"`
	// URL, where given, is opened in the first page (operator plane's open).
	URL string `arg:"url" audit:"url"`
	// Held asks for the reaping policy held instead of model (R200).
	Held bool
	// OwnerPID, where above 0, ends the browser with that process (R23); operator
	// plane only.
	OwnerPID int
	// Width and Height of the viewport, 0 for the default.
	Width  int
	Height int
}

// Attach consumes one live offer of the extension bridge (R162).
type Attach struct {
	EffectOptions
	AttachmentID AttachmentID `arg:"attachment_id,required"`
}

// NewPage opens a page. Temporary gives it a browser context of its own, which
// ends with its last page (R16). The receipt names browser and page.
type NewPage struct {
	EffectOptions
	BrowserID BrowserID `arg:"browser_id,required"`
	URL       string    `arg:"url" audit:"url"`
	Temporary bool      `arg:"temporary"`
}

// Navigate loads an absolute http or https URL (R110). The fence falls before
// the dispatch (R43); the answer comes with the load, a dialog, or the bound.
type Navigate struct {
	PageAddress
	EffectOptions
	URL string `arg:"url,required" audit:"url"`
}

// Reload, Back, Forward and Stop are the other navigate verbs (R112). A missing
// history entry is history_entry_missing.
type (
	// Reload loads the document anew.
	Reload struct {
		PageAddress
		EffectOptions
	}
	// Back goes one entry back in the page's history.
	Back struct {
		PageAddress
		EffectOptions
	}
	// Forward goes one entry forward in the page's history.
	Forward struct {
		PageAddress
		EffectOptions
	}
	// Stop stops the loading of the page.
	Stop struct {
		PageAddress
		EffectOptions
	}
)

// MouseButton is the button of a click.
type MouseButton string

// The buttons. Empty means left.
const (
	ButtonLeft   MouseButton = "left"
	ButtonMiddle MouseButton = "middle"
	ButtonRight  MouseButton = "right"
)

// Modifier is a key held during a click or key.
type Modifier string

// The modifiers.
const (
	ModifierAlt   Modifier = "alt"
	ModifierCtrl  Modifier = "ctrl"
	ModifierMeta  Modifier = "meta"
	ModifierShift Modifier = "shift"
)

// Click presses and releases a button on the element with trusted input under
// the armed guard. Count 0 means 1.
type Click struct {
	OnElement
	Count     int         `arg:"count"`
	Button    MouseButton `arg:"button"`
	Modifiers []Modifier  `arg:"modifiers" audit:"modifiers"`
}

// Hover moves the pointer onto the element.
type Hover struct{ OnElement }

// Focus puts the focus on the element and does nothing else.
type Focus struct{ OnElement }

// ScrollDirection is where to scroll.
type ScrollDirection string

// The directions.
const (
	ScrollUp    ScrollDirection = "up"
	ScrollDown  ScrollDirection = "down"
	ScrollLeft  ScrollDirection = "left"
	ScrollRight ScrollDirection = "right"
)

// Scroll turns the wheel over the element, or over the middle of the viewport
// when none is named. Amount is in CSS pixels, 0 meaning most of a viewport.
type Scroll struct {
	OnElement
	Direction ScrollDirection `arg:"direction,required"`
	Amount    int             `arg:"amount"`
}

// Drag presses on the element, moves to the target element and releases there,
// both under the same fence.
type Drag struct {
	OnElement
	TargetElementID ElementHandle `arg:"target_element_id,required"`
}

// InputText types at the caret, after what is there; Submit presses Enter after it.
type InputText struct {
	OnElement
	Text   string `arg:"text,required" audit:"text"`
	Submit bool   `arg:"submit"`
}

// SetValue replaces the control's value exactly. An empty value clears a
// text-like control or an editing host (R79).
type SetValue struct {
	OnElement
	Value string `arg:"value,required" audit:"value"`
}

// SelectOption selects in a native select by exact value, else by exact label.
type SelectOption struct {
	OnElement
	Option string `arg:"option,required" audit:"value"`
}

// SelectChoice chooses in a custom control by an exact path of labels (R90).
type SelectChoice struct {
	OnElement
	ChoicePath []string `arg:"choice_path,required" audit:"path"`
}

// SetDate sets a month or a day in a custom date control (R91).
type SetDate struct {
	OnElement
	Value string `arg:"value,required" audit:"date"`
}

// UploadFile gives a file of a configured root to a file input (R134). Root is
// the root's name, needed when there are several; "downloads" is the runtime's own.
type UploadFile struct {
	OnElement
	Path string `arg:"path,required" audit:"file"`
	Root string `arg:"root"`
}

// PressKey presses one key of the closed list, on the element when one is
// named, else on what has the focus (R80).
type PressKey struct {
	OnElement
	Key       string     `arg:"key,required"`
	Modifiers []Modifier `arg:"modifiers" audit:"modifiers"`
}

// Batch runs 1 to BatchOperationsMax element effects of one page in order and
// holds the page's queue for all of them (R82-R89). Operations carry no page,
// token or operation id of their own; the batch's count.
type Batch struct {
	PageAddress
	EffectOptions
	Operations []ElementEffect `arg:"operations,required" audit:"operations"`
}

// HandleDialog answers the open dialog of the page. It overtakes the page's
// queue, since the operation in flight may wait for it (R121).
type HandleDialog struct {
	PageAddress
	EffectOptions
	Accept     bool   `arg:"accept,required"`
	PromptText string `arg:"prompt_text" audit:"text"`
}

// SetViewport sets the size of the page's viewport in CSS pixels (R186).
// Both 0 resets it.
type SetViewport struct {
	PageAddress
	EffectOptions
	Width  int `arg:"width,required"`
	Height int `arg:"height,required"`
}

// ClearDiagnostics empties console and network ledgers behind a barrier on the
// same ordered connection (R144, R145).
type ClearDiagnostics struct {
	PageAddress
	EffectOptions
}

// ClosePage closes one page. It overtakes the page's queue.
type ClosePage struct {
	PageAddress
	EffectOptions
}

// CloseBrowser ends a browser by its ownership: an owned one's processes and
// throwaway profile go, an endpoint's browser is left running (R6, R7).
type CloseBrowser struct {
	EffectOptions
	BrowserID BrowserID `arg:"browser_id,required"`
}

func (*Launch) Action() Action           { return "launch" }
func (*Attach) Action() Action           { return "attach" }
func (*NewPage) Action() Action          { return "new_page" }
func (*Navigate) Action() Action         { return "navigate" }
func (*Reload) Action() Action           { return "reload" }
func (*Back) Action() Action             { return "back" }
func (*Forward) Action() Action          { return "forward" }
func (*Stop) Action() Action             { return "stop" }
func (*Click) Action() Action            { return "click" }
func (*Hover) Action() Action            { return "hover" }
func (*Focus) Action() Action            { return "focus" }
func (*Scroll) Action() Action           { return "scroll" }
func (*Drag) Action() Action             { return "drag" }
func (*InputText) Action() Action        { return "input_text" }
func (*SetValue) Action() Action         { return "set_value" }
func (*SelectOption) Action() Action     { return "select_option" }
func (*SelectChoice) Action() Action     { return "select_choice" }
func (*SetDate) Action() Action          { return "set_date" }
func (*UploadFile) Action() Action       { return "upload_file" }
func (*PressKey) Action() Action         { return "key" }
func (*Batch) Action() Action            { return "batch" }
func (*HandleDialog) Action() Action     { return "handle_dialog" }
func (*SetViewport) Action() Action      { return "set_viewport" }
func (*ClearDiagnostics) Action() Action { return "clear_diagnostics" }
func (*ClosePage) Action() Action        { return "close_page" }
func (*CloseBrowser) Action() Action     { return "close_browser" }

// Grant of an effect is browser:control.
func (EffectOptions) Grant() Grant { return GrantControl }

// Grant of a launch is browser:launch.
func (*Launch) Grant() Grant { return GrantLaunch }

// Grant of an upload is files:upload, on top of browser:control, which the
// facade demands of every effect that is no launch.
func (*UploadFile) Grant() Grant { return GrantUpload }
